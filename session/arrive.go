package session

import (
	"context"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// fed makes a move that runs the program, and answers the program's requests for input until the
// move ends.
func (s *Session) fed(ctx context.Context, move func(context.Context) (trace.Landing, error)) (trace.Landing, error) {
	s.demand.drop()
	l, err := s.pacing.running(ctx, move)
	for err == nil && l.Reason == trace.NeedsInput {
		in := s.askInput(ctx, l)
		if in.Interrupt {
			s.program.rec.Interrupt()
		} else if err := s.program.rec.Input(in.Text, in.EOF); err != nil {
			return l, err
		}
		l, err = s.pacing.running(ctx, s.program.rec.Resume)
	}
	return l, err
}

// askInput shows the state of the move so far and reads a line of input for the program. A line
// that the program reads without echo (a password) is not written to the journal, so a replay asks
// for it again.
func (s *Session) askInput(ctx context.Context, l trace.Landing) InputLine {
	if s.journaling.replaying != nil {
		if in := s.journaling.replaying.input(); !in.Unseen {
			return in
		}
	}
	if s.cfg.Input == nil {
		return InputLine{EOF: true}
	}
	s.draft.drain()
	a := s.draft.answer
	s.draft.answer = &Answer{Command: a.Command, Action: a.Action}
	s.fill(a, l.Position)
	a.Horizon = l.Horizon
	a.Waiting, a.Asks, a.Unseen = ForInput, s.program.asking(), l.Unseen
	s.program.busy.Store(false)
	in := s.cfg.Input(ctx, a)
	s.pacing.rest() // the time that the user needed to type does not count
	s.program.busy.Store(true)
	if in.Interrupt || s.cfg.Interrupted != nil && s.cfg.Interrupted() {
		in = InputLine{Interrupt: true}
		s.program.stopping.Store(true)
	}
	kept := journal.Input(in)
	if kept.Unseen = l.Unseen && !in.Interrupt; kept.Unseen {
		kept.Text = ""
	}
	if in.Text != "" {
		line := trimLineEnd(kept.Text)
		s.draft.answer.Command = &line
	}
	if s.journaling.replaying == nil {
		s.journaling.writer.Input(kept)
	}
	return in
}

// arrive makes a landing the session's position and adds it to the answer. a is the action that led
// there, nil if there is none.
func (s *Session) arrive(l trace.Landing, a *dsl.Action) {
	died := l.PostMortem && !s.position.pos.PostMortem
	moved := l.Position != s.position.pos || s.visits.tree.Shown() == 0
	before := s.position.pos
	returned := s.position.pos.Inferred > 0 && l.Inferred == 0
	backward := !returned && (!moved || s.position.pos.End || l.Event < s.position.pos.Event)
	s.program.walkAt(l.Position)
	s.position.pos, s.position.selected, s.files.listed = l.Position, 0, listed{}
	s.breakpoints.countHits()
	if s.position.look = l.Reason == trace.ProgramLooks; s.position.look {
		s.lookAtTraceback(context.Background())
	}
	s.draft.drain()
	if a != nil {
		word := a.String()
		s.draft.answer.Action = &word
	} else {
		s.draft.answer.Action = nil
	}
	s.draft.answer.Boundary, s.draft.answer.Reason, s.draft.answer.Breakpoint = l.Boundary, l.Reason, 0
	if r := s.program.recorded(); r != nil {
		crossed := r.Arrived(l, backward)
		switch {
		case l.Boundary != trace.AtHole:
		case returned:
			s.draft.notice("This is the edge of the hole again: from here on the states are recorded.")
		default:
			s.explainHole(backward, crossed)
		}
	}
	s.draft.answer.Horizon = nav.Passed(s.draft.answer.Horizon, l.Horizon)
	s.draft.stop = &stop{still: !moved && l.Boundary != trace.NoBoundary, died: died && s.cfg.Key == nil}
	if moved {
		s.visits.remember()
	}
	s.journaling.programs = append(s.journaling.programs, l.Commands...)
	if l.Up > 0 {
		s.position.selected = max(min(l.Up, len(s.position.frames())-1), 0)
	}
	if l.Notice != "" {
		s.draft.notice("%s", l.Notice)
		s.program.debugged(l.Notice)
	}
	if a != nil && !backward && before.Inferred == 0 && l.Inferred == 0 {
		s.logging.passed(before.Event, l.Event)
	}
	if l.End && !before.End {
		if failure := s.position.failureText(s.program.nav.Mark(l.Position).Exit); failure != "" {
			s.draft.notice("%s", failure)
		}
	}
	s.explain(l, died)
}

// revisit shows a visit of the history again.
func (s *Session) revisit(number int) {
	s.visits.tree.GoTo(number)
	s.showAgain()
}

// showAgain makes the shown visit of the history the position.
func (s *Session) showAgain() {
	v := s.visits.tree.Visit(s.visits.tree.Shown())
	s.branching.toRun(v.Run)
	s.program.walkAt(v.Position)
	s.position.pos, s.position.selected, s.files.listed, s.position.look = v.InRun(0), 0, listed{}, false
	s.breakpoints.countHits()
	s.draft.drain()
	s.draft.answer.Action = nil
	s.draft.stop = &stop{}
	s.program.nav.Shown(v.Number, s.position.pos, true)
}

// explain adds the reason for a landing to the answer if its location does not show it. died
// reports whether the program has just reached its post-mortem stop.
func (s *Session) explain(l trace.Landing, died bool) {
	switch {
	case l.Reason == trace.Interrupted:
		s.journaling.chance = chance{interrupted: true, hole: s.position.behindHole()}
		s.draft.answer.Interrupted = true
		s.draft.notice("%s", s.draft.interrupted())
	case l.Reason == trace.LimitReached && l.Notice == "":
		s.draft.notice("The recording has reached its limit; a further move goes on for as much again.")
	case l.Boundary == trace.AtStart && l.Event == 0:
		s.draft.notice("This is the first state.")
	case l.Boundary == trace.AtStart:
		s.draft.notice("No earlier event ends this move (%s goes to the first state).", s.draft.key("rewind"))
	case died && s.cfg.Key != nil: // a full screen shows the possible moves itself
		s.draft.notice("Uncaught exception.")
	case died:
		s.draft.notice("Uncaught exception. Entering post mortem debugging\nA forward move goes to the end of the program, a backward move into its past.")
	}
}

// explainHole tells the user which part was not recorded, and how to continue. inverse reports
// whether the move was backward, crossed whether it continued before the hole.
func (s *Session) explainHole(inverse, crossed bool) {
	t := s.program.rec.Tree()
	edge := s.position.pos.Event
	if s.position.pos.End {
		edge = t.Len()
	}
	switch {
	case inverse && crossed:
		until := "its end"
		if after, _ := t.HoleAfter(edge); after < t.Len() {
			until = "event " + thousands(after)
		}
		s.draft.notice("What the program did after this, up to %s, was not recorded.", until)
	case !inverse:
		s.draft.notice("Recording began again here; what the program did after event %s was not recorded.", thousands(edge-1))
	case edge == 0:
		s.draft.notice("Recording began here; what came before was not recorded%s.", s.visits.inferOffer())
	case s.position.pos.End:
		s.draft.notice("The program ran unrecorded up to its end; given again, the move goes on from event %s%s.", thousands(edge-1), s.visits.inferOffer())
	default:
		s.draft.notice("Recording began again here; what came before was not recorded. Given again, the move goes on before it (event %s and earlier)%s.", thousands(edge-1), s.visits.inferOffer())
	}
}

// showStop adds the location of the stop to the answer, unless that has happened already.
func (s *Session) showStop(ctx context.Context) {
	if s.draft.stop == nil || s.draft.stop.shown {
		return
	}
	s.draft.stop.shown = true
	if s.draft.stop.still && !s.position.pos.End {
		return
	}
	text := s.position.stopText()
	if raised, place, _ := strings.Cut(text, "\n> "); s.draft.stop.died && place != "" && s.draft.printed(raised) {
		text = "> " + place // as in pdb, the traceback is not followed by the exception again
	}
	s.draft.where("%s", text)
	s.watching.showDisplays(ctx)
}

// land goes to the position where passage p ended, and adds the landing to the answer. If err is
// not nil, the passage ended early or p is nil.
func (s *Session) land(p *nav.Passage, err error) error {
	switch {
	case p == nil:
		return err
	case p.Hit == nil:
		s.arrive(p.Landing, p.By)
		return err
	}
	p.Reason = trace.HitBreakpoint
	s.landOn(p.Hit, p)
	return err
}

// landOn goes to the position at which breakpoint b stopped the move. As in pdb, a temporary
// breakpoint whose condition raised an exception is kept, so that the user can correct it.
func (s *Session) landOn(b *breakpoint.Breakpoint, p *nav.Passage) {
	inverse := p.By.Move.Inverse()
	by := p.By
	if !b.OnLine() {
		by = nil // no action of the wire format leads there
	}
	s.arrive(p.Landing, by)
	s.draft.answer.Breakpoint = b.Number
	s.position.tellOf(b, p.Event, inverse)
	if len(b.Commands) > 0 || b.Silent {
		s.breakpoints.hit = b // its commands run when the move is complete
	}
	switch {
	case b.Passing:
		s.breakpoints.table.Remove(b)
	case b.Temporary && !p.Raised:
		s.breakpoints.remove(b)
		s.breakpoints.save()
	}
}

// tellOf tells the user why a watchpoint or a catchpoint stopped the move at an event.
func (ps *position) tellOf(b *breakpoint.Breakpoint, event int, inverse bool) {
	if ps.program.recorded() == nil || b.OnLine() {
		return
	}
	if b.Catch != "" {
		repr := ""
		if st := ps.program.states().State(event); st.Value != nil {
			repr = *st.Value
		}
		ps.draft.notice("Catchpoint %d: %s is raised here", b.Number, ps.raisedText(event, repr))
		return
	}
	if ps.program.nav.AtScopeEnd(b, event, inverse) {
		word := "returns here, and its names end"
		if inverse {
			word = "begins here, before that its names have no values"
		}
		ps.draft.notice("Watchpoint %d: %s: %s %s", b.Number, b.Watch, b.Scope, word)
		return
	}
	c := ps.program.changeOf(ps.program.nav.ChangeAt(b, event, inverse))
	ps.draft.answer.Changes = []Change{c}
	by := ""
	if c.By.Event >= 0 {
		by = ", by " + placeLine(c.By)
	}
	ps.draft.notice("Watchpoint %d: %s%s", b.Number, changeText(b.Watch, c), by)
}
