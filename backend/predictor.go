// Package backend holds what answers npdb's question: given this trajectory,
// what state does this action lead to? Each kind of predictor has a package of
// its own below this one; what they share is here.
package backend

import (
	"context"
	"time"

	"github.com/npdb/npdb/dsl"
)

// Predictor answers questions about a program. Its methods may be called from
// several goroutines.
//
// Errors are *Error, which says whether to ask again is worth it, or that of a
// ctx that has ended: a *GivenUp where replies had come.
type Predictor interface {
	// Predict asks what q.Action leads to at q.At. show, when not nil, is given
	// the reply as far as it has come, again and again, by the calling goroutine;
	// a Restarted update says that what it showed is void, for it is asked anew.
	Predict(ctx context.Context, q Question, show func(Update)) (*Prediction, error)
	// Fill gives values to those locals of a first state that have none. context
	// is a text without a state; missing are indexes into first.Locals, ascending.
	// first itself is not changed.
	Fill(ctx context.Context, context *dsl.Node, first *dsl.Stop, missing []int, o Options) (*Filled, error)
	// Model names what answers, for people.
	Model() Model
	// Close gives up what the predictor holds. Questions under way fail.
	Close() error
}

// Model names a predictor.
type Model struct {
	Name  string // "nd-32b"
	Place string // "http://127.0.0.1:8000/v1"; "" for one in this process
	// Away tells that what is sent leaves this machine.
	Away bool
	// Forwards tells that it is asked for no move backwards.
	Forwards bool
	// Dialect is the language in which it is asked: "nd/1", "chat", "cwm"; "" while that is not known.
	Dialect string
	// Measured is how often it was right where it was measured; nil where that is not known.
	Measured *Measured
}

// Question is one question to a predictor.
type Question struct {
	At      *dsl.Node // the program and the trajectory so far
	Action  dsl.Action
	Options Options
	// Contradictions, when not nil, names the parts of a reply that contradict the program's text, as
	// Checks does. A predictor that can tell its model so asks it once more.
	Contradictions func(dsl.Reply) []string
	// Alone tells that the same action is not likely to follow: what it would lead to from
	// there is not worth its tokens.
	Alone bool
}

// Options say how an answer is drawn. Nil leaves a setting to the predictor's
// own configuration, so that a zero can be said.
type Options struct {
	Temperature *float64
	TopP        *float64
	Seed        *int64
	MaxTokens   *int
}

// Update is a reply as far as it has come.
type Update struct {
	Reply     dsl.Reply
	Known     dsl.Known
	Raw       string // the model's own text
	Restarted bool   // the question is asked again from the start
}

// Prediction is the answer to a question. Its step, appended to the node that was
// asked, is the place that the action leads to.
type Prediction struct {
	Step dsl.Step
	Raw  string // the model's own text
	// Wire is the reply as nd/1 has it, where Raw is in another language; else "".
	Wire string
	// Thoughts are what the model said to itself first, where it does and the server tells.
	Thoughts string
	// Confidence is the probability that the model gave its own reply, 0 to 1;
	// nil where it was not told.
	Confidence *float64
	// NoLocals tells that the model's language has no words for the locals of this state:
	// that it shows none says nothing.
	NoLocals bool
	// Pieces lists the tokens that spell Raw, with their probabilities; nil unless one reply of
	// a model in this process is the whole answer.
	Pieces []Piece
	// Sureness is that of the parts of the state; nil where nothing was told of them.
	Sureness *Sureness
	// Checks compares the state with the program's text; nil if it was not compared.
	Checks Checks
	// Computed reports that the program's text decides the whole state: no model was asked.
	Computed bool
	Usage    Usage
	Took     time.Duration // from the question to the last of the answer
	First    time.Duration // to the first of it
	Retries  int
	// Kept tells that nothing was asked: it came with the reply to an earlier question, whose
	// usage and time have all that it took.
	Kept      bool
	Discarded []Discarded // the replies to it that were no answer
	// Warnings are words for the user: a setting the server ignored, and the like.
	Warnings []string
}

// Written returns the reply as nd/1 has it.
func (p *Prediction) Written() string {
	if p.Wire != "" {
		return p.Wire
	}
	return p.Raw
}

// Said returns all that the model said, its thoughts before the rest.
func (p *Prediction) Said() string { return said(p.Thoughts, p.Raw) }

func said(thoughts, raw string) string {
	if thoughts == "" {
		return raw
	}
	return "<think>\n" + thoughts + "\n</think>\n" + raw
}

// Usage counts tokens. A number that the server did not tell is -1.
type Usage struct{ Prompt, Cached, Completion int }

// Plus returns the tokens of both. What one of them does not tell is not known of both.
func (u Usage) Plus(more Usage) Usage {
	add := func(a, b int) int {
		if a < 0 || b < 0 {
			return -1
		}
		return a + b
	}
	return Usage{add(u.Prompt, more.Prompt), add(u.Cached, more.Cached), add(u.Completion, more.Completion)}
}
