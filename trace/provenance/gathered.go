package provenance

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// sought is an element of an iterable, or a part of that element, whose origin is wanted.
type sought struct {
	index int             // -1 if unknown, for example after sorted: then the value identifies it
	size  int             // number of elements of the iterable, -1 if unknown
	path  []int           // from the element to the part
	value statetree.Value // of the part
}

// at returns the same element in an iterable of another size, at another index.
func (s sought) at(index, size int) sought {
	s.index, s.size = index, size
	return s
}

// anywhere returns the same element at an unknown index.
func (s sought) anywhere() sought { return s.at(-1, -1) }

// gathered returns how an element got its value, for expressions that gather their elements from
// others: displays, list, sorted or zip, sums and multiples of lists, comprehensions, generators.
// The methods with this prefix do so for one kind of expression.
func (f *Finder) gathered(t python.Term, s sought, r run) (outcome, bool) {
	switch t.Kind() {
	case python.DisplayTerm:
		return f.gatheredDisplay(t, s, r)
	case python.ComputedTerm:
		return f.gatheredOperation(t, s, r)
	case python.ComprehensionTerm:
		source, name, element, ok := t.Mapped()
		if ok && !strings.Contains(t.Text(), "async ") && element.Kind() == python.NameTerm && element.Name() == name {
			return f.gathered(source, s, r)
		}
		return outcome{}, false
	case python.CallTerm:
		if out, ok := f.gatheredCall(t, s, r); ok {
			return out, true
		}
		return f.yielded(t, s, r)
	case python.NameTerm, python.AttributeTerm, python.SubscriptTerm:
		if out, ok := f.gatheredContainer(t, s, r); ok {
			return out, true
		}
		return f.yielded(t, s, r)
	}
	return outcome{}, false
}

// gatheredPiece returns how an element of a new list, tuple or dict got its value from the expression
// that made the object.
func (f *Finder) gatheredPiece(t python.Term, c *piece, from arrived, r run) (outcome, bool) {
	s := sought{path: c.path, value: c.wanted(c.value)}
	form, _ := f.tree.Form(c.object, from.event)
	s.size, _ = f.tree.Size(c.object, from.event)
	switch {
	case !form.Reads.Exact:
		return outcome{}, false
	case form.Kind == statetree.Sequence:
		s.index = from.step.Index
		return f.gathered(t, s, r)
	case t.Callee() == "dict" && len(t.Terms()) > 1 && !f.shadowed("dict", r):
		return f.gatheredEntry(t.Terms()[1:], s, c, from, r)
	}
	return outcome{}, false
}

// gatheredEntry returns how an entry of a new dict got its value from the arguments of dict: from
// keyword arguments, a display, or pairs.
func (f *Finder) gatheredEntry(args []python.Term, s sought, c *piece, from arrived, r run) (outcome, bool) {
	if t, ok := f.entry(args, from.step, r); ok {
		return f.unpacked(t, s.path, r, s.value), true
	}
	if len(args) > 1 {
		return outcome{}, false
	}
	s.index = slices.IndexFunc(f.tree.Entries(c.object, from.event), func(e statetree.Entry) bool {
		return f.tree.Text(e.Key, from.event) == from.step.Key
	})
	if s.index < 0 {
		return outcome{}, false
	}
	s.path = append([]int{1}, s.path...)
	out, ok := f.gathered(args[0], s, r)
	out.likely = true // a key may be among the pairs twice
	return out, ok
}

// gatheredDisplay returns how an element of a list, tuple or set display got its value. One part may
// be starred.
func (f *Finder) gatheredDisplay(t python.Term, s sought, r run) (outcome, bool) {
	parts := t.Terms()
	star := slices.IndexFunc(parts, func(p python.Term) bool { return p.Kind() == python.StarredTerm })
	if s.index < 0 || strings.HasPrefix(t.Text(), "{") {
		return f.gatheredPart(parts, s, r)
	}
	if behind := len(parts) - 1 - star; star >= 0 && s.index >= star {
		switch {
		case starred(parts[star+1:]) || behind > 0 && s.size < 0:
			return outcome{}, false
		case behind > 0 && s.index >= s.size-behind:
			return f.unpacked(parts[len(parts)-(s.size-s.index)], s.path, r, s.value), true
		}
		return f.gathered(parts[star].Terms()[0], s.at(s.index-star, max(s.size, len(parts)-1)-len(parts)+1), r)
	}
	if s.index >= len(parts) {
		return outcome{}, false
	}
	return f.unpacked(parts[s.index], s.path, r, s.value), true
}

// gatheredPart returns how the part of a display that has the value of an element got it. The outcome
// is likely only, if several parts have this value.
func (f *Finder) gatheredPart(parts []python.Term, s sought, r run) (outcome, bool) {
	var same []python.Term
	for _, p := range parts {
		v, known := f.valueOf(p, r)
		switch text, ok := f.evaluate(p, r); {
		case len(s.path) > 0 || !known && !ok:
			return outcome{}, false
		case known && v == s.value, !known && text == f.tree.Text(s.value, r.start):
			same = append(same, p)
		}
	}
	if len(same) == 0 {
		return outcome{}, false
	}
	out := f.term(same[0], r, s.value)
	out.likely = out.likely || len(same) > 1
	return out, true
}

// gatheredOperation returns how an element of xs + ys or of xs * n got its value.
func (f *Finder) gatheredOperation(t python.Term, s sought, r run) (outcome, bool) {
	parts := t.Terms()
	if len(parts) != 2 || s.index < 0 {
		return outcome{}, false
	}
	size, known := f.length(parts[0], r)
	switch t.Name() {
	case "+":
		switch {
		case !known:
			return outcome{}, false
		case s.index < size:
			return f.gathered(parts[0], s.at(s.index, size), r)
		}
		return f.gathered(parts[1], s.at(s.index-size, max(s.size-size, -1)), r)
	case "*":
		list := parts[0]
		if !known {
			list = parts[1]
			size, known = f.length(list, r)
		}
		if known && size > 0 {
			return f.gathered(list, s.at(s.index%size, size), r)
		}
	}
	return outcome{}, false
}

// length returns the number of elements of a display or a recorded sequence.
func (f *Finder) length(t python.Term, r run) (int, bool) {
	if t.Kind() == python.DisplayTerm {
		return len(t.Terms()), !starred(t.Terms())
	}
	o, ok := f.container(t, r)
	if !ok {
		return 0, false
	}
	if form, ok := f.tree.Form(o, r.start); !ok || form.Kind != statetree.Sequence || !form.Reads.Exact {
		return 0, false
	}
	return f.tree.Size(o, r.start)
}

// gatheredCall returns how an element of a built-in function's result got its value.
func (f *Finder) gatheredCall(t python.Term, s sought, r run) (outcome, bool) {
	args := t.Terms()[1:]
	name := t.Callee()
	if t.Terms()[0].Kind() != python.NameTerm || len(args) == 0 || f.shadowed(name, r) {
		return outcome{}, false
	}
	switch name {
	case "list", "tuple", "iter":
		return f.gathered(args[0], s, r)
	case "sorted", "set", "frozenset":
		return f.gathered(args[0], s.anywhere(), r)
	case "filter":
		if len(args) == 2 {
			return f.gathered(args[1], s.anywhere(), r)
		}
	case "reversed":
		if s.index >= 0 && s.size >= 0 {
			return f.gathered(args[0], s.at(s.size-1-s.index, s.size), r)
		}
	case "enumerate":
		if len(s.path) > 0 && s.path[0] == 1 {
			s.path = s.path[1:]
			return f.gathered(args[0], s, r)
		}
	case "zip":
		if len(s.path) > 0 && s.path[0] >= 0 && s.path[0] < len(args) && !starred(args) {
			k := s.path[0]
			s.path, s.size = s.path[1:], -1
			return f.gathered(args[k], s, r)
		}
	}
	return outcome{}, false
}

// gatheredContainer returns how an element of a recorded sequence, or of a slice of one, got its
// value.
func (f *Finder) gatheredContainer(t python.Term, s sought, r run) (outcome, bool) {
	it, ok := f.iterable(t, s.path, max(s.index, 0), r)
	if !ok {
		return outcome{}, false
	}
	o, ok := f.container(it.source, r)
	if !ok {
		return outcome{}, false
	}
	if form, ok := f.tree.Form(o, r.start); !ok || form.Kind != statetree.Sequence || !form.Reads.Exact {
		return outcome{}, false
	}
	several := false
	if s.index < 0 {
		items := f.tree.Items(o, r.start)
		if it.index = slices.Index(items, s.value); it.index < 0 || len(s.path) > 0 || it.source.Text() != t.Text() {
			return outcome{}, false
		}
		several = slices.Contains(items[it.index+1:], s.value)
	}
	it.copied = true
	out := f.looped(o, it, r.start, r.start, r, s.value)
	out.likely = out.likely || several
	return out, out.next != nil
}

// chosen returns the outcome of a call of next, max or min, which return an element of their
// argument.
func (f *Finder) chosen(t python.Term, r run, want statetree.Value) (outcome, bool) {
	args := t.Terms()[1:]
	if t.Terms()[0].Kind() != python.NameTerm || len(args) == 0 || f.shadowed(t.Callee(), r) {
		return outcome{}, false
	}
	s := sought{index: -1, size: -1, value: want}
	switch name := t.Callee(); {
	case name == "next":
		if _, calls := f.callOf(t, r); calls != 1 {
			return outcome{}, false
		}
		return f.yielded(args[0], s.at(0, -1), r)
	case (name == "max" || name == "min") && (len(args) == 1 || args[1].Kind() == python.KeywordTerm):
		out, ok := f.gathered(args[0], s, r)
		out.kind = Element
		return out, ok
	}
	return outcome{}, false
}
