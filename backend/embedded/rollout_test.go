package embedded

import (
	"errors"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// mostMoves bounds a walk that the model takes by itself.
const mostMoves = 150

// TestRollouts has a model walk functions by itself from their call, each with one action
// again and again over its own answers, and prints how many come to the right value:
//
//	go test ./backend/embedded -run Rollouts -v -sets FILE [-model FILE]
//
// The sets are those with one action in each trajectory ("cruxeval step_over").
func TestRollouts(t *testing.T) {
	p, f := asked(t)
	type count struct{ asked, right, moves int }
	counts := map[string]*count{}
	for set, last := range documents(t, f) {
		want, action := value(last)
		if want == nil || set[len(set)-len(action.Move.String()):] != action.Move.String() {
			continue
		}
		at := last
		for at.Parent() != nil {
			if step, ok := at.Step(); ok && step.Action.Move == 0 {
				break
			}
			at = at.Parent()
		}
		if counts[set] == nil {
			counts[set] = &count{}
		}
		c := counts[set]
		c.asked++
		got, moves := rollout(t, p, at, action)
		c.moves += moves
		if got != nil && *got == *want {
			c.right++
		}
	}
	for set, c := range counts {
		t.Logf("%-40s %4d functions, %5.1f%% come to the right value, %.1f moves", set, c.asked, 100*float64(c.right)/float64(c.asked), float64(c.moves)/float64(c.asked))
	}
}

// value is what the outermost function of a trajectory returns, and an action that the
// trajectory has; nil where it returns nothing of its own.
func value(last *dsl.Node) (found *string, action dsl.Action) {
	for n := last; n.Parent() != nil; n = n.Parent() {
		step, ok := n.Step()
		if !ok || step.Action.Move == 0 {
			continue
		}
		action = step.Action
		if stop := step.Reply.Stop; found == nil && returned(stop) {
			found = stop.Value
		}
	}
	return found, action
}

// returned reports whether a stop is the return of the outermost function.
func returned(stop *dsl.Stop) bool {
	return stop != nil && stop.Event == dsl.Return && stop.Kind == dsl.Returned && len(stop.Stack) == 1
}

// rollout is what the outermost function returns, as the model has it, and the number of
// moves to there.
func rollout(t *testing.T, p *Predictor, at *dsl.Node, action dsl.Action) (*string, int) {
	for moves := 1; moves <= mostMoves; moves++ {
		got, err := p.Predict(t.Context(), backend.Question{At: at, Action: action}, nil)
		var failure *backend.Error
		if errors.As(err, &failure) && failure.Kind == backend.TooLong {
			short, e := at.Compact()
			if e != nil || short.Len() >= at.Len() {
				return nil, moves
			}
			at = short
			got, err = p.Predict(t.Context(), backend.Question{At: at, Action: action}, nil)
		}
		if err != nil || got.Step.Reply.Outcome != dsl.Landed {
			return nil, moves
		}
		if returned(got.Step.Reply.Stop) {
			return got.Step.Reply.Stop.Value, moves
		}
		if at, err = at.Append(got.Step); err != nil {
			return nil, moves
		}
	}
	return nil, mostMoves
}
