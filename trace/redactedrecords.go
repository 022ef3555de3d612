package trace

import (
	"strings"

	"github.com/npdb/npdb/dsl"
)

// record rewrites one record. c stands behind its kind.
func (x *redaction) record(c *cursor, kind byte) {
	switch kind {
	case recOut, recLongText: // the output is in chunks of its own; long texts are written where they are used
		x.skip(c, kind)
		return
	case recFile, recCode, recName, recForm:
		x.definition(c, kind)
		return
	}
	x.out = append(x.out, kind)
	switch kind {
	case recSet, recSetHidden, recSetIn, recHiddenIn:
		x.set(c, kind)
	case recUnset, recLine, recCall, recStand:
		x.number(c)
	case recUnsetIn, recGlobals:
		x.number(c)
		x.number(c)
	case recException:
		x.number(c)
		x.text(x.by.Value("", string(c.text())))
	case recSaid:
		x.text(x.by.Plain(string(c.text())))
	case recReturn:
		x.returned(c)
	case recEnter, recAdopt, recResume, recLeave, recGap, recHole, recCheckpoint:
		x.restack(c, kind)
	case recOrder, recUnknown:
		for range x.number(c) {
			x.number(c)
		}
	case recEdit:
		x.edited = x.left
	case recWhole, recItem, recSplice, recEntry, recDelete, recText:
		x.object(c, kind)
	case recShown, recAmend, recPartial:
	default:
		c.fail("unknown kind %#x", kind)
	}
	switch kind {
	case recLine, recCall, recStand, recException, recEnter, recResume, recLeave, recShown, recAmend:
		x.edited = -1
		if kind != recShown && kind != recAmend {
			x.left = -1
		}
	}
}

func (x *redaction) skip(c *cursor, kind byte) {
	if kind == recOut {
		c.byte()
		c.bytes()
		return
	}
	n := c.varint()
	x.long[n] = string(c.bytes())
}

// definition copies the definition of a file, with its redacted text, of a code object or of a form.
func (x *redaction) definition(c *cursor, kind byte) {
	at := c.n
	body := cursor{b: c.bytes()}
	var fields []string
	for body.err == nil && body.n < len(body.b) {
		fields = append(fields, string(body.bytes()))
	}
	if body.err != nil || len(fields) < 2 {
		c.fail("definition %#x with %d fields", kind, len(fields))
		return
	}
	switch kind {
	case recFile:
		fields[1] = x.source(fields[0], fields[1])
		x.out = append(append(x.out, kind), packMessage(fields...)...)
		return
	case recCode:
		if !c.check(len(fields) >= 7, "code with %d fields", len(fields)) {
			return
		}
		x.codes = append(x.codes, redactedCode{fields[1], fields[7:]})
	case recName:
		if code := c.decimal(fields[0]); c.check(code >= 0 && code < len(x.codes), "code %d was not defined", code) {
			x.codes[code].names = append(x.codes[code].names, fields[1])
		}
	case recForm:
		x.forms = append(x.forms, formKinds[fields[0]])
	}
	x.out = append(append(x.out, kind), c.b[at:c.n]...)
}

// source returns the redacted text of the next file, or text itself while the files are not redacted yet.
func (x *redaction) source(path, text string) string {
	n := x.file
	x.file++
	if n == len(x.files) {
		x.files = append(x.files, dsl.SourceFile{Name: path, Lines: strings.Split(text, "\n")})
	}
	if n < len(x.sources) {
		return x.sources[n]
	}
	return text
}

// set copies a binding of a name.
func (x *redaction) set(c *cursor, kind byte) {
	code := -1
	switch {
	case kind == recSetIn || kind == recHiddenIn:
		act, ok := x.acting.index(c, uint64(x.number(c)), len(x.acts))
		if ok {
			code = x.acts[act]
		}
	case x.edited >= 0:
		code = x.edited
	case len(x.stack) > 0:
		code = x.stack[len(x.stack)-1]
	}
	slot, name := x.number(c), ""
	if code >= 0 && slot < len(x.codes[code].names) {
		name = x.codes[code].names[slot]
	}
	if kind == recSetHidden || kind == recHiddenIn {
		x.text(x.by.Value(name, string(c.text())))
		return
	}
	x.named(c, name)
}

// returned copies a return event.
func (x *redaction) returned(c *cursor) {
	x.number(c)
	kind := dsl.ReturnKind(c.byte())
	x.out = append(x.out, byte(kind))
	top := len(x.stack) - 1
	if !c.check(top >= 0, "no activation is on the stack") {
		return
	}
	if kind == dsl.Unwound {
		x.out = append(x.out, c.byte())
	} else {
		function := x.codes[x.stack[top]].name
		x.own(x.value(c, func(text string) string { return x.by.Returned(function, text) }), function)
	}
	x.left, x.edited = x.stack[top], -1
	x.stack = x.stack[:top]
}

// restack copies a record that changes the stack.
func (x *redaction) restack(c *cursor, kind byte) {
	push := func() {
		if act, ok := x.acting.index(c, uint64(x.number(c)), len(x.acts)); ok {
			x.stack = append(x.stack, x.acts[act])
		}
	}
	switch kind {
	case recEnter, recAdopt:
		code := x.number(c)
		if !c.check(code < len(x.codes), "code %d was not defined", code) {
			return
		}
		if x.acts = append(x.acts, code); kind == recEnter {
			x.stack = append(x.stack, code)
		}
	case recResume:
		push()
	case recLeave:
		x.stack = x.stack[:max(len(x.stack)-1, 0)]
	case recGap, recHole:
		x.stack = x.stack[:0]
		for range x.number(c) {
			if push(); kind == recHole {
				x.number(c)
			}
			if c.err != nil {
				return
			}
		}
	case recCheckpoint:
		x.acting = numbering{next: uint64(x.number(c)), indexes: map[uint64]uint32{}}
		for range x.number(c) {
			n := uint64(x.number(c))
			if c.err != nil {
				return
			}
			x.acting.indexes[n] = uint32(len(x.acting.numbers))
			x.acting.numbers = append(x.acting.numbers, n)
		}
	}
}

// object copies a record about the content of an object.
func (x *redaction) object(c *cursor, kind byte) {
	o := x.number(c)
	values := func(n int) {
		for range n {
			if c.err != nil {
				return
			}
			if x.form[o].Paired() {
				x.entry(c, o)
			} else {
				x.named(c, x.owners[o])
			}
		}
	}
	switch kind {
	case recWhole:
		form := x.number(c)
		if !c.check(form < len(x.forms), "form %d was not defined", form) {
			return
		}
		x.form[o] = x.forms[form]
		x.number(c)
		values(x.number(c))
	case recItem:
		x.number(c)
		values(1)
	case recSplice:
		x.number(c)
		x.number(c)
		values(x.number(c))
	case recEntry:
		x.entry(c, o)
	case recDelete:
		x.key(c, x.form[o].Named())
	case recText:
		x.text(x.by.Value(x.owners[o], string(c.text())))
	}
}
