package dsl

// frame holds what the text has told so far about one activation. Frames are immutable, so
// branches of a text can share them.
type frame struct {
	below    *frame
	depth    int
	function string
	file     string // "" if not known
	line     int    // 0 if not known
	latest   *Stop  // the state shown last; nil if none was
	act      uint32 // if known
	hasAct   bool
}

// reader is what a reader knows at the end of a text. Writer and decoder both follow it.
type reader struct {
	top   *frame
	event Event // of the current state; 0 where there is none: before the first, at the end
}

// form is how a state's stack is written.
type form uint8

const (
	formSame  form = iota // not at all: the frame on top of the reader's stack
	formPush              // the name of a new frame
	formWhole             // all of it
)

// after applies the reader's rules to a step that lands on an event: "Forward
// onto a call, or backward onto a return, pushes a frame. Forward from a
// return, or backward from a call, first pops one. After a backward push the
// caller's line is unknown until shown." It returns the least form that the
// format allows, and the frames below the new one (formPush) or with the
// current one (formSame).
func (r reader) after(s *Step, event Event) (form, *frame) {
	if s.whole() || r.event == 0 {
		return formWhole, nil
	}
	inverse := s.Action.Move.Inverse()
	top := r.top
	if left, entered := Return, Call; !inverse && r.event == left || inverse && r.event == entered {
		top = top.below
	}
	if inverse && event == Return || !inverse && event == Call {
		if inverse && top != nil {
			caller := *top
			caller.line = 0
			top = &caller
		}
		return formPush, top
	}
	if top == nil {
		return formWhole, nil
	}
	return formSame, top
}

// gives reports whether these frames are the true ones, as far as their activations and lines are
// known.
func gives(f *frame, stack []Frame, acts []uint32) bool {
	if len(stack) == 0 && f == nil {
		return true
	}
	if f == nil || f.depth != len(stack)-1 {
		return false
	}
	for i := len(stack) - 1; f != nil; f, i = f.below, i-1 {
		if !f.is(&stack[i], acts, i) || f.line != 0 && f.line != stack[i].Line {
			return false
		}
	}
	return true
}

func (f *frame) is(t *Frame, acts []uint32, i int) bool {
	if f.hasAct && acts != nil && f.act != acts[i] {
		return false
	}
	return f.function == t.Function && (f.file == "" || t.File == "" || f.file == t.File)
}

// choose picks the shortest allowed form of a state's stack that leads to the true one.
func (r reader) choose(s *Step) (form, *frame) {
	stop := s.Reply.Stop
	kind, below := r.after(s, stop.Event)
	last := len(stop.Stack) - 1
	switch {
	case stop.Whole || kind == formWhole:
		return formWhole, nil
	case kind == formPush:
		if gives(below, stop.Stack[:last], stop.Activations) {
			return formPush, below
		}
	case below.depth == last && below.is(&stop.Stack[last], stop.Activations, last) &&
		gives(below.below, stop.Stack[:last], stop.Activations):
		return formSame, below
	}
	return formWhole, nil
}

// land returns the reader after a state.
func (r reader) land(stop *Stop, kind form, at *frame) reader {
	last := len(stop.Stack) - 1
	switch kind {
	case formWhole:
		at = nil
		for i := range last {
			at = newFrame(at, stop, i)
		}
	case formSame:
		at = at.below
	}
	top := newFrame(at, stop, last)
	top.latest = stop
	return reader{top: top, event: stop.Event}
}

func newFrame(below *frame, stop *Stop, i int) *frame {
	f := &frame{below: below, function: stop.Stack[i].Function, file: stop.Stack[i].File, line: stop.Stack[i].Line}
	if below != nil {
		f.depth = below.depth + 1
	}
	if stop.Activations != nil {
		f.act, f.hasAct = stop.Activations[i], true
	}
	return f
}

// frames lists a stack from the outermost frame in.
func (f *frame) frames() []Frame {
	if f == nil {
		return nil
	}
	stack := make([]Frame, f.depth+1)
	for i := f.depth; f != nil; f, i = f.below, i-1 {
		stack[i] = Frame{Function: f.function, File: f.file, Line: f.line}
	}
	return stack
}
