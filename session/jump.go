package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// Jump makes another line the next one to run in the newest frame. Before the live edge the program is
// run again up to the position, which Again allows: without it the error is a *RerunError.
type Jump struct {
	Line  int  `json:"line"`
	Again bool `json:"again,omitempty"`
}

func (c Jump) String() string { return words("jump", c.Line) }

func (c Jump) run(ctx context.Context, s *Session) error {
	if s.position.selected != 0 {
		return errorf(BadArgument, "You can only jump within the bottom frame")
	}
	return s.jump(ctx, c)
}

// Goto goes to an event of the recording. If the event is past the live edge, the program runs on
// to it.
type Goto struct {
	Event int `json:"event"`
}

func (c Goto) String() string { return words("goto", c.Event) }

func (c Goto) run(ctx context.Context, s *Session) error {
	return s.visits.fromRecording(func() error { return s.goToEvent(ctx, c.Event) })
}

// GotoPercent goes to a percentage of the recording's events; 100 is the live edge.
type GotoPercent struct {
	Percent int `json:"percent"`
}

func (c GotoPercent) String() string { return words("goto", strconv.Itoa(c.Percent)+"%") }

func (c GotoPercent) run(ctx context.Context, s *Session) error {
	return s.visits.fromRecording(func() error { return s.goToPercent(ctx, c.Percent) })
}

// Find goes to the next line at which an expression is true, or with Inverse to the previous one.
type Find struct {
	Expression string `json:"expression"`
	Inverse    bool   `json:"inverse,omitempty"`
}

func (c Find) String() string {
	if c.Inverse {
		return words("find -r", c.Expression)
	}
	return words("find", c.Expression)
}

func (c Find) run(ctx context.Context, s *Session) error {
	if err := s.values.checkExpression(ctx, c.Expression); err != nil {
		return errorf(BadArgument, "Invalid condition %s: %s", c.Expression, err)
	}
	return s.find(ctx, c.Expression, c.Inverse)
}

// Rewind goes back to the first state.
type Rewind struct{}

func (Rewind) String() string { return "rewind" }

func (Rewind) run(ctx context.Context, s *Session) error {
	return s.visits.fromRecording(func() error { return s.rewind(ctx) })
}

// Revisit shows the visit that was shown before, -By times, or undoes that By times. If nothing is
// left to undo, it shows the child of the visit that was shown last. Nothing runs and no model is
// asked.
type Revisit struct {
	By int `json:"by"`
}

func (c Revisit) String() string {
	if c.By < 0 {
		return words("back", times(-c.By))
	}
	return words("forth", times(c.By))
}

func (c Revisit) run(_ context.Context, s *Session) error {
	switch {
	case c.By < 0 && !s.visits.tree.Back(-c.By):
		return errorf(NotFound, "No state was shown before this one")
	case c.By > 0 && !s.visits.tree.Forth(c.By):
		return errorf(NotFound, "No state was shown after this one")
	}
	s.showAgain()
	return nil
}

// Debug runs a statement at the live edge under the debugger.
type Debug struct {
	Statement string `json:"statement"`
}

func (c Debug) String() string { return words("debug", c.Statement) }

func (c Debug) run(ctx context.Context, s *Session) error {
	if err := s.position.needLive("debug " + c.Statement); err != nil {
		return err
	}
	l, err := s.fed(ctx, func(ctx context.Context) (trace.Landing, error) {
		return s.program.rec.Debug(ctx, max(s.position.selected, 0), c.Statement)
	})
	if err != nil {
		return err
	}
	if strings.Contains(l.Notice, trace.DebugBegins) {
		s.program.debugging = append(s.program.debugging, c.Statement)
	}
	s.arrive(l, nil)
	s.program.nav.Displaced(s.position.pos)
	return nil
}

// debugged takes the statements off the list that have ended, according to a notice of the tracer.
func (pr *program) debugged(notice string) {
	ended := strings.Count(notice, trace.DebugEnds)
	pr.debugging = pr.debugging[:max(len(pr.debugging)-ended, 0)]
}

// find goes to the next or previous line at which an expression is true.
func (s *Session) find(ctx context.Context, expr string, inverse bool) error {
	r := s.program.recorded()
	switch {
	case s.position.pos.Inferred > 0:
		return s.position.refuse("find", "")
	case r == nil:
		return errorf(Refused, "find: there is no recording in neural mode to look through; b LINE, CONDITION and c ask the model for a line where it holds")
	}
	from := s.position.pos
	p, err := s.program.nav.Find(ctx, from, expr, inverse)
	if err != nil {
		return err
	}
	if !inverse && p.Boundary != trace.AtHole && (p.End || p.PostMortem) {
		s.heldNowhere(expr, from, p)
	} else if err := s.land(p, nil); err != nil {
		return err
	}
	if u := p.Unanswered; u.Count > 0 {
		lines := plural(u.Count, "line", "lines")
		s.draft.notice("find passed %s at which %s is not known, first event %s: %s", lines, expr, thousands(u.First), u.Why)
	}
	return nil
}

// heldNowhere reports that find reached the end without finding a line. The position does not
// change.
func (s *Session) heldNowhere(expr string, from trace.Position, p *nav.Passage) {
	s.arrive(trace.Landing{Position: from, Boundary: trace.AtEnd, Notice: p.Notice}, nil)
	recorded := ""
	if _, hole := s.program.rec.Tree().HoleAfter(from.Event); hole && !from.End {
		recorded = " that was recorded"
	}
	text := fmt.Sprintf("%s is true at no later line%s; where it raises, it counts as not true.", expr, recorded)
	if !from.End && !from.PostMortem {
		edge := "the end"
		if p.PostMortem {
			edge = "the uncaught exception"
		}
		text += fmt.Sprintf(" %s goes to %s.", s.draft.key("goto 100%"), edge)
	}
	s.draft.notice("%s", text)
}

// rewind goes to the first state. In neural mode no model is asked.
func (s *Session) rewind(ctx context.Context) error {
	if p, ok := s.program.source().(*nav.Predicted); ok {
		s.arrive(p.First(), nil)
		return nil
	}
	return s.repeat(ctx, dsl.InvContinue, 1)
}

// goToEvent goes to an event of the recording.
func (s *Session) goToEvent(ctx context.Context, event int) error {
	last, ended, err := s.program.recordedTo()
	switch {
	case err != nil:
		return err
	case ended && event > last:
		return errorf(BadArgument, "The recording ends at event %d", last)
	}
	return s.goTo(ctx, event)
}

// goToPercent goes to a percentage of the recording's events; 100 is the live edge.
func (s *Session) goToPercent(ctx context.Context, percent int) error {
	last, _, err := s.program.recordedTo()
	switch {
	case err != nil:
		return err
	case percent == 100:
		s.arrive(trace.Landing{Position: s.program.rec.LiveEdge(), Horizon: s.program.recorded().Distance(s.position.pos, last)}, nil)
		s.program.nav.Displaced(s.position.pos)
		return nil
	}
	// Compute it in two parts, so that a large number of events does not overflow an int.
	return s.goTo(ctx, last/100*percent+last%100*percent/100)
}

// goTo makes an event the position. If it is past the live edge, the program runs on to it.
func (s *Session) goTo(ctx context.Context, event int) error {
	r, from := s.program.recorded(), s.position.pos
	l := trace.Landing{Position: r.PositionOf(event)}
	if event > r.Furthest() {
		var err error
		edge := s.program.rec.LiveEdge()
		l, err = s.fed(ctx, func(ctx context.Context) (trace.Landing, error) { return s.program.rec.Pass(ctx, event-edge.Event) })
		if err != nil {
			return err
		}
	}
	l.Horizon = r.Distance(from, l.Event)
	s.arrive(l, nil)
	s.program.nav.Displaced(s.position.pos)
	return nil
}

// jump makes another line the next one to run.
func (s *Session) jump(ctx context.Context, c Jump) error {
	if s.program.recorded() == nil {
		return s.jumpPredicted(ctx, c.Line)
	}
	if !s.position.live() {
		return jumpError(s.branching.branch(ctx, "jump", Jump{Line: c.Line, Again: true}, c.Again, trace.VerbJump, strconv.Itoa(c.Line)))
	}
	answer, err := s.program.rec.Ask(ctx, 0, trace.VerbJump, strconv.Itoa(c.Line))
	if err != nil {
		return jumpError(err)
	}
	if answer.Landing != nil {
		s.arrive(*answer.Landing, nil)
	}
	s.program.nav.Displaced(s.position.pos)
	return nil
}

// jumpError converts the error of a jump.
func jumpError(err error) error {
	var raised *trace.EvalError
	if errors.As(err, &raised) {
		return errorf(Refused, "Jump failed: %s", raised.Message)
	}
	return err
}

// jumpPredicted makes another line of the function the next one to run in neural mode. A new text
// for the model begins there.
func (s *Session) jumpPredicted(ctx context.Context, line int) error {
	if s.position.pos.End {
		return s.position.needLive("jump")
	}
	frame, err := s.position.frame()
	if err != nil {
		return err
	}
	path, lines, err := s.position.frameSource(frame)
	if err != nil {
		return err
	}
	first, last := s.files.extent(ctx, frame, path, len(lines))
	if line < first || line > last || s.files.inner(ctx, frame, path, first, line) {
		return errorf(Refused, "Jump failed: line %d is not in %s", line, frame.Function)
	}
	if err := s.files.checkLine(ctx, path, lines, line); err != nil {
		return errorf(Refused, "Jump failed: %v", err)
	}
	to, err := s.program.reference().(*nav.Predicted).Jump(s.position.pos.Event, line, lines[line-1])
	if err != nil {
		return err
	}
	s.arrive(trace.Landing{Position: to, Horizon: nav.UnknownHorizon}, nil)
	s.program.nav.Displaced(s.position.pos)
	return nil
}
