package provenance

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// piece is an attribute, an entry or an element of an object as of an event.
type piece struct {
	object statetree.Object
	step   python.Step
	text   string // how the program named it
	event  int
	value  statetree.Value
	holder cursor // of the object; nil if unknown
	part
}

func (c *piece) held() (statetree.Value, int, bool) { return c.value, c.event, c.whole() }

// arrived holds a place, and the event since which a piece has been there.
type arrived struct {
	step  python.Step
	event int // the first version of the object that has the value there, -1 if unknown
	sure  bool
	moves []placed // where it was later, the latest first
}

// placed is an index that an element has from an event on.
type placed struct{ index, since int }

// stepAt returns where the piece was as of an event.
func (a *arrived) stepAt(event int) python.Step {
	for _, m := range a.moves {
		if m.since <= event {
			return python.Step{Index: m.index, IsIndex: true}
		}
	}
	return a.step
}

func (c *piece) hop(f *Finder) (Hop, cursor) {
	h := Hop{Kind: Mutation, Expression: c.text + c.subscripts(), Certain: true, since: -1, By: statetree.StackFrame{Event: -1}}
	h.Value = c.reading(f, c.value, c.event)
	from := f.arrival(c)
	if from.event < 0 {
		h.Kind, h.End, h.Note = Unclear, Unknown, "when it was stored is not known"
		return h, nil
	}
	reborn := f.reborn(c, &from)
	if r, store, sure, ok := f.again(c, from); ok {
		h.By, h.since, h.Certain = f.frame(r.start), r.end, from.sure && sure && !r.vague && !r.stored.Shared
		h.Value = c.reading(f, c.value, r.end)
		return f.storedBy(h, store, r, c.value, c.part)
	} else if !sure {
		from.sure = false
	}
	h.since, h.Certain, h.Value = from.event, from.sure, c.reading(f, c.value, from.event)
	by := f.by(from.event)
	r, ok := f.runAt(by)
	h.By = by
	switch {
	case f.tree.At(from.event).Edited:
		h.Kind, h.End, h.Note = Unclear, Edited, "you set it in the debugger"
		return h, nil
	case by.Event < 0:
		h.Kind, h.End, h.Note = Unclear, Edge, f.before(from.event)
		return h, nil
	case !ok:
		h.Kind, h.End, h.Note = Unclear, Unknown, "the line that changed it is in a lambda or a comprehension"
		return h, nil
	}
	h.By = f.frame(r.start)
	h.Certain = h.Certain && !r.vague
	if _, existed := f.tree.VersionUpTo(c.object, from.event-1); existed && !reborn {
		return f.changedBy(h, c, from, r)
	}
	h.Kind = Creation
	return h.with(f.created(c, from, r))
}

// mostHolders bounds how many hops of an object are examined to find where it was made.
const mostHolders = 50

// reborn reports whether the object was made after the piece seems to have arrived. A new object
// at the address of one that is gone, with the same content, has the same number. from is
// corrected then.
func (f *Finder) reborn(c *piece, from *arrived) bool {
	if f.examining || c.holder == nil {
		return false
	}
	via := f.via
	f.examining = true
	defer func() { f.examining, f.via = false, via }()
	for at, n := c.holder, 0; at != nil && n < mostHolders; n++ {
		h, next := at.hop(f)
		switch {
		case h.since >= 0 && h.since <= from.event:
			return false
		case h.Kind == Default: // made when the function was defined, long before the call
			return false
		case h.End == Construct && f.began(h.By) >= from.event:
			*from = arrived{step: from.stepAt(h.since), event: h.since, sure: from.sure && h.Certain, moves: from.moves}
			return true
		case h.Computed: // the hops before are those of another value
			return false
		}
		at = next
	}
	return false
}

// began returns the event before the statement of a frame, which may have several lines.
func (f *Finder) began(frame statetree.StackFrame) int {
	if r, ok := f.runAt(frame); ok {
		return r.start
	}
	return frame.Event
}

// arrival finds the version of the object that has the value at its place first. It follows
// elements that moved because others were inserted or removed before them.
func (f *Finder) arrival(c *piece) arrived {
	form, _ := f.tree.Form(c.object, c.event)
	step := c.step
	if step.IsIndex && step.Index < 0 {
		size, _ := f.tree.Size(c.object, c.event)
		step = python.Step{Index: step.Index + size, IsIndex: true}
	}
	switch {
	case form.Kind != statetree.Sequence || !step.IsIndex:
		for at := range f.touched(c.object, step, c.event) {
			if v, ok := f.past.Piece(c.object, step, at-1); !ok || v != c.value {
				return arrived{step: step, event: at, sure: true}
			}
		}
		return arrived{step: step, event: -1}
	case f.single(c, c.event):
		return f.arrivalOfOne(c, step)
	}
	return f.arrivalOfMany(c, step)
}

// arrivalOfOne returns the arrival of an element of a sequence that has no other one like it. It
// looks only at the versions that changed its place.
func (f *Finder) arrivalOfOne(c *piece, step python.Step) arrived {
	var moves []placed
	at, sure := c.event, true
	for !f.stop() {
		moved := false
		for t := range f.touched(c.object, step, at) {
			if v, ok := f.past.Piece(c.object, step, t-1); ok && v == c.value {
				continue
			}
			from, ok := f.shifted(c.object, step.Index, t)
			before := python.Step{Index: from, IsIndex: true}
			v, had := f.past.Piece(c.object, before, t-1)
			if !ok || !had || v != c.value {
				return arrived{step, t, sure && f.single(c, t), moves}
			}
			moves = append(moves, placed{step.Index, t})
			sure = sure && f.single(c, t) && f.single(c, t-1)
			step, at, moved = before, t-1, true
			break
		}
		if !moved {
			break
		}
	}
	return arrived{step: step, event: -1}
}

// shifted returns the index that an element had before a change inserted or removed others before
// it. ok is false if it was not there.
func (f *Finder) shifted(o statetree.Object, index, event int) (before int, ok bool) {
	now, _ := f.tree.Size(o, event)
	then, had := f.tree.Size(o, event-1)
	if !had || now == then {
		return 0, false
	}
	return index + then - now, index+then-now >= 0
}

// single reports whether no other element of a list has the value, so that no other one can have
// taken its place. Objects are always told apart.
func (f *Finder) single(c *piece, event int) bool {
	if _, object := c.value.Object(); object {
		return true
	}
	n := 0
	for _, v := range f.tree.Items(c.object, event) {
		if v == c.value {
			n++
		}
	}
	return n <= 1
}

// again finds a later statement that stored the same value at the place again, which no version of
// the object shows. sure is false if one may have.
func (f *Finder) again(c *piece, from arrived) (r run, store python.Store, sure, ok bool) {
	found := &restored{sure: true}
	for file := range f.tree.Files() {
		if !f.tree.HasRun(file) {
			continue
		}
		src := f.source(file)
		var at []dsl.Location
		for _, st := range src.All() {
			if mayStore(st, from.step) {
				at = append(at, locations(file, []*python.Stored{st})...)
			}
		}
		for event, n := c.event, 0; len(at) > 0; n++ {
			before, known := f.tree.PrevLine(event, at)
			if !known || before < from.event || found.ok && before < found.run.start {
				break
			}
			if n > mostRuns || f.stop() {
				return found.run, found.store, false, found.ok
			}
			event = before
			if made, known := f.runOf(before); known && f.consider(found, made, c, from) {
				event = made.start
			}
		}
	}
	f.considerCallers(found, c, from)
	return found.run, found.store, found.sure, found.ok
}

// restored holds the latest statement found that stored the value of a piece again.
type restored struct {
	run   run
	store python.Store
	sure  bool // whether no other one may have
	ok    bool
}

// considerCallers considers the statements that called the function in which the piece was stored. They
// store when it has returned.
func (f *Finder) considerCallers(found *restored, c *piece, from arrived) {
	stack := f.tree.Stack(max(from.event, found.run.start))
	for _, frame := range stack[:len(stack)-1] {
		if made, ok := f.runAt(frame); ok && mayStore(made.stored, from.step) {
			f.consider(found, made, c, from)
		}
	}
}

// consider looks for a store of a piece in a run. It returns false if the run had not ended by then.
func (f *Finder) consider(found *restored, made run, c *piece, from arrived) bool {
	if made.end < 0 || made.end > c.event || made.failed {
		return false
	}
	step := from.stepAt(made.start)
	for _, s := range made.stored.Stores {
		same, certain := f.stores(s, c.object, step, made)
		found.sure = found.sure && certain
		if same && (!found.ok || made.end > found.run.end) {
			found.run, found.store, found.ok = made, s, true
		}
	}
	if t, same := f.setBy(c.object, step, made); same && (!found.ok || made.end > found.run.end) {
		found.run, found.store, found.ok = made, python.Store{Kind: python.Assigned, Value: t}, true
	}
	if f.mutates(c, made) {
		found.sure = false
	}
	return true
}

// mayStore reports whether a statement can store an attribute with this name, or an element.
func mayStore(st *python.Stored, step python.Step) bool {
	for _, s := range st.Stores {
		switch s.Target.Kind() {
		case python.AttributeTerm:
			if s.Target.Name() == step.Attribute {
				return true
			}
		case python.SubscriptTerm:
			if step.Attribute == "" {
				return true
			}
		}
	}
	for _, e := range st.Exprs {
		calls, _ := e.Calls()
		for _, call := range calls {
			if _, ok := mutators[call.Callee()]; ok && (call.Callee() == "setattr") == (step.Attribute != "") {
				return true
			}
		}
	}
	return false
}

// stores reports whether a store of a run is to a piece of an object. sure is false if it may be.
func (f *Finder) stores(s python.Store, o statetree.Object, step python.Step, r run) (same, sure bool) {
	k := s.Target.Kind()
	if k != python.AttributeTerm && k != python.SubscriptTerm || (k == python.AttributeTerm) != (step.Attribute != "") {
		return false, true
	}
	if k == python.AttributeTerm && s.Target.Name() != step.Attribute {
		return false, true
	}
	v, ok := f.valueOf(s.Target.Terms()[0], r)
	switch {
	case !ok || !f.settled(s.Target.Terms()[0], s, r):
		return false, false
	case v != statetree.ObjectValue(o):
		return false, true
	case k == python.AttributeTerm:
		return true, true
	}
	at, ok := f.index(s.Target.Terms()[1], r)
	if !ok || !f.settled(s.Target.Terms()[1], s, r) {
		return false, false
	}
	// A call in the statement may change the length that a negative index counts from.
	return f.sameStep(at, step, o, r.start), at.Index >= 0 || !calls(r.stored)
}

// calls reports whether a statement calls anything.
func calls(st *python.Stored) bool {
	for _, e := range st.Exprs {
		if found, _ := e.Calls(); len(found) > 0 {
			return true
		}
	}
	return false
}

// sameStep reports whether two subscripts are the same place of an object.
func (f *Finder) sameStep(a, b python.Step, o statetree.Object, event int) bool {
	form, _ := f.tree.Form(o, event)
	if form.Kind != statetree.Sequence {
		return a.Key == b.Key
	}
	if a.Index < 0 {
		size, _ := f.tree.Size(o, event)
		a.Index += size
	}
	return a.IsIndex && b.IsIndex && a.Index == b.Index
}
