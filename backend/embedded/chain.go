package embedded

import (
	"context"
	"errors"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// mostLinks is the maximum number of steps in a chain. A longer one is given up.
const mostLinks = 100

// forgotten is the warning for the user that the history was compacted during a chain.
const forgotten = "The steps to the return had outgrown the model's window and were compacted: where iterators stand, " +
	"which names share an object, globals and closures were lost to the model on the way."

// chain predicts step_return by single steps: it predicts step_over from each predicted state until
// the function returns. This is right more often than a prediction in one reply
// (docs/model-card.md). made is nil if a step fails or the chain does not reach a return of this
// activation; then the caller requests the state in one reply, and discarded holds the tokens of
// the chain. The confidence, also that of each part of the state, is the product over all steps.
func (p *Predictor) chain(ctx context.Context, q backend.Question) (made *backend.Prediction, discarded []backend.Discarded, err error) {
	start := time.Now()
	at, depth := q.At, len(q.At.Current().Stack)
	over := backend.Question{Action: dsl.Action{Move: dsl.StepOver}, Options: q.Options}
	whole := &backend.Prediction{}
	confidence := 1.0
	defer func() {
		if made == nil && whole.Usage.Completion > 0 {
			discarded = append([]backend.Discarded{{Usage: whole.Usage}}, discarded...)
		}
	}()
	for range mostLinks {
		over.At = at
		link, err := p.direct(ctx, over, nil)
		if failure, ok := errors.AsType[*backend.Error](err); ok && failure.Kind == backend.TooLong {
			if at == q.At {
				return nil, nil, err // the caller compacts the text
			}
			if at, err = at.Compact(); err != nil {
				return nil, nil, nil
			}
			whole.Warnings = []string{forgotten}
			over.At = at
			link, err = p.direct(ctx, over, nil)
		}
		if err != nil {
			return nil, backend.DiscardedBy(nil, err), ctx.Err()
		}
		confidence *= *link.Confidence
		if whole.Sureness == nil {
			whole.Sureness = link.Sureness
		} else {
			whole.Sureness = whole.Sureness.Then(link.Sureness)
		}
		whole.Usage.Completion += link.Usage.Completion
		whole.Usage.Prompt, whole.Usage.Cached = link.Usage.Prompt, link.Usage.Cached
		stop := link.Step.Reply.Stop
		if stop == nil || len(stop.Stack) != depth || stop.Kind == dsl.Yielded {
			return nil, nil, nil
		}
		if stop.Event == dsl.Return {
			return p.closed(q, whole, link.Step.Reply, confidence, start), nil, nil
		}
		if at, err = at.Append(link.Step); err != nil {
			return nil, nil, nil
		}
	}
	return nil, nil, nil
}

// closed returns the prediction for a step_return whose chain has reached the return. It returns
// nil if nd/1 cannot express the reply.
func (p *Predictor) closed(q backend.Question, whole *backend.Prediction, reply dsl.Reply, confidence float64, start time.Time) *backend.Prediction {
	raw, err := q.At.Reply(q.Action, reply)
	if err != nil {
		return nil
	}
	whole.Step = dsl.Step{Action: q.Action, Reply: reply}
	whole.Raw, whole.Confidence = raw, &confidence
	whole.Took = time.Since(start)
	whole.First = whole.Took
	return whole
}
