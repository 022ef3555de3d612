package session

import (
	"context"
	"sort"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
)

// cont is the user's continue: breakpoint over the lines of all enabled
// breakpoints, repeated until one's condition, count and mark are satisfied;
// plain continue when there are none.
func (s *recordedWalk) cont(ctx context.Context) error {
	t := s.targets()
	a := dsl.Action{Move: dsl.Continue}
	if len(t) > 0 {
		a = t.toward(dsl.Breakpoint)
	}
	from := s.pos
	if !from.End && !s.live() {
		if s.contRecorded(ctx, t, a) {
			return nil
		}
		if s.over() {
			return s.repeat(ctx, dsl.Continue, 1)
		}
	} else if len(t) == 0 && len(s.waits()) == 0 || s.over() {
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
func (s *recordedWalk) contRecorded(ctx context.Context, t targets, a dsl.Action) (done bool) {
	limit := s.rec.Tree().Len()
	if edge := s.rec.LiveEdge(); !edge.End && !edge.PostMortem { // what unwound is recorded past the post-mortem stop
		limit = edge.Event + 1
	}
	return s.upToHole(ctx, t, s.pos.Event, limit, a)
}

// upToHole looks through recorded events for what stops a move, as far as a hole.
func (s *recordedWalk) upToHole(ctx context.Context, t targets, at, limit int, a dsl.Action) (arrived bool) {
	w := s.stretchTo(at, limit, a.Move)
	seen, found := s.look(ctx, t, w.at, w.limit, a.Move.Inverse())
	if !found && !w.hole {
		return false
	}
	p := passage{Landing: s.landIn(w, seen.event, found), by: a, hit: seen.hit, raised: seen.raised}
	p.Reason = seen.why
	s.arriveBy(p)
	return true
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
		l, whose, alone, err := s.leg(ctx, t, until)
		if err != nil {
			return err
		}
		horizon += l.Horizon
		l.Horizon = horizon
		b, raised := s.met(whose, l)
		if b != nil {
			hit, failed := s.confirm(ctx, b, l)
			if b, raised = hit, raised || failed; b == nil && !s.stopping.Load() {
				continue
			}
			if b == nil {
				l.Reason = trace.Interrupted
			}
		}
		if b == nil && alone {
			b, raised = s.crossed(ctx, t, until, l)
		}
		switch {
		case b != nil:
			l.Reason = trace.HitBreakpoint
			to := t.toward(dsl.Breakpoint)
			s.land(b, raised, l, &to)
			return nil
		case l.Reason != trace.Landed, l.End, l.PostMortem, until == nil, until.reached(s.rec.Tree().At(l.Event)):
			s.arrive(l, a)
			return nil
		case s.stopping.Load():
			l.Reason = trace.Interrupted
			s.arrive(l, a)
			return nil
		}
	}
}

// crossed is the breakpoint that stops until at the end of a leg of one event, of
// which the tracer tested none.
func (s *recordedWalk) crossed(ctx context.Context, t targets, until *goal, l trace.Landing) (*breakpoint.Breakpoint, bool) {
	if l.Reason != trace.Landed || l.End || l.PostMortem {
		return nil, false
	}
	if r := s.rec.Tree().At(l.Event); r.Event != dsl.Line || until.reached(r) {
		return nil, false
	}
	return s.effective(ctx, t, l.Event)
}

// met books what became of a move's stops, which are whose, and tells which
// breakpoint ended the move, nil if none did.
func (s *recordedWalk) met(whose []*breakpoint.Breakpoint, l trace.Landing) (b *breakpoint.Breakpoint, raised bool) {
	if l.Reason == trace.HitBreakpoint && !l.End && l.Stop < len(whose) {
		b = whose[l.Stop]
	}
	for _, m := range l.Met {
		if m.Stop >= len(whose) {
			continue
		}
		of := whose[m.Stop]
		if of.Catch != "" {
			continue // see confirm
		}
		of.Hits += m.Hits
		of.Ignore -= min(of.Ignore, m.Ignored)
		if m.Error != "" {
			s.notice("The condition %s of breakpoint %d stops here: %s", of.Condition, of.Number, m.Error)
			raised = raised || of == b
		}
	}
	return b, raised
}

// reverseContinue is the mirror image of cont. With breakpoints of which none is
// satisfied it stays where it is; without any it goes to the first state.
func (s *recordedWalk) reverseContinue(ctx context.Context) error {
	t := s.targets()
	if len(t) == 0 && len(s.waits()) == 0 {
		return s.repeat(ctx, dsl.InvContinue, 1)
	}
	a := t.toward(dsl.InvBreakpoint)
	if s.upToHole(ctx, t, s.eventOf(s.pos), -1, a) {
		return nil
	}
	s.arrive(trace.Landing{Position: s.pos, Boundary: trace.AtStart}, &a)
	return nil
}

// nextPause is the first event after one at which the program called the
// debugger; prevPause the last before.
func (s *recordedWalk) nextPause(event int) (int, bool) {
	if len(s.pauses) == 0 {
		return 0, false
	}
	all := s.sortedPauses()
	i := sort.SearchInts(all, event+1)
	if i == len(all) {
		return 0, false
	}
	return all[i], true
}

func (s *recordedWalk) prevPause(event int) (int, bool) {
	if len(s.pauses) == 0 {
		return 0, false
	}
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
