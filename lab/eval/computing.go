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
	bySample := map[int]*computed.Predictor{}
	of := func(sample int) *computed.Predictor {
		if bySample[sample] == nil {
			bySample[sample] = computed.New(kept{r.model, sample}, r.Python, mostAsked)
		}
		return bySample[sample]
	}
	ask = func(ctx context.Context, at *dsl.Node, a dsl.Action, sample int) (answer, error) {
		p := of(sample)
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
