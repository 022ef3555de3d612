// Package backend defines predictors. A Predictor answers the question: given this trajectory, to
// which state does this action lead? Each kind of predictor has a package below this one; their
// common types are here.
//
// A question is sent to a model as one or more requests, in the model's dialect (nd/1, chat or cwm). The
// model answers each with a reply.
//
// The program's source determines some states without a model: package computed computes these, and
// Checks compares predictions with them.
//
// An inverse action asks which state came before. Any state that may have come before is a past; the
// possible pasts of a state are Candidates. A Verifier checks one past by following the program forward
// from it.
package backend

import (
	"context"
	"time"

	"github.com/npdb/npdb/dsl"
)

// Predictor predicts states of a program. Its methods may be called from several goroutines.
//
// Errors are *Error, whose Retryable reports whether a retry may help, or the error of a ctx that
// has ended: a *GivenUp if replies had already arrived.
type Predictor interface {
	// Predict predicts the state to which q.Action leads from q.At. If show is not nil, Predict
	// calls it with the reply received so far, each time that more arrives, in the calling
	// goroutine. An update with Restarted set means that the request is repeated and that the
	// earlier updates are void.
	Predict(ctx context.Context, q Question, show func(Update)) (*Prediction, error)
	// Fill makes up values for locals of a first state that have none. context is a node without a
	// state; missing holds indexes into first.Locals, ascending. Fill does not change first.
	Fill(ctx context.Context, context *dsl.Node, first *dsl.Stop, missing []int, o Options) (*Filled, error)
	// Model describes the model, for the user.
	Model() Model
	// Close releases the predictor's resources. Requests in progress fail.
	Close() error
}

// Model describes the model behind a predictor.
type Model struct {
	Name  string // "nd-32b"
	Place string // "http://127.0.0.1:8000/v1"; "" if it runs in this process
	// Away reports that requests leave this machine.
	Away bool
	// Forwards reports that the model cannot predict backward moves.
	Forwards bool
	// Dialect is the format of the requests: "nd/1", "chat" or "cwm"; "" while it is unknown.
	Dialect string
	// Measured is the model's measured accuracy; nil if it is unknown.
	Measured *Measured
}

// Question asks a predictor for the state to which an action leads.
type Question struct {
	At      *dsl.Node // the program and the trajectory so far
	Action  dsl.Action
	Options Options
	// Contradictions, if not nil, returns the names of the parts of a reply that contradict the
	// program's source, as Checks.Wrong does. A predictor that can report them to its model asks
	// the model once more.
	Contradictions func(dsl.Reply) []string
	// Answers is the number of answers to sample; 0 is the configured number.
	Answers int
	// Alone reports that the same action is unlikely to follow. Then it is not worth the tokens to
	// request the states after this one in the same reply.
	Alone bool
}

// Options control sampling. A nil field keeps the predictor's own configuration, so that zero can
// be set explicitly.
type Options struct {
	Temperature *float64
	TopP        *float64
	Seed        *int64
	MaxTokens   *int
}

// Update holds the part of a reply that has arrived so far.
type Update struct {
	Reply     dsl.Reply
	Known     dsl.Known
	Raw       string // the text that the model wrote
	Restarted bool   // the request is repeated, and earlier updates are void
}

// Prediction is the answer to a question. Appending Step to the question's node gives the node
// after the action.
type Prediction struct {
	Step dsl.Step
	Raw  string // the text that the model wrote
	// Wire is the reply in nd/1 if Raw is in another dialect; else "".
	Wire string
	// Thoughts is the model's reasoning before the reply, if the server returns it.
	Thoughts string
	// Confidence is the model's probability for its own reply, 0 to 1; nil if it is unknown.
	Confidence *float64
	// NoLocals reports that the model's dialect cannot express the locals of this state. Then
	// missing locals mean nothing.
	NoLocals bool
	// Pieces lists the tokens of Raw with their probabilities. It is set only if a model in this process
	// wrote the whole answer in one reply.
	Pieces []Piece
	// Sureness holds the confidence in each part of the state; nil if none is known.
	Sureness *Sureness
	// Candidates holds the states to which an inverse action may lead, this one included. It is nil if
	// only one was requested.
	Candidates *Candidates
	// Checks compares the state with what the program's source determines; nil if it was not
	// compared.
	Checks Checks
	// Computed reports that the state follows from the program's source: no model was asked.
	Computed bool
	Usage    Usage
	Took     time.Duration // from the question to the end of the answer
	First    time.Duration // from the question to the first part of the answer
	Retries  int
	// Kept reports that no request was made, because the reply to an earlier question contained this
	// state. The tokens and time of that reply are counted there.
	Kept      bool
	Discarded []Discarded // the replies that could not be used
	// Warnings are messages for the user, for example that the server ignored a setting.
	Warnings []string
}

// Written returns the reply in nd/1, or as the model wrote it if Wire is empty.
func (p *Prediction) Written() string {
	if p.Wire != "" {
		return p.Wire
	}
	return p.Raw
}

// Said returns all that the model wrote, its reasoning first.
func (p *Prediction) Said() string { return said(p.Thoughts, p.Raw) }

func said(thoughts, raw string) string {
	if thoughts == "" {
		return raw
	}
	return "<think>\n" + thoughts + "\n</think>\n" + raw
}

// Usage counts tokens. A count that the server does not report is -1.
type Usage struct{ Prompt, Cached, Completion int }

// Plus returns the sum of both. A count that is unknown in one of them is unknown in the sum.
func (u Usage) Plus(more Usage) Usage {
	add := func(a, b int) int {
		if a < 0 || b < 0 {
			return -1
		}
		return a + b
	}
	return Usage{add(u.Prompt, more.Prompt), add(u.Cached, more.Cached), add(u.Completion, more.Completion)}
}
