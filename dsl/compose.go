package dsl

import (
	"errors"
	"fmt"
)

// Draft is a state that was decoded from another dialect. It may omit what follows from the text
// before it. Compose adds the missing parts.
type Draft struct {
	Event Event
	Kind  ReturnKind // set on returns only
	Value *string
	At    Location
	// Stack is the whole stack, outermost frame first, or nil if it follows from the text before.
	Stack []DraftFrame
	// Function is the name of the function of a new frame, or "" if it follows from the stack.
	Function string
	Locals   []Local // all locals, including unchanged ones
}

// DraftFrame is one activation. At.Line is 0 if the line is unknown.
type DraftFrame struct {
	Function string
	At       Location
}

// ImpossibleError reports a state that cannot exist: it is at a line that the program does not
// have, or it is a return without a value, for example.
type ImpossibleError struct {
	Message string
	Outside bool // the state is at a line that the program does not have
}

func (e *ImpossibleError) Error() string { return e.Message }

func impossible(format string, a ...any) error {
	return &ImpossibleError{Message: fmt.Sprintf(format, a...)}
}

// noLine returns the error for a line that the program does not have.
func (b *book) noLine(at Location) error {
	return &ImpossibleError{Message: fmt.Sprintf("the program has no line %s", b.appendPlace(nil, at)), Outside: true}
}

// Implied describes which parts of a state must be written, and which locals are known from the
// text before it.
type Implied struct {
	// Stack reports that the stack does not follow from the text, so that the whole stack is
	// written.
	Stack bool
	// Function reports that the state is in a new frame, whose function name is written.
	Function bool
	// Known holds the locals of the frame's latest state, in order. It is empty if the frame is new
	// or the whole stack is written.
	Known []Local
}

// Expect returns which parts of a state a reader expects, if step s leads to a state with this
// event. It does not use the step's reply.
func (n *Node) Expect(s Step, event Event) Implied {
	kind, frame := n.reader.after(&s, event)
	return implied(kind, frame)
}

// Implied returns which parts of the state of step s must be written. Unlike Expect it uses the
// state itself, so it requires the whole stack if a reader would otherwise derive a wrong one.
func (n *Node) Implied(s Step) Implied {
	kind, frame := n.reader.choose(&s)
	return implied(kind, frame)
}

func implied(kind form, frame *frame) Implied {
	o := Implied{Stack: kind == formWhole, Function: kind == formPush}
	if kind == formSame && frame.latest != nil {
		for _, l := range frame.latest.Locals {
			if !l.Hidden {
				o.Known = append(o.Known, l)
			}
		}
	}
	return o
}

// Compose completes a draft, and returns step s with the completed state as its reply. s is an
// action, an edit, or a given state. For an impossible draft the error is an *ImpossibleError.
func (n *Node) Compose(s Step, d Draft) (Step, error) {
	stop := &Stop{State: State{Event: d.Event, Kind: d.Kind, Value: d.Value, Line: d.At.Line, Locals: d.Locals}}
	s.Reply = Reply{Outcome: Landed, Stop: stop}
	source, ok := n.book.line(d.At)
	if !ok {
		return Step{}, n.book.noLine(d.At)
	}
	stop.Source, stop.File = source, n.book.program.Files[d.At.File].Name
	kind, frame := n.reader.after(&s, d.Event)
	switch {
	case d.Stack != nil:
		if err := n.book.drafted(stop, d); err != nil {
			return Step{}, err
		}
	case kind == formWhole:
		return Step{}, impossible("the whole stack is needed here, the outermost frame first, and is not told")
	case kind == formPush && d.Function == "":
		return Step{}, impossible("the name of the new function is needed here, and is not told")
	case kind == formPush:
		stop.Stack = append(frame.frames(), Frame{Function: d.Function})
	default:
		stop.Stack = frame.frames()
		top := stop.Stack[len(stop.Stack)-1]
		switch {
		case d.Function != "" && d.Function != top.Function:
			return Step{}, impossible("the function %q is not the one on top of the stack, which is %q", d.Function, top.Function)
		case top.File != "" && top.File != stop.File:
			return Step{}, impossible("line %s is not in the file of %q, which is on top of the stack", n.book.appendPlace(nil, d.At), top.Function)
		}
	}
	stop.Depth = len(stop.Stack) - 1
	top := &stop.Stack[stop.Depth]
	top.File, top.Line = stop.File, stop.Line
	stop.Function = top.Function
	stop.Whole = d.Stack != nil && n.reader.spared(&s)
	if _, _, err := n.write(s, nil); err != nil {
		var cannot *EncodeError
		if errors.As(err, &cannot) {
			return Step{}, impossible("%s", cannot.Message)
		}
		return Step{}, err
	}
	return s, nil
}

// drafted checks a draft's stack and copies it to stop.
func (b *book) drafted(stop *Stop, d Draft) error {
	for _, f := range d.Stack {
		frame := Frame{Function: f.Function}
		if f.At.Line != 0 {
			if _, ok := b.line(f.At); !ok {
				return b.noLine(f.At)
			}
			frame.Line, frame.File = f.At.Line, b.program.Files[f.At.File].Name
		} else if !b.several() {
			frame.File = b.program.Files[0].Name
		}
		stop.Stack = append(stop.Stack, frame)
	}
	switch last := len(d.Stack) - 1; {
	case last < 0:
		return impossible("the stack is empty")
	case d.Function != "" && d.Function != d.Stack[last].Function:
		return impossible("the function %q is not the one on top of the stack, which is %q", d.Function, d.Stack[last].Function)
	case d.Stack[last].At.Line != 0 && d.Stack[last].At != d.At:
		return impossible("the state is at line %s, where the stack's top is not", b.appendPlace(nil, d.At))
	}
	return nil
}
