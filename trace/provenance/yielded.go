package provenance

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// yielded returns how an element that a generator yielded in a run got its value. t is the call that
// made the generator, or another expression whose value is the generator.
func (f *Finder) yielded(t python.Term, s sought, r run) (outcome, bool) {
	name := f.generatorOf(t, r)
	if name == "" {
		return outcome{}, false
	}
	generators, complete := f.yields(name, r)
	which, calls := f.callOf(t, r)
	if t.Kind() != python.CallTerm && spelled(r.stored.Exprs, t.Text()) != 1 {
		return outcome{}, false // another part of the statement may have taken elements
	}
	sure := complete && len(generators) == 1 && calls == 1
	if calls != len(generators) {
		return outcome{}, false
	}
	events := generators[which]
	if s.index >= len(events) {
		return outcome{}, false
	}
	if s.index >= 0 {
		events = events[s.index : s.index+1]
	}
	var found outcome
	n := 0
	for _, at := range events {
		if out, ok := f.yieldedAt(at, s); ok {
			if n++; n == 1 {
				found = out
			}
		}
	}
	found.likely = found.likely || !sure || n > 1
	return found, n > 0
}

// spelled counts how often a text occurs among terms and their parts.
func spelled(terms []python.Term, text string) (n int) {
	for _, t := range terms {
		if t.Text() == text {
			n++
			continue
		}
		n += spelled(t.Terms(), text)
	}
	return n
}

// yieldedAt returns the outcome of taking the value of a yield, or a part of that value.
func (f *Finder) yieldedAt(event int, s sought) (outcome, bool) {
	v, ok := f.tree.Returned(event)
	if !ok {
		return outcome{}, false
	}
	at := &returned{event: event, value: v}
	if len(s.path) == 0 {
		return outcome{kind: Element, next: at}, v == s.value
	}
	out := f.elementOf(v, s.path, event, s.value, "yielded", at)
	return out, out.next != nil
}

// generatorOf returns the name of the function whose generator an expression returns or iterates
// over, or "" if it is not known.
func (f *Finder) generatorOf(t python.Term, r run) string {
	if t.Kind() == python.CallTerm {
		return t.Callee()
	}
	v, ok := f.valueOf(t, r)
	if !ok {
		return ""
	}
	if text, ok := strings.CutPrefix(f.tree.Text(v, r.start), "<generator object "); ok {
		text = strings.TrimRight(strings.Fields(text)[0], ">")
		return text[strings.LastIndex(text, ".")+1:]
	}
	if _, object := v.Object(); object {
		return "__iter__"
	}
	return ""
}

// callOf returns the index of a call among a statement's calls of functions with the same name, and
// the number of these calls. For any other expression it returns 0 and 1.
func (f *Finder) callOf(t python.Term, r run) (which, calls int) {
	if t.Kind() != python.CallTerm {
		return 0, 1
	}
	for _, e := range r.stored.Exprs {
		found, _ := e.Calls()
		for _, c := range found {
			if c.Callee() != t.Callee() {
				continue
			}
			if c == t {
				which = calls
			}
			calls++
		}
	}
	return which, max(calls, 1)
}

// yields lists the yield events in a run for each generator of a function with this name that the
// statement iterated over, in the order in which the generators began.
func (f *Finder) yields(name string, r run) (generators [][]int, complete bool) {
	if r.typed || r.end < 0 || r.end-r.start > mostEvents {
		return nil, false
	}
	at := map[uint32]int{}
	for event := r.start + 1; event < r.end; event++ {
		e := f.tree.At(event)
		if e.AfterGap || f.stop() {
			return nil, false
		}
		code := f.tree.Code(e.Code)
		if e.Event != dsl.Return || e.Kind != dsl.Yielded || code.Name != name || !f.iteratedBy(event, r) {
			continue
		}
		k, known := at[e.Activation]
		if !known {
			k = len(generators)
			at[e.Activation], generators = k, append(generators, nil)
		}
		generators[k] = append(generators[k], event)
	}
	return generators, true
}

// iteratedBy reports whether a run's statement called the activation of an event, directly or in a
// comprehension.
func (f *Finder) iteratedBy(event int, r run) bool {
	if f.tree.At(event).Depth == f.tree.At(r.start).Depth+1 {
		return true
	}
	stack := f.tree.Stack(event)
	for k := len(stack) - 2; k >= 0; k-- {
		switch {
		case stack[k].Activation == r.act:
			return true
		case !strings.HasPrefix(stack[k].Function, "<"):
			return false
		}
	}
	return false
}

// mostYields bounds how many values of a generator are listed as inputs.
const mostYields = 8

// drained returns the outcome of a call of a generator whose values the statement consumed to compute
// something. The inputs are the first of these values.
func (f *Finder) drained(t python.Term, r run) (outcome, bool) {
	generators, complete := f.yields(t.Callee(), r)
	which, calls := f.callOf(t, r)
	if calls != len(generators) {
		return outcome{}, false
	}
	out := outcome{kind: Yield, computed: true, likely: !complete || calls > 1}
	cursors := make([]*returned, 0, mostYields)
	for k, at := range generators[which] {
		v, ok := f.tree.Returned(at)
		if !ok || k == mostYields {
			break
		}
		in := InputValue{Expression: t.Callee() + "()" + subscript(python.Step{Index: k, IsIndex: true}), Value: f.reading(v, at)}
		out.inputs, cursors = append(out.inputs, in), append(cursors, &returned{event: at, value: v})
	}
	chosen := f.choose(out.inputs)
	if chosen < 0 && len(generators[which]) == 1 && len(cursors) == 1 {
		chosen = 0
	}
	if chosen < 0 {
		out.end, out.note = Fork, "computed from the values that it yielded"
		return out, true
	}
	out.inputs[chosen].Followed = true
	out.next = cursors[chosen]
	return out, true
}

// generates reports whether an event belongs to a generator's activation. The value that a generator
// returns is not the value of the call that made it, unlike a coroutine's.
func (f *Finder) generates(event int) bool {
	code := f.tree.Code(f.tree.At(event).Code)
	if !code.Generator {
		return false
	}
	return slices.ContainsFunc(f.source(code.File).All(), func(st *python.Stored) bool {
		return st.Scope == code.FirstLine && slices.ContainsFunc(st.Exprs, containsYield)
	})
}

func containsYield(t python.Term) bool {
	return t.Kind() == python.AwaitTerm && strings.HasPrefix(t.Text(), "yield") || slices.ContainsFunc(t.Terms(), containsYield)
}
