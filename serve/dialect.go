package serve

import (
	"context"

	"github.com/npdb/npdb/backend/rollout"
	"github.com/npdb/npdb/dsl"
)

// dialect is all in which the two ways to ask differ: how a question is written, what is
// answered, and the JSON around that.
type dialect interface {
	// parse reads a request's body. The error is an *apiError.
	parse(body []byte) (*request, error)
	// of is the tongue of one request; known is what has happened in traces so far.
	of(q *request, known *rollout.Cache[rollout.Trail]) dialect
	// find follows a request to where it stands, as far as that is to be found out from a
	// model. The error is that of ctx, or says why it is answered as unknown.
	find(ctx context.Context, q *request, m *Model) error
	// question is what a request asks. The error is an *apiError where it is refused, any
	// other where it is answered as unknown.
	question(q *request) (at *dsl.Node, asked dsl.Action, err error)
	// written is the text of a reply, and declined that of one which nobody knows.
	written(at *dsl.Node, asked dsl.Action, r dsl.Reply) (string, error)
	// all is the answer that begins with a reply: with the states that follow it where a
	// request wants them, as many as are known before ctx ends. cut is whether more would follow.
	all(ctx context.Context, q *request, m *Model, at *dsl.Node, asked dsl.Action, first dsl.Reply) (text string, cut bool, err error)
	declined() string
	// sound reports whether a client can read a text.
	sound(at *dsl.Node, asked dsl.Action, text string) bool
	// endless begins a text that never ends.
	endless() string
	// tokens are a text's, without the one that ends it.
	tokens(text string) []int
	// object names the kind of what is answered, prefix begins its id.
	object(stream bool) string
	prefix() string
	// whole is the answer, piece one token of a choice of a stream, and tail what a stream
	// says of usage. opening, if not nil, comes before a choice's first token.
	whole(r *reply) any
	opening(r *reply, choice int) any
	piece(r *reply, choice, at int) any
	tail(r *reply) any
}
