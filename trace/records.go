package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// The kinds of records, as in tracer/tracer.py and tracer/channel.py. A zero
// byte is where the tracer has not written yet.
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
	endOfText     = 0xff
	noValue       = 0xfe
	maxRecordPart = 1 << 30
)

var errTruncated = errors.New("record is cut off")

// decoder reads the tracer's records into a State Tree.
type decoder struct {
	tree   *statetree.Tree
	name   func(path string) string // how a file is shown
	output func(event int, stream byte, data []byte)

	files  []int          // tracer's number of a file → the tree's
	paths  map[string]int // files the tree has
	codes  []int          // the number of slots of each code object, so that no record names another
	stack  []frame        // as the tracer's
	acts   []uint32       // the code of each activation entered or adopted so far
	events int            // written so far
	parts  []byte         // of a record too large for one chunk
	gaps   int            // how often tracing was lost
	slots  []int
}

type frame struct {
	act  uint32
	code int
}

// consume reads the records at the start of buf and returns how many bytes
// they take. It stops at a zero byte or the end of buf.
func (d *decoder) consume(buf []byte) (n int, err error) {
	d.tree.Batch(func() {
		for n < len(buf) && buf[n] != 0 {
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

// record reads one record and returns its length.
func (d *decoder) record(b []byte) (int, error) {
	c := cursor{b: b, n: 1}
	switch kind := b[0]; kind {
	case recLine:
		d.event(&c, dsl.Line, c.varint(), dsl.NoReturn, nil)
	case recSet, recSetHidden:
		slot, text := c.varint(), c.text()
		if c.err == nil && d.topHas(&c, slot) {
			d.tree.Set(slot, text, kind == recSetHidden)
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
	case recEnter, recAdopt:
		d.activate(&c, kind)
	case recResume:
		if act := uint32(c.varint()); c.err == nil {
			if c.check(int(act) < len(d.acts), "activation %d was never entered", act) {
				d.tree.Resume(act)
				d.stack = append(d.stack, frame{act, int(d.acts[act])})
			}
		}
	case recLeave:
		if d.hasTop(&c) {
			d.tree.Leave()
			d.stack = d.stack[:len(d.stack)-1]
		}
	case recOut:
		stream, data := c.byte(), c.bytes()
		if c.err == nil {
			d.output(d.events-1, stream, data)
		}
	case recFile, recCode, recName:
		d.definition(&c, kind)
	case recOrder:
		d.order(&c)
	case recGap:
		d.gap(&c)
	case recAmend:
		if d.hasTop(&c) {
			d.tree.Amend()
		}
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

// whole reads the records of a large write, put together from its parts.
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
		d.events = d.tree.Event(e, line, kind, value) + 1
	}
}

func (d *decoder) returned(c *cursor) {
	line, kind := c.varint(), dsl.ReturnKind(c.byte())
	var value []byte
	switch kind {
	case dsl.Unwound:
		c.byte() // noValue
	case dsl.Returned, dsl.Yielded:
		value = c.text()
	default:
		c.fail("unknown kind of return %d", kind)
	}
	d.event(c, dsl.Return, line, kind, value)
	if c.err == nil {
		d.stack = d.stack[:len(d.stack)-1]
	}
}

func (d *decoder) activate(c *cursor, kind byte) {
	code := c.varint()
	if c.err != nil || !c.check(code < len(d.codes), "code %d was not defined", code) {
		return
	}
	act := uint32(len(d.acts))
	d.acts = append(d.acts, uint32(code))
	if kind == recAdopt {
		d.tree.Adopt(code)
		return
	}
	d.tree.Enter(code)
	d.stack = append(d.stack, frame{act, code})
}

func (d *decoder) order(c *cursor) {
	d.slots = d.slots[:0]
	for range c.count() {
		d.slots = append(d.slots, c.varint())
	}
	if c.err != nil || !d.hasTop(c) {
		return
	}
	for _, slot := range d.slots {
		if !d.topHas(c, slot) {
			return
		}
	}
	d.tree.Order(d.slots)
}

// gap reads the stack on which tracing goes on after it was lost.
func (d *decoder) gap(c *cursor) {
	var stack []frame
	for range c.count() {
		act := uint32(c.varint())
		if !c.check(int(act) < len(d.acts), "activation %d was never entered", act) {
			return
		}
		stack = append(stack, frame{act, int(d.acts[act])})
	}
	if c.err != nil {
		return
	}
	d.stack = stack
	d.lost(stack)
}

func (d *decoder) lost(stack []frame) {
	d.gaps++
	acts := make([]uint32, len(stack))
	for i, f := range stack {
		acts[i] = f.act
	}
	d.tree.Gap(acts)
}

// definition reads a file (path, text), a code object (file, name, qualified
// name, first line, last line, flags, arguments, names …) or a name of one (code, name).
func (d *decoder) definition(c *cursor, kind byte) {
	body := cursor{b: c.bytes()}
	var fields []string
	for c.err == nil && body.err == nil && body.n < len(body.b) {
		fields = append(fields, string(body.bytes()))
	}
	if c.err == nil {
		c.err = body.err
	}
	if c.err != nil {
		return
	}
	switch {
	case kind == recFile && len(fields) == 2:
		d.files = append(d.files, d.file(fields[0], []byte(fields[1])))
	case kind == recCode && len(fields) >= 7 && len(fields[5]) == 2:
		file, first, last, args := c.number(fields[0]), c.number(fields[3]), c.number(fields[4]), c.number(fields[6])
		if c.err == nil && c.check(file >= 0 && file < len(d.files), "file %d was not defined", file) {
			d.tree.AddCode(statetree.Code{
				File: d.files[file], Name: fields[1], QualName: fields[2], FirstLine: first, LastLine: last,
				Fast: fields[5][0] == '1', Generator: fields[5][1] == '1', Names: fields[7:],
				Args: args,
			})
			d.codes = append(d.codes, len(fields)-7)
		}
	case kind == recName && len(fields) == 2:
		code := c.number(fields[0])
		if c.err == nil && c.check(code >= 0 && code < len(d.codes), "code %d was not defined", code) {
			d.tree.AddName(code, fields[1])
			d.codes[code]++
		}
	default:
		c.fail("definition %#x with %d fields", kind, len(fields))
	}
}

// file is the tree's number of a file; the source counts the first time.
func (d *decoder) file(path string, source []byte) int {
	if n, ok := d.paths[path]; ok {
		return n
	}
	if d.paths == nil {
		d.paths = map[string]int{}
	}
	n := d.tree.AddFile(statetree.File{Path: path, Name: d.name(path), Source: source})
	d.paths[path] = n
	return n
}

func (d *decoder) hasTop(c *cursor) bool {
	return c.check(len(d.stack) > 0, "no activation is on the stack")
}

func (d *decoder) topHas(c *cursor, slot int) bool {
	return d.hasTop(c) && c.check(slot < d.codes[d.stack[len(d.stack)-1].code], "slot %d was not defined", slot)
}

// cursor reads the fields of a record; its first error stays.
type cursor struct {
	b   []byte
	n   int
	err error
}

func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

func (c *cursor) check(ok bool, format string, args ...any) bool {
	if !ok {
		c.fail(format, args...)
	}
	return ok && c.err == nil
}

func (c *cursor) byte() byte {
	if c.n >= len(c.b) {
		c.fail("%w", errTruncated)
		return 0
	}
	c.n++
	return c.b[c.n-1]
}

// varint is a LEB128 number below 2³¹.
func (c *cursor) varint() int {
	v := 0
	for shift := 0; ; shift += 7 {
		b := c.byte()
		if shift >= 35 || shift == 28 && b > 7 {
			c.fail("number is too large")
		}
		if c.err != nil {
			return 0
		}
		v |= int(b&127) << shift
		if b < 128 {
			return v
		}
	}
}

// count is a varint that counts further fields of at least one byte each.
func (c *cursor) count() int {
	n := c.varint()
	if n > len(c.b)-c.n {
		c.fail("%w", errTruncated)
		return 0
	}
	return n
}

// text is what stands before the end mark.
func (c *cursor) text() []byte {
	if c.err != nil {
		return nil
	}
	i := bytes.IndexByte(c.b[c.n:], endOfText)
	if i < 0 {
		c.fail("%w", errTruncated)
		return nil
	}
	text := c.b[c.n : c.n+i]
	c.n += i + 1
	return text
}

// bytes is a field behind its length in four bytes.
func (c *cursor) bytes() []byte {
	if len(c.b)-c.n < 4 {
		c.fail("%w", errTruncated)
		return nil
	}
	size := int(binary.LittleEndian.Uint32(c.b[c.n:]))
	c.n += 4
	if size > len(c.b)-c.n {
		c.fail("%w", errTruncated)
		return nil
	}
	c.n += size
	return c.b[c.n-size : c.n]
}

func (c *cursor) number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		c.fail("%q is no number", s)
	}
	return n
}
