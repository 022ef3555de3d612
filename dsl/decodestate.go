package dsl

import "slices"

// This file decodes the parts of a state.

func (d *Decoder) stop() *Stop { return d.step.Reply.Stop }

// stack reads <|stack_sep|>. Without this token, the state is in the frame on top of the reader's
// stack.
func (d *Decoder) stack(r *Rule) (*Way, error) {
	written, err := d.s.at(StackSep)
	switch {
	case err != nil:
		return nil, err
	case written:
		d.s.pos += len(d.s.Name(StackSep))
		return &r.Ways[0], nil
	case d.kind != formSame:
		return nil, d.s.malformed(d.s.Name(StackSep) + ", since the frame is new here")
	}
	d.stop().Stack = d.frame.frames()
	if d.frame.latest != nil {
		d.values = visible(d.frame.latest)
	}
	d.stackKnown()
	return &r.Ways[1], nil
}

func (d *Decoder) stackKnown() {
	s := d.stop()
	s.Depth = len(s.Stack) - 1
	s.Function = s.Stack[s.Depth].Function
	d.known |= KnownStack
}

// chosen updates the state after way w was selected at a part without content.
func (d *Decoder) chosen(w *Way) error {
	s := d.stop()
	switch d.at {
	case PartStackForm:
		switch {
		case w.Next == PartFrame:
			d.kind, d.frame = formWhole, nil
		case d.kind != formPush:
			return d.s.fault(Impossible, d.s.pos, "one function's name stands where the whole stack or none is to be")
		}
	case PartNextFrame:
		if w.Next == PartFrame {
			return nil
		}
		if s.Stack[len(s.Stack)-1].Line == 0 {
			return d.s.fault(Impossible, d.s.pos, "the stack does not know the state's own line")
		}
		d.stackKnown()
		s.Whole = d.from.spared(&d.step)
	case PartFirstLocal, PartNextLocal:
		if w.Next == PartAction {
			d.known |= KnownLocals
		}
	case PartArgForm:
		switch {
		case w.Next == PartEnd:
			s.Kind = Unwound
		case w.Next == PartYielded:
			s.Kind = Yielded
		case s.Event == Return:
			s.Kind = Returned
		}
	}
	return nil
}

// text stores a name or a value that was read at offset at. dots reports whether it was written as
// "..", which stands for the previous value.
func (d *Decoder) text(at int, text string, dots bool) error {
	switch d.at {
	case PartPushed:
		d.told.Function = []Span{d.since(at)}
		d.stop().Stack = append(d.frame.frames(), Frame{Function: text})
		d.stackKnown()
	case PartFrame:
		d.told.Function = []Span{d.since(at)} // the last frame in the list is the one on top
		d.stop().Stack = append(d.stop().Stack, Frame{Function: text})
	case PartLocal:
		if d.names[text] {
			return d.s.fault(Impossible, at, "the local %q comes twice", text)
		}
		if d.names == nil {
			d.names = map[string]bool{}
		}
		d.names[text] = true
		d.name, d.part = text, at
	case PartLocalValue:
		return d.localValue(at, text, dots)
	default: // the value of a return, an exception or an exit
		if dots {
			return d.s.fault(Impossible, at, `".." has no earlier value to stand for in %s`, d.at.Rule().want)
		}
		if d.at == PartRaised {
			d.step.Reply.Exit.Exception = &text
		} else {
			d.stop().Value = &text
		}
	}
	return nil
}

func (d *Decoder) localValue(at int, text string, dots bool) error {
	if dots {
		old, ok := d.values[d.name]
		if !ok {
			return d.s.fault(Impossible, at, `".." has no earlier value to stand for: %q was not shown in this frame's latest state`, d.name)
		}
		text = old
	}
	d.stop().Locals = append(d.stop().Locals, Local{Name: d.name, Value: text})
	d.told.local(d.name, d.since(d.part))
	return nil
}

// frameLine reads a frame's line (4, "b:4" or null) and the closing bracket.
func (d *Decoder) frameLine(want string) error {
	quote := ""
	among := "n0123456789"
	if d.book.several() {
		quote, among = `"`, `n"`
	}
	c, err := d.s.peek(among, want)
	if err != nil {
		return err
	}
	var at Location
	from := d.s.pos
	if c == 'n' {
		err = d.s.literal("null", want)
	} else if err = d.s.literal(quote, want); err == nil {
		if at, err = d.s.place(d.book.several()); err == nil {
			err = d.s.literal(quote, want)
		}
	}
	if err != nil {
		return err
	}
	if _, err := d.s.mark("]", "]"); err != nil {
		return err
	}
	d.told.Line = []Span{d.since(from)}
	f := &d.stop().Stack[len(d.stop().Stack)-1]
	if at.Line != 0 {
		if _, ok := d.book.line(at); !ok {
			return d.s.outside(from, "the program has no line %s", d.book.appendPlace(nil, at))
		}
		f.Line = at.Line
	}
	if at.Line != 0 || !d.book.several() {
		f.File = d.book.program.Files[at.File].Name
	}
	return nil
}

func (d *Decoder) place() error {
	from := d.s.pos
	at, err := d.s.place(d.book.several())
	if err != nil {
		return err
	}
	if err := d.s.literal("|", "| after a line number"); err != nil {
		return err
	}
	s := d.stop()
	d.told.Line = append(d.told.Line, d.since(from))
	source, ok := d.book.line(at)
	if !ok {
		return d.s.outside(from, "the program has no line %s", d.book.appendPlace(nil, at))
	}
	top := &s.Stack[s.Depth]
	file := d.book.program.Files[at.File].Name
	if (d.kind != formPush && top.File != "" && top.File != file) || d.kind == formWhole && top.Line != at.Line {
		return d.s.fault(Impossible, from, "the state is at line %s, where the stack's top is not", d.book.appendPlace(nil, at))
	}
	s.File, s.Line, s.Source = file, at.Line, source
	s.Stack = slices.Clone(s.Stack) // a Reply that Partial returned must not change
	s.Stack[s.Depth] = Frame{Function: s.Function, File: file, Line: at.Line}
	return nil
}

func (d *Decoder) source() error {
	from := d.s.pos
	text, err := d.s.sourceLine()
	if err != nil {
		return err
	}
	s := d.stop()
	if text != s.Source {
		return d.s.outside(from, "line %d reads %q in the program, not %q", s.Line, s.Source, text)
	}
	d.known |= KnownLine
	return nil
}
