package statetree

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Values are displayed exactly, byte for byte, as trace/tracer/render.py displays them.

const (
	objectLevels = 3   // maximum nesting of objects, including the outermost
	nestings     = 100 // maximum nesting of containers
	// CPython's repr fails at about this nesting, because its own stack is exhausted.
	reprNestings = 1000
	// The text of a repr is built only up to this multiple of the length that is
	// displayed.
	reprShare = 4

	mostChars = 16 << 20
	mostItems = 100_000
)

// textLimits limits the text of one value.
type textLimits struct {
	chars int // maximum number of characters
	items int // maximum number of elements of one container
}

// SetLimits sets how many characters of a value's text, and how many elements of a
// container, are shown. It must be called before there are states.
func (t *Tree) SetLimits(chars, items int) {
	t.limits = textLimits{chars, items}
	t.cache.clear()
}

// Text returns the text of a value as of event i.
func (t *Tree) Text(v Value, i int) string {
	t.mu.RLock()
	defer t.done()
	return t.text(v.h, i)
}

func (t *Tree) text(h handle, i int) string {
	if !h.isObject() {
		return t.texts.text(h.text())
	}
	o, _ := h.object()
	kept, ok := t.cache.get(o)
	if ok && !t.changedBetween(kept.from, min(kept.event, i), max(kept.event, i)) {
		return kept.text
	}
	s := t.scribe(i)
	s.buf = make([]byte, 0, len(kept.text))
	s.walk(h, 0, 0)
	if s.tooDeep {
		return s.deep(h)
	}
	s.cut()
	text := string(s.buf)
	t.cache.put(o, cachedText{i, text, s.from})
	return text
}

// changedBetween reports whether any of the objects has a version in (i, j].
func (t *Tree) changedBetween(some []Object, i, j int) bool {
	for _, o := range some {
		if v := behind(&t.objects, t.objects.last(o), i); i < j && v != none && int64(t.objects.skew(v).stamp) <= int64(j) {
			return true
		}
	}
	return false
}

// scribe writes the text of one value as of an event.
type scribe struct {
	t       *Tree
	event   int
	limits  textLimits
	missing string // what is said of elements and characters that the limits leave out
	brief   bool   // containers of atoms are cut, too
	buf     []byte
	chars   int      // number of characters in buf
	path    []Object // objects that are being written, to detect cycles
	level   int      // number of objects around a value that is shown by its repr
	inner   []Object // like path, for cycles within the part that is shown by CPython's repr
	spare   []*content
	from    []Object // objects whose content was read
	tooDeep bool     // the value is nested too deeply to be shown
	fails   bool     // a __repr__ inside another one would raise an exception

	computing []Object // objects whose __repr__ is being evaluated
	computed  int      // number of evaluated __repr__ calls
	// unasked reports that an object with its own __repr__ is shown by its attributes.
	// partly reports that the text differs from CPython's repr, because something was cut
	// or nested too deeply.
	unasked, partly bool
	// bare shows each object by its attributes even if its class defines a __repr__.
	bare bool
}

// scribe returns a scribe with the limits of the tree.
func (t *Tree) scribe(event int) *scribe {
	return &scribe{t: t, event: event, limits: t.limits, missing: " not stored"}
}

// deep returns the text of an object that is nested too deeply to be shown.
func (s *scribe) deep(h handle) string {
	o, _ := h.object()
	return "<" + s.t.objects.forms[s.t.formOf(o, s.event)].Name + ": too deep to render>"
}

func (s *scribe) write(text string) {
	s.buf = append(s.buf, text...)
	s.chars += utf8.RuneCountInString(text)
}

func (s *scribe) writeText(id uint32) {
	e := s.t.texts.entry(id)
	if e.plain != nil {
		s.buf = append(s.buf, e.plain...)
		s.chars += chars(e.plain)
		return
	}
	s.t.texts.walk(id, 0, e.length, func(piece []byte) bool {
		s.buf = append(s.buf, piece...)
		s.chars += chars(piece)
		return true
	})
}

// chars returns the number of characters in a part of a UTF-8 text; a character counts where it
// begins.
func chars(piece []byte) int {
	n := len(piece)
	for _, b := range piece {
		if b&0xc0 == 0x80 {
			n--
		}
	}
	return n
}

// open reads an object's content as of s.event, or returns nil if it was not yet recorded.
func (s *scribe) open(o Object) *content {
	if n := len(s.from); n == 0 || s.from[n-1] != o {
		s.from = append(s.from, o)
	}
	v := s.t.objects.find(o, s.event)
	if v == none {
		return nil
	}
	var c *content
	if n := len(s.spare); n > 0 {
		c, s.spare = s.spare[n-1], s.spare[:n-1]
	} else {
		c = &content{}
	}
	s.t.objects.read(v, s.t.texts, c)
	return c
}

func (s *scribe) close(c *content) { s.spare = append(s.spare, c) }

// unknown is displayed for an object whose content was not recorded.
const unknown = "<object not recorded>"

// walk writes a value in the same form as walk in trace/tracer/render.py.
func (s *scribe) walk(h handle, level, nesting int) {
	o, ok := h.object()
	if !ok {
		s.writeText(h.text())
		return
	}
	c := s.open(o)
	if c == nil {
		s.write(unknown)
		return
	}
	defer s.close(c)
	f := &s.t.objects.forms[c.form]
	switch {
	case c.text != none && (!s.bare || !f.HasOwn):
		s.writeText(c.text)
	case f.Kind == Text:
		s.write(unknown)
	case f.HasOwn && s.compute(o, c, f):
	case f.Style == Repr:
		s.unasked = s.unasked || f.HasOwn
		start, before := len(s.buf), s.chars
		s.inner, s.level = s.inner[:0], level
		if s.represent(o, c, f); s.fails {
			s.buf, s.chars, s.fails = s.buf[:start], before, false
			s.attributes(o, c, f, level, nesting)
		}
		s.dropAddresses(start)
	case f.Kind == Attributes:
		s.unasked = s.unasked || f.HasOwn
		start := len(s.buf)
		if s.attributes(o, c, f, level, nesting); f.Bare == "" {
			s.dropAddresses(start) // its __repr__ was called, and failed
		}
	default:
		s.container(o, c, f, level, nesting)
	}
}

// container writes a list, tuple, dict, set or frozenset, but not an instance of a derived
// class.
func (s *scribe) container(o Object, c *content, f *Form, level, nesting int) {
	room := s.limits.chars
	most := min(s.limits.items, c.stored)
	if c.total == 0 {
		s.writeEmpty(f)
		return
	}
	// The tracer leaves a container of atoms (plain) to CPython's repr, so it is shown at any
	// nesting. If only the first element of a tuple is shown, repr writes it as a tuple of
	// length one, with a comma.
	odd := most == 1 && c.total > 1 && f.Single != ""
	plain := (odd || nesting >= nestings) && s.plain(c, f, most)
	if !plain {
		if contains(s.path, o) {
			s.write(f.Cycle)
			return
		}
		if nesting >= nestings {
			s.write(f.Open + "… nested deeper" + f.Close)
			return
		}
	}
	s.path = append(s.path, o)
	s.write(f.Open)
	for n := range c.total {
		if n > 0 {
			s.write(", ")
		}
		if room < 0 && !plain && n < most && !s.brief {
			plain = s.plain(c, f, most)
		}
		if n >= most || room < 0 && !plain {
			s.write("… +" + grouped(c.total-n) + " items" + s.missing)
			break
		}
		before := s.chars
		if f.Kind == Dict {
			s.walk(c.cells[2*n], level, nesting+1)
			s.write(": ")
			s.walk(c.cells[2*n+1], level, nesting+1)
		} else {
			s.walk(c.cells[n], level, nesting+1)
		}
		room -= s.chars - before + 2
		if odd && plain || c.total == 1 {
			s.write(f.Single)
		}
	}
	s.write(f.Close)
	s.path = s.path[:len(s.path)-1]
}

func (s *scribe) writeEmpty(f *Form) {
	if f.Empty != "" {
		s.write(f.Empty)
	} else {
		s.write(f.Open + f.Close)
	}
}

func contains(path []Object, o Object) bool {
	for k := len(path) - 1; k >= 0; k-- {
		if path[k] == o {
			return true
		}
	}
	return false
}

// attributes writes an object by its attributes, as NAME(attribute=value, …). It is used if the
// object's class inherits object.__repr__, or if its own __repr__ raises an exception or was
// not called.
func (s *scribe) attributes(o Object, c *content, f *Form, level, nesting int) {
	if level >= objectLevels || nesting >= nestings || contains(s.path, o) {
		s.write(f.Name + "(...)")
		return
	}
	s.write(f.Name + "(")
	if !f.Kind.Named() {
		s.write(")") // the attributes of a container are not recorded
		return
	}
	s.path = append(s.path, o)
	room := s.limits.chars
	most := min(s.limits.items, c.stored)
	var without []handle
	if f.Kind != Attributes {
		without = s.t.objects.shown[c.form][1:]
	}
	first := true
	for n := range c.total {
		if n < most && slices.Contains(without, c.cells[2*n]) {
			continue
		}
		if !first {
			s.write(", ")
		}
		first = false
		if n >= most || room < 0 {
			s.write("… +" + grouped(c.total-n) + " attributes" + s.missing)
			break
		}
		s.writeText(c.cells[2*n].text())
		s.write("=")
		before := s.chars
		s.walk(c.cells[2*n+1], level+1, nesting+1)
		room -= s.chars - before
	}
	s.write(")")
	s.path = s.path[:len(s.path)-1]
}

// cut shortens the text of a value that is too long.
func (s *scribe) cut() {
	room := s.limits.chars
	if s.chars <= room {
		return
	}
	over := s.chars - room
	at := 0
	for range room {
		_, n := utf8.DecodeRune(s.buf[at:])
		at += n
	}
	s.buf = append(s.buf[:at], "… +"+grouped(over)+" chars"+s.missing...)
}

// dropAddresses removes " at 0x…" before ">" from the text written since start.
func (s *scribe) dropAddresses(start int) {
	text := s.buf[start:]
	mark := []byte(" at 0x")
	kept := 0 // number of bytes already moved to the start of text
	from := 0 // start of the bytes not moved yet
	for search := 0; ; {
		k := bytes.Index(text[search:], mark)
		if k < 0 {
			break
		}
		at := search + k
		end := at + len(mark)
		for end < len(text) && isHex(text[end]) {
			end++
		}
		if end < len(text) && text[end] == '>' {
			kept += copy(text[kept:], text[from:at])
			s.chars -= end - at
			from = end
		}
		search = end
	}
	if from > 0 {
		kept += copy(text[kept:], text[from:])
		s.buf = s.buf[:start+kept]
	}
}

func isHex(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
}

// grouped returns a number with commas between thousands.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
