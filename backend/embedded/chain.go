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
	c := newLinks(q, dsl.StepOver)
	depth := len(q.At.Current().Stack)
	for range mostLinks {
		reply, ok, discarded, err := c.next(ctx, p.direct)
		if !ok {
			return nil, c.unused(discarded), err
		}
		stop := reply.Stop
		if stop == nil || len(stop.Stack) != depth || stop.Kind == dsl.Yielded {
			break
		}
		if stop.Event == dsl.Return {
			made = c.closed(reply)
			break
		}
	}
	if made == nil {
		discarded = c.unused(nil)
	}
	return made, discarded, nil
}

// links predicts a chain of single steps of one kind, each from the predicted state before it.
type links struct {
	q          backend.Question // the question that the chain answers
	link       backend.Question // the step, from the last state
	whole      *backend.Prediction
	confidence float64
	start      time.Time
}

func newLinks(q backend.Question, step dsl.Move) *links {
	return &links{
		q: q, link: backend.Question{At: q.At, Action: dsl.Action{Move: step}, Options: q.Options},
		whole: &backend.Prediction{}, confidence: 1, start: time.Now(),
	}
}

// next predicts the next step with predict. If that fails, ok is false. err is then set in two cases: ctx has
// ended, or already the first question exceeds the window, and the caller must compact the text.
func (c *links) next(ctx context.Context, predict func(context.Context, backend.Question, func(backend.Update)) (*backend.Prediction, error)) (reply dsl.Reply, ok bool, discarded []backend.Discarded, err error) {
	link, err := predict(ctx, c.link, nil)
	if failure, ok := errors.AsType[*backend.Error](err); ok && failure.Kind == backend.TooLong {
		if c.link.At == c.q.At {
			return reply, false, nil, err
		}
		if c.link.At, err = c.link.At.Compact(); err != nil {
			return reply, false, nil, nil
		}
		c.whole.Warnings = []string{forgotten}
		link, err = predict(ctx, c.link, nil)
	}
	if err != nil {
		return reply, false, backend.DiscardedBy(nil, err), ctx.Err()
	}
	whole := c.whole
	c.confidence *= *link.Confidence
	extend(whole, link)
	if link.Step.Reply.Stop != nil {
		if c.link.At, err = c.link.At.Append(link.Step); err != nil {
			return reply, false, nil, nil
		}
	}
	return link.Step.Reply, true, nil, nil
}

// unused returns the tokens of a chain that failed, as discarded. last are those of its last step.
func (c *links) unused(last []backend.Discarded) []backend.Discarded {
	if c.whole.Usage.Completion == 0 {
		return last
	}
	return append([]backend.Discarded{{Usage: c.whole.Usage}}, last...)
}

// closed returns the prediction for the question after the chain has reached this reply. It returns nil if
// nd/1 cannot express the reply.
func (c *links) closed(reply dsl.Reply) *backend.Prediction {
	reply = shortest(reply)
	raw, err := c.q.At.Reply(c.q.Action, reply)
	if err != nil {
		return nil
	}
	whole := c.whole
	whole.Step = dsl.Step{Action: c.q.Action, Reply: reply}
	whole.Raw, whole.Confidence = raw, &c.confidence
	whole.Took = time.Since(c.start)
	whole.First = whole.Took
	return whole
}

// shortest returns the reply to another question without the demand for its whole stack. From another
// state, other stacks are required.
func shortest(r dsl.Reply) dsl.Reply {
	if r.Stop != nil && r.Stop.Whole {
		stop := *r.Stop
		stop.Whole = false
		r.Stop = &stop
	}
	return r
}

// extend adds the sureness and the usage of a further step to a prediction that is made of several. The
// prompt of the last step contains those of the steps before.
func extend(whole, link *backend.Prediction) {
	if whole.Sureness == nil {
		whole.Sureness = link.Sureness
	} else {
		whole.Sureness = whole.Sureness.Then(link.Sureness)
	}
	whole.Usage.Completion += link.Usage.Completion
	whole.Usage.Prompt, whole.Usage.Cached = link.Usage.Prompt, link.Usage.Cached
}
