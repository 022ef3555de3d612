package provenance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// created returns how a piece got its value when its object was made.
func (f *Finder) created(c *piece, from arrived, r run) outcome {
	t, known := f.maker(c.object, r)
	display := t.Kind() == python.DisplayTerm || t.Kind() == python.DictTerm
	if known {
		if out, ok := f.comprehended(t, c, from, r); ok {
			return out
		}
		if out, ok := f.copied(t, c, from, r); ok {
			return out
		}
		if !display {
			if out, ok := f.gatheredPiece(t, c, from, r); ok {
				return out
			}
		}
	}
	if out, ok := f.displayed(t, c, from, r); ok {
		return out
	}
	if display {
		if out, ok := f.gatheredPiece(t, c, from, r); ok {
			return out
		}
	}
	if out, ok := f.constructed(c, from, r); ok {
		return out
	}
	return unknown("its object was made by this line in a way that is not followed")
}

// displayed returns the outcome for an object that a display of a statement made: maker, if that is one.
// All displays that fit must give the element the same text.
func (f *Finder) displayed(maker python.Term, c *piece, from arrived, r run) (outcome, bool) {
	form, _ := f.tree.Form(c.object, from.event)
	size, _ := f.tree.Size(c.object, from.event)
	var found []python.Term
	see := func(t python.Term) {
		part, ok := shown(t, form, size, from.step, f, r)
		if ok && f.fits(t, c, from, r) {
			found = append(found, part)
		}
	}
	sure, likely := true, r.stored.Shared
	if k := maker.Kind(); k == python.DisplayTerm || k == python.DictTerm {
		see(maker)
	} else {
		for _, e := range r.stored.Exprs {
			sure = displays(e, see) && sure
			likely = likely || f.makes(e, c.object, r)
		}
	}
	if len(found) == 0 {
		return outcome{}, false
	}
	for _, t := range found[1:] {
		if t.Text() != found[0].Text() {
			return unknown("the line made several such objects"), true
		}
	}
	out := f.partOf(found[0], r, c.value, c.part)
	out.likely = out.likely || likely
	return out, sure
}

// makes reports whether an expression may have made a list, tuple or dict other than by a display: by a
// call of code that is not recorded, a comprehension, an operator or a slice.
func (f *Finder) makes(e python.Term, o statetree.Object, r run) bool {
	switch e.Kind() {
	case python.ComprehensionTerm, python.SliceTerm, python.AwaitTerm:
		return true
	case python.ComputedTerm:
		if e.Name() == "+" || e.Name() == "*" {
			return true
		}
	case python.CallTerm:
		if f.callMakes(e, o, r) {
			return true
		}
	}
	return slices.ContainsFunc(e.Terms(), func(part python.Term) bool { return f.makes(part, o, r) })
}

func (f *Finder) callMakes(call python.Term, o statetree.Object, r run) bool {
	if _, ok := mutators[call.Callee()]; ok || slices.Contains(scalars, call.Callee()) {
		return false
	}
	if at, sure, ok := f.callReturn(call, r); ok && sure {
		v, _ := f.tree.Returned(at)
		return v == statetree.ObjectValue(o)
	}
	return !f.instantiates(call, r)
}

// scalars are functions that return no container.
var scalars = []string{"len", "int", "float", "str", "bool", "abs", "sum", "round", "range", "print", "isinstance", "repr", "ord", "chr"}

// displays visits the displays in an expression, apart from those in comprehensions and lambdas.
// It reports whether there are none in these.
func displays(t python.Term, visit func(python.Term)) (all bool) {
	all = true
	switch t.Kind() {
	case python.ComprehensionTerm:
		inner := false
		for _, k := range t.Terms() {
			displays(k, func(python.Term) { inner = true })
		}
		return !inner
	case python.DisplayTerm, python.DictTerm:
		visit(t)
	}
	for _, k := range t.Terms() {
		all = displays(k, visit) && all
	}
	return all
}

// shown returns the part of a display that makes an element, if the display can have made an
// object of the form and size.
func shown(t python.Term, form statetree.Form, size int, step python.Step, f *Finder, r run) (part python.Term, ok bool) {
	parts := t.Terms()
	switch t.Kind() {
	case python.DisplayTerm:
		list, set := strings.HasPrefix(t.Text(), "["), strings.HasPrefix(t.Text(), "{")
		name := "tuple"
		if list {
			name = "list"
		}
		if set || starred(parts) || form.Name != name || len(parts) != size || !step.IsIndex || step.Index < 0 || step.Index >= size {
			return part, false
		}
		return parts[step.Index], true
	case python.DictTerm:
		if form.Name != "dict" || len(parts) != 2*size {
			return part, false
		}
		for i := 0; i < len(parts); i += 2 {
			at, known := f.index(parts[i], r)
			if !known {
				return part, false
			}
			if at.Key == step.Key {
				part, ok = parts[i+1], true
			}
		}
	}
	return part, ok
}

// fits reports whether the parts of a display whose values are known are those of an object.
func (f *Finder) fits(t python.Term, c *piece, from arrived, r run) bool {
	if t.Kind() != python.DisplayTerm {
		return true
	}
	items := f.tree.Items(c.object, from.event)
	for i, part := range t.Terms() {
		if i >= len(items) {
			return true
		}
		if v, ok := f.valueOf(part, r); ok && v != items[i] {
			return false
		}
		if part.Kind() == python.LiteralTerm {
			if text, ok := f.evaluate(part, r); ok && text != f.tree.Text(items[i], from.event) {
				return false
			}
		}
	}
	return true
}

// maker returns the expression of a statement whose value is an object: what it assigns or returns.
func (f *Finder) maker(o statetree.Object, r run) (t python.Term, ok bool) {
	if r.end < 0 {
		return t, false
	}
	if r.stored.Return && len(r.stored.Exprs) > 0 {
		if v, ok := f.tree.Returned(r.end); ok && v == statetree.ObjectValue(o) {
			return r.stored.Exprs[0], true
		}
		return t, false
	}
	for _, store := range r.stored.Stores {
		if v, ok := f.storedValue(store, r); ok && v == statetree.ObjectValue(o) {
			return store.Value, true
		}
	}
	return t, false
}

// copied returns the outcome for an element of a copy: list(xs), xs[1:], dict(d).
func (f *Finder) copied(t python.Term, c *piece, from arrived, r run) (outcome, bool) {
	if t.Callee() == "dict" && len(t.Terms()) == 2 && !f.shadowed("dict", r) {
		source := t.Terms()[1]
		o, ok := f.container(source, r)
		if !ok {
			return outcome{}, false
		}
		v, ok := f.past.Piece(o, from.step, r.start)
		if !ok || v != c.value {
			return outcome{}, false
		}
		next := &piece{object: o, step: from.step, text: source.Text() + subscript(from.step), event: r.start, value: v, holder: f.cursorOf(source, r), part: c.part}
		return outcome{kind: Element, next: next, inputs: f.inputs([]python.Term{source}, r)}, true
	}
	if !from.step.IsIndex || from.step.Index < 0 {
		return outcome{}, false
	}
	it, ok := f.iterable(t, c.path, from.step.Index, r)
	if !ok || it.source == t {
		return outcome{}, false
	}
	o, ok := f.container(it.source, r)
	if !ok {
		return outcome{}, false
	}
	out := f.looped(o, it, r.start, r.start, r, c.wanted(c.value))
	return out, out.next != nil
}

// comprehended returns the outcome for an element of a list that a comprehension made, with one
// loop over a recorded sequence and without a condition.
func (f *Finder) comprehended(t python.Term, c *piece, from arrived, r run) (outcome, bool) {
	if !from.step.IsIndex {
		return outcome{}, false
	}
	source, name, element, ok := t.Mapped()
	if !ok {
		return outcome{}, false
	}
	if k := element.Kind(); k == python.LiteralTerm || k == python.NameTerm && element.Name() != name {
		return f.partOf(element, r, c.value, c.part), true
	}
	o, ok := f.container(source, r)
	if !ok {
		return outcome{}, false
	}
	step := python.Step{Index: from.step.Index, IsIndex: true}
	item, known := f.past.Piece(o, step, r.start)
	form, _ := f.tree.Form(o, r.start)
	if !known || form.Kind != statetree.Sequence || !form.Reads.Exact {
		return outcome{}, false
	}
	text := source.Text() + subscript(step)
	next := &piece{object: o, step: step, text: text, event: r.start, value: item, holder: f.cursorOf(source, r), part: c.part}
	in := []InputValue{{Expression: text, Value: f.reading(item, r.start), Followed: true}}
	if element.Kind() == python.NameTerm {
		return outcome{kind: Element, next: next, inputs: in, likely: item != c.value}, item == c.value
	}
	inputs := element.Inputs()
	if calls, _ := element.Calls(); len(calls) > 0 || len(inputs) != 1 || !c.whole() {
		return outcome{}, false
	}
	return outcome{kind: Assignment, next: next, inputs: in, computed: true}, true
}

// storedValue returns the value that a store of a name or an attribute gave.
func (f *Finder) storedValue(s python.Store, r run) (statetree.Value, bool) {
	if s.Kind != python.Assigned || len(s.Path) > 0 || r.end < 0 {
		return statetree.Value{}, false
	}
	after := r
	after.start = r.end
	return f.valueOf(s.Target, after)
}

// constructed returns the outcome for an attribute that a generated __init__ set, as that of a
// dataclass does, or for a field of a named tuple.
func (f *Finder) constructed(c *piece, from arrived, r run) (outcome, bool) {
	form, _ := f.tree.Form(c.object, from.event)
	if form.Reads.Exact { // list(x) has other elements than its argument
		return outcome{}, false
	}
	var call python.Term
	n := 0
	for _, e := range r.stored.Exprs {
		calls, _ := e.Calls()
		for _, t := range calls {
			if t.Callee() == form.Name {
				call, n = t, n+1
			}
		}
	}
	if n != 1 || starred(call.Terms()[1:]) {
		return outcome{}, false
	}
	name, index := c.step.Attribute, c.step.Index
	if name != "" {
		for i, e := range f.tree.Entries(c.object, from.event) {
			if f.tree.Text(e.Key, from.event) == name {
				index = i
			}
		}
	} else if index < len(form.Shown) {
		name = form.Shown[index]
	}
	for i, a := range call.Terms()[1:] {
		switch {
		case a.Kind() == python.KeywordTerm && a.Name() == name && name != "":
			out := f.partOf(a.Terms()[0], r, c.value, c.part)
			out.likely = out.likely || !f.matches(a.Terms()[0], c, r)
			return out, true
		case a.Kind() != python.KeywordTerm && i == index:
			out := f.partOf(a, r, c.value, c.part)
			out.likely = out.likely || !f.matches(a, c, r)
			return out, true
		}
	}
	return outcome{end: Construct, note: fmt.Sprintf("set by %s at line %d", form.Name, call.Line()), likely: true}, true
}

// matches reports whether a term has the value of a piece, and the value is an object, so that
// it is the same one.
func (f *Finder) matches(t python.Term, c *piece, r run) bool {
	v, ok := f.valueOf(t, r)
	_, object := v.Object()
	return ok && object && v == c.value
}
