package session

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// ShowStack shows the call stack.
type ShowStack struct{}

func (ShowStack) String() string { return "where" }

func (ShowStack) run(ctx context.Context, s *Session) error {
	if _, err := s.position.frame(); err != nil {
		return err
	}
	here := len(s.position.frames()) - 1
	var entries []string
	for i, f := range s.position.allFrames(ctx) {
		if i > here || !s.position.looking() {
			entries = append(entries, s.position.stackEntry(f, i == here-s.position.selected))
		}
	}
	s.draft.say(strings.Join(entries, "\n"))
	return nil
}

// SelectFrame selects the frame that is By frames older, or newer if By is negative. At an
// exception that was raised in an inner frame, the frames that the exception has left can be
// selected too.
type SelectFrame struct {
	By int `json:"by"`
}

// AllTheWay as SelectFrame.By selects the oldest frame, -AllTheWay the newest one.
const AllTheWay = math.MaxInt32

func (c SelectFrame) String() string {
	name, by := "up", c.By
	if by < 0 {
		name, by = "down", -by
	}
	if by == AllTheWay {
		by = -1 // pdb's argument for all the way
	}
	if by == 1 {
		return name
	}
	return words(name, by)
}

func (c SelectFrame) run(ctx context.Context, s *Session) error {
	if _, err := s.position.frame(); err != nil {
		return err
	}
	oldest, newest := len(s.position.frames())-1, -len(s.position.below(ctx))
	if s.position.looking() {
		oldest = -1
	}
	switch {
	case c.By > 0 && s.position.selected == oldest:
		return errorf(BadArgument, "Oldest frame")
	case c.By < 0 && s.position.selected == newest:
		return errorf(BadArgument, "Newest frame")
	}
	most := oldest - newest
	s.position.selected = min(max(s.position.selected+min(max(c.By, -most), most), newest), oldest)
	s.files.listed = listed{}
	frame, err := s.position.frame()
	if err != nil {
		return err
	}
	s.draft.say(s.position.stackEntry(frame, true))
	return nil
}

// Arguments shows the arguments of the selected frame's function.
type Arguments struct{}

func (Arguments) String() string { return "args" }

func (Arguments) run(ctx context.Context, s *Session) error {
	frame, err := s.position.frame()
	if err != nil {
		return err
	}
	if s.position.selectedAlien() {
		answer, err := s.program.rec.Ask(ctx, s.position.selected, trace.VerbArgs, "")
		if answer.Text != "" {
			s.draft.say(answer.Text)
		}
		return err
	}
	locals := s.program.states().LocalsOf(frame.Activation, s.position.pos.Event)
	for _, name := range s.position.argNames(frame) {
		text, ok := lookup(locals, name)
		switch {
		case ok:
		case slices.ContainsFunc(locals, func(l dsl.Local) bool { return l.Name == name && l.Unknown }):
			text = "*** unknown ***"
		default:
			text = "*** undefined ***"
		}
		s.draft.sayf("%s = %s", name, text)
	}
	return nil
}

// argNames returns the names of a frame's parameters, including those of * and **.
func (ps *position) argNames(frame statetree.StackFrame) []string {
	t := ps.program.states()
	if frame.Event < 0 {
		return nil
	}
	code := t.Code(t.At(frame.Event).Code)
	return code.Names[:min(code.Args, len(code.Names))]
}

// ReturnValue shows the return value of the current function, if it is about to return.
type ReturnValue struct{}

func (ReturnValue) String() string { return "retval" }

func (ReturnValue) run(_ context.Context, s *Session) error {
	frame, err := s.position.frame()
	if err != nil {
		return err
	}
	if s.position.selected != 0 || frame.Event < 0 || s.program.states().At(frame.Event).Event != dsl.Return {
		return errorf(NotFound, "Not yet returned!")
	}
	st := s.program.states().State(frame.Event)
	if st.Value == nil {
		return errorf(NotFound, "Left by an exception: there is no value")
	}
	s.draft.say(*st.Value)
	return nil
}

// Exceptions lists the chain of exceptions that ended the program. With a number, counted from 0,
// it selects the traceback of that exception.
type Exceptions struct {
	Number *int `json:"number,omitempty"`
}

func (c Exceptions) String() string {
	if c.Number == nil {
		return "exceptions"
	}
	return words("exceptions", *c.Number)
}

func (c Exceptions) run(ctx context.Context, s *Session) error {
	if !s.position.pos.PostMortem && !s.position.looking() {
		s.draft.say("Did not find chained exceptions. There is a chain only where the program stopped after an uncaught exception.")
		return nil
	}
	arg := ""
	if c.Number != nil {
		arg = strconv.Itoa(*c.Number)
	}
	if s.program.rec == nil {
		return s.position.refuse("exceptions", "a model tells the exception alone, not those that it is chained to")
	}
	answer, err := s.program.rec.Ask(ctx, s.position.selected, trace.VerbExceptions, arg)
	if err != nil {
		var raised *trace.EvalError
		if errors.As(err, &raised) {
			return errorf(BadArgument, "%s", raised.Message)
		}
		return err
	}
	if text := trimLineEnd(answer.Text); text != "" {
		s.draft.say(text)
	}
	if arg != "" && s.position.looking() {
		s.lookAtTraceback(ctx)
		s.draft.stop = &stop{}
	}
	if answer.Landing != nil {
		s.arrive(*answer.Landing, nil)
		s.program.nav.Displaced(s.position.pos)
	}
	return nil
}

// belowFrame is a frame that an exception has left before the current event. A traceback lists such
// frames below the call stack.
type belowFrame struct {
	statetree.StackFrame
	at    int  // the line at which the frame was left; Line is where it raised
	alien bool // library code, of which nothing is recorded
}

// belowHere caches the frames below the stack at an exception event. The cache is valid for one
// position, and separately at the live edge, where the program knows more frames than the
// recording.
type belowHere struct {
	pos    trace.Position
	live   bool
	frames []belowFrame
}

// below returns the frames below the stack, the innermost last: at the live edge those of the
// traceback, elsewhere the recorded ones.
func (ps *position) below(ctx context.Context) []belowFrame {
	if ps.program.rec == nil || ps.pos.End || ps.pos.Event < 0 || ps.program.states().At(ps.pos.Event).Event != dsl.Exception && !ps.looking() {
		return nil
	}
	if b := ps.belowHere; b != nil && b.pos == ps.pos && b.live == ps.live() {
		return b.frames
	}
	b := &belowHere{pos: ps.pos, live: ps.live()}
	ps.belowHere = b
	if b.live {
		frames, err := ps.program.rec.Below(ctx)
		if err == nil {
			for i, f := range frames {
				b.frames = append(b.frames, ps.belowLive(f, i))
			}
			return b.frames
		}
	}
	b.frames = ps.unwound(ps.pos.Event)
	return b.frames
}

// aliens is the first of the activation numbers for frames that are not recorded. They count down
// from here and no recorded frame has one of them.
const aliens = ^uint32(0)

// belowLive converts a frame of the traceback, which is number i of them. If it is recorded, it
// gets its activation number.
func (ps *position) belowLive(f trace.BelowFrame, i int) belowFrame {
	out := belowFrame{at: f.At}
	out.StackFrame = statetree.StackFrame{Activation: uint32(f.Activation), Event: -1}
	if f.Activation >= 0 {
		out.Event = ps.program.states().FatalException(out.Activation)
	}
	if out.Event < 0 {
		out.alien, out.Activation = true, aliens-uint32(i)
	}
	out.Frame = dsl.Frame{Function: f.Function, File: f.Path, Line: f.Line}
	if file, err := ps.program.nav.AddFile(f.Path); err == nil {
		out.File = ps.program.states().Files()[file].Name
	}
	return out
}

// unwound returns the recorded activations that an exception has left before an event, the
// innermost last.
func (ps *position) unwound(event int) []belowFrame {
	t := ps.program.states()
	var out []belowFrame
	for event > 0 {
		left := t.At(event - 1)
		if left.Kind != dsl.Unwound || left.Depth != t.At(event).Depth+1 {
			break
		}
		raised := t.FatalException(left.Activation)
		if raised < 0 || !sameValue(t.State(raised), t.State(event)) {
			break // library code in between raised another exception
		}
		at := t.At(raised)
		out = append(out, belowFrame{at: left.Line, StackFrame: statetree.StackFrame{
			Frame:      dsl.Frame{Function: t.Code(at.Code).Name, File: t.Files()[at.File].Name, Line: at.Line},
			Activation: left.Activation, Event: raised,
		}})
		event = raised
	}
	return out
}

// looking reports whether the program waits in pdb.post_mortem(). Then the only frames are those of
// its traceback.
func (ps *position) looking() bool { return ps.look && ps.live() }

// lookAtTraceback selects the innermost frame of the traceback that the program passed to
// pdb.post_mortem().
func (s *Session) lookAtTraceback(ctx context.Context) {
	s.position.belowHere = nil
	s.position.selected, s.files.listed = -len(s.position.below(ctx)), listed{}
}

// allFrames returns the call stack at the position and the frames below it.
func (ps *position) allFrames(ctx context.Context) []statetree.StackFrame {
	all := ps.frames()
	for _, f := range ps.below(ctx) {
		all = append(all, f.StackFrame)
	}
	return all
}

// selectedBelow returns the selected frame if it is below the stack, else nil.
func (ps *position) selectedBelow() *belowFrame {
	if ps.selected >= 0 || ps.belowHere == nil || -ps.selected > len(ps.belowHere.frames) {
		return nil
	}
	return &ps.belowHere.frames[-ps.selected-1]
}

// selectedAlien reports whether the selected frame is not recorded.
func (ps *position) selectedAlien() bool {
	b := ps.selectedBelow()
	return b != nil && b.alien
}

func sameValue(a, b *dsl.State) bool {
	return a.Value != nil && b.Value != nil && *a.Value == *b.Value
}

// frameSource returns the path and lines of a frame's file.
func (ps *position) frameSource(frame statetree.StackFrame) (path string, lines []string, err error) {
	file := ps.fileOf(frame)
	if file < 0 {
		return "", nil, errorf(NotFound, "could not get source code")
	}
	f := ps.program.states().Files()[file]
	return f.Path, dsl.SplitLines(string(f.Source)), nil
}

// frame returns the selected frame. At the end of the program it is an error.
func (ps *position) frame() (statetree.StackFrame, error) {
	if b := ps.selectedBelow(); b != nil {
		return b.StackFrame, nil
	}
	stack := ps.frames()
	i := len(stack) - 1 - max(ps.selected, 0)
	if i < 0 {
		return statetree.StackFrame{}, errorf(ProgramOver, "The program is over, so there is no frame here; rs goes back to its last event")
	}
	return stack[i], nil
}

// frames returns the call stack at the position, the outermost frame first. It returns nil at the
// end and after a failed start.
func (ps *position) frames() []statetree.StackFrame {
	if ps.pos.End || ps.pos.Event < 0 {
		return nil
	}
	return ps.program.states().Stack(ps.pos.Event)
}
