package recorder

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/npdb/npdb/trace/statetree"
)

// words reads 32-bit numbers. After the first error, failed is set and every further number is 0.
type words struct {
	b      []byte
	failed bool
}

func (w *words) next() int {
	if len(w.b) < 4 {
		w.failed = true
		return 0
	}
	n := binary.LittleEndian.Uint32(w.b)
	w.b = w.b[4:]
	if n > 1<<31-1 {
		w.failed = true
		return 0
	}
	return int(n)
}

// below reads a number that must be less than n.
func (w *words) below(n int) int {
	v := w.next()
	if v >= n {
		w.failed = true
		return 0
	}
	return v
}

// count reads a number of items. It fails if the rest is too short for that many items, with at least
// the given number of words each.
func (w *words) count(words int) int {
	n := w.next()
	if n > len(w.b)/4/words {
		w.failed = true
		return 0
	}
	return n
}

func (u *unpacker) readTexts() bool {
	n := u.count(1)
	lengths := words{b: u.b[:4*n]}
	u.b = u.b[4*n:]
	u.texts = make([][]byte, n)
	total := 0
	for i := range u.texts {
		length := lengths.next()
		if length > len(u.b) {
			return false
		}
		u.texts[i], u.b = u.b[:length:length], u.b[length:]
		if !utf8.Valid(u.texts[i]) {
			return false
		}
		total += length
	}
	u.named = make([]string, n)
	padding := -total & 3
	if u.failed || lengths.failed || padding > len(u.b) {
		return false
	}
	u.b = u.b[padding:]
	return true
}

// text reads the number of a text and returns the text.
func (u *unpacker) text(w *words) []byte {
	if n := w.below(len(u.texts)); !w.failed {
		return u.texts[n]
	}
	return nil
}

// optional reads the number of a text plus one, and returns the text. It returns nil for 0.
func (u *unpacker) optional(w *words) []byte {
	if n := w.below(len(u.texts) + 1); n > 0 && !w.failed {
		return u.texts[n-1]
	}
	return nil
}

// value reads the text of a value, like optional. It fails if the text is too long.
func (u *unpacker) value(w *words) []byte {
	text := u.optional(w)
	u.failed = u.failed || len(text) > bytesOfLetter*u.limits.Text
	return text
}

// name reads the number of a text that is used as a name, and returns the name.
func (u *unpacker) name() string {
	n := u.below(len(u.texts))
	if u.failed || len(u.texts[n]) > mostOfName {
		u.failed = true
		return ""
	}
	if u.named[n] == "" {
		u.named[n] = string(u.texts[n])
	}
	return u.named[n]
}

// listed reads the number of names that follow, and subtracts it from the number of names still allowed.
func (u *unpacker) listed() int {
	n := u.count(1)
	if u.names -= n; u.names < 0 {
		u.failed = true
		return 0
	}
	return n
}

func (u *unpacker) readCodes() bool {
	n := u.count(7)
	for range n {
		made := statetree.Code{Name: u.name(), QualName: u.name(), FirstLine: u.next(), LastLine: u.next()}
		flags := u.below(4)
		made.Fast, made.Generator = flags&1 != 0, flags&2 != 0
		made.Args = u.next()
		c := code{fast: made.Fast, generator: made.Generator, number: -1, slots: map[string]int{}}
		names := u.listed()
		for range names {
			name := u.name()
			c.slots[name] = len(made.Names)
			made.Names = append(made.Names, name)
		}
		if u.failed || len(c.slots) != names || names > 0 && !made.Fast || made.Args > names {
			return false
		}
		c.made, c.seen = made, make([]int, names)
		u.codes = append(u.codes, c)
	}
	return !u.failed
}

// readShapes reads the shapes: which names of a code object have values. A module or class body has no
// fixed list of names, so its shapes define the names too.
func (u *unpacker) readShapes() bool {
	n := u.count(2)
	for i := range n {
		s := shape{code: u.below(len(u.codes))}
		names := u.listed()
		if u.failed {
			return false
		}
		c := &u.codes[s.code]
		for range names {
			name := u.name()
			slot, known := c.slots[name]
			switch {
			case u.failed || c.fast && !known:
				return false
			case !known:
				slot = len(c.made.Names)
				c.slots[name] = slot
				c.made.Names = append(c.made.Names, name)
				c.seen = append(c.seen, 0)
			}
			if c.seen[slot] == i+1 || c.fast && len(s.slots) > 0 && slot < s.slots[len(s.slots)-1] {
				return false
			}
			c.seen[slot] = i + 1
			s.slots = append(s.slots, slot)
		}
		u.shapes = append(u.shapes, s)
	}
	return !u.failed
}
