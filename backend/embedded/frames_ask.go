package embedded

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// mostTurns limits the number of a comprehension's iterations that are predicted to step over its line.
const mostTurns = 64

// oldFrames predicts a step at a comprehension that has its own frame, as before Python 3.12. The model
// knows only newer versions, in which a step over the line stops on that line again in each iteration.
// So oldFrames repeats this step until the state is on another line. In the comprehension's frame, it
// predicts a step_into that can enter no call as a step_over. made is nil if the question does not need
// this.
func (p *Predictor) oldFrames(ctx context.Context, q backend.Question) (made *backend.Prediction, discarded []backend.Discarded, err error) {
	from := q.At.Current()
	if from == nil || from.Event == dsl.Return {
		return nil, nil, nil
	}
	_, text, here := comprehensionsAt(q.At, from)
	if len(here) == 0 {
		return nil, nil, nil
	}
	over := backend.Question{At: q.At, Action: dsl.Action{Move: dsl.StepOver}, Options: q.Options}
	within := isComprehension(from.Function)
	switch {
	case within && q.Action.Move == dsl.StepInto && !slices.ContainsFunc(here, func(c python.Comprehension) bool { return c.Calls }):
		made, err = p.direct(ctx, over, nil)
		if err != nil {
			return nil, nil, err
		}
		made, err = answered(q, made)
		return made, nil, err
	case !within && q.Action.Move == dsl.StepOver && from.Event == dsl.Line && !again(text, from):
		return p.leaveLine(ctx, q, over, here)
	}
	return nil, nil, nil
}

// leaveLine predicts steps until the line with the comprehensions is left, and removes the
// comprehensions' variables from the resulting state.
func (p *Predictor) leaveLine(ctx context.Context, q, over backend.Question, here []python.Comprehension) (made *backend.Prediction, discarded []backend.Discarded, err error) {
	start, from := time.Now(), q.At.Current()
	last := from.Line
	for _, c := range here {
		last = max(last, c.Last)
	}
	whole, confidence := &backend.Prediction{}, 1.0
	for range mostTurns {
		link, err := p.directOf(ctx, over, python.Version{}, nil)
		if err != nil {
			if failure, ok := errors.AsType[*backend.Error](err); ok && failure.Kind == backend.TooLong && over.At != q.At {
				break
			}
			return nil, backend.DiscardedBy(nil, err), err
		}
		confidence *= *link.Confidence
		extend(whole, link)
		stop := link.Step.Reply.Stop
		if stop != nil && stop.Event == dsl.Line && len(stop.Stack) == len(from.Stack) && stop.Line >= from.Line && stop.Line <= last {
			if over.At, err = over.At.Append(link.Step); err != nil {
				break
			}
			continue
		}
		whole.Step, whole.Confidence, whole.Took = link.Step, &confidence, time.Since(start)
		whole.Step.Reply = shortest(link.Step.Reply)
		stop = whole.Step.Reply.Stop
		if stop != nil && stop.Event != dsl.Exception {
			whole.Step.Reply.Stop = withoutTurns(stop, from, here)
		}
		made, err = answered(q, whole)
		return made, nil, err
	}
	if whole.Usage.Completion > 0 {
		discarded = []backend.Discarded{{Usage: whole.Usage}}
	}
	return nil, discarded, nil
}

// withoutTurns removes the variables of comprehensions from stop, unless the frame already had them in
// from.
func withoutTurns(stop, from *dsl.Stop, here []python.Comprehension) *dsl.Stop {
	out := *stop
	out.Locals = slices.DeleteFunc(slices.Clone(stop.Locals), func(l dsl.Local) bool {
		had := slices.ContainsFunc(from.Locals, func(f dsl.Local) bool { return f.Name == l.Name })
		return !had && slices.ContainsFunc(here, func(c python.Comprehension) bool { return slices.Contains(c.Vars, l.Name) })
	})
	return &out
}

// answered turns the prediction for a related question into a prediction for q.
func answered(q backend.Question, made *backend.Prediction) (*backend.Prediction, error) {
	out := *made
	out.Step = dsl.Step{Action: q.Action, Reply: made.Step.Reply}
	out.Pieces = nil // they are the tokens of another reply
	var err error
	if out.Raw, err = q.At.Reply(q.Action, out.Step.Reply); err != nil {
		return nil, unwritable("the reply", err)
	}
	return &out, nil
}
