package provenance

import (
	"fmt"
	"slices"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// outcome says how an expression got its value.
type outcome struct {
	kind   Kind // "" for an assignment
	next   cursor
	end    End
	note   string
	likely bool // the text and the recording leave other possibilities
	inputs []InputValue

	computed bool // from the inputs
}

// unknown is the outcome of an expression that cannot be followed.
func unknown(why string, inputs ...InputValue) outcome {
	return outcome{end: Unknown, note: why, inputs: inputs}
}

// path returns the path of a term, with the values of computed subscripts as of the start of a
// run.
func (f *Finder) path(t python.Term, r run) (python.Path, bool) {
	switch t.Kind() {
	case python.NameTerm:
		return python.Path{Name: t.Name()}, true
	case python.AttributeTerm:
		p, ok := f.path(t.Terms()[0], r)
		p.Steps = append(slices.Clone(p.Steps), python.Step{Attribute: t.Name()})
		return p, ok
	case python.SubscriptTerm:
		p, ok := f.path(t.Terms()[0], r)
		step, known := f.index(t.Terms()[1], r)
		p.Steps = append(slices.Clone(p.Steps), step)
		return p, ok && known
	}
	return python.Path{}, false
}

// index returns the step of a subscript whose value is a str, an int or a tuple of these.
func (f *Finder) index(t python.Term, r run) (python.Step, bool) {
	text, ok := f.evaluate(t, r)
	if !ok {
		return python.Step{}, false
	}
	c, err := f.past.Condition("_[" + text + "]")
	if err != nil {
		return python.Step{}, false
	}
	p, ok := c.Path()
	if !ok || len(p.Steps) != 1 {
		return python.Step{}, false
	}
	return p.Steps[0], true
}

// valueOf returns the value of a name, attribute or subscript before a statement ran.
func (f *Finder) valueOf(t python.Term, r run) (statetree.Value, bool) {
	p, ok := f.path(t, r)
	if !ok {
		return statetree.Value{}, false
	}
	return f.past.Resolve(p, r.scope, r.start)
}

// container returns the object of a term before a statement ran.
func (f *Finder) container(t python.Term, r run) (statetree.Object, bool) {
	v, ok := f.valueOf(t, r)
	o, object := v.Object()
	return o, ok && object
}

// cursorOf returns a cursor for a term that is a name, an attribute or a subscript with a recorded
// value, or nil.
func (f *Finder) cursorOf(t python.Term, r run) cursor {
	v, ok := f.valueOf(t, r)
	if !ok {
		return nil
	}
	if t.Kind() == python.NameTerm {
		return &named{act: f.past.OwnerOf(r.scope, t.Name(), r.start), name: t.Name(), event: r.start, value: v}
	}
	base, ok := f.valueOf(t.Terms()[0], r)
	if act, module := f.past.ModuleOf(base, r.start); ok && module {
		return &named{act: act, name: t.Name(), event: r.start, value: v}
	}
	o, ok := base.Object()
	p, known := f.path(t, r)
	if !ok || !known {
		return nil
	}
	return &piece{object: o, step: p.Steps[len(p.Steps)-1], text: t.Text(), event: r.start, value: v, holder: f.cursorOf(t.Terms()[0], r)}
}

// carried returns the outcome of a term that is a name, an attribute or a subscript.
func (f *Finder) carried(kind Kind, t python.Term, r run, want statetree.Value) outcome {
	out := outcome{kind: kind, inputs: f.inputs([]python.Term{t}, r)}
	v, ok := f.valueOf(t, r)
	switch {
	case t.Kind() == python.NameTerm && slices.Contains(r.earlier, t.Name()):
		out.end, out.note = Unknown, "another statement of the line may have bound "+t.Name()
	case !ok && t.Kind() == python.NameTerm:
		out.end, out.note = Unknown, t.Name()+" is a built-in name, or was bound where nothing was recorded"
	case !ok:
		return f.computedPiece(out, t, r, want)
	case v != want:
		out.end, out.note = Unknown, fmt.Sprintf("%s had another value when the line began", t.Text())
	default:
		out.next, out.likely = f.cursorOf(t, r), f.disturbed(t, r)
		out.inputs[0].Followed = true
	}
	return out
}

// computedPiece returns the outcome of an attribute or element that is not recorded: a method of
// the program may have computed it.
func (f *Finder) computedPiece(out outcome, t python.Term, r run, want statetree.Value) outcome {
	method := "__getitem__"
	if t.Kind() == python.AttributeTerm {
		method = t.Name()
	}
	if at, sure, ok := f.returnedBy(method, r, want); ok {
		out.next, out.likely = &returned{event: at, value: want}, !sure
		return out
	}
	if t.Kind() == python.SubscriptTerm {
		if v, ok := f.valueOf(t.Terms()[0], r); ok {
			if step, known := f.index(t.Terms()[1], r); known && step.IsIndex && step.Index >= 0 {
				in := out.inputs
				out = f.elementOf(v, []int{step.Index}, r.start, want, t.Terms()[0].Text(), f.cursorOf(t.Terms()[0], r))
				if out.inputs = in; out.next != nil {
					return out
				}
			}
		}
		return f.operation(t, r)
	}
	out.end, out.note = Unknown, "it is not recorded"
	if o, ok := f.container(t.Terms()[0], r); ok {
		out.note = f.past.Lacks(o, python.Step{Attribute: t.Name()}, r.start)
	}
	return out
}

// term returns how an expression got its value in a run.
func (f *Finder) term(t python.Term, r run, want statetree.Value) outcome {
	switch t.Kind() {
	case python.LiteralTerm:
		return outcome{end: Literal, note: fmt.Sprintf("literal at line %d", t.Line())}
	case python.NameTerm:
		return f.carried(Copy, t, r, want)
	case python.AttributeTerm:
		return f.carried(Field, t, r, want)
	case python.SubscriptTerm:
		return f.carried(Element, t, r, want)
	case python.DisplayTerm, python.DictTerm:
		return outcome{end: Construct, note: fmt.Sprintf("made at line %d", t.Line()), inputs: f.inputs(t.Inputs(), r)}
	case python.ComprehensionTerm:
		return outcome{end: Construct, note: fmt.Sprintf("made by a comprehension at line %d", t.Line()), inputs: f.inputs(t.Inputs(), r)}
	case python.CallTerm:
		return f.called(t, r, want)
	case python.EitherTerm:
		return f.either(t, r, want)
	case python.ConditionalTerm:
		return f.conditional(t, r, want)
	case python.WalrusTerm:
		return f.term(t.Terms()[1], r, want)
	case python.NoTerm, python.StarredTerm, python.KeywordTerm, python.SliceTerm:
		return unknown("the line is not followed")
	case python.AwaitTerm:
		return unknown("await and yield are not followed", f.inputs(t.Inputs(), r)...)
	}
	return f.operation(t, r)
}

// either returns how "a or b" got its value.
func (f *Finder) either(t python.Term, r run, want statetree.Value) outcome {
	parts := t.Terms()
	for i, part := range parts {
		if i == len(parts)-1 {
			return f.term(part, r, want)
		}
		holds, ok := f.truth(part, r)
		if !ok {
			return f.oneOf(parts, t, r, want)
		}
		if holds == (t.Name() == "or") {
			return f.term(part, r, want)
		}
	}
	return f.operation(t, r)
}

// conditional returns how "a if c else b" got its value.
func (f *Finder) conditional(t python.Term, r run, want statetree.Value) outcome {
	parts := t.Terms()
	holds, ok := f.truth(parts[0], r)
	switch {
	case !ok:
		return f.oneOf(parts[1:], t, r, want)
	case holds:
		return f.term(parts[1], r, want)
	}
	return f.term(parts[2], r, want)
}

// oneOf returns how one of several parts gave the value: the only one that holds this object.
func (f *Finder) oneOf(parts []python.Term, whole python.Term, r run, want statetree.Value) outcome {
	var same []python.Term
	for _, part := range parts {
		v, ok := f.valueOf(part, r)
		if ok && v == want {
			same = append(same, part)
		}
	}
	if len(same) != 1 {
		return f.operation(whole, r)
	}
	out := f.term(same[0], r, want)
	_, object := want.Object()
	out.likely = out.likely || !object
	return out
}

// operation returns the outcome of an expression that computes its value.
func (f *Finder) operation(t python.Term, r run) outcome {
	terms := t.Inputs()
	out := outcome{inputs: f.inputs(terms, r), computed: true}
	if len(terms) == 0 {
		out.end, out.note = Literal, fmt.Sprintf("made of literals at line %d", t.Line())
		return out
	}
	chosen := f.choose(out.inputs)
	if chosen < 0 && len(terms) == 1 {
		chosen = 0
	}
	if chosen < 0 {
		out.end, out.note = Fork, "computed from several inputs"
		return out
	}
	out.inputs[chosen].Followed = true
	out.next = f.cursorOf(terms[chosen], r)
	if out.next == nil {
		out.next = &computed{terms[chosen], r}
	}
	return out
}

// choose returns the input that the user chose, or -1.
func (f *Finder) choose(inputs []InputValue) int {
	if len(f.via) == 0 {
		return -1
	}
	at := slices.IndexFunc(inputs, func(in InputValue) bool { return in.Expression == f.via[0] })
	if at >= 0 {
		f.via = f.via[1:]
	}
	return at
}

// augmented returns the hop of "x += y".
func (f *Finder) augmented(h Hop, store python.Store, r run, value statetree.Value) (Hop, cursor) {
	h.Kind, h.Computed = Augmented, true
	terms := append([]python.Term{store.Target}, store.Value.Inputs()...)
	if k := store.Value.Kind(); k == python.NameTerm || k == python.AttributeTerm || k == python.SubscriptTerm || k == python.CallTerm {
		terms = []python.Term{store.Target, store.Value}
	}
	h.Inputs = f.inputs(terms, r)
	chosen := max(f.choose(h.Inputs), 0)
	h.Inputs[chosen].Followed = true
	next := f.cursorOf(terms[chosen], r)
	if next == nil {
		next = &computed{terms[chosen], r}
	}
	return h, next
}

// computed is an expression in a run, whose value is not that of a name, attribute or element.
type computed struct {
	term python.Term
	run  run
}

func (c *computed) held() (statetree.Value, int, bool) { return statetree.Value{}, 0, false }

func (c *computed) hop(f *Finder) (Hop, cursor) {
	h := Hop{Kind: Assignment, Expression: c.term.Text(), By: f.frame(c.run.start), Certain: !c.run.vague, since: -1}
	h.Value = query.Reading{Unknown: "it was not recorded"}
	if c.run.typed {
		h.By = statetree.StackFrame{Event: -1} // no statement of the program
	}
	if text, ok := f.evaluate(c.term, c.run); ok {
		h.Value = query.Reading{Text: text, OK: true}
	}
	if c.term.Kind() == python.CallTerm && !c.run.typed {
		at, sure, ok := f.callReturn(c.term, c.run)
		if ok {
			v, _ := f.tree.Returned(at)
			h.Value, h.Certain = f.reading(v, at), h.Certain && sure
			return h.with(f.called(c.term, c.run, v))
		}
		if f.instantiates(c.term, c.run) {
			h.End, h.Note, h.Inputs = Construct, madeBy(c.term), f.inputs(c.term.Inputs(), c.run)
			return h, nil
		}
		if out, ok := f.drained(c.term, c.run); ok {
			return h.with(out)
		}
		return h.with(f.unrecorded(c.term, c.run))
	}
	if !h.Value.OK && (c.term.Kind() == python.NameTerm || c.term.Kind() == python.AttributeTerm || c.term.Kind() == python.SubscriptTerm) {
		h.Kind, h.End, h.Note = Unclear, Unknown, "it was not recorded"
		return h, nil
	}
	return h.with(f.operation(c.term, c.run))
}
