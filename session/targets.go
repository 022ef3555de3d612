package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
)

// targets is the enabled breakpoints by the place they stop at. A breakpoint in
// a file that cannot be read has no place.
type targets map[dsl.Location][]*breakpoint.Breakpoint

func (s *Session) targets() targets {
	out := targets{}
	for _, b := range s.bps.Enabled() {
		if !b.OnLine() {
			continue
		}
		if file := s.fileIndex(b.File); file >= 0 {
			b.File = s.states().Files()[file].Path // one that was kept may have another path
			at := dsl.Location{File: file, Line: b.Line}
			out[at] = append(out[at], b)
		}
	}
	return out
}

// fileIndex is a file's place in the recording, -1 when it has none.
func (s *Session) fileIndex(path string) int {
	for i, f := range s.states().Files() {
		if f.Path == path {
			return i
		}
	}
	i, err := s.walk.addFile(path)
	if err != nil {
		return -1 // it is gone; relocate says so at the next start
	}
	return i
}

func (t targets) locations() []dsl.Location { return sortedLocations(t) }

// stops is the targets as the tracer tests them, and whose they are.
func (t targets) stops() (stops []trace.Stop, whose []*breakpoint.Breakpoint) {
	for _, at := range t.locations() {
		for _, b := range t[at] {
			stops = append(stops, trace.Stop{At: at, Function: b.Function, Condition: b.Condition, Ignore: b.Ignore})
			whose = append(whose, b)
		}
	}
	return stops, whose
}

// land arrives at a satisfied breakpoint. As in pdb a temporary one whose
// condition raised is not deleted: the user will want to mend it.
func (s *Session) land(b *breakpoint.Breakpoint, raised bool, l trace.Landing, a *dsl.Action) {
	inverse := a != nil && a.Move.Inverse()
	if !b.OnLine() {
		a = nil // no action of the table leads there
	}
	s.arrive(l, a)
	s.tellOf(b, l.Event, inverse)
	if len(b.Commands) > 0 || b.Silent {
		s.hit = b // they run when the move is over
	}
	switch {
	case b.Passing:
		s.bps.Remove(b)
	case b.Temporary && !raised:
		s.bps.Remove(b)
		s.sayf("Deleted %s", b)
		s.save()
	}
}

// effective is the breakpoint that stops at an event, nil when none does: the
// first one on its line that is meant for its function, whose condition holds
// and whose ignore count is used up. As in bdb each crossing counts as a hit, and
// a condition that cannot be evaluated stops whatever is to be ignored; raised tells
// of it.
func (s *Session) effective(ctx context.Context, t targets, event int) (b *breakpoint.Breakpoint, raised bool) {
	rec := s.states().At(event)
	for _, b := range t[dsl.Location{File: rec.File, Line: rec.Line}] {
		if b.Function != "" && s.states().Code(rec.Code).Name != b.Function {
			continue
		}
		b.Hits++
		holds, err := true, error(nil)
		if b.Condition != "" {
			holds, err = s.truth(ctx, event, b.Condition)
		}
		if err == nil && !holds {
			continue
		}
		if b.Ignore > 0 && err == nil {
			b.Ignore--
			continue
		}
		if err != nil {
			s.notice("The condition %s of breakpoint %d stops here: %v", b.Condition, b.Number, err)
		}
		return b, err != nil
	}
	return nil, false
}

// truth evaluates a condition at an event, in the live frame where it is live.
func (s *Session) truth(ctx context.Context, event int, condition string) (bool, error) {
	if s.walk.liveAt(event) {
		answer, err := s.rec.Ask(ctx, 0, trace.VerbPrint, "bool(("+condition+"))")
		return answer.Text == "True", err
	}
	if p := s.pastOf(); p != nil {
		// What Go knows it knows as Python has it; the rest, and the words for what
		// is raised, are Python's.
		if c, err := p.Condition(condition); err == nil {
			if holds, err := p.Truth(ctx, c, event); err == nil {
				return holds, nil
			}
		}
	}
	if s.cfg.Evaluator == nil {
		return false, errors.New("there is nothing to evaluate it with")
	}
	stack := s.states().Stack(event)
	names := s.scope(stack, len(stack)-1, event)
	if p := s.pastOf(); p != nil {
		names = readable(p, condition, names, p.ScopeAt(event), event)
	}
	holds, err := s.cfg.Evaluator.Truth(ctx, condition, names)
	var refused *python.RefusedError
	if errors.As(err, &refused) {
		err = fmt.Errorf("it cannot be told from %s (%w)", s.walk.text(), err)
	}
	return holds, err
}
