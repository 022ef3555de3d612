package trace

import (
	"errors"
	"fmt"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// The kinds of records, as in tracer/tracer.py and tracer/channel.py, and special bytes inside
// records. A zero byte marks memory that the tracer has not written yet.
const (
	recLine       = 0x01
	recSet        = 0x02
	recSetHidden  = 0x03
	recUnset      = 0x04
	recCall       = 0x05
	recReturn     = 0x06
	recException  = 0x07
	recEnter      = 0x08
	recResume     = 0x09
	recLeave      = 0x0a
	recOut        = 0x0b
	recFile       = 0x0c
	recCode       = 0x0d
	recName       = 0x0e
	recOrder      = 0x0f
	recGap        = 0x10
	recAdopt      = 0x11
	recAmend      = 0x12
	recPart       = 0x13
	recLast       = 0x14
	recPartial    = 0x15
	recSaid       = 0x16
	recSetIn      = 0x17
	recUnsetIn    = 0x18
	recForm       = 0x19
	recWhole      = 0x1a
	recItem       = 0x1b
	recSplice     = 0x1c
	recEntry      = 0x1d
	recDelete     = 0x1e
	recText       = 0x1f
	recEdit       = 0x20
	recHole       = 0x21
	recHiddenIn   = 0x22
	recLongText   = 0x23
	recShown      = 0x24
	recGlobals    = 0x25
	recCheckpoint = 0x26
	recUnknown    = 0x27
	recStand      = 0x28
	endOfText     = 0xff
	noValue       = 0xfe
	reference     = 0xfc
	numberOfText  = 0xfd
	maxRecordPart = 1 << 30
	// maxSlots bounds the slots of the activations that one batch of records starts
	// without ending them. Without it, small records could make the tree large before its
	// memory is checked, which is only after the batch.
	maxSlots = 1 << 22
)

// decoder reads the tracer's records into a State Tree.
type decoder struct {
	tree   *statetree.Tree
	name   func(path string) string // the displayed name of a file
	output func(event int, stream byte, data []byte)

	files  []int          // tracer's number of a file → the tree's
	paths  map[string]int // files the tree has, by path without symbolic links
	codes  []int          // number of slots of each code object, to check slots in records
	defs   []byte         // all records of files, code objects and forms, if they are kept
	keeps  bool
	until  int // consume stops at this number of events; 0 for none
	acting numbering
	stack  []frame      // the tracer's stack of activations
	left   *frame       // the frame that the last event returned from; nil after other events
	edited *frame       // the frame that the user's edit changes; nil for the top of the stack
	acts   []activation // all activations so far
	events int          // number of events in the tree
	room   int          // remaining slots for activations in this batch
	parts  []byte       // parts of a record that is too large for one chunk
	gaps   int          // number of times that tracing was lost
	hole   bool         // there was no event since the last hole
	slots  []int
	forms  []int // for each form, the number of values per element
	values []statetree.Value
	long   []longText
	refs   int // how many object numbers may still be skipped: each reference to an object allows one
}

type frame struct {
	act  uint32
	code int
}

type activation struct {
	code    uint32
	running bool // the activation is on the stack, so it must not be pushed again
}

// consume reads the records at the start of buf and returns their length in bytes. It
// stops at a zero byte or the end of buf.
func (d *decoder) consume(buf []byte) (n int, err error) {
	d.room = maxSlots
	d.tree.Batch(func() {
		for n < len(buf) && buf[n] != 0 && !d.full(buf[n]) {
			var k int
			if k, err = d.record(buf[n:]); err != nil {
				err = fmt.Errorf("tracer's record at byte %d: %w", n, err)
				return
			}
			n += k
		}
	})
	return n, err
}

// full reports whether consume stops before the next record. A record that belongs to the last event
// is still read.
func (d *decoder) full(next byte) bool {
	return d.until > 0 && d.events >= d.until && len(d.parts) == 0 && next != 0 && next != recSaid
}

// record reads one record and returns its length.
func (d *decoder) record(b []byte) (int, error) {
	c := cursor{b: b, n: 1, long: d.long, refs: &d.refs}
	switch kind := b[0]; kind {
	case recLine:
		d.event(&c, dsl.Line, c.varint(), dsl.NoReturn, nil)
	case recSet, recSetIn, recHiddenIn, recUnsetIn:
		d.set(&c, kind)
	case recSetHidden:
		slot, text := c.varint(), c.text()
		if c.err == nil && d.topHas(&c, slot) {
			d.tree.Set(slot, text, true)
		}
	case recUnset:
		if slot := c.varint(); c.err == nil && d.topHas(&c, slot) {
			d.tree.Unset(slot)
		}
	case recCall:
		d.event(&c, dsl.Call, c.varint(), dsl.NoReturn, nil)
	case recReturn:
		d.returned(&c)
	case recException:
		line, text := c.varint(), c.text()
		d.event(&c, dsl.Exception, line, dsl.NoReturn, text)
	case recSaid:
		if text := c.text(); c.err == nil && c.check(d.events > 0, "words for no event") {
			d.tree.Said(d.events-1, text)
		}
	case recEnter, recAdopt:
		d.activate(&c, kind)
	case recGlobals:
		d.globals(&c)
	case recCheckpoint:
		d.checkpoint(&c)
	case recUnknown:
		for range c.count() {
			c.varint()
			d.refs++
		}
	case recResume:
		if act := d.act(&c); d.suspended(&c, act) {
			d.tree.Resume(act)
			d.push(act)
		}
	case recLeave:
		if d.hasTop(&c) {
			d.tree.Leave()
			d.pop()
		}
	case recOut:
		stream, data := c.byte(), c.bytes()
		if c.err == nil {
			d.output(d.events-1, stream, data)
		}
	case recWhole, recItem, recSplice, recEntry, recDelete, recText:
		d.object(&c, kind)
	case recEdit:
		d.tree.Edit()
		d.edited = d.left
	case recLongText:
		d.longText(&c)
	case recFile, recCode, recName, recForm:
		d.definition(&c, kind)
	case recOrder:
		d.order(&c)
	case recGap:
		d.gap(&c)
	case recHole:
		d.afterHole(&c)
	case recStand:
		d.stand(&c)
	case recShown:
		d.tree.Shown()
		d.edited = nil
	case recAmend:
		if d.edited != nil || d.hasTop(&c) {
			d.tree.Amend()
		}
		d.edited = nil
	case recPartial:
		d.lost(d.stack)
	case recPart, recLast:
		if data := c.bytes(); c.err == nil && c.check(len(d.parts)+len(data) <= maxRecordPart, "record is larger than %d bytes", maxRecordPart) {
			d.parts = append(d.parts, data...)
			if kind == recLast {
				d.whole(&c)
			}
		}
	default:
		return 0, fmt.Errorf("unknown kind %#x", kind)
	}
	return c.n, c.err
}

// whole decodes the records in d.parts, which were sent in parts because together they are too
// large for one chunk.
func (d *decoder) whole(c *cursor) {
	parts := d.parts
	d.parts = nil
	for n := 0; n < len(parts); {
		if kind := parts[n]; kind == recPart || kind == recLast {
			c.err = errors.New("parts within parts")
			return
		}
		k, err := d.record(parts[n:])
		if err != nil {
			c.err = err
			return
		}
		n += k
	}
}

func (d *decoder) event(c *cursor, e dsl.Event, line int, kind dsl.ReturnKind, value []byte) {
	if c.err == nil && d.hasTop(c) {
		d.hole, d.left, d.edited = false, nil, nil
		d.events = d.tree.Event(e, line, kind, value) + 1
	}
}

func (d *decoder) push(act uint32) {
	d.acts[act].running = true
	d.left, d.edited = nil, nil
	d.stack = append(d.stack, frame{act, int(d.acts[act].code)})
}

func (d *decoder) pop() {
	top := len(d.stack) - 1
	d.acts[d.stack[top].act].running = false
	d.left, d.edited = nil, nil
	d.stack = d.stack[:top]
}

// suspended reports whether an activation exists and is not on the stack, so that it can be
// pushed.
func (d *decoder) suspended(c *cursor, act uint32) bool {
	return c.err == nil && c.check(!d.acts[act].running, "activation %d is on the stack already", act) && d.hasRoom(c, int(d.acts[act].code))
}

func (d *decoder) hasRoom(c *cursor, code int) bool {
	d.room -= d.codes[code]
	return c.check(d.room >= 0, "activations have more than %d slots", maxSlots)
}

func (d *decoder) activate(c *cursor, kind byte) {
	code := c.varint()
	if c.err != nil || !c.check(code < len(d.codes), "code %d was not defined", code) || !d.hasRoom(c, code) {
		return
	}
	act := uint32(len(d.acts))
	d.acts = append(d.acts, activation{code: uint32(code)})
	switch {
	case int(act) < len(d.acting.numbers):
		d.tree.Continue(code)
		return
	case kind == recAdopt:
		d.tree.Adopt(code)
		return
	}
	d.tree.Enter(code)
	d.push(act)
}

func (d *decoder) order(c *cursor) {
	d.slots = d.slots[:0]
	for range c.count() {
		d.slots = append(d.slots, c.varint())
	}
	if c.err != nil || d.edited == nil && !d.hasTop(c) {
		return
	}
	for _, slot := range d.slots {
		if !d.topHas(c, slot) {
			return
		}
	}
	d.tree.Order(d.slots)
}

// gap reads the stack that the program has when tracing continues after a gap.
func (d *decoder) gap(c *cursor) {
	for len(d.stack) > 0 {
		d.pop()
	}
	for range c.count() {
		act := d.act(c)
		if !d.suspended(c, act) {
			return
		}
		d.push(act)
	}
	if c.err == nil {
		d.lost(d.stack)
	}
}

func (d *decoder) lost(stack []frame) {
	if !d.hole { // inside a hole, missing events are expected
		d.gaps++
	}
	d.tree.Gap(activations(stack))
}

func activations(stack []frame) []uint32 {
	acts := make([]uint32, len(stack))
	for i, f := range stack {
		acts[i] = f.act
	}
	return acts
}

// afterHole reads the stack at the end of a hole and the lines of its activations.
func (d *decoder) afterHole(c *cursor) {
	for len(d.stack) > 0 {
		d.pop()
	}
	d.slots = d.slots[:0]
	for range c.count() {
		act, line := d.act(c), c.varint()
		if !d.suspended(c, act) {
			return
		}
		d.push(act)
		d.slots = append(d.slots, line)
	}
	if c.err == nil {
		d.hole = true
		d.tree.Hole(activations(d.stack), d.slots)
	}
}

// stand reads the line of the innermost activation, which its file does not have: it is not an event.
func (d *decoder) stand(c *cursor) {
	if line := c.varint(); c.err == nil && d.hasTop(c) {
		d.left = nil
		d.tree.Stand(line)
	}
}

func (d *decoder) hasTop(c *cursor) bool {
	return c.check(len(d.stack) > 0, "no activation is on the stack")
}

// topHas reports whether a slot exists in the activation to which records about names refer:
// the one that the user edits, or the top of the stack.
func (d *decoder) topHas(c *cursor, slot int) bool {
	if d.edited != nil {
		return d.has(c, uint32(d.edited.code), slot)
	}
	return d.hasTop(c) && d.has(c, uint32(d.stack[len(d.stack)-1].code), slot)
}

func (d *decoder) has(c *cursor, code uint32, slot int) bool {
	return c.check(slot < d.codes[code], "slot %d was not defined", slot)
}
