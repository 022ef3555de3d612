package eval

import (
	"context"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
)

// Computing is the name of a predictor that is measured in addition to the model. It computes the states
// that the program's source determines, and asks the model for the others, as in a session (package
// backend/computed).
const Computing = "computing"

// Checking is the name of a predictor that asks the model for every state, and compares the states with
// what the program's source determines (backend/computed.Checker).
const Checking = "checking"

// mostAsked is the maximum number of steps for which the model is asked within one move.
const mostAsked = 100

// kept is a predictor that returns the saved answers to one sample, or asks the model.
type kept struct {
	*keeping
	sample int
}

// Predict returns the saved answer to a question, or asks the model.
func (k kept) Predict(ctx context.Context, q backend.Question, _ func(backend.Update)) (*backend.Prediction, error) {
	return k.predict(ctx, q, k.sample)
}

// Close does nothing, because others use the model too.
func (kept) Close() error { return nil }

// computing returns a function that answers questions about one program: it computes the states that the
// source determines and asks the model for the others. The caller must call end after the last question.
func (r *runner) computing() (ask asker, end func()) {
	return r.besideText(func(of backend.Predictor) backend.Predictor { return computed.New(of, r.Python, mostAsked) })
}

// checking returns a function that asks the model about one program, and checks the predicted states
// against the states that follow from the program's source. The caller must call end after the last
// question.
func (r *runner) checking() (ask asker, end func()) {
	asks, end := r.besideText(func(of backend.Predictor) backend.Predictor { return computed.NewChecker(of, r.Python) })
	return func(ctx context.Context, at *dsl.Node, a dsl.Action, sample int) (answer, error) {
		got, err := asks(ctx, at, a, sample)
		got.checked = true
		return got, err
	}, end
}

// besideText returns a function that answers questions about one program with a predictor that uses the
// program's source and the model. with creates that predictor, once for each sample.
func (r *runner) besideText(with func(backend.Predictor) backend.Predictor) (ask asker, end func()) {
	bySample := map[int]backend.Predictor{}
	ask = func(ctx context.Context, at *dsl.Node, a dsl.Action, sample int) (answer, error) {
		if bySample[sample] == nil {
			bySample[sample] = with(kept{r.model, sample})
		}
		p := bySample[sample]
		return r.askOf(ctx, at, a, sample, func(ctx context.Context, q backend.Question) (*backend.Prediction, error) {
			return p.Predict(ctx, q, nil)
		})
	}
	return ask, func() {
		for _, p := range bySample {
			_ = p.Close() // kept's Close has no error
		}
	}
}
