// Package sampled asks a model the same several times, and says in which parts of a state
// its answers agree.
package sampled

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// temperature is that of samples beside an answer that was drawn without chance: each token
// is as likely then as the model finds it.
const temperature = 1.0

// Predictor asks another one for its answer, and for samples beside it. What is shown is
// the answer that would be shown without them.
type Predictor struct {
	backend.Predictor
	// Answers is how many there are to each question, the one that is shown included.
	Answers int
	// Temperature and Seed are those of questions that name none.
	Temperature float64
	Seed        *int64

	told atomic.Bool // that samples could not be drawn
}

// Predict asks what an action leads to, and how many answers agree.
func (p *Predictor) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	start := time.Now()
	made, err := p.Predictor.Predict(ctx, q, show)
	if err != nil || p.Answers < 2 || made.Step.Reply.Outcome == dsl.Unknown {
		return made, err
	}
	if q.Options.Seed == nil {
		q.Options.Seed = p.Seed
	}
	heat := p.Temperature
	if q.Options.Temperature != nil {
		heat = *q.Options.Temperature
	}
	if heat == 0 {
		heat = temperature
	}
	q.Options.Temperature = &heat
	samples, err := p.sample(ctx, q, p.Answers-1)
	made.Took = time.Since(start)
	made.Usage = made.Usage.Plus(samples.Usage)
	if samples.Len() > 0 {
		made.Sureness = agreement(made.Step.Reply, samples)
	} else if err != nil && ctx.Err() == nil && !p.told.Swap(true) {
		made.Warnings = append(made.Warnings, "No further answers could be drawn to compare this one with: "+err.Error())
	}
	return made, nil
}

// sample draws n answers, as the predictor does by itself or else one after the other.
func (p *Predictor) sample(ctx context.Context, q backend.Question, n int) (out backend.Samples, err error) {
	if s, ok := p.Predictor.(backend.Sampler); ok {
		return s.Sample(ctx, q, n)
	}
	first := int64(0)
	if q.Options.Seed != nil {
		first = *q.Options.Seed
	}
	for i := range n {
		seed := first + int64(i) + 1
		q.Options.Seed = &seed
		made, err := p.Predictor.Predict(ctx, q, nil)
		for _, v := range backend.DiscardedBy(made, err) {
			out.Usage = out.Usage.Plus(v.Usage)
		}
		var failure *backend.Error
		switch {
		case err == nil:
			out.Replies = append(out.Replies, made.Step.Reply)
			out.Usage = out.Usage.Plus(made.Usage)
		case errors.As(err, &failure) && failure.Answered():
			out.Invalid++
		default:
			return out, err
		}
	}
	return out, nil
}
