package session

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// ShowStack tells the stack.
type ShowStack struct{}

func (ShowStack) String() string { return "where" }

func (ShowStack) run(ctx context.Context, s *Session) error {
	if _, err := s.frame(); err != nil {
		return err
	}
	here := len(s.frames()) - 1
	var entries []string
	for i, f := range s.allFrames(ctx) {
		if i > here || !s.looking() {
			entries = append(entries, s.stackEntry(f, i == here-s.selected))
		}
	}
	s.say(strings.Join(entries, "\n"))
	return nil
}

// SelectFrame moves the selection by frames: up, to older ones, or with By less than 0
// down, where an exception came from to the innermost that it has left. AllTheWay is
// more than there are.
type SelectFrame struct {
	By int `json:"by"`
}

// AllTheWay selects the oldest frame; its negative the newest.
const AllTheWay = math.MaxInt32

func (c SelectFrame) String() string {
	name, by := "up", c.By
	if by < 0 {
		name, by = "down", -by
	}
	if by == AllTheWay {
		by = -1 // as pdb has it
	}
	if by == 1 {
		return name
	}
	return words(name, by)
}

func (c SelectFrame) run(ctx context.Context, s *Session) error {
	if _, err := s.frame(); err != nil {
		return err
	}
	oldest, newest := len(s.frames())-1, -len(s.below(ctx))
	if s.looking() {
		oldest = -1
	}
	switch {
	case c.By > 0 && s.selected == oldest:
		return errorf(BadArgument, "Oldest frame")
	case c.By < 0 && s.selected == newest:
		return errorf(BadArgument, "Newest frame")
	}
	most := oldest - newest
	s.selected = min(max(s.selected+min(max(c.By, -most), most), newest), oldest)
	s.listed = listed{}
	frame, err := s.frame()
	if err != nil {
		return err
	}
	s.say(s.stackEntry(frame, true))
	return nil
}

// Arguments tells the arguments of the selected frame's function.
type Arguments struct{}

func (Arguments) String() string { return "args" }

func (Arguments) run(ctx context.Context, s *Session) error {
	frame, err := s.frame()
	if err != nil {
		return err
	}
	if s.selectedAlien() {
		answer, err := s.rec.Ask(ctx, s.selected, trace.VerbArgs, "")
		if answer.Text != "" {
			s.say(answer.Text)
		}
		return err
	}
	locals := s.states().LocalsOf(frame.Activation, s.pos.Event)
	for _, name := range s.argNames(frame) {
		text, ok := lookup(locals, name)
		if !ok {
			text = "*** undefined ***"
		}
		s.sayf("%s = %s", name, text)
	}
	return nil
}

// argNames returns the names of a frame's arguments, * and ** included.
func (s *Session) argNames(frame statetree.StackFrame) []string {
	t := s.states()
	if frame.Event < 0 {
		return nil
	}
	code := t.Code(t.At(frame.Event).Code)
	return code.Names[:min(code.Args, len(code.Names))]
}

// ReturnValue tells with what the current function returns.
type ReturnValue struct{}

func (ReturnValue) String() string { return "retval" }

func (ReturnValue) run(_ context.Context, s *Session) error {
	frame, err := s.frame()
	if err != nil {
		return err
	}
	if s.selected != 0 || frame.Event < 0 || s.states().At(frame.Event).Event != dsl.Return {
		return errorf(NotFound, "Not yet returned!")
	}
	st := s.states().State(frame.Event)
	if st.Value == nil {
		return errorf(NotFound, "Left by an exception: there is no value")
	}
	s.say(*st.Value)
	return nil
}

// Exceptions lists the chain of exceptions that the program is over by, or with a
// number, which counts from 0, looks at that one's traceback.
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
	if !s.pos.PostMortem && !s.looking() {
		s.say("Did not find chained exceptions. Only after an uncaught exception, where the program stops post mortem, is there a chain to move in.")
		return nil
	}
	arg := ""
	if c.Number != nil {
		arg = strconv.Itoa(*c.Number)
	}
	if s.rec == nil {
		return s.refuse("exceptions", "a model tells the exception alone, not those that it is chained to")
	}
	answer, err := s.rec.Ask(ctx, s.selected, trace.VerbExceptions, arg)
	if err != nil {
		var raised *trace.EvalError
		if errors.As(err, &raised) {
			return errorf(BadArgument, "%s", raised.Message)
		}
		return err
	}
	if text := trimLineEnd(answer.Text); text != "" {
		s.say(text)
	}
	if arg != "" && s.looking() {
		s.lookAtTraceback(ctx)
		s.stop = &stop{}
	}
	if answer.Landing != nil {
		s.arrive(*answer.Landing, nil)
		s.nav.Displaced(s.pos)
	}
	return nil
}

// belowFrame is a frame that an exception has left on its way to the position: it
// lies below the stack there, as in a traceback.
type belowFrame struct {
	statetree.StackFrame
	at    int  // the line it was at as it was left; the frame's own is where it raised
	alien bool // not user code: nothing of it is recorded
}

// belowHere is the frames below the position, of an exception event. They belong
// to one position, and, since the program knows more of them than its recording,
// to whether it waits there.
type belowHere struct {
	pos    trace.Position
	live   bool
	frames []belowFrame
}

// below returns the frames below the position, the innermost last: at the live edge
// those of the traceback, elsewhere those that are recorded.
func (s *Session) below(ctx context.Context) []belowFrame {
	if s.rec == nil || s.pos.End || s.pos.Event < 0 || s.states().At(s.pos.Event).Event != dsl.Exception && !s.looking() {
		return nil
	}
	if b := s.belowHere; b != nil && b.pos == s.pos && b.live == s.live() {
		return b.frames
	}
	b := &belowHere{pos: s.pos, live: s.live()}
	s.belowHere = b
	if b.live {
		frames, err := s.rec.Below(ctx)
		if err == nil {
			for i, f := range frames {
				b.frames = append(b.frames, s.belowLive(f, i))
			}
			return b.frames
		}
	}
	b.frames = s.unwound(s.pos.Event)
	return b.frames
}

// aliens is the activation of frames that have none: the last ones there can be.
const aliens = ^uint32(0)

// belowLive returns a frame of the traceback; user code has its activation.
func (s *Session) belowLive(f trace.BelowFrame, i int) belowFrame {
	out := belowFrame{at: f.At}
	out.StackFrame = statetree.StackFrame{Activation: uint32(f.Activation), Event: -1}
	if f.Activation >= 0 {
		out.Event = s.states().FatalException(out.Activation)
	}
	if out.Event < 0 {
		out.alien, out.Activation = true, aliens-uint32(i)
	}
	out.Frame = dsl.Frame{Function: f.Function, File: f.Path, Line: f.Line}
	if file, err := s.nav.AddFile(f.Path); err == nil {
		out.File = s.states().Files()[file].Name
	}
	return out
}

// unwound returns the activations of user code that an exception has left before it
// came to an event, the innermost last.
func (s *Session) unwound(event int) []belowFrame {
	t := s.states()
	var out []belowFrame
	for event > 0 {
		left := t.At(event - 1)
		if left.Kind != dsl.Unwound || left.Depth != t.At(event).Depth+1 {
			break
		}
		raised := t.FatalException(left.Activation)
		if raised < 0 || !sameValue(t.State(raised), t.State(event)) {
			break // library code in between raised another one
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

// looking reports whether the program waits in pdb.post_mortem(): then the frames
// below are those of the traceback it looks at, and there are no others.
func (s *Session) looking() bool { return s.look && s.live() }

// lookAtTraceback selects the innermost frame of what the program looks at.
func (s *Session) lookAtTraceback(ctx context.Context) {
	s.belowHere = nil
	s.selected, s.listed = -len(s.below(ctx)), listed{}
}

// allFrames returns the stack at the position and the frames below it.
func (s *Session) allFrames(ctx context.Context) []statetree.StackFrame {
	all := s.frames()
	for _, f := range s.below(ctx) {
		all = append(all, f.StackFrame)
	}
	return all
}

// selectedBelow returns the frame below the position that is selected, nil if none is.
func (s *Session) selectedBelow() *belowFrame {
	if s.selected >= 0 || s.belowHere == nil || -s.selected > len(s.belowHere.frames) {
		return nil
	}
	return &s.belowHere.frames[-s.selected-1]
}

// selectedAlien reports whether the frame that is selected is no user code.
func (s *Session) selectedAlien() bool {
	b := s.selectedBelow()
	return b != nil && b.alien
}

func sameValue(a, b *dsl.State) bool {
	return a.Value != nil && b.Value != nil && *a.Value == *b.Value
}
