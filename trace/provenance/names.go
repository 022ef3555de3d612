package provenance

import (
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// named is a name of an activation as of an event.
type named struct {
	act   uint32
	name  string
	event int
	value statetree.Value
	part
}

func (n *named) held() (statetree.Value, int, bool) { return n.value, n.event, n.whole() }

// mostRuns bounds how many executions of statements are examined for one hop.
const mostRuns = 20_000

func (n *named) hop(f *Finder) (Hop, cursor) {
	file, scope := f.codeScope(n.act)
	if scope < 0 {
		return f.unclear(n, "it is a name of a lambda or a comprehension, which are not followed")
	}
	src := f.source(file)
	code := f.tree.Code(f.tree.CodeOf(n.act))
	param := code.Fast && slices.Index(code.Names[:min(code.Args, len(code.Names))], n.name) >= 0
	if code.Fast && !param && len(src.Binding(scope, n.name)) == 0 {
		if outer := src.Enclosing(scope, n.name); outer > 0 {
			return n.closure(f, file, outer)
		}
	}
	r, certain, found := f.binding(n, file, scope, src.Binding(scope, n.name))
	after := r.end
	if !found {
		after = -1
		if param {
			after = f.tree.CallEvent(n.act)
		}
	}
	if at, changed := f.lastBinding(n.act, n.name, after, n.event); changed {
		switch {
		case f.tree.At(at).Edited:
			h := f.made(Unclear, n, at-1, at)
			h.End, h.Note = Edited, "you set it in the debugger"
			return h, nil
		case found || param || !f.edge(at) || f.hole(at):
			return f.changedUnseen(n, at)
		}
	}
	switch {
	case found:
		return f.stored(n, r, certain)
	case param:
		h, next := f.parameter(n, src)
		h.Certain = h.Certain && certain
		return h, next
	}
	return f.unclear(n, "no statement of this file binds it")
}

// edge reports whether the recording, or the part of it behind a hole, begins at an event.
func (f *Finder) edge(event int) bool { return event <= 0 || f.tree.At(event).AfterGap }

// hole reports whether what ran before an event was not recorded on purpose.
func (f *Finder) hole(event int) bool {
	edge, ok := f.tree.HoleUpTo(event)
	return ok && edge == event
}

// before says why the statement that changed something as of an event is not known.
func (f *Finder) before(event int) string {
	if edge, ok := f.tree.HoleUpTo(event); ok && edge == 0 {
		return "before the recording"
	}
	return "what ran before was not recorded"
}

// changedUnseen returns the hop of a name that changed in a way that no statement explains.
func (f *Finder) changedUnseen(n *named, at int) (Hop, cursor) {
	by := f.by(at)
	h := f.made(Unclear, n, -1, at)
	h.By, h.End = by, Unknown
	switch {
	case by.Event < 0:
		h.End, h.Note = Edge, f.before(at)
	default:
		h.Note = "the line changed it in a way that is not followed"
	}
	return h, nil
}

// unclear returns the last hop of a chain that cannot be followed, and no cursor.
func (f *Finder) unclear(n *named, why string) (Hop, cursor) {
	h := f.made(Unclear, n, -1, n.event)
	h.since = -1
	h.End, h.Note = Unknown, why
	return h, nil
}

// made returns a hop of a name, without an end or a note.
func (f *Finder) made(kind Kind, n *named, event, since int) Hop {
	return Hop{Kind: kind, Expression: n.name + n.subscripts(), Value: n.reading(f, n.value, max(since, 0)), By: f.frame(event), Certain: true, since: since}
}

// binding returns the last execution, before an event, of a statement that bound a name. certain
// is false if a later one may have bound it, too.
func (f *Finder) binding(n *named, file, scope int, statements []*python.Stored) (r run, certain, ok bool) {
	at := locations(file, statements)
	certain = true
	event := n.event
	for range mostRuns {
		before, ok := f.tree.PrevLine(event, at)
		if !ok || f.stop() {
			return run{}, certain && !f.stop(), false
		}
		event = before
		r, ok := f.runOf(before)
		if !ok || !f.binds(n, r, scope) {
			continue
		}
		event = r.start
		r = f.sharing(r, n.name, statements)
		bound, sure := f.bound(n, r)
		if bound {
			return r, certain && sure, true
		}
		certain = certain && sure
	}
	return run{}, false, false
}

// binds reports whether a store in a run binds names of the activation of n.
func (f *Finder) binds(n *named, r run, scope int) bool {
	if r.stored.Scope == scope {
		return r.act == n.act
	}
	if scope != 0 {
		return true // nonlocal
	}
	module, ok := f.tree.GlobalsOf(r.act)
	return ok && module == n.act
}

// bound reports whether a run had bound a name by the event. sure is false if the recording does
// not show it.
func (f *Finder) bound(n *named, r run) (bound, sure bool) {
	if r.failed && r.end <= n.event {
		return false, true
	}
	if r.end < 0 || r.end > n.event {
		return false, !r.stored.Shared
	}
	at := f.tree.At(r.end)
	if when := r.stored.When; when.Kind() != python.NoTerm && !r.stored.Shared {
		if holds, known := f.truth(when, r); known {
			return holds, true
		}
	}
	for _, st := range r.stored.Stores {
		if st.Name != n.name {
			continue
		}
		switch {
		case f.straight(r) && !st.Conditional:
			return true, true
		case st.Within != [2]int{} && !r.stored.Shared:
			if at.Event == dsl.Line && st.Within[0] <= at.Line && at.Line <= st.Within[1] {
				return true, true
			}
		case st.Conditional || r.stored.Shared || st.Within != [2]int{}:
			if len(f.tree.Bindings(n.act, n.name, r.start, r.end)) > 0 {
				return true, !r.stored.Shared
			}
			sure = false
			continue
		default:
			return true, true
		}
		sure = true
	}
	return false, sure
}

// stored returns the hop of a name that a statement bound.
func (f *Finder) stored(n *named, r run, certain bool) (Hop, cursor) {
	var store python.Store
	for _, st := range r.stored.Stores { // the last one wins
		if st.Name == n.name && (st.Within == [2]int{} || f.within(r.end, st.Within)) {
			store = st
		}
	}
	h := f.made(Assignment, n, r.start, r.end)
	h.Certain = certain && !r.vague && !r.stored.Shared
	if h.Certain && r.stored.Scope != 0 {
		if _, scope := f.codeScope(n.act); scope > 0 && scope != r.stored.Scope {
			h.Certain = false // nonlocal: the function may belong to another activation
		}
	}
	if v, ok := f.tree.Held(n.act, r.end, n.name); !ok || v != n.value {
		h.Kind, h.Certain, h.End, h.Note = Unclear, true, Unknown, "the statement gave it another value, which was changed since in a way that is not followed"
		return h, nil
	}
	return f.storedBy(h, store, r, n.value, n.part)
}

func (f *Finder) within(event int, lines [2]int) bool {
	at := f.tree.At(event)
	return at.Event == dsl.Line && lines[0] <= at.Line && at.Line <= lines[1]
}

// storedBy completes the hop of a store that is known.
func (f *Finder) storedBy(h Hop, store python.Store, r run, value statetree.Value, p part) (Hop, cursor) {
	if !p.whole() {
		store.Path = append(slices.Clone(store.Path), p.path...)
		value = p.value
	}
	switch store.Kind {
	case python.Imported:
		h.Kind, h.End, h.Note = Import, Defined, fmt.Sprintf("imported at line %d", h.By.Line)
		return h, nil
	case python.Defined:
		h.Kind, h.End, h.Note = Definition, Defined, fmt.Sprintf("defined at line %d", h.By.Line)
		return h, nil
	case python.Caught:
		return f.caught(h, r)
	case python.Augmented:
		if !p.whole() {
			h.End, h.Note = Unknown, "which part of it the line changed is not followed"
			return h, nil
		}
		return f.augmented(h, store, r, value)
	case python.Looped:
		h.Kind = Element
		return h.with(f.iterated(store.Value, store.Path, r, value))
	case python.Entered:
		h.Kind = With
		if len(store.Path) > 0 {
			return h.with(f.operation(store.Value, r))
		}
		return h.with(f.entered(store.Value, r, value))
	case python.Matched:
		h.Certain = h.Certain && store.Path == nil
	}
	return h.with(f.unpacked(store.Value, store.Path, r, value))
}

// with completes a hop with what is known of the expression that gave the value.
func (h Hop) with(o outcome) (Hop, cursor) {
	if o.kind != "" && (h.Kind == Assignment || o.kind == Unclear) {
		h.Kind = o.kind
	}
	h.Inputs, h.End, h.Computed = o.inputs, o.end, o.computed
	h.Certain = h.Certain && !o.likely
	if o.note != "" {
		h.Note = o.note
	}
	return h, o.next
}

// closure returns the hop of a name that belongs to an enclosing function.
func (n *named) closure(f *Finder, file, outer int) (Hop, cursor) {
	var owners []uint32
	for act := range f.tree.Activations() {
		owner := uint32(act)
		if at, scope := f.codeScope(owner); at != file || scope != outer {
			continue
		}
		first, _ := f.tree.Lifetime(owner)
		if first < 0 || first > n.event {
			continue
		}
		owners = append(owners, owner)
	}
	if len(owners) != 1 {
		return f.unclear(n, "it belongs to an enclosing function that was called several times, so which call is not known")
	}
	owner := owners[0]
	event := n.event
	if _, end := f.tree.Lifetime(owner); end >= 0 && end < event {
		event = end
	}
	if v, ok := f.tree.Held(owner, event, n.name); !ok || v != n.value {
		return f.unclear(n, "it was changed after the enclosing function had returned")
	}
	return (&named{owner, n.name, event, n.value, n.part}).hop(f)
}

// caught returns the hop of the name of a caught exception.
func (f *Finder) caught(h Hop, r run) (Hop, cursor) {
	h.Kind, h.End, h.Certain, h.Note = Except, Raised, false, "raised before"
	at, ok := f.tree.PrevRaise(r.start + 1)
	if !ok {
		return h, nil
	}
	h.Certain = true
	if f.tree.At(at).Activation != r.act { // the first event of the exception in a callee
		h.Certain = f.tree.At(at).Depth > f.tree.At(r.start).Depth
	}
	if v, ok := f.tree.Returned(at); !ok || f.tree.Text(v, at) != h.Value.Text {
		h.Certain = false
	}
	next := Hop{Kind: Except, Expression: "raise", Value: h.Value, By: f.frame(at), Certain: h.Certain, End: Raised, since: at}
	next.Note = fmt.Sprintf("raised at line %d", next.By.Line)
	h.End, h.Note = NoEnd, ""
	return h, &finished{next}
}

// finished is a cursor whose hop is known.
type finished struct{ last Hop }

func (c *finished) hop(*Finder) (Hop, cursor) { return c.last, nil }

func (c *finished) held() (statetree.Value, int, bool) { return statetree.Value{}, 0, false }
