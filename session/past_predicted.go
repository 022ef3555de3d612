package session

import (
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/walk"
	"github.com/npdb/npdb/trace/past"
	"github.com/npdb/npdb/trace/statetree"
)

// predictedFollower follows a name through the states that a model said one after
// another, each from the one before.
type predictedFollower struct {
	states     walk.States
	activation uint32
	name       string
	chain      []int // the latest first
}

// followPredicted follows a name; a model tells nothing else piece by piece.
func (s *Session) followPredicted(frame statetree.StackFrame, expr string) (follower, error) {
	if !python.IsName(expr) {
		return nil, errorf(Refused, "Cannot follow %s: a model tells the values of names as texts, so only a name can be followed in neural mode", expr)
	}
	p := s.states().(interface {
		CameBy(i int) (before int, inverse bool)
	})
	f := &predictedFollower{states: s.states(), activation: frame.Activation, name: expr}
	for at := s.here(); at >= 0; {
		before, inverse := p.CameBy(at)
		f.chain = append(f.chain, at)
		if inverse {
			break // what was inferred lies before the state that it was inferred from
		}
		at = before
	}
	return f, nil
}

func (f *predictedFollower) at(event int) past.Reading {
	text, ok := lookup(f.states.LocalsOf(f.activation, event), f.name)
	return past.Reading{Text: text, OK: ok}
}

func (f *predictedFollower) last(event int) (Change, bool) {
	for i, at := range f.chain {
		if at > event {
			continue
		}
		var old past.Reading
		by := statetree.StackFrame{Event: -1}
		if i+1 < len(f.chain) {
			before := f.chain[i+1]
			old = f.at(before)
			if stack := f.states.Stack(before); len(stack) > 0 {
				by = stack[len(stack)-1]
			}
		}
		if now := f.at(at); now != old {
			return Change{Event: at, By: by, Old: old, New: now}, true
		}
	}
	return Change{}, false
}

func (f *predictedFollower) until() int { return f.chain[0] }

func (f *predictedFollower) scope() string { return "" }

func (f *predictedFollower) among() string {
	return "\n(among the states that the model was asked for, one after another to this one; what lies between was not predicted)"
}
