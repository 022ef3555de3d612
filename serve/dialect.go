package serve

import (
	"context"

	"github.com/npdb/npdb/backend/rollout"
	"github.com/npdb/npdb/dsl"
)

// dialect abstracts the differences between the formats of the two endpoints: how a request is
// written, how an answer is written, and the JSON around it.
type dialect interface {
	// parse reads the body of a request. The error is an *apiError.
	parse(body []byte) (*request, error)
	// of returns the dialect for one request. It may depend on the prompt. known caches the true
	// events of traces in earlier requests.
	of(q *request, known *rollout.Cache[rollout.Trail]) dialect
	// find determines the state of the program at which the prompt ends. In a trace this requires
	// the model, since each event must be checked. The error is that of ctx, or the reason of an
	// unknown answer.
	find(ctx context.Context, q *request, m *Model) error
	// question returns the node of the state at the end of a request's prompt, and the requested
	// action. The error is an *apiError if the request is refused; any other error is the reason of
	// an unknown answer.
	question(q *request) (at *dsl.Node, asked dsl.Action, err error)
	// written returns the text of a reply, and declined the text of an unknown one.
	written(at *dsl.Node, asked dsl.Action, r dsl.Reply) (string, error)
	// all returns the text of the answer that begins with the reply first. If the request is for
	// several states, it adds the following states that are known before ctx ends. cut reports
	// whether more states would follow.
	all(ctx context.Context, q *request, m *Model, at *dsl.Node, asked dsl.Action, first dsl.Reply) (text string, cut bool, err error)
	declined() string
	// sound reports whether a client can decode text as the answer to a request.
	sound(at *dsl.Node, asked dsl.Action, text string) bool
	// endless returns the beginning of a text that never ends.
	endless() string
	// tokens returns the tokens of an answer's text, without the token that ends the answer.
	tokens(text string) []int
	// object returns the type of the response object, prefix the beginning of its id.
	object(stream bool) string
	prefix() string
	// whole returns a complete response. opening returns the chunk to be sent before a choice's
	// first token, or nil. piece returns the chunk of a stream with the token at index at. tail
	// returns the last chunk, with the usage.
	whole(r *reply) any
	opening(r *reply, choice int) any
	piece(r *reply, choice, at int) any
	tail(r *reply) any
}
