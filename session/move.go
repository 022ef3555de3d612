package session

import (
	"context"
	"strconv"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/nav"
)

// Step makes a move Count times (0 means once), or until something stops it. Step over, step return,
// step block and their inverses are relative to the selected frame.
type Step struct {
	Move  dsl.Move `json:"move"`
	Count int      `json:"count,omitempty"`
}

var stepWords = map[dsl.Move]string{
	dsl.StepInto: "step", dsl.StepOver: "next", dsl.StepReturn: "return",
	dsl.StepBlock: "step-block", dsl.StepFunction: "step-function",
	dsl.InvStepInto: "reverse-step", dsl.InvStepOver: "reverse-next", dsl.InvStepReturn: "reverse-finish",
	dsl.InvStepBlock: "reverse-step-block", dsl.InvStepFunction: "reverse-step-function",
}

func (c Step) String() string { return words(stepWords[c.Move], times(c.Count)) }

func (Step) moves() bool { return true }

func (c Step) run(ctx context.Context, s *Session) error {
	if stepWords[c.Move] == "" {
		return errorf(BadArgument, "%s is no step", c.Move)
	}
	if relative(c.Move) && s.position.selected > 0 && !s.position.pos.End && !s.position.pos.PostMortem {
		return s.inFrame(ctx, c.Move, max(c.Count, 1))
	}
	return s.land(s.program.nav.Steps(ctx, s.position.pos, c.Move, nav.Times(max(c.Count, 1))))
}

// relative reports whether a move is relative to the selected frame. The others go to the next event,
// call or return, whatever the frame.
func relative(m dsl.Move) bool {
	switch m {
	case dsl.StepInto, dsl.StepFunction, dsl.InvStepInto, dsl.InvStepFunction:
		return false
	}
	return true
}

// inverse returns the name of a command, or with back the name of its inverse.
func inverse(back bool, name string) string {
	if back {
		return "reverse-" + name
	}
	return name
}

// Continue runs to the next breakpoint or to the end of the program, Count times or until something
// else stops it. With Inverse it runs backwards. With Unrecorded, recording is off meanwhile.
type Continue struct {
	Inverse    bool `json:"inverse,omitempty"`
	Unrecorded bool `json:"unrecorded,omitempty"`
	Count      int  `json:"count,omitempty"`
}

func (c Continue) String() string {
	if c.Unrecorded {
		return words("fast-continue", times(c.Count))
	}
	return words(inverse(c.Inverse, "continue"), times(c.Count))
}

func (c Continue) moves() bool { return !c.Unrecorded }

func (c Continue) run(ctx context.Context, s *Session) error {
	move := s.cont
	switch {
	case c.Unrecorded:
		if err := s.program.canLeaveOut("fast-continue"); err != nil {
			return err
		}
		s.program.rec.Record(false)
		defer func() { s.program.rec.Record(!s.program.unrecorded) }()
	case c.Inverse:
		move = s.reverseContinue
	}
	for range max(c.Count, 1) {
		before := s.position.pos
		if err := move(ctx); err != nil {
			return err
		}
		if s.position.pos.End || s.position.pos.PostMortem || s.position.pos == before || s.program.mustEnd() || s.breakpoints.hit != nil {
			return nil
		}
	}
	return nil
}

// Until runs in the selected frame to a line of at least Line, or to the frame's return. With
// Inverse it runs backwards to a line of at most Line, or to the frame's call. A Line of 0 means
// the line after the current one, or with Inverse the line before it.
type Until struct {
	Line    int  `json:"line,omitempty"`
	Inverse bool `json:"inverse,omitempty"`
}

func (c Until) String() string {
	if c.Line == 0 {
		return inverse(c.Inverse, "until")
	}
	return words(inverse(c.Inverse, "until"), c.Line)
}

func (Until) moves() bool { return true }

func (c Until) run(ctx context.Context, s *Session) error {
	if c.Inverse {
		return s.toLine(ctx, c.Line, true)
	}
	if frame, err := s.position.frame(); err == nil && s.position.returned() && (c.Line == 0 || c.Line > frame.Line) {
		return s.repeat(ctx, dsl.StepOver, 1) // as in pdb: the function has no further line
	}
	return s.toLine(ctx, c.Line, false)
}

// Advance runs to a location as if there were a temporary breakpoint, with Inverse backwards. Other
// breakpoints stop it too.
type Advance struct {
	To      Target `json:"to"`
	Inverse bool   `json:"inverse,omitempty"`
}

func (c Advance) String() string { return words(inverse(c.Inverse, "advance"), c.To) }

func (Advance) moves() bool { return true }

func (c Advance) run(ctx context.Context, s *Session) error {
	b := &breakpoint.Breakpoint{Enabled: true, Passing: true}
	if err := s.files.place(ctx, b, c.To); err != nil {
		return err
	}
	_, admitted, err := s.files.admitted(ctx, b)
	if err != nil {
		return err
	}
	if admitted != "" {
		s.draft.notice("%s", admitted)
	}
	s.breakpoints.table.List = append(s.breakpoints.table.List, b)
	defer s.breakpoints.table.Remove(b)
	if c.Inverse {
		return s.reverseContinue(ctx)
	}
	return s.cont(ctx)
}

// Record turns recording "on" or "off". "again" allows that a program that writes files is run again
// to make its past. "" shows the setting.
type Record struct {
	Turn string `json:"turn,omitempty"`
}

func (c Record) String() string { return words("record", c.Turn) }

func (c Record) run(_ context.Context, s *Session) error {
	if c.Turn == "again" {
		return s.demand.allowAgain()
	}
	if c.Turn != "" || s.program.recorded() == nil {
		if err := s.program.canLeaveOut(c.String()); err != nil {
			return err
		}
	}
	if c.Turn != "" {
		s.program.unrecorded = c.Turn == "off"
		s.program.rec.Record(!s.program.unrecorded)
	}
	if s.program.unrecorded {
		s.draft.say("Recording is off: next, return, until, continue and advance watch breakpoints and where they land, and record nothing else")
	} else {
		s.draft.say("Recording is on: all that the program does is recorded")
	}
	return nil
}

// Target is a location as the user gives it: a line of File, a line of the current file if File is
// "", or a function.
type Target struct {
	File     string `json:"file,omitempty"` // path, name or module
	Line     int    `json:"line,omitempty"`
	Function string `json:"function,omitempty"`
}

func (t Target) String() string {
	switch {
	case t.Function != "":
		return t.Function
	case t.File != "":
		return escape.Line(t.File) + ":" + strconv.Itoa(t.Line)
	}
	return strconv.Itoa(t.Line)
}

// repeat makes a move count times and makes the last landing the position.
func (s *Session) repeat(ctx context.Context, m dsl.Move, count int) error {
	return s.land(s.program.nav.Steps(ctx, s.position.pos, m, nav.Times(count)))
}

// inFrame makes a step over, step return or step block, or the inverse, relative to the selected frame.
// As in pdb, after up, next goes to the next line of the frame above, and return to its return. So does
// step block: the line after a call in its middle is where the user looks.
func (s *Session) inFrame(ctx context.Context, m dsl.Move, count int) error {
	frame, err := s.position.frame()
	if err != nil {
		return err
	}
	out := dsl.StepReturn
	if m.Inverse() {
		out = dsl.InvStepReturn
	}
	whole := m == out
	p, err := s.program.nav.Steps(ctx, s.position.pos, out, s.program.nav.Out(len(s.position.frames())-1-s.position.selected))
	if err := s.land(p, err); err != nil || p.Ends() || !whole && count == 1 {
		return err
	}
	if !whole {
		return s.repeat(ctx, m, count-1)
	}
	rec := s.program.states().At(p.Event)
	if last := rec.Event == dsl.Return && !m.Inverse() || rec.Event == dsl.Call && m.Inverse(); rec.Activation != frame.Activation || last {
		count--
	}
	if count == 0 {
		return nil
	}
	return s.repeat(ctx, m, count)
}

// cont runs to the next breakpoint or to the end.
func (s *Session) cont(ctx context.Context) error {
	return s.land(s.program.nav.Continue(ctx, s.position.pos, dsl.Continue))
}

func (s *Session) reverseContinue(ctx context.Context) error {
	return s.land(s.program.nav.Continue(ctx, s.position.pos, dsl.InvContinue))
}

// toLine runs in the selected frame to a line of at least line, or to the frame's return; with
// inverse backwards to a line of at most line, or to the frame's call. Breakpoints stop it too.
// Without a line (0), it is the line after the current one, or with inverse the line before it.
func (s *Session) toLine(ctx context.Context, line int, inverse bool) error {
	frame, err := s.position.frame()
	if err != nil {
		return err
	}
	switch {
	case line == 0 && inverse:
		line = frame.Line - 1
	case line == 0:
		line = frame.Line + 1
	case inverse && line >= frame.Line:
		return errorf(BadArgument, `"reverse-until" line number is larger than current line number`)
	case !inverse && line <= frame.Line:
		return errorf(BadArgument, `"until" line number is smaller than current line number`)
	}
	t := s.program.states()
	return s.land(s.program.nav.Until(ctx, s.position.pos, nav.Goal{
		Activation: frame.Activation, Depth: s.position.depth() - max(s.position.selected, 0), Line: line, Inverse: inverse,
		Generator: frame.Event >= 0 && t.Code(t.At(frame.Event).Code).Generator,
	}))
}
