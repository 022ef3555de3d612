package eval

import (
	"context"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
)

// Computing is the name of the model together with what npdb computes from a program's text, as
// it is asked in a session (package backend/computed). Its results stand beside the model's own.
const Computing = "computing"

// Checking names the model whose states npdb compares with what the program's text decides
// (backend/computed.Checker). Its answers are the model's own.
const Checking = "checking"

// mostAsked is the maximum number of steps of one move that the model is asked for.
const mostAsked = 100

// kept asks the model itself, or finds its saved answer.
type kept struct {
	*keeping
	sample int
}

// Predict asks, or returns the saved answer.
func (k kept) Predict(ctx context.Context, q backend.Question, _ func(backend.Update)) (*backend.Prediction, error) {
	return k.predict(ctx, q, k.sample)
}

// Close does nothing: the model is not its own.
func (kept) Close() error { return nil }

// computing returns the asker for one program that computes what the text decides, and asks the
// model for the rest. close must be called at the end.
func (r *runner) computing() (ask asker, end func()) {
	return r.besideText(func(of backend.Predictor) backend.Predictor { return computed.New(of, r.Python, mostAsked) })
}

// checking returns the asker for one program that asks the model and checks its states.
func (r *runner) checking() (ask asker, end func()) {
	asks, end := r.besideText(func(of backend.Predictor) backend.Predictor { return computed.NewChecker(of, r.Python) })
	return func(ctx context.Context, at *dsl.Node, a dsl.Action, sample int) (answer, error) {
		got, err := asks(ctx, at, a, sample)
		got.checked = true
		return got, err
	}, end
}

// besideText returns the asker of a predictor that uses the program's text and the model, one for each
// sample.
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
