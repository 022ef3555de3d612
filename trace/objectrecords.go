package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// object reads a record about the content of an object.
//
// WHOLE object form total count values: all content. For dicts each entry is a key and a
// value, for attributes a name and a value.
//
// ITEM object index value: an element of a sequence changed.
//
// SPLICE object at removed count values: elements of a sequence or set were replaced.
//
// ENTRY object key value: an entry of a dict was set, or an attribute, by its name.
//
// DELETE object key: an entry or attribute was removed.
//
// TEXT object text: the result of the object's own __repr__.
//
// A value is a text, or REF and an object's number, or LONG and the number of a text sent
// earlier. A record may refer to an object before its content was sent. The content
// follows before the next event if the tracer has time for it.
func (d *decoder) object(c *cursor, kind byte) {
	o := c.object()
	switch kind {
	case recWhole:
		form, total, count := c.varint(), c.varint(), c.count()
		if c.err != nil || !c.check(form < len(d.forms), "form %d was not defined", form) {
			return
		}
		d.read(c, count*d.forms[form])
		// The record skips object numbers: the content of these objects may follow later, or
		// never if the tracer has no time for it.
		if passed := int(o) - d.tree.Objects(); passed > 0 {
			c.check(passed <= d.refs, "object %d is sent before %d to which nothing refers", o, passed)
			d.refs -= passed
		}
		d.tell(c, func() error { return d.tree.PutWhole(o, form, total, d.values) })
	case recItem:
		index := c.varint()
		d.read(c, 1)
		d.tell(c, func() error { return d.tree.PutItem(o, index, d.values[0]) })
	case recSplice:
		at, removed, count := c.varint(), c.varint(), c.count()
		d.read(c, count)
		d.tell(c, func() error { return d.tree.PutSplice(o, at, removed, d.values) })
	case recEntry:
		d.read(c, 2)
		d.tell(c, func() error { return d.tree.PutEntry(o, d.values[0], d.values[1]) })
	case recDelete:
		d.read(c, 1)
		d.tell(c, func() error { return d.tree.PutDelete(o, d.values[0]) })
	case recText:
		text := c.text()
		d.tell(c, func() error { return d.tree.PutText(o, text) })
	}
}

// read reads count values into d.values.
func (d *decoder) read(c *cursor, count int) {
	d.values = d.values[:0]
	for range count {
		text, v, isKnown := c.value()
		if c.err != nil {
			return
		}
		if !isKnown {
			v = d.tree.Atom(text)
			c.held(v)
		}
		d.values = append(d.values, v)
	}
}

// tell runs does, which adds a record to the tree, unless the record could not be read.
func (d *decoder) tell(c *cursor, does func() error) {
	if c.err == nil {
		c.err = does()
	}
}

// set reads a record that sets or removes the value of a name, in the top activation or in one
// that the record names.
func (d *decoder) set(c *cursor, kind byte) {
	if kind == recSet {
		slot := c.varint()
		text, v, isKnown := c.value()
		switch {
		case c.err != nil || !d.topHas(c, slot):
		case isKnown:
			d.tree.SetValue(slot, v)
		default:
			c.held(d.tree.Set(slot, text, false))
		}
		return
	}
	act, known := d.lasting(c)
	slot := c.varint()
	var text []byte
	var v statetree.Value
	var isKnown bool
	switch kind {
	case recSetIn:
		text, v, isKnown = c.value()
	case recHiddenIn:
		text = c.text()
	}
	switch {
	case c.err != nil || !known || !d.has(c, d.acts[act].code, slot):
	case kind == recUnsetIn:
		d.tree.UnsetIn(act, slot)
	case isKnown:
		d.tree.SetValueIn(act, slot, v)
	default:
		c.held(d.tree.SetIn(act, slot, text, kind == recHiddenIn))
	}
}

// globals reads which module's names are the globals of a code object's functions from now on:
// the module's activation plus one, or 0 if the globals are not recorded.
func (d *decoder) globals(c *cursor) {
	code, module := c.varint(), c.number(numberBits)
	var act uint32
	var known bool
	if module > 0 {
		act, known = d.acting.index(c, module-1, len(d.acts))
	}
	if c.err == nil && c.check(code < len(d.codes), "code %d was not defined", code) {
		d.tree.Globals(code, act, known)
	}
}

// returned reads a return event.
func (d *decoder) returned(c *cursor) {
	line, kind := c.varint(), dsl.ReturnKind(c.byte())
	var text []byte
	var v statetree.Value
	isKnown := false
	switch kind {
	case dsl.Unwound:
		c.byte() // skips the byte noValue
	case dsl.Returned, dsl.Yielded:
		text, v, isKnown = c.value()
	default:
		c.fail("unknown kind of return %d", kind)
	}
	switch {
	case c.err != nil || !d.hasTop(c):
		return
	case kind == dsl.Unwound:
		d.event(c, dsl.Return, line, kind, nil)
	default:
		if !isKnown {
			v = d.tree.Atom(text)
			c.held(v)
		}
		d.hole = false
		d.events = d.tree.Return(line, kind, v) + 1
	}
	left := d.stack[len(d.stack)-1]
	if kind != dsl.Yielded {
		d.room += d.codes[left.code]
	}
	d.pop()
	d.left = &left
}

// form reads the fields of a statetree.Form: kind, name, open, close, empty, single, cycle,
// style, bare, the place of the class's __repr__, reads, and the shown names.
func (d *decoder) form(c *cursor, fields []string) {
	kind, known := formKinds[fields[0]]
	style, styled := formStyles[fields[7]]
	if !c.check(known, "form of unknown kind %q", fields[0]) || !c.check(styled, "form of unknown style %q", fields[7]) {
		return
	}
	if !c.check(kind == statetree.Attributes || !kind.Named() || len(fields) > 11, "form %q names no attribute", fields[0]) {
		return
	}
	f := statetree.Form{
		Kind: kind, Name: fields[1], Open: fields[2], Close: fields[3], Empty: fields[4], Single: fields[5],
		Cycle: fields[6], Style: style, Bare: fields[8], Reads: readsOf(fields[10]), Shown: fields[11:],
	}
	if f.HasOwn = fields[9] != ""; len(fields[9]) > 1 {
		_, err := fmt.Sscanf(fields[9], "%d:%d", &f.Own.File, &f.Own.Line)
		if !c.check(err == nil && f.Own.Line > 0, "form is written at %q", fields[9]) {
			return
		}
	}
	d.tree.AddForm(f)
	d.forms = append(d.forms, kind.Width())
}

// readsOf parses the words for a statetree.Reads. The words after "plain" are attributes whose
// value the class decides, for example by a property.
func readsOf(text string) statetree.Reads {
	words := strings.Fields(text)
	var r statetree.Reads
	if at := slices.Index(words, "plain"); at >= 0 {
		r.Attributes, r.Described = true, words[at+1:]
		words = words[:at]
	}
	r.Name, r.Str = slices.Contains(words, "name"), slices.Contains(words, "str")
	r.Exact, r.Elements = slices.Contains(words, "exact"), slices.Contains(words, "elements")
	return r
}

var formKinds = map[string]statetree.FormKind{
	"sequence": statetree.Sequence, "set": statetree.Set, "dict": statetree.Dict, "pairs": statetree.Pairs, "counter": statetree.Counter,
	"attributes": statetree.Attributes, "text": statetree.Text, "bytes": statetree.Bytes, "inner": statetree.Inner,
	"spread": statetree.Spread, "keys": statetree.Keys, "values": statetree.Values, "items": statetree.Items,
}

var formStyles = map[string]statetree.Style{"walk": statetree.Walk, "repr": statetree.Repr, "unasked": statetree.Unasked}
