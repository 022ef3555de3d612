package dsl

import "slices"

// The parsers of a state's fields, in their order. Each parses one field and returns the next
// parser.

func (d *Decoder) stop() *Stop { return d.step.Reply.Stop }

// stack parses what follows the event token up to the first name of the stack, or nothing if the
// stack is not written.
func (d *Decoder) stack() error {
	written, err := d.s.at(StackSep)
	if err != nil {
		return err
	}
	if !written {
		if d.kind != formSame {
			return d.s.malformed(d.s.Name(StackSep) + ", since the frame is new here")
		}
		d.stop().Stack = d.frame.frames()
		if d.frame.latest != nil {
			d.values = visible(d.frame.latest)
		}
		return d.stackKnown()
	}
	d.s.pos += len(d.s.Name(StackSep))
	c, err := d.s.peek(`["`, "a stack or a function's name")
	if err != nil {
		return err
	}
	switch {
	case c == '[':
		d.s.pos++
		d.stop().Whole = d.kind != formWhole
		d.kind, d.frame, d.field = formWhole, nil, d.frameName
	case d.kind == formPush:
		d.field = d.pushed
	default:
		return d.s.fault(Impossible, d.s.pos, "one function's name stands where the whole stack or none is to be")
	}
	return nil
}

// pushed reads the name of a new frame.
func (d *Decoder) pushed() error {
	from := d.s.pos
	name, _, err := d.s.str("a function's name")
	if err != nil {
		return err
	}
	d.told.Function = []Span{d.since(from)}
	d.stop().Stack = append(d.frame.frames(), Frame{Function: name})
	return d.stackKnown()
}

// frameName and frameLine parse ["f", 4] or ["f", "b:4"] or ["f", null].
func (d *Decoder) frameName() error {
	const want = "a stack's frame"
	if _, err := d.s.mark("[", want); err != nil {
		return err
	}
	from, err := d.s.quote(want)
	if err != nil {
		return err
	}
	name, _, err := d.s.str(want)
	if err != nil {
		return err
	}
	d.told.Function = []Span{d.since(from)} // the last frame is the one on top
	d.stop().Stack = append(d.stop().Stack, Frame{Function: name})
	d.field = d.frameLine
	return nil
}

func (d *Decoder) frameLine() error {
	const want = "a line number or null"
	if _, err := d.s.mark(",", ","); err != nil {
		return err
	}
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
	d.field = d.frameNext
	return nil
}

func (d *Decoder) frameNext() error {
	c, err := d.s.mark(",]", ", or ] after a stack's frame")
	switch {
	case err != nil:
		return err
	case c == ',':
		d.field = d.frameName
		return nil
	}
	if d.stop().Stack[len(d.stop().Stack)-1].Line == 0 {
		return d.s.fault(Impossible, d.s.pos, "the stack does not know the state's own line")
	}
	return d.stackKnown()
}

func (d *Decoder) stackKnown() error {
	s := d.stop()
	s.Depth = len(s.Stack) - 1
	s.Function = s.Stack[s.Depth].Function
	d.known |= KnownStack
	d.field = d.localsOpen
	return nil
}

func (d *Decoder) localsOpen() error {
	if _, err := d.s.mark("{", "{ before the locals"); err != nil {
		return err
	}
	c, err := d.s.peek(`"}`, "a local's name or }")
	switch {
	case err != nil:
		return err
	case c == '}':
		d.s.pos++
		return d.localsKnown()
	}
	d.names = map[string]bool{}
	d.field = d.localName
	return nil
}

func (d *Decoder) localsKnown() error {
	d.known |= KnownLocals
	d.field = d.action
	return nil
}

func (d *Decoder) localName() error {
	at, err := d.s.quote("a local's name")
	if err != nil {
		return err
	}
	name, _, err := d.s.str("a local's name")
	if err != nil {
		return err
	}
	if d.names[name] {
		return d.s.fault(Impossible, at, "the local %q comes twice", name)
	}
	if _, err := d.s.mark(":", ": after a local's name"); err != nil {
		return err
	}
	d.names[name] = true
	d.part = at
	d.name, d.field = name, d.localValue
	return nil
}

func (d *Decoder) localValue() error {
	at, err := d.s.quote("a local's value")
	if err != nil {
		return err
	}
	text, raw, err := d.s.str("a local's value")
	if err != nil {
		return err
	}
	if string(raw) == ".." {
		old, ok := d.values[d.name]
		if !ok {
			return d.s.fault(Impossible, at, `".." has no earlier value to stand for: %q was not shown in this frame's latest state`, d.name)
		}
		text = old
	}
	d.stop().Locals = append(d.stop().Locals, Local{Name: d.name, Value: text})
	d.told.local(d.name, d.since(d.part))
	d.field = d.localNext
	return nil
}

func (d *Decoder) localNext() error {
	c, err := d.s.mark(",}", ", or } after a local")
	switch {
	case err != nil:
		return err
	case c == '}':
		return d.localsKnown()
	}
	d.field = d.localName
	return nil
}

// action parses the token before the source line, place its number.
func (d *Decoder) action() error {
	_, err := d.s.token(ActionSep)
	if err == nil {
		d.field = d.place
	}
	return err
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
	s.Stack = slices.Clone(s.Stack) // who looked at the reply so far keeps what there was
	s.Stack[s.Depth] = Frame{Function: s.Function, File: file, Line: at.Line}
	d.field = d.source
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
	if s.Event == Return || s.Event == Exception {
		d.field = d.arg
	} else {
		d.field = d.ends()
	}
	return nil
}

// arg reads the token before a value, and what kind of value it is.
func (d *Decoder) arg() error {
	if _, err := d.s.token(ArgSep); err != nil {
		return err
	}
	among := `"n{`
	if d.stop().Event == Exception {
		among = `"`
	}
	c, err := d.s.peek(among, `a value, {"yield": a value} or null; of an exception a text`)
	if err != nil {
		return err
	}
	d.part = d.s.pos
	switch c {
	case 'n':
		if err := d.s.literal("null", "null"); err != nil {
			return err
		}
		d.toldValue()
		d.stop().Kind, d.field = Unwound, d.ends()
	case '{':
		if err := d.key("{", "yield", `{"yield": a value}`); err != nil {
			return err
		}
		d.stop().Kind, d.yielded, d.field = Yielded, true, d.argValue
	default:
		if d.stop().Event == Return {
			d.stop().Kind = Returned
		}
		d.field = d.argValue
	}
	return nil
}

func (d *Decoder) argValue() error {
	text, err := d.value("a value")
	if err != nil {
		return err
	}
	d.stop().Value = &text
	if d.yielded {
		d.field = d.closing
	} else {
		d.toldValue()
		d.field = d.ends()
	}
	return nil
}
