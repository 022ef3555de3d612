package session

import (
	"context"
	"fmt"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// stop is the landing of the answer being built.
type stop struct {
	shown bool // its location was shown, or a silent breakpoint hides it
	still bool // nothing moved: only the notice is worth showing
}

// fed makes a move of the program, for as long as it waits for input.
func (s *Session) fed(ctx context.Context, move func(context.Context) (trace.Landing, error)) (trace.Landing, error) {
	l, err := s.running(ctx, move)
	for err == nil && l.Reason == trace.NeedsInput {
		in := s.askInput(ctx, l)
		if in.Interrupt {
			s.rec.Interrupt()
		} else if err := s.rec.Input(in.Text, in.EOF); err != nil {
			return l, err
		}
		l, err = s.running(ctx, s.rec.Resume)
	}
	return l, err
}

// askInput shows the move so far and gets a line for the program. A line that the program
// reads with the echo off is not kept, so a replay asks for it again.
func (s *Session) askInput(ctx context.Context, l trace.Landing) InputLine {
	if s.replaying != nil {
		if in := s.replaying.input(); !in.Unseen {
			return in
		}
	}
	if s.cfg.Input == nil {
		return InputLine{EOF: true}
	}
	s.drain()
	a := s.answer
	s.answer = &Answer{Command: a.Command, Action: a.Action}
	s.fill(a, l.Position)
	a.Horizon = l.Horizon
	a.Waiting, a.Asks, a.Unseen = ForInput, s.asking(), l.Unseen
	s.busy.Store(false)
	in := s.cfg.Input(ctx, a)
	s.restPace() // nothing ran while the user wrote
	s.busy.Store(true)
	if in.Interrupt || s.cfg.Interrupted != nil && s.cfg.Interrupted() {
		in = InputLine{Interrupt: true}
		s.stopping.Store(true)
	}
	kept := journal.Input(in)
	if kept.Unseen = l.Unseen && !in.Interrupt; kept.Unseen {
		kept.Text = ""
	}
	if in.Text != "" {
		line := trimLineEnd(kept.Text)
		s.answer.Command = &line
	}
	if s.replaying == nil {
		s.journal.Input(kept)
	}
	return in
}

// asking returns the line that waits for the program's input: the last that was recorded,
// nil if there is none.
func (s *Session) asking() *dsl.Frame {
	t, event := s.rec.Tree(), s.rec.LiveEdge().Event
	if event < 0 || event >= t.Len() {
		return nil
	}
	at := t.At(event)
	return &dsl.Frame{Function: t.Code(at.Code).Name, File: t.Files()[at.File].Name, Line: at.Line}
}

// arrive makes a landing the session's position.
func (s *Session) arrive(l trace.Landing, a *dsl.Action) {
	died := l.PostMortem && !s.pos.PostMortem
	moved := l.Position != s.pos || len(s.history) == 0
	backward := !moved || s.pos.End || l.Event < s.pos.Event
	s.pos, s.selected, s.listed = l.Position, 0, listed{}
	s.countHits()
	if s.look = l.Reason == trace.ProgramLooks; s.look {
		s.lookAtTraceback(context.Background())
	}
	s.drain()
	if a != nil {
		word := a.String()
		s.answer.Action = &word
	} else {
		s.answer.Action = nil
	}
	s.answer.Boundary = l.Boundary
	if r := s.recorded(); r != nil {
		crossed := r.Arrived(l, backward)
		if l.Boundary == trace.AtHole {
			s.explainHole(backward, crossed)
		}
	}
	s.answer.Horizon = nav.Passed(s.answer.Horizon, l.Horizon)
	s.stop = &stop{still: !moved && l.Boundary != trace.NoBoundary}
	if moved {
		s.remember()
	}
	s.programs = append(s.programs, l.Commands...)
	if l.Up > 0 {
		s.selected = max(min(l.Up, len(s.frames())-1), 0)
	}
	if l.Notice != "" {
		s.notice("%s", l.Notice)
	}
	s.explain(l, died)
}

// countHits sets the breakpoints' counts to those of the position, so that a place shows the
// same count each time it is reached. Predicted states have no order, so all their crossings
// count.
func (s *Session) countHits() {
	for _, b := range s.bps.List {
		if s.pos.End || s.recorded() == nil {
			b.CountAll()
		} else {
			b.CountTo(s.pos.Event)
		}
	}
}

// visit returns the position as the history has it.
func (s *Session) visit() Visit {
	v := Visit{Position: s.pos, Command: s.given, Origin: s.nav.Mark(s.pos).Origin}
	if t := s.states(); !s.pos.End && s.pos.Event >= 0 && s.pos.Event < t.Len() {
		at := t.At(s.pos.Event)
		v.Kind, v.Line, v.Function, v.File = at.Event, at.Line, t.Code(at.Code).Name, t.Files()[at.File].Name
	}
	return v
}

// remember adds the position to what was shown.
func (s *Session) remember() {
	s.history = append(s.history, s.visit())
	s.shown = len(s.history) - 1
	s.nav.Shown(s.shown, s.pos, false)
}

// revisit shows a place of the history again.
func (s *Session) revisit(i int) {
	s.pos, s.selected, s.listed, s.shown, s.look = s.history[i].Position, 0, listed{}, i, false
	s.countHits()
	s.drain()
	s.answer.Action = nil
	s.stop = &stop{}
	s.nav.Shown(i, s.pos, true)
}

// explain explains why a landing is where it is, where its place alone does not.
// died says that the program has just come to its post-mortem stop.
func (s *Session) explain(l trace.Landing, died bool) {
	switch {
	case l.Reason == trace.Interrupted:
		s.chance = chance{interrupted: true, hole: s.behindHole()}
		s.answer.Interrupted = true
		s.notice("%s", s.interrupted())
	case l.Reason == trace.LimitReached && l.Notice == "":
		s.notice("The recording has reached its limit; a further move goes on for as much again.")
	case l.Boundary == trace.AtStart:
		s.notice("start: nothing that this move looks for is earlier in the recording.")
	case died && s.cfg.Key != nil: // the screen says what can be done
		s.notice("Uncaught exception.")
	case died:
		s.notice("Uncaught exception. Entering post mortem debugging\nA forward move goes to the end of the program, a backward move into its past.")
	}
}

// interrupted describes what became of the move that was interrupted, in pdb's words where
// commands are typed.
func (s *Session) interrupted() string {
	switch {
	case s.rec == nil:
		return "The question was given up. (" + s.key("retry") + " asks it again.)"
	case s.cfg.Key == nil:
		return "Program interrupted. (Use 'cont' to resume)."
	}
	return "Program interrupted; " + s.key("continue") + " goes on."
}

// explainHole describes what was not recorded, and how to go on before it.
func (s *Session) explainHole(inverse, crossed bool) {
	t := s.rec.Tree()
	edge := s.pos.Event
	if s.pos.End {
		edge = t.Len()
	}
	switch {
	case inverse && crossed:
		until := "its end"
		if after, _ := t.HoleAfter(edge); after < t.Len() {
			until = "event " + thousands(after)
		}
		s.notice("hole: what the program did after this, up to %s, was not recorded.", until)
	case !inverse:
		s.notice("hole: recording began again here; what the program did after event %s was not recorded.", thousands(edge-1))
	case edge == 0:
		s.notice("hole: recording began here; what came before was not recorded.")
	case s.pos.End:
		s.notice("hole: the program ran unrecorded up to its end; given again, the move goes on from event %s.", thousands(edge-1))
	default:
		s.notice("hole: recording began again here; what came before was not recorded. Given again, the move goes on before it (event %s and earlier).", thousands(edge-1))
	}
}

// behindHole reports whether what led here was not recorded.
func (s *Session) behindHole() bool {
	if s.rec == nil || s.pos.End {
		return false
	}
	return s.holeAt(s.pos.Event)
}

// holeAt reports whether an event is the first one after a hole.
func (s *Session) holeAt(event int) bool {
	if s.recorded() == nil {
		return false
	}
	edge, ok := s.rec.Tree().HoleUpTo(event)
	return ok && edge == event
}

// showStop adds the location of the stop to the answer, once.
func (s *Session) showStop(ctx context.Context) {
	if s.stop == nil || s.stop.shown {
		return
	}
	s.stop.shown = true
	if s.stop.still && !s.pos.End {
		return
	}
	s.where("%s", s.stopText())
	s.showDisplays(ctx)
}

func (s *Session) where(format string, a ...any) {
	s.answer.Chunks = append(s.answer.Chunks, Chunk{Kind: Where, Text: fmt.Sprintf(format, a...)})
}

// endText returns what is said at the end of the program.
func (s *Session) endText(exit *dsl.Exit) string {
	if exit == nil {
		return "The program is over."
	}
	text := fmt.Sprintf("The program finished. Exit code: %d", exit.Code)
	if exit.Code < 0 {
		text = fmt.Sprintf("The program was killed by signal %d", -exit.Code)
	}
	if exit.Exception != nil {
		text += ", after " + s.fatalText(*exit.Exception)
	}
	return text + "\nBackward moves (rs, rn, rf, rc) still work; restart runs it again."
}

// fatalText returns how an interpreter tells what ended the program: the exception that
// left its outermost activation.
func (s *Session) fatalText(repr string) string {
	if t := s.states(); t.Len() > 0 && s.rec != nil {
		if e := t.FatalException(t.At(0).Activation); e >= 0 {
			if st := t.State(e); st.Value != nil && *st.Value == repr {
				return s.raisedText(e, repr)
			}
		}
	}
	return exceptionText(repr)
}

// land makes where a passage led the session's position. With an error it came only so
// far, or nowhere.
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

// landOn arrives at a satisfied breakpoint. As in pdb a temporary one whose
// condition raised is not deleted: the user will want to mend it.
func (s *Session) landOn(b *breakpoint.Breakpoint, p *nav.Passage) {
	inverse := p.By.Move.Inverse()
	by := p.By
	if !b.OnLine() {
		by = nil // no action of the table leads there
	}
	s.arrive(p.Landing, by)
	s.tellOf(b, p.Event, inverse)
	if len(b.Commands) > 0 || b.Silent {
		s.hit = b // they run when the move is over
	}
	switch {
	case b.Passing:
		s.bps.Remove(b)
	case b.Temporary && !p.Raised:
		s.remove(b)
		s.save()
	}
}

// tellOf explains why a watchpoint or a catchpoint stopped the move that has landed on an
// event.
func (s *Session) tellOf(b *breakpoint.Breakpoint, event int, inverse bool) {
	if s.recorded() == nil || b.OnLine() {
		return
	}
	if b.Catch != "" {
		repr := ""
		if st := s.states().State(event); st.Value != nil {
			repr = *st.Value
		}
		s.notice("Catchpoint %d: %s is raised here", b.Number, s.raisedText(event, repr))
		return
	}
	if s.nav.AtScopeEnd(b, event, inverse) {
		word := "returns here, and its names end"
		if inverse {
			word = "begins here, before that its names have no values"
		}
		s.notice("Watchpoint %d: %s: %s %s", b.Number, b.Watch, b.Scope, word)
		return
	}
	c := s.changeOf(s.nav.ChangeAt(b, event, inverse))
	s.answer.Changes = []Change{c}
	by := ""
	if c.By.Event >= 0 {
		by = ", by " + placeLine(c.By)
	}
	s.notice("Watchpoint %d: %s%s", b.Number, changeText(b.Watch, c), by)
}
