package dsl

// frame holds what a text has shown so far of one activation. Frames are immutable, so branches of
// a text can share them.
type frame struct {
	below    *frame
	depth    int
	function string
	file     string // "" if unknown
	line     int    // 0 if unknown
	latest   *Stop  // the latest state shown of this activation, or nil
	act      uint32 // the activation's number, if hasAct is set
	hasAct   bool
}

// reader holds what a reader of a text knows at the text's end: the stack and the current event.
// The writer and the decoder each have one.
type reader struct {
	top   *frame
	event Event // of the current state; 0 before the first state and at the end
}

// form is how much of its stack a state contains.
type form uint8

const (
	formSame  form = iota // nothing: the state is in the frame on top of the reader's stack
	formPush              // the function name of a new frame
	formWhole             // the whole stack
)

// after applies the reader's rules to a step that lands on an event: "Forward onto a call, or
// backward onto a return, pushes a frame. Forward from a return, or backward from a call, first
// pops one. After a backward push the caller's line is unknown until shown." It returns the
// shortest form that the rules allow, with the frame below the new one (formPush) or the current
// frame (formSame).
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

// gives reports whether the frames from f down agree with stack and with acts, its activation
// numbers. Unknown lines and numbers agree with any.
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

// choose returns the shortest form with which a reader derives the true stack of the state of s,
// and the frame that after returns with that form.
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

// spared reports whether the format does not require the whole stack in the state of s, whose Whole
// is not set.
func (r reader) spared(s *Step) bool {
	kind, _ := r.choose(s)
	return kind != formWhole
}

// land returns the reader's knowledge after a state whose stack was written in the form kind. at is
// the frame that choose returned.
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

// frames returns the stack with f on top, outermost frame first.
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
