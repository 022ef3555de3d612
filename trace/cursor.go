package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/npdb/npdb/trace/statetree"
)

var errTruncated = errors.New("record is cut off")

// cursor reads the fields of a record and keeps the first error.
type cursor struct {
	b    []byte
	n    int
	err  error
	long []longText // the long texts that a record can refer to by number
	used *longText  // the long text that the last value referred to, if it is not in the tree yet
	refs *int       // incremented for each value that is an object
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

// varint reads a LEB128 number below 2³¹.
func (c *cursor) varint() int { return int(c.number(31)) }

// number reads a LEB128 number of a number of bits.
func (c *cursor) number(bits int) (v uint64) {
	for shift := 0; ; shift += 7 {
		b := c.byte()
		if over := bits - shift; over < 7 && b>>max(over, 0) != 0 {
			c.fail("number is too large")
		}
		if c.err != nil {
			return 0
		}
		v |= uint64(b&127) << shift
		if b < 128 {
			return v
		}
	}
}

// count reads a varint that is the number of further fields, each at least one byte long.
func (c *cursor) count() int {
	n := c.varint()
	if n > len(c.b)-c.n {
		c.fail("%w", errTruncated)
		return 0
	}
	return n
}

// text reads a text, which ends with the byte endOfText.
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

// object reads the number of an object.
func (c *cursor) object() statetree.Object {
	o := c.varint()
	c.check(o < statetree.MostObjects, "object %d is too large a number", o)
	return statetree.Object(o)
}

// value reads a value: a text that is not in the tree yet or, if isKnown, a value that is (an
// object or a long text).
func (c *cursor) value() (text []byte, v statetree.Value, isKnown bool) {
	switch {
	case c.at(reference):
		*c.refs++
		return nil, statetree.ObjectValue(c.object()), true
	case c.at(numberOfText):
		n := c.varint()
		if c.err != nil || !c.check(n < len(c.long), "text %d was not sent", n) {
			return nil, v, false
		}
		if c.long[n].held {
			return nil, c.long[n].value, true
		}
		c.used = &c.long[n]
		return c.used.text, v, false
	}
	return c.text(), v, false
}

// at reports whether b is the next byte, and skips it if so.
func (c *cursor) at(b byte) bool {
	if c.err != nil || c.n >= len(c.b) || c.b[c.n] != b {
		return false
	}
	c.n++
	return true
}

// bytes reads a field that is preceded by its length in four bytes.
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

func (c *cursor) decimal(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		c.fail("%q is no number", s)
	}
	return n
}
