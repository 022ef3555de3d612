package computed

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// chain predicts a move over several events. It computes each event from the program's source if it
// can, and asks the predictor rest for a single step if it cannot.
type chain struct {
	c      *course
	rest   backend.Predictor
	q      backend.Question
	goal   dsl.Goal
	places []*dsl.Node         // a node for each depth, innermost last: rest is asked for a step from the last one
	whole  *backend.Prediction // the prediction so far
	sure   float64             // product of the confidences of the requested steps; -1 if one is unknown
	asked  int                 // number of steps requested from rest
}

// errTooMany ends a chain that needs more steps from the other predictor than allowed.
var errTooMany = errors.New("too many steps are not computed")

// walk answers question q. c must be at q.At. It requests at most `most` steps from rest. If it fails,
// discarded holds the replies that were requested and are now unused.
func (c *course) walk(ctx context.Context, q backend.Question, rest backend.Predictor, most int) (made *backend.Prediction, discarded []backend.Discarded, err error) {
	began := time.Now()
	w := &chain{
		c: c, rest: rest, q: q, goal: q.Action.Goal(c.in.Moment()), places: []*dsl.Node{q.At},
		whole: &backend.Prediction{}, sure: 1,
	}
	reply, err := w.run(ctx, most)
	if err == nil {
		w.whole.Raw, err = q.At.Reply(q.Action, *reply)
	}
	if err != nil {
		if w.asked > 0 {
			discarded = slices.Concat(w.whole.Discarded, []backend.Discarded{{Usage: w.whole.Usage}})
		}
		return nil, discarded, err
	}
	c.asked, c.ahead = q.Action, reply
	w.whole.Step = dsl.Step{Action: q.Action, Reply: *reply}
	if w.whole.Computed = w.asked == 0; w.asked > 0 && w.sure >= 0 {
		w.whole.Confidence = &w.sure
	}
	w.whole.Took = time.Since(began)
	w.whole.First = w.whole.Took
	return w.whole, nil, nil
}

// run advances event by event until the action lands.
func (w *chain) run(ctx context.Context, most int) (*dsl.Reply, error) {
	for {
		limited, cancel := context.WithTimeout(ctx, timeLimit)
		stop, exit, err := w.c.in.Next(limited)
		cancel()
		if err != nil {
			if stop, exit, err = w.ask(ctx, most); err != nil {
				return nil, err
			}
		} else if stop != nil {
			if err := w.note(dsl.Action{Move: dsl.StepInto}, stop); err != nil {
				return nil, err
			}
		}
		if reply, err := w.c.landed(w.q.Action, w.goal, stop, exit); reply != nil || err != nil {
			return reply, err
		}
	}
}

// ask requests the next step from the other predictor. The step is a step over, unless the action can
// land inside of a call.
func (w *chain) ask(ctx context.Context, most int) (*dsl.Stop, *dsl.Exit, error) {
	at := w.places[len(w.places)-1]
	step := dsl.Action{Move: dsl.StepOver}
	if w.q.Action.Move.TakesLines() || w.q.Action.Move == dsl.StepFunction {
		step.Move = dsl.StepInto
	}
	if at == w.q.At && step.Move == w.q.Action.Move || w.asked >= most {
		return nil, nil, errTooMany
	}
	w.asked++
	made, err := w.rest.Predict(ctx, backend.Question{At: at, Action: step, Options: w.q.Options, Alone: true}, nil)
	if err != nil {
		w.whole.Discarded = append(w.whole.Discarded, backend.DiscardedBy(nil, err)...)
		return nil, nil, err
	}
	w.add(made)
	switch reply := made.Step.Reply; {
	case reply.Exit != nil:
		return nil, reply.Exit, nil
	case reply.Stop != nil && reply.Outcome == dsl.Landed:
		w.c.in.Show(reply.Stop, way(step.Move))
		return reply.Stop, nil, w.note(step, reply.Stop)
	}
	return nil, nil, &backend.Error{Kind: backend.NoState, Message: "a step of the move has no state"}
}

// add adds the usage and the confidence of a requested step to the whole prediction.
func (w *chain) add(made *backend.Prediction) {
	w.whole.Usage = w.whole.Usage.Plus(made.Usage)
	w.whole.Discarded = append(w.whole.Discarded, made.Discarded...)
	if made.Confidence == nil {
		w.sure = -1
	} else if w.sure >= 0 {
		w.sure *= *made.Confidence
	}
	if w.asked == 1 {
		w.whole.Sureness = made.Sureness
	} else {
		w.whole.Sureness = w.whole.Sureness.Then(made.Sureness)
	}
}

// note appends a state to the history from which the other predictor is asked. Once a call has returned,
// this history omits the states inside of the call, as if it had been stepped over.
func (w *chain) note(a dsl.Action, stop *dsl.Stop) error {
	depth := len(stop.Stack) - 1
	from := w.places[len(w.places)-1]
	left := depth < len(from.Current().Stack)-1
	for len(w.places) > 1 && len(w.places[len(w.places)-1].Current().Stack)-1 > depth {
		w.places = w.places[:len(w.places)-1]
	}
	if last := w.places[len(w.places)-1]; left && len(last.Current().Stack)-1 == depth {
		from, a.Move = last, dsl.StepOver
	}
	next, err := from.Append(dsl.Step{Action: a, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}})
	if err != nil {
		return err
	}
	if last := w.places[len(w.places)-1]; len(last.Current().Stack)-1 == depth {
		w.places[len(w.places)-1] = next
	} else {
		w.places = append(w.places, next)
	}
	return nil
}
