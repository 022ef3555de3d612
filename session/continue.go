package session

import (
	"context"
	"sort"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// cont is the user's continue: breakpoint over the lines of all enabled
// breakpoints, repeated until one's condition, count and mark are satisfied;
// plain continue when there are none.
func (s *recordedWalk) cont(ctx context.Context) error {
	t := s.targets()
	a := dsl.Action{Move: dsl.Continue}
	if len(t) > 0 {
		a = dsl.Action{Move: dsl.Breakpoint, Lines: t.locations()}
	}
	from := s.pos
	if !from.End && !s.live() {
		if done, err := s.contRecorded(ctx, t, a); done || err != nil {
			return err
		}
		if s.over() {
			return s.repeat(ctx, dsl.Continue, 1)
		}
	} else if len(t) == 0 || s.over() {
		return s.repeat(ctx, dsl.Continue, 1)
	}
	return s.advance(ctx, t, nil, &a, from)
}

// over reports whether the program has nothing left to run to a breakpoint.
func (s *recordedWalk) over() bool {
	edge := s.rec.LiveEdge()
	return edge.End || edge.PostMortem || s.rec.Exit() != nil
}

// contRecorded looks for a satisfied breakpoint behind the live edge.
func (s *recordedWalk) contRecorded(ctx context.Context, t targets, a dsl.Action) (bool, error) {
	from, at := s.pos, s.pos.Event
	for {
		next, ok := s.rec.Tree().NextLine(at, t.locations())
		if pause, found := s.nextPause(at); found && (!ok || pause < next) {
			s.arrive(trace.Landing{Position: s.positionOf(pause), Reason: trace.ProgramBreak, Horizon: pause - from.Event}, &a)
			return true, nil
		}
		if !ok || !s.recorded(next) {
			return false, nil
		}
		at = next
		if s.stopping.Load() {
			s.arrive(trace.Landing{Position: s.positionOf(at), Reason: trace.Interrupted, Horizon: at - from.Event}, &a)
			return true, nil
		}
		if b, raised := s.effective(ctx, t, at); b != nil {
			s.land(b, raised, trace.Landing{Position: s.positionOf(at), Reason: trace.HitBreakpoint, Horizon: at - from.Event}, &a)
			return true, nil
		}
	}
}

// advance runs the program on from the live edge until a breakpoint is
// satisfied or until is reached. from is where the user's move began.
func (s *recordedWalk) advance(ctx context.Context, t targets, until *goal, a *dsl.Action, from trace.Position) error {
	if a != nil {
		word := a.String()
		s.answer.Action = &word
	}
	horizon := 0
	if edge := s.rec.LiveEdge(); !from.End && !edge.End {
		horizon = edge.Event - from.Event
	}
	for {
		l, alone, err := s.leg(ctx, t, until)
		if err != nil {
			return err
		}
		horizon += l.Horizon
		l.Horizon = horizon
		s.count(t, l)
		b, raised, stay := s.stopsHere(ctx, t, until, l, alone)
		switch {
		case b != nil:
			l.Reason = trace.HitBreakpoint
			s.land(b, raised, l, a)
			return nil
		case stay:
			s.arrive(l, a)
			return nil
		case s.stopping.Load():
			l.Reason = trace.Interrupted
			s.arrive(l, a)
			return nil
		}
	}
}

// stopsHere tells whether a leg ends the move: at a breakpoint, or, with stay,
// for another reason.
func (s *recordedWalk) stopsHere(ctx context.Context, t targets, until *goal, l trace.Landing, alone bool) (b *Breakpoint, raised, stay bool) {
	if l.End || l.PostMortem || l.Reason != trace.HitBreakpoint && l.Reason != trace.Landed {
		return nil, false, true
	}
	r := s.rec.Tree().At(l.Event)
	if l.Reason == trace.Landed {
		if until == nil || until.reached(l.Event, r) {
			return nil, false, true
		}
		if !alone || r.Event != dsl.Line {
			return nil, false, false
		}
	} else if at := (dsl.Location{File: r.File, Line: r.Line}); t.testedByTracer(at) {
		_, raised = l.Errors[at]
		return t[at][0], raised, false
	}
	b, raised = s.effective(ctx, t, l.Event)
	return b, raised, false
}

// count books the hits that the tracer met on lines it tested.
func (s *recordedWalk) count(t targets, l trace.Landing) {
	for at, hits := range l.Hits {
		if !t.testedByTracer(at) {
			continue
		}
		b := t[at][0]
		b.Hits += hits
		passed := hits
		if l.Reason == trace.HitBreakpoint && !l.End {
			if rec := s.rec.Tree().At(l.Event); rec.File == at.File && rec.Line == at.Line {
				passed-- // the last one stopped
			}
		}
		b.Ignore -= min(b.Ignore, max(passed, 0))
	}
}

// reverseContinue is the mirror image of cont. With breakpoints of which none is
// satisfied it stays where it is; without any it goes to the first state.
func (s *recordedWalk) reverseContinue(ctx context.Context) error {
	t := s.targets()
	if len(t) == 0 {
		return s.repeat(ctx, dsl.InvContinue, 1)
	}
	a := dsl.Action{Move: dsl.InvBreakpoint, Lines: t.locations()}
	at, from := s.pos.Event, s.pos.Event
	if s.pos.End {
		at = s.rec.Tree().Len()
		from = at
	}
	for {
		prev, ok := s.rec.Tree().PrevLine(at, t.locations())
		if pause, found := s.prevPause(at); found && (!ok || pause > prev) {
			s.arrive(trace.Landing{Position: s.positionOf(pause), Reason: trace.ProgramBreak, Horizon: from - pause}, &a)
			return nil
		}
		if !ok {
			s.arrive(trace.Landing{Position: s.pos, Boundary: trace.AtStart}, &a)
			return nil
		}
		at = prev
		if s.stopping.Load() {
			s.arrive(trace.Landing{Position: s.positionOf(at), Reason: trace.Interrupted, Horizon: from - at}, &a)
			return nil
		}
		if b, raised := s.effective(ctx, t, at); b != nil {
			s.land(b, raised, trace.Landing{Position: s.positionOf(at), Reason: trace.HitBreakpoint, Horizon: from - at}, &a)
			return nil
		}
	}
}

// nextPause is the first event after one at which the program called the
// debugger; prevPause the last before.
func (s *recordedWalk) nextPause(event int) (int, bool) {
	all := s.sortedPauses()
	i := sort.SearchInts(all, event+1)
	if i == len(all) {
		return 0, false
	}
	return all[i], true
}

func (s *recordedWalk) prevPause(event int) (int, bool) {
	all := s.sortedPauses()
	i := sort.SearchInts(all, event)
	if i == 0 {
		return 0, false
	}
	return all[i-1], true
}

func (s *recordedWalk) sortedPauses() []int {
	out := make([]int, 0, len(s.pauses))
	for e := range s.pauses {
		out = append(out, e)
	}
	sort.Ints(out)
	return out
}
