package statetree

import (
	"math"
	"math/big"
	"slices"
	"strconv"
)

// repr writes a value as part of a value that is displayed in the form of CPython's repr.
func (s *scribe) repr(h handle) {
	o, ok := h.object()
	switch {
	case !ok:
		s.writeText(h.text())
		return
	case s.tooDeep || s.fails || s.chars > reprShare*s.limits.chars:
		s.partly = true
		return
	}
	c := s.open(o)
	if c == nil {
		s.write(unknown)
		s.partly = true
		return
	}
	s.represent(o, c, &s.t.objects.forms[c.form])
	s.close(c)
}

// represent writes an object in the same way as CPython's repr.
func (s *scribe) represent(o Object, c *content, f *Form) {
	switch {
	case c.text != none && (!s.bare || !f.HasOwn):
		s.writeText(c.text)
		return
	case f.Kind == Text:
		s.write(unknown)
		s.partly = true
		return
	case f.HasOwn && s.compute(o, c, f):
		return
	case f.Style == Unasked:
		s.byAttributes(o, c, f)
		return
	case f.Kind == Attributes && f.Style == Walk:
		s.write(f.Bare)
		s.fails = f.Bare == ""
		return
	case f.Cycle != "" && contains(s.inner, o):
		s.write(f.Cycle)
		return
	case c.total == 0:
		s.writeEmpty(f)
		s.fails = len(f.Shown) > 0 && f.Kind.Named()
		return
	case len(s.inner) >= reprNestings:
		s.tooDeep = true
		return
	}
	s.unasked = s.unasked || f.HasOwn
	s.inner = append(s.inner, o)
	s.write(f.Open)
	switch {
	case f.Kind == Attributes:
		s.shown(c, s.t.objects.shown[c.form])
	case f.Kind == Bytes:
		s.literal(c)
		s.rest(c)
	case f.Kind.Named():
		s.through(c, f.Kind, s.t.objects.shown[c.form])
	case f.Kind.Paired():
		s.entries(c, f)
	default:
		s.elements(c, f)
		if c.total == 1 {
			s.write(f.Single)
		}
	}
	s.write(f.Close)
	s.inner = s.inner[:len(s.inner)-1]
}

// byAttributes writes an object by its attributes in the middle of a text that has the form of
// CPython's repr.
func (s *scribe) byAttributes(o Object, c *content, f *Form) {
	s.unasked = true
	inner, level := s.inner, s.level
	s.inner = nil
	s.attributes(o, c, f, level, len(s.path)+len(inner))
	s.inner, s.level = inner, level
}

// elements writes the elements of a sequence or a set.
func (s *scribe) elements(c *content, f *Form) {
	for n, h := range c.cells {
		if n > 0 {
			s.write(", ")
		}
		if n < len(f.Shown) {
			s.write(f.Shown[n] + "=")
		}
		s.repr(h)
	}
	s.rest(c)
}

// rest writes how many elements of a container are not stored.
func (s *scribe) rest(c *content) {
	if c.stored == c.total {
		return
	}
	s.partly = true
	if c.stored > 0 {
		s.write(", ")
	}
	s.write("… +" + grouped(c.total-c.stored) + " items" + s.missing)
}

// shown writes the attributes that a repr shows: those in names, or all if there are none.
func (s *scribe) shown(c *content, names []handle) {
	attribute := func(n int, name, value handle) {
		if n > 0 {
			s.write(", ")
		}
		s.writeText(name.text())
		s.write("=")
		s.repr(value)
	}
	if len(names) == 0 {
		for k := 0; k < len(c.cells); k += 2 {
			attribute(k, c.cells[k], c.cells[k+1])
		}
		s.rest(c)
		return
	}
	for n, name := range names {
		value, ok := s.attribute(c, name)
		if !ok {
			return
		}
		attribute(n, name, value)
	}
}

// attribute returns the value of an attribute that a repr shows. If it is missing, the repr
// fails.
func (s *scribe) attribute(c *content, name handle) (value handle, ok bool) {
	for k := 0; k < len(c.cells); k += 2 {
		if c.cells[k] == name {
			return c.cells[k+1], true
		}
	}
	s.fails = true // in CPython, the repr would raise an AttributeError
	return 0, false
}

// entries writes the entries of a dict in order, and those of a Counter by descending
// count.
func (s *scribe) entries(c *content, f *Form) {
	order := make([]int, c.stored)
	for n := range order {
		order[n] = n
	}
	if f.Kind == Counter {
		s.byCount(c, order)
	}
	open, between, end := "", ": ", ""
	if f.Kind == Pairs {
		open, between, end = "(", ", ", ")"
	}
	for k, n := range order {
		if k > 0 {
			s.write(", ")
		}
		s.write(open)
		s.repr(c.cells[2*n])
		s.write(between)
		s.repr(c.cells[2*n+1])
		s.write(end)
	}
	s.rest(c)
}

// byCount sorts entries by descending count if all counts are numbers.
func (s *scribe) byCount(c *content, order []int) {
	counts := make([]*big.Float, c.stored)
	for n := range counts {
		count, ok := s.number(c.cells[2*n+1])
		if !ok {
			return
		}
		counts[n] = count
	}
	slices.SortStableFunc(order, func(x, y int) int { return counts[y].Cmp(counts[x]) })
}

// number returns the exact value of an int, bool or float.
func (s *scribe) number(h handle) (*big.Float, bool) {
	if h.isObject() {
		return nil, false
	}
	switch text := s.t.texts.text(h.text()); text {
	case "True":
		return big.NewFloat(1), true
	case "False":
		return big.NewFloat(0), true
	default:
		if n, ok := new(big.Int).SetString(text, 0); ok {
			return new(big.Float).SetInt(n), true
		}
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(n) {
			return nil, false
		}
		return big.NewFloat(n), true
	}
}
