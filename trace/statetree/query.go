package statetree

import (
	"github.com/npdb/npdb/dsl"
)

// Record is an event without its locals and its value.
type Record struct {
	Event      dsl.Event
	Kind       dsl.ReturnKind // NoReturn except on returns
	Line       int
	Activation uint32
	Code, File int
	Depth      int  // number of activations below this one on the stack
	Edited     bool // the user changed a local here
	AfterGap   bool // events before this one are missing
	HasValue   bool
}

// StackFrame is an activation on the stack as of an event. Event is the activation's latest
// event by then, or -1 if it has had none; the line is then 0, unless a hole gives it.
type StackFrame struct {
	dsl.Frame
	Activation uint32
	Event      int
}

func (t *Tree) activationOf(p *place) uint32 {
	if p.generator() {
		return t.resumptions.at(int(p.who &^ isResumption)).activation
	}
	return p.who
}

// At returns event i.
func (t *Tree) At(i int) Record {
	t.mu.RLock()
	defer t.done()
	return t.record(i)
}

func (t *Tree) record(i int) Record {
	h := *t.events.head.at(i)
	p := t.events.placeOf(i)
	act := t.activationOf(p)
	code := int(t.activations.at(int(act)).code)
	k := kindOf[h.kind()>>lineBits]
	return Record{
		Event: k.event, Kind: k.kind, Line: t.events.line(i),
		Activation: act, Code: code, File: t.codes[code].File, Depth: int(p.depth),
		Edited: h&isEdited != 0, AfterGap: h&isAfterGap != 0, HasValue: h&hasValue != 0,
	}
}

// State returns the whole state of event i, including hidden locals.
func (t *Tree) State(i int) (s *dsl.State) {
	s = &dsl.State{}
	t.mu.RLock()
	defer t.done()
	r := t.record(i)
	s = &dsl.State{
		Event: r.Event, Kind: r.Kind, File: t.files[r.File].Name, Line: r.Line,
		Function: t.codes[r.Code].Name, Depth: r.Depth, Locals: t.locals(r.Activation, i),
	}
	s.Source, _ = t.sourceLine(r.File, r.Line)
	if r.HasValue {
		_, h := t.decoder(i)
		value := t.text(h, i)
		s.Value = &value
	}
	return s
}

// locals returns the locals of an activation as of event i, or nil if it has none.
func (t *Tree) locals(act uint32, i int) []dsl.Local {
	var b bindings
	code := t.heldAt(act, i, &b)
	if code == nil {
		return nil
	}
	slots := b.slots(make([]uint32, 0, b.bound))
	locals := make([]dsl.Local, len(slots))
	for k, slot := range slots {
		c := b.cells[slot]
		locals[k] = dsl.Local{Name: code.Names[slot], Value: t.text(c.handle(), i), Hidden: c.hidden()}
	}
	return locals
}

// bindingsAt reads the names and values of event i's own activation at that event into b.
func (t *Tree) bindingsAt(i int, b *bindings) *Code {
	var few [64]int
	rows := few[:0]
	for at := i; ; at = int(*t.events.previous.at(at)) {
		rows = append(rows, at)
		if *t.events.head.at(at)&hasAll != 0 {
			break
		}
	}
	code := &t.codes[t.activations.at(int(t.activationOf(t.events.placeOf(i)))).code]
	b.reset(len(code.Names), !code.Fast)
	for k := len(rows) - 1; k >= 0; k-- {
		d, _ := t.decoder(rows[k])
		b.read(d)
	}
	return code
}

// decoder returns a reader of the changes of event i, and the event's value, or none.
func (t *Tree) decoder(i int) (d decoder, value handle) {
	h := *t.events.head.at(i)
	if h&(hasValue|hasChanges) == 0 {
		return decoder{}, handle(none)
	}
	d = decoder{buf: t.changes.from(t.events.address(i)), more: h&hasChanges != 0}
	if h&hasValue != 0 {
		return d, handle(d.uvarint())
	}
	return d, handle(none)
}

// Changed lists the names whose value, as a text, differs between event i and the previous
// event of the same activation, in the order of locals. Names that no longer have a value
// follow. Hidden names are included.
func (t *Tree) Changed(i int) []string {
	t.mu.RLock()
	defer t.done()
	var now, then bindings
	code := t.bindingsAt(i, &now)
	previous := *t.events.previous.at(i)
	if previous != none {
		t.bindingsAt(int(previous), &then)
	}
	then.cover(&now)
	now.cover(&then)
	var names []string
	for _, slot := range now.slots(nil) {
		if old := then.cells[slot]; !old.bound() || t.differ(old.handle(), int(previous), now.cells[slot].handle(), i) {
			names = append(names, code.Names[slot])
		}
	}
	for _, slot := range then.slots(nil) {
		if !now.cells[slot].bound() {
			names = append(names, code.Names[slot])
		}
	}
	return names
}

// cover extends b so that it has at least the slots of other.
func (b *bindings) cover(other *bindings) {
	if n := len(other.cells); n > 0 {
		b.ordered = b.ordered || other.ordered
		for len(b.cells) < n {
			b.grow(uint32(n - 1))
		}
	}
}

// Stack returns the stack at event i, outermost activation first.
func (t *Tree) Stack(i int) (stack []StackFrame) {
	stack = []StackFrame{{Event: -1}}
	t.mu.RLock()
	defer t.done()
	p := t.events.placeOf(i)
	frames := make([]StackFrame, t.height(p))
	latest := uint32(i)
	for k := len(frames) - 1; ; k-- {
		act := t.activationOf(p)
		code := &t.codes[t.activations.at(int(act)).code]
		f := &frames[k]
		*f = StackFrame{Activation: act, Event: -1}
		f.Function, f.File = code.Name, t.files[code.File].Name
		f.Line = t.lineOf(act, i, latest)
		if latest != none {
			f.Event = int(latest)
		}
		if k == 0 {
			return frames
		}
		latest, p = p.caller, t.events.places.at(int(p.below))
	}
}

// height returns the number of activations on the stack at a place. It counts them in a loaded
// tree, in which the depth of the place may be wrong.
func (t *Tree) height(p *place) (n int) {
	if t.cached == nil {
		return int(p.depth) + 1
	}
	for n = 1; p.below != none; n++ {
		p = t.events.places.at(int(p.below))
	}
	return n
}

// LocalsOf returns the locals of an activation as of event i, which may belong to another
// activation, including hidden ones. It returns nil if the activation has had no event yet.
func (t *Tree) LocalsOf(act uint32, i int) []dsl.Local {
	t.mu.RLock()
	defer t.done()
	return t.locals(act, i)
}

// LinesOf returns the lines of an activation's events up to event i, each once, latest
// first. It examines at most the given number of events.
func (t *Tree) LinesOf(act uint32, i, events int) []int {
	t.mu.RLock()
	defer t.done()
	var lines []int
	seen := map[int]bool{}
	for at := t.latest(act, i); at != none && events > 0; events-- {
		if line := t.events.line(int(at)); !seen[line] {
			seen[line] = true
			lines = append(lines, line)
		}
		at = *t.events.previous.at(int(at))
	}
	return lines
}

// latest returns the latest event of an activation up to event i, or none. The time it
// takes is proportional to the depth of the stack at i. For a generator that is suspended
// at i it is also proportional to the number of later resumptions.
func (t *Tree) latest(act uint32, i int) uint32 {
	a := t.activations.at(int(act))
	if a.first == none || int(a.first) > i {
		return none
	}
	last := t.lastEvent(act)
	if int(last) <= i {
		return last
	}
	latest := uint32(i)
	for at := *t.events.place.at(i); at != none; {
		p := t.events.places.at(int(at))
		if t.activationOf(p) == act && latest != none {
			return latest
		}
		latest, at = p.caller, p.below
	}
	for int(last) > i {
		last = *t.events.previous.at(int(last))
	}
	return last
}

// lastEvent returns the last event of an activation, or none.
func (t *Tree) lastEvent(act uint32) uint32 {
	a := t.activations.at(int(act))
	if a.flags&isLive != 0 {
		return t.lives[a.last].last
	}
	return a.last
}

// CallEvent returns the call event of an activation; for a generator, the one of its first
// call. It returns -1 if there is none: for the program's module, and for activations
// whose call was missed or was not a state.
func (t *Tree) CallEvent(act uint32) (call int) {
	call = -1
	t.mu.RLock()
	defer t.done()
	return index(t.call(act))
}

func (t *Tree) call(act uint32) uint32 {
	if a := t.activations.at(int(act)); a.flags&isCalled != 0 {
		return a.first
	}
	return none
}

// Returned returns the value that event i returns, yields or raises, or false if it has none.
func (t *Tree) Returned(i int) (Value, bool) {
	t.mu.RLock()
	defer t.done()
	_, h := t.decoder(i)
	return Value{h}, h != handle(none)
}

// Previous returns the event before event i of the same activation, or -1.
func (t *Tree) Previous(i int) (previous int) {
	previous = -1
	t.mu.RLock()
	defer t.done()
	return index(*t.events.previous.at(i))
}

// Words returns the message of the exception at event i: the type and the text at the end of a
// traceback. ok is false if the message follows from the text of the exception's value.
func (t *Tree) Words(i int) (words string, ok bool) {
	t.mu.RLock()
	defer t.done()
	id, ok := t.said.get(uint32(i))
	if !ok {
		return "", false
	}
	return t.texts.text(id), true
}

// FatalException returns the last exception event of an activation, or -1. If an uncaught
// exception ended the program, that is where it left the activation.
func (t *Tree) FatalException(act uint32) (event int) {
	event = -1
	t.mu.RLock()
	defer t.done()
	if i, ok := t.exceptions.get(act); ok {
		return int(i)
	}
	return -1
}

// index converts an event's number to an int; none becomes -1.
func index(event uint32) int {
	if event == none {
		return -1
	}
	return int(event)
}
