package trace

import (
	"slices"

	"github.com/npdb/npdb/trace/statetree"
)

// The tracer names long texts by few numbers, again and again.
const (
	maxLongTexts     = 64
	maxLongTextBytes = 1 << 28 // of those that no value has named yet
)

// longText is a text that values name by a number: told once, it may be the value of
// many names.
type longText struct {
	text  []byte
	value statetree.Value // once the tree has it, instead
	held  bool
}

// longText reads a text that values name by a number from now on.
func (d *decoder) longText(c *cursor) {
	n, text := c.varint(), c.bytes()
	if c.err != nil || !c.check(n <= len(d.long) && n < maxLongTexts, "text %d is told before %d", n, len(d.long)) {
		return
	}
	if n == len(d.long) {
		d.long = append(d.long, longText{})
	}
	d.long[n] = longText{text: slices.Clone(text)}
	unused := 0
	for _, t := range d.long {
		unused += len(t.text)
	}
	c.check(unused <= maxLongTextBytes, "long texts have %d bytes", unused)
}

// held takes note of the tree's value for the text that value gave.
func (c *cursor) held(v statetree.Value) {
	if c.used != nil {
		*c.used = longText{value: v, held: true}
		c.used = nil
	}
}
