// Package sampled asks a model the same question several times and reports, part by part, how many
// answers agree with the shown one.
package sampled

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// temperature is the sampling temperature for the further answers if the shown answer was requested
// with temperature 0. At 1, tokens are sampled from the model's own probabilities.
const temperature = 1.0

// Predictor takes its answer from another predictor and samples further answers. For a forward
// action they only measure agreement. For an inverse action they are candidates: other states that
// may have come before.
type Predictor struct {
	backend.Predictor
	// Answers is the number of answers to a question of a forward action, Pasts that to one of an
	// inverse action, including the shown one.
	Answers, Pasts int
	// Temperature and Seed apply to questions that set neither.
	Temperature float64
	Seed        *int64

	told atomic.Bool // the user was warned that no further answers could be sampled
}

// Predict predicts what an action leads to, and adds to the prediction how many answers agree.
func (p *Predictor) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	start := time.Now()
	answers, inverse := p.Answers, q.Action.Move.Inverse()
	if inverse {
		answers = p.Pasts
	}
	answers = cmp.Or(q.Answers, answers)
	made, err := p.Predictor.Predict(ctx, q, show)
	if err != nil || answers < 2 || made.Computed || made.Step.Reply.Outcome == dsl.Unknown {
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
	samples, err := p.sample(ctx, q, answers-1)
	made.Took = time.Since(start)
	made.Usage = made.Usage.Plus(samples.Usage)
	if inverse {
		all := samples
		all.Replies = slices.Insert(slices.Clone(samples.Replies), 0, made.Step.Reply)
		all.Confidences = slices.Insert(slices.Clone(samples.Confidences), 0, made.Confidence)
		made.Candidates = Candidates(all)
	}
	if inverse && p.Answers < 2 && made.Sureness != nil {
		return made, nil
	}
	if samples.Len() > 0 {
		made.Sureness = agreement(made.Step.Reply, samples)
	} else if err != nil && ctx.Err() == nil && !p.told.Swap(true) {
		made.Warnings = append(made.Warnings, "No further answers could be drawn to compare this one with: "+err.Error())
	}
	return made, nil
}

// Keeps reports whether the other predictor already holds the prediction.
func (p *Predictor) Keeps(q backend.Question) bool { return backend.Keeps(p.Predictor, q) }

// sample requests n further answers: in one call if the predictor implements backend.Sampler, else
// one by one.
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
			out.Confidences = append(out.Confidences, made.Confidence)
			out.Usage = out.Usage.Plus(made.Usage)
		case errors.As(err, &failure) && failure.Answered():
			out.Invalid++
		default:
			return out, err
		}
	}
	return out, nil
}

// Judge asks the other predictor once.
func (p *Predictor) Judge(ctx context.Context, b *chat.Block) (*backend.Judgement, error) {
	return backend.Judged(ctx, p.Predictor, b)
}
