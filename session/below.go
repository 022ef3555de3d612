package session

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

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

// below is the frames below the position, the innermost last: at the live edge
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

// belowLive is a frame of the traceback; user code has its activation.
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
	if file, err := s.walk.AddFile(f.Path); err == nil {
		out.File = s.states().Files()[file].Name
	}
	return out
}

// unwound is the activations of user code that an exception has left before it
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
	s.selected, s.listed = -len(s.below(ctx)), 0
}

// allFrames is the stack at the position and the frames below it.
func (s *Session) allFrames(ctx context.Context) []statetree.StackFrame {
	all := s.frames()
	for _, f := range s.below(ctx) {
		all = append(all, f.StackFrame)
	}
	return all
}

// selectedBelow is the frame below the position that is selected, nil if none is.
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
