package session

import (
	"context"
	"strconv"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
)

// Step makes a move of the table, Count times or up to a reason to look. A Count of 0
// is 1. Step over and step return, and their inverses, are made as seen from the
// selected frame.
type Step struct {
	Move  dsl.Move `json:"move"`
	Count int      `json:"count,omitempty"`
}

var stepWords = map[dsl.Move]string{
	dsl.StepInto: "step", dsl.StepOver: "next", dsl.StepReturn: "return",
	dsl.InvStepInto: "reverse-step", dsl.InvStepOver: "reverse-next", dsl.InvStepReturn: "reverse-finish",
}

func (c Step) String() string { return words(stepWords[c.Move], times(c.Count)) }

func (Step) moves() bool { return true }

func (c Step) run(ctx context.Context, s *Session) error {
	switch c.Move {
	case dsl.StepInto, dsl.InvStepInto:
		return s.repeat(ctx, c.Move, max(c.Count, 1))
	case dsl.StepOver, dsl.StepReturn, dsl.InvStepOver, dsl.InvStepReturn:
		return s.inFrame(ctx, c.Move, max(c.Count, 1))
	}
	return errorf(BadArgument, "%s is no step", c.Move)
}

// inverse is the name of a move, or of the one back.
func inverse(back bool, name string) string {
	if back {
		return "reverse-" + name
	}
	return name
}

// Continue goes on to the next breakpoint or to the end, Count times or up to a reason
// to look; Inverse goes back. Unrecorded records nothing of what lies between.
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
		if err := s.canLeaveOut("fast-continue"); err != nil {
			return err
		}
		s.rec.Record(false)
		defer func() { s.rec.Record(!s.unrecorded) }()
	case c.Inverse:
		move = s.reverseContinue
	}
	for range max(c.Count, 1) {
		before := s.pos
		if err := move(ctx); err != nil {
			return err
		}
		if s.pos.End || s.pos.PostMortem || s.pos == before || s.stopping.Load() || s.hit != nil {
			return nil
		}
	}
	return nil
}

// Until goes on within the selected frame to a line of at least Line, or to its end;
// Inverse goes back to one of at most Line, or to its call. A Line of 0 is the one
// beyond the current one.
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
	if frame, err := s.frame(); err == nil && s.returned() && (c.Line == 0 || c.Line > frame.Line) {
		return s.repeat(ctx, dsl.StepOver, 1) // as in pdb: there is no line to look for any more
	}
	return s.toLine(ctx, c.Line, false)
}

// returned reports whether the frame that is looked at is being left for good.
func (s *Session) returned() bool {
	if s.pos.End || s.pos.PostMortem || s.selected != 0 || s.pos.Event < 0 {
		return false
	}
	r := s.states().At(s.pos.Event)
	return r.Event == dsl.Return && r.Kind != dsl.Yielded
}

// Advance goes on, or with Inverse back, to a place, as a breakpoint there would stop
// it once; others stop it too.
type Advance struct {
	To      Target `json:"to"`
	Inverse bool   `json:"inverse,omitempty"`
}

func (c Advance) String() string { return words(inverse(c.Inverse, "advance"), c.To) }

func (Advance) moves() bool { return true }

func (c Advance) run(ctx context.Context, s *Session) error {
	b := &breakpoint.Breakpoint{Enabled: true, Passing: true}
	if err := s.place(ctx, b, c.To); err != nil {
		return err
	}
	_, admitted, err := s.admitted(ctx, b)
	if err != nil {
		return err
	}
	if admitted != "" {
		s.notice("%s", admitted)
	}
	s.bps.List = append(s.bps.List, b)
	defer s.bps.Remove(b)
	if c.Inverse {
		return s.reverseContinue(ctx)
	}
	return s.cont(ctx)
}

// Jump sets the line that runs next in the newest frame.
type Jump struct {
	Line int `json:"line"`
}

func (c Jump) String() string { return words("jump", c.Line) }

func (c Jump) run(ctx context.Context, s *Session) error {
	if s.selected != 0 {
		return errorf(BadArgument, "You can only jump within the bottom frame")
	}
	return s.jump(ctx, c.Line)
}

// Goto goes to an event of the recording; beyond the live edge the program runs there.
type Goto struct {
	Event int `json:"event"`
}

func (c Goto) String() string { return words("goto", c.Event) }

func (c Goto) run(ctx context.Context, s *Session) error {
	return s.goToEvent(ctx, c.Event)
}

// GotoPercent goes to where so much of the recording has passed; 100 is the live edge.
type GotoPercent struct {
	Percent int `json:"percent"`
}

func (c GotoPercent) String() string { return words("goto", strconv.Itoa(c.Percent)+"%") }

func (c GotoPercent) run(ctx context.Context, s *Session) error {
	return s.goToPercent(ctx, c.Percent)
}

// Find goes to the next line at which an expression is true, or back to the last.
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
	if err := s.checkExpression(ctx, c.Expression); err != nil {
		return errorf(BadArgument, "Invalid condition %s: %s", c.Expression, err)
	}
	return s.find(ctx, c.Expression, c.Inverse)
}

// Rewind goes back to the first state.
type Rewind struct{}

func (Rewind) String() string { return "rewind" }

func (Rewind) run(ctx context.Context, s *Session) error { return s.rewind(ctx) }

// Revisit shows a state again that was shown so many before this one, By less than 0,
// or after it. Nothing runs and no model is asked.
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
	to := min(max(s.shown+c.By, 0), len(s.history)-1)
	if to == s.shown {
		if c.By < 0 {
			return errorf(NotFound, "No state was shown before this one")
		}
		return errorf(NotFound, "No state was shown after this one")
	}
	s.revisit(to)
	return nil
}

// Debug runs a statement under the debugger.
type Debug struct {
	Statement string `json:"statement"`
}

func (c Debug) String() string { return words("debug", c.Statement) }

func (c Debug) run(ctx context.Context, s *Session) error {
	if err := s.needLive("debug " + c.Statement); err != nil {
		return err
	}
	l, err := s.running(ctx, func(ctx context.Context) (trace.Landing, error) {
		return s.rec.Debug(ctx, max(s.selected, 0), c.Statement)
	})
	if l, err = s.feed(ctx, l, err); err != nil {
		return err
	}
	s.arrive(l, nil)
	s.walk.Displaced(s.pos)
	return nil
}

// Record says whether moves record what they run, "on" or "off"; "" tells only.
type Record struct {
	Turn string `json:"turn,omitempty"`
}

func (c Record) String() string { return words("record", c.Turn) }

func (c Record) run(_ context.Context, s *Session) error {
	if c.Turn != "" {
		if err := s.canLeaveOut("record " + c.Turn); err != nil {
			return err
		}
		s.unrecorded = c.Turn == "off"
		s.rec.Record(!s.unrecorded)
	}
	if s.unrecorded {
		s.say("Recording is off: next, return, until, continue and advance watch breakpoints and where they land, and record nothing else")
	} else {
		s.say("Recording is on: all that the program does is recorded")
	}
	return nil
}

// canLeaveOut is nil where a program runs, and nobody predicts what it does.
func (s *Session) canLeaveOut(what string) error {
	switch s.Mode() {
	case Predicted:
		return errorf(Refused, "%s: nothing runs in neural mode, so there is nothing to leave out", what)
	case Both:
		return errorf(Refused, "%s: in both modes what runs is recorded, for the model is compared with it (mode real leaves the model out)", what)
	}
	return nil
}

// Target is a place in words: a line, of File or with "" of the current one, or a
// function.
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
