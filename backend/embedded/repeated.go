package embedded

import (
	"context"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// repeated predicts a block or function move, on which the model was not trained, from single steps. It
// predicts a step from each predicted state until the move lands. The confidence is the product of the steps'
// confidences.
func (p *Predictor) repeated(ctx context.Context, q backend.Question, step dsl.Move, show func(backend.Update)) (*backend.Prediction, error) {
	c := newLinks(q, step)
	walk := python.NewStepWalk(q.Action.Move, q.At.Program(), q.At.Current())
	var before, at *dsl.Reply
	for range mostLinks {
		to, ok, discarded, err := c.next(ctx, p.step)
		if err != nil {
			return nil, backend.TakeDown(nil, err, c.unused(discarded))
		}
		if !ok {
			break
		}
		switch walk.Next(to.Stop) {
		case python.WalkLandsHere:
			at = &to
		case python.WalkLandsBefore:
			at = before
		}
		if at != nil {
			break
		}
		before = &to
	}
	if at != nil {
		if made := c.closed(*at); made != nil {
			if show != nil {
				show(backend.Update{Reply: made.Step.Reply, Raw: made.Raw})
			}
			return made, nil
		}
	}
	return nil, backend.TakeDown(nil, &backend.Error{
		Kind:    backend.NoState,
		Message: "The model in npdb predicts " + q.Action.Move.String() + " by single steps, and they do not reach a landing. Make single steps instead.",
	}, c.unused(nil))
}

// step predicts a single step.
func (p *Predictor) step(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	if !p.cfg.Python.Inlines() {
		if made, discarded, err := p.oldFrames(ctx, q); made != nil || err != nil {
			return made, backend.TakeDown(made, err, discarded)
		}
	}
	return p.direct(ctx, q, show)
}
