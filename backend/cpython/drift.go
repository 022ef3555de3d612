package cpython

import (
	"context"
	"errors"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// believe makes CPython continue from the state that the text shows after an action, even if
// CPython's own state differs; see the package documentation.
func (s *subject) believe(ctx context.Context, at place, shown dsl.Reply) (place, error) {
	switch {
	case shown.Stop == nil && at.pos.End:
		return at, nil
	case shown.Stop == nil || at.pos.End:
		return at, undetermined("the text has the program end elsewhere than it does")
	}
	truth, err := s.stop(ctx, at)
	if err != nil {
		return at, err
	}
	if at.pos.PostMortem {
		if !samePlace(truth, shown.Stop) {
			return at, undetermined("the text goes on where an exception has ended the program")
		}
		return at, nil
	}
	if !samePlace(truth, shown.Stop) {
		if truth.Event != dsl.Line || shown.Stop.Event != dsl.Line || !sameStack(truth, shown.Stop) {
			return at, undetermined("the text shows %s at line %d of %s, where the program cannot be made to go on", shown.Stop.Event, shown.Stop.Line, shown.Stop.Function)
		}
		if at, err = s.change(ctx, at, change{line: shown.Stop.Line}); err != nil {
			return at, err
		}
		if truth, err = s.stop(ctx, at); err != nil {
			return at, err
		}
	}
	wrongValue := truth.Event == dsl.Return && truth.Value != nil && shown.Stop.Value != nil && *truth.Value != *shown.Stop.Value
	returned := false
	if wrongValue {
		if at, returned, err = s.returnOther(ctx, at, truth, shown.Stop); err != nil {
			return at, err
		}
		if truth, err = s.stop(ctx, at); err != nil {
			return at, err
		}
	}
	if set := differences(truth, shown.Stop); len(set) > 0 {
		if at, err = s.change(ctx, at, change{set: set}); err != nil {
			return at, err
		}
	}
	if wrongValue && !returned {
		return s.receiveOther(ctx, at, truth, shown.Stop)
	}
	return at, nil
}

// returnOther makes a "return NAME" line return the value that the text shows, by assigning this
// value to NAME at the line event before the return.
func (s *subject) returnOther(ctx context.Context, at place, truth, shown *dsl.Stop) (place, bool, error) {
	name, ok := strings.CutPrefix(strings.TrimSpace(truth.Source), "return ")
	if !ok || !isName(name) || at.pos.Event == 0 {
		return at, false, nil
	}
	line := place{changes: upTo(at.changes, at.pos.Event-1), pos: at.pos}
	line.pos.Event--
	before, err := s.stop(ctx, line)
	if err != nil {
		return at, false, err
	}
	if before.Event != dsl.Line || before.Line != truth.Line || !sameStack(before, truth) || valueOf(before, name) != *truth.Value {
		return at, false, nil
	}
	to, err := s.change(ctx, line, change{set: []dsl.Local{{Name: name, Value: *shown.Value}}})
	if err != nil {
		return at, false, err
	}
	to, stays, err := s.move(ctx, to, dsl.Action{Move: dsl.StepInto})
	if err != nil || stays || to.pos != at.pos {
		return at, false, err
	}
	now, err := s.stop(ctx, to)
	if err != nil || now.Value == nil || *now.Value != *shown.Value {
		return at, false, err
	}
	return to, true, nil
}

// receiveOther assigns the value that the text shows to the caller's local that receives the returned
// value at the next event. It returns the place at the return event, after this change.
func (s *subject) receiveOther(ctx context.Context, at place, truth, shown *dsl.Stop) (place, error) {
	next, stays, err := s.move(ctx, at, dsl.Action{Move: dsl.StepInto})
	var why *undeterminedError
	if errors.As(err, &why) || err == nil && (stays || next.pos.End || next.pos.PostMortem) {
		return at, nil
	}
	if err != nil {
		return at, err
	}
	received, err := s.stop(ctx, next)
	if err != nil || received.Depth != truth.Depth-1 {
		return at, err
	}
	r, err := s.serving(ctx, next)
	if err != nil {
		return at, err
	}
	var set []dsl.Local
	for _, name := range r.rec.Tree().Changed(next.pos.Event) {
		if valueOf(received, name) == *truth.Value {
			set = append(set, dsl.Local{Name: name, Value: *shown.Value})
		}
	}
	if len(set) == 0 {
		return at, nil
	}
	to, err := s.change(ctx, next, change{set: set})
	if err != nil {
		return at, err
	}
	at.changes = to.changes
	return at, nil
}

// valueOf returns the value of a local as text, or "" if the state lacks it.
func valueOf(s *dsl.Stop, name string) string {
	for _, l := range s.Locals {
		if l.Name == name {
			return l.Value
		}
	}
	return ""
}
