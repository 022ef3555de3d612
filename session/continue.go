package session

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace"
)

// targets is the enabled breakpoints by the place they stop at. A breakpoint in
// a file that cannot be read has no place.
type targets map[dsl.Location][]*Breakpoint

func (s *Session) targets() targets {
	out := targets{}
	for _, b := range s.bps.enabled() {
		if file := s.fileIndex(b.File); file >= 0 {
			at := dsl.Location{File: file, Line: b.Line}
			out[at] = append(out[at], b)
		}
	}
	return out
}

// fileIndex is a file's place in the recording, -1 when it has none.
func (s *Session) fileIndex(path string) int {
	for i, f := range s.rec.Tree().Files() {
		if f.Path == path {
			return i
		}
	}
	i, err := s.rec.AddFile(path)
	if err != nil {
		return -1 // it is gone; relocate says so at the next start
	}
	return i
}

func (t targets) locations() []dsl.Location { return sortedLocations(t) }

// stops is the targets as the tracer tests them. A line with several
// breakpoints, or one for a function whose body begins on the line of its def,
// stops always: the session tests it then.
func (t targets) stops() []trace.Stop {
	var out []trace.Stop
	for _, at := range t.locations() {
		stop := trace.Stop{At: at}
		if b := t[at][0]; t.testedByTracer(at) {
			stop.Condition, stop.Ignore = b.Condition, b.Ignore
		}
		out = append(out, stop)
	}
	return out
}

func (t targets) testedByTracer(at dsl.Location) bool {
	return len(t[at]) == 1 && t[at][0].Function == ""
}

// cont is the user's continue: breakpoint over the lines of all enabled
// breakpoints, repeated until one's condition, count and mark are satisfied;
// plain continue when there are none.
func (s *Session) cont(ctx context.Context) error {
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
func (s *Session) over() bool {
	edge := s.rec.LiveEdge()
	return edge.End || edge.PostMortem || s.rec.Exit() != nil
}

// contRecorded looks for a satisfied breakpoint behind the live edge.
func (s *Session) contRecorded(ctx context.Context, t targets, a dsl.Action) (bool, error) {
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
func (s *Session) advance(ctx context.Context, t targets, until *goal, a *dsl.Action, from trace.Position) error {
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
func (s *Session) stopsHere(ctx context.Context, t targets, until *goal, l trace.Landing, alone bool) (b *Breakpoint, raised, stay bool) {
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
func (s *Session) count(t targets, l trace.Landing) {
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

// land arrives at a satisfied breakpoint. As in pdb a temporary one whose
// condition raised is not deleted: the user will want to mend it.
func (s *Session) land(b *Breakpoint, raised bool, l trace.Landing, a *dsl.Action) {
	s.arrive(l, a)
	if len(b.Commands) > 0 || b.Silent {
		s.hit = b // they run when the move is over
	}
	if b.Temporary && !raised {
		s.bps.remove(b)
		s.sayf("Deleted %s", b)
		s.save()
	}
}

// effective is the breakpoint that stops at an event, nil when none does: the
// first one on its line that is meant for its function, whose condition holds
// and whose ignore count is used up. A condition that cannot be evaluated counts
// as one that holds; raised tells of it.
func (s *Session) effective(ctx context.Context, t targets, event int) (b *Breakpoint, raised bool) {
	rec := s.rec.Tree().At(event)
	for _, b := range t[dsl.Location{File: rec.File, Line: rec.Line}] {
		if b.Function != "" && s.rec.Tree().Code(rec.Code).Name != b.Function {
			continue
		}
		holds, err := true, error(nil)
		if b.Condition != "" {
			holds, err = s.truth(ctx, event, b.Condition)
		}
		if err == nil && !holds {
			continue
		}
		b.Hits++
		if b.Ignore > 0 {
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
	edge := s.rec.LiveEdge()
	if !edge.End && edge.Event == event && s.rec.Exit() == nil {
		answer, err := s.rec.Ask(ctx, 0, trace.VerbPrint, "bool(("+condition+"))")
		return answer.Text == "True", err
	}
	if s.cfg.Evaluator == nil {
		return false, errors.New("there is no evaluator for recorded text")
	}
	stack := s.rec.Tree().Stack(event)
	holds, err := s.cfg.Evaluator.Truth(ctx, condition, s.scope(stack, len(stack)-1, event))
	var refused *python.RefusedError
	if errors.As(err, &refused) {
		err = fmt.Errorf("it cannot be told from recorded text (%w)", err)
	}
	return holds, err
}

// reverseContinue is the mirror image of cont. With breakpoints of which none is
// satisfied it stays where it is; without any it goes to the first state.
func (s *Session) reverseContinue(ctx context.Context) error {
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
func (s *Session) nextPause(event int) (int, bool) {
	all := s.sortedPauses()
	i := sort.SearchInts(all, event+1)
	if i == len(all) {
		return 0, false
	}
	return all[i], true
}

func (s *Session) prevPause(event int) (int, bool) {
	all := s.sortedPauses()
	i := sort.SearchInts(all, event)
	if i == 0 {
		return 0, false
	}
	return all[i-1], true
}

func (s *Session) sortedPauses() []int {
	out := make([]int, 0, len(s.pauses))
	for e := range s.pauses {
		out = append(out, e)
	}
	sort.Ints(out)
	return out
}
