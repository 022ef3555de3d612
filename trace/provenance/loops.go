package provenance

import (
	"fmt"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

const whichElement = "which element of this it is is not followed"

// unpacked returns how a part of an expression's value got its value. A path of unpacking leads to
// the part.
func (f *Finder) unpacked(t python.Term, path []int, r run, want statetree.Value) outcome {
	if len(path) == 0 {
		return f.term(t, r, want)
	}
	if path[0] < 0 {
		return unknown("which element a starred target or a pattern took is not followed", f.inputs(t.Inputs(), r)...)
	}
	if parts := t.Terms(); t.Kind() == python.DisplayTerm && path[0] < len(parts) && !starred(parts) {
		return f.unpacked(parts[path[0]], path[1:], r, want)
	}
	if t.Kind() == python.CallTerm {
		if at, sure, ok := f.callReturn(t, r); ok {
			if v, ok := f.tree.Returned(at); ok {
				out := f.elementOf(v, path, at, want, t.Text(), &returned{event: at, value: v})
				out.likely = out.likely || !sure
				return out
			}
		}
		if out, ok := f.gathered(t, sought{index: path[0], size: -1, path: path[1:], value: want}, r); ok {
			return out
		}
		return f.elementMade(t, r)
	}
	v, ok := f.valueOf(t, r)
	if !ok {
		return unknown(whichElement, f.inputs([]python.Term{t}, r)...)
	}
	out := f.elementOf(v, path, r.start, want, t.Text(), f.cursorOf(t, r))
	if out.next == nil {
		return unknown(whichElement, f.inputs([]python.Term{t}, r)...)
	}
	out.inputs, out.likely = f.inputs([]python.Term{t}, r), out.likely || f.disturbed(t, r)
	return out
}

// elementMade returns the outcome of reading an element of what a call made that is not recorded. If
// its inputs are texts and numbers, it made the element of them; else it may have taken the element
// from one of them.
func (f *Finder) elementMade(t python.Term, r run) outcome {
	for _, in := range t.Inputs() {
		v, ok := f.valueOf(in, r)
		if _, object := v.Object(); !ok || object || strings.HasPrefix(f.tree.Text(v, r.start), "(") {
			return unknown(whichElement, f.inputs([]python.Term{t}, r)...)
		}
	}
	if t.Kind() != python.CallTerm || len(t.Inputs()) == 0 {
		return unknown(whichElement, f.inputs([]python.Term{t}, r)...)
	}
	out := f.unrecorded(t, r)
	out.kind = Element
	return out
}

// partOf returns how an expression got its value, or the part of it.
func (f *Finder) partOf(t python.Term, r run, want statetree.Value, p part) outcome {
	if p.whole() {
		return f.term(t, r, want)
	}
	return f.unpacked(t, p.path, r, p.value)
}

func starred(terms []python.Term) bool {
	for _, t := range terms {
		if t.Kind() == python.StarredTerm {
			return true
		}
	}
	return false
}

// elementOf returns the outcome of reading an element of an element and so on, as unpacking does.
// at is the cursor of the value v.
func (f *Finder) elementOf(v statetree.Value, path []int, event int, want statetree.Value, text string, at cursor) outcome {
	for k, index := range path {
		if index < 0 {
			return unknown("which element it is is not followed")
		}
		o, object := v.Object()
		if !object {
			return f.insideOf(at, v, path[k:], event, want)
		}
		step := python.Step{Index: index, IsIndex: true}
		form, _ := f.tree.Form(o, event)
		element, ok := f.past.Piece(o, step, event)
		if !ok || form.Kind != statetree.Sequence {
			return unknown("its elements were not recorded")
		}
		text += subscript(step)
		at, v = &piece{object: o, step: step, text: text, event: event, value: element, holder: at}, element
	}
	if v != want {
		return unknown("the element had another value when the line began")
	}
	return outcome{kind: Element, next: at}
}

// insideOf returns the outcome of reading an element of a tuple that is recorded as a text.
func (f *Finder) insideOf(at cursor, tuple statetree.Value, path []int, event int, want statetree.Value) outcome {
	p, ok := f.inside(tuple, path, event, want)
	if !ok {
		return unknown("its elements were not recorded")
	}
	switch at := at.(type) {
	case *named:
		at.part = p
	case *piece:
		at.part = p
	case *returned:
		at.part = p
	default:
		return unknown("its elements were not recorded")
	}
	return outcome{kind: Element, next: at}
}

// iterated returns how the target of a loop got its value from what the loop iterates over.
func (f *Finder) iterated(t python.Term, path []int, r run, want statetree.Value) outcome {
	count, first, ok := f.iteration(r)
	if !ok {
		return unknown("how far the loop had come is not known")
	}
	if out, ok := f.produced(r, path, want); ok {
		return out
	}
	begin := r
	begin.start = first
	it, ok := f.iterable(t, path, count, begin)
	if !ok {
		return f.elementMade(t, begin)
	}
	if part, ok := element(it.source, it.index); ok {
		out := f.unpacked(part, it.path, begin, want)
		out.kind = Element
		return out
	}
	o, ok := f.container(it.source, begin)
	if !ok {
		if v, known := f.valueOf(it.source, begin); known && it.index >= 0 && !it.values {
			out := f.elementOf(v, append([]int{it.index}, it.path...), first, want, it.source.Text(), f.cursorOf(it.source, begin))
			if out.next != nil {
				return out
			}
		}
		return unknown(whichElement, f.inputs([]python.Term{it.source}, begin)...)
	}
	if it.copied {
		return f.looped(o, it, first, first, begin, want)
	}
	return f.looped(o, it, first, r.start, begin, want)
}

// looped returns the outcome of reading an element of a recorded container as of an event. first
// is the event at which the iteration began.
func (f *Finder) looped(o statetree.Object, it iterable, first, event int, r run, want statetree.Value) outcome {
	in := f.inputs([]python.Term{it.source}, r)
	form, _ := f.tree.Form(o, event)
	if !form.Reads.Exact && (form.Kind != statetree.Sequence || !form.Reads.Elements) {
		return unknown("iteration over "+form.Name+" is not followed", in...)
	}
	at, changed := f.tree.VersionUpTo(o, event)
	var out outcome
	switch {
	case form.Kind == statetree.Sequence:
		index := it.index
		if index < 0 {
			size, _ := f.tree.Size(o, first)
			index += size
		}
		out = f.elementOf(statetree.ObjectValue(o), append([]int{index}, it.path...), event, want, it.source.Text(), f.cursorOf(it.source, r))
	case it.values:
		entries := f.tree.Entries(o, event)
		if it.index < 0 || it.index >= len(entries) {
			return unknown("which entry it is is not known", in...)
		}
		step, v := python.Step{Key: f.tree.Text(entries[it.index].Key, event)}, entries[it.index].Value
		at := &piece{object: o, step: step, text: it.source.Text() + subscript(step), event: event, value: v, holder: f.cursorOf(it.source, r)}
		out = f.elementOf(v, it.path, event, want, at.text, at)
		out.kind = Element
	default:
		return unknown("keys and elements of sets are not followed", in...)
	}
	_, object := want.Object()
	out.likely = out.likely || changed && at > first && !object || f.disturbed(it.source, r)
	out.inputs = in
	return out
}

// iteration returns the number of the iteration, from 0, that a run of a loop's header began, and the
// event of the header's first run.
func (f *Finder) iteration(r run) (count, first int, ok bool) {
	first = r.start
	for count < mostRuns {
		before := f.tree.Previous(first)
		for before >= 0 && !f.headed(before, r) && f.inBlock(before, r) {
			before = f.tree.Previous(before)
		}
		if before < 0 || !f.headed(before, r) || f.left(before, first) {
			return count, first, !r.stored.Shared && r.stored.Line == r.stored.Last
		}
		count, first = count+1, before
	}
	return 0, 0, false
}

// left reports whether a loop ended between two runs of its header, exhausted or by break, and began
// again.
func (f *Finder) left(header, next int) bool {
	before := f.tree.Previous(next)
	at := f.tree.At(before)
	line, _ := f.tree.SourceLine(at.File, at.Line)
	return before == header || strings.Contains(line, "break")
}

func (f *Finder) headed(event int, r run) bool {
	at := f.tree.At(event)
	return at.Event == dsl.Line && inside(at.Line, r.stored)
}

func (f *Finder) inBlock(event int, r run) bool {
	at := f.tree.At(event)
	return r.stored.Block[0] <= at.Line && at.Line <= r.stored.Block[1] || at.Event == dsl.Call || at.Event == dsl.Return
}

// produced returns the outcome of an iteration over a generator or an iterator of the program.
func (f *Finder) produced(r run, path []int, want statetree.Value) (outcome, bool) {
	if r.end <= r.start+1 {
		return outcome{}, false
	}
	e := f.tree.At(r.end - 1)
	if e.Event != dsl.Return || e.Kind == dsl.Unwound || e.Depth != f.tree.At(r.start).Depth+1 {
		return outcome{}, false
	}
	if name := f.tree.Code(e.Code).Name; e.Kind != dsl.Yielded && name != "__next__" && name != "__getitem__" {
		return outcome{}, false
	}
	v, ok := f.tree.Returned(r.end - 1)
	switch {
	case !ok:
		return outcome{}, false
	case len(path) == 0 && v == want:
		return outcome{kind: Element, next: &returned{event: r.end - 1, value: v}, likely: !f.direct(r)}, true
	case len(path) > 0:
		out := f.elementOf(v, path, r.end-1, want, "yielded", &returned{event: r.end - 1, value: v})
		out.likely = out.likely || !f.direct(r)
		return out, out.next != nil
	}
	return outcome{}, false
}

// direct reports whether a loop iterates over the result of a call of the program or over a name,
// not over that of a function such as map, which may have made another value of what it got.
func (f *Finder) direct(r run) bool {
	t := r.stored.Exprs[0]
	if t.Kind() == python.CallTerm {
		return f.tree.Code(f.tree.At(r.end-1).Code).Name == t.Callee()
	}
	return false
}

// iterable describes the source of an iteration.
type iterable struct {
	source python.Term
	path   []int // the rest of the path of unpacking
	index  int   // of the element; a negative one counts from the end
	values bool  // the values of a dict are iterated over
	copied bool  // the elements were taken when the iteration began
}

// iterable returns where the element with a number comes from, for the functions whose iteration is
// known.
func (f *Finder) iterable(t python.Term, path []int, count int, r run) (it iterable, ok bool) {
	if base, first, ok := f.sliced(t, r); ok && count >= 0 {
		it, ok = f.iterable(base, path, count+first, r)
		it.copied = true
		return it, ok
	}
	it = iterable{source: t, path: path, index: count}
	if t.Kind() != python.CallTerm {
		return it, true
	}
	args := t.Terms()[1:]
	if callee := t.Terms()[0]; callee.Kind() == python.AttributeTerm {
		it.source, it.values = callee.Terms()[0], true
		switch {
		case len(args) == 0 && callee.Name() == "values":
			return it, true
		case len(args) == 0 && callee.Name() == "items" && len(path) > 0 && path[0] == 1:
			it.path = path[1:]
			return it, true
		}
		return it, false
	}
	switch name := t.Callee(); {
	case f.shadowed(name, r) || starred(args):
	case name == "enumerate" && len(args) > 0 && len(path) > 0 && path[0] == 1:
		return f.iterable(args[0], path[1:], count, r)
	case name == "zip" && len(path) > 0 && path[0] >= 0 && path[0] < len(args):
		return f.iterable(args[path[0]], path[1:], count, r)
	case name == "reversed" && len(args) == 1:
		return f.iterable(args[0], path, -1-count, r)
	case (name == "list" || name == "tuple") && len(args) == 1:
		it, ok = f.iterable(args[0], path, count, r)
		it.copied = true
		return it, ok
	case name == "iter" && len(args) == 1:
		return f.iterable(args[0], path, count, r)
	}
	return it, false
}

// sliced returns the base of a slice that begins at a constant and has no step, and where it begins.
func (f *Finder) sliced(t python.Term, r run) (base python.Term, first int, ok bool) {
	if t.Kind() != python.SubscriptTerm || t.Terms()[1].Kind() != python.SliceTerm {
		return t, 0, false
	}
	bounds := t.Terms()[1].Terms()
	if len(bounds) > 2 && bounds[2].Kind() != python.NoTerm {
		return t, 0, false
	}
	if len(bounds) == 0 || bounds[0].Kind() == python.NoTerm {
		return t.Terms()[0], 0, true
	}
	step, known := f.index(bounds[0], r)
	return t.Terms()[0], step.Index, known && step.IsIndex && step.Index >= 0
}

// shadowed reports whether the program binds a built-in name.
func (f *Finder) shadowed(name string, r run) bool {
	v, ok := f.past.Resolve(python.Path{Name: name}, r.scope, r.start)
	return ok && f.tree.Text(v, r.start) != fmt.Sprintf("<built-in function %s>", name)
}

// entered returns how the target of with got its value.
func (f *Finder) entered(t python.Term, r run, want statetree.Value) outcome {
	if at, sure, ok := f.returnedBy("__enter__", r, want); ok {
		return outcome{next: &returned{event: at, value: want}, likely: !sure, inputs: f.inputs([]python.Term{t}, r)}
	}
	if t.Kind() == python.CallTerm {
		return f.unrecorded(t, r)
	}
	return f.operation(t, r)
}

// element returns an element of a display.
func element(t python.Term, index int) (python.Term, bool) {
	parts := t.Terms()
	if t.Kind() != python.DisplayTerm || starred(parts) || index < 0 || index >= len(parts) {
		return python.Term{}, false
	}
	return parts[index], true
}
