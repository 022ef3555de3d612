package trace

import (
	"slices"

	"github.com/npdb/npdb/trace/statetree"
)

// The tracer refers to long texts by a few numbers, which it uses again for other texts.
const (
	maxLongTexts     = 64
	maxLongTextBytes = 1 << 28 // maximum bytes of long texts to which no value refers yet
)

// longText is a text that is too long to be sent with each value. The tracer sends it once, and
// values refer to it by number.
type longText struct {
	text  []byte
	value statetree.Value // the text's value in the tree, once held is set
	held  bool
}

// longText reads a text that later values refer to by number.
func (d *decoder) longText(c *cursor) {
	n, text := c.varint(), c.bytes()
	if c.err != nil || !c.check(n <= len(d.long) && n < maxLongTexts, "text %d is sent before %d", n, len(d.long)) {
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

// held replaces the long text that was read last by its value in the tree, so that later
// references to it need no copy. It does nothing if the last value was not a long text.
func (c *cursor) held(v statetree.Value) {
	if c.used != nil {
		*c.used = longText{value: v, held: true}
		c.used = nil
	}
}
