package htmlpage

import (
	"crypto/sha256"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/trace/statetree"
)

// follower goes through the events of a page in order and collects what changes at each.
type follower struct {
	data

	tree     *statetree.Tree
	redact   *redact.Redactor
	from, to int
	at       int // the event that is read

	numbers map[uint32]int // by activation of the tree: its number on the page
	acts    []*activation
	codes   map[int]int // by code of the tree: its number on the page
	files   map[int]int // by file of the tree: its number on the page
	scopes  map[int]*python.Scopes
	stack   []*activation
	asides  map[int][]*activation // by event: activations that code of others changes there
	line    int                   // of the event before
	aside   int                   // event of the last entry of data.Asides
	pushed  int                   // the last activation in data.Pushed

	texts   texts
	objects objects
}

// activation is one run of a function, class or module.
type activation struct {
	number  int
	act     uint32
	code    statetree.Code
	shown   int   // how often it is on the stack, one more for a module: its names can be seen
	slots   []int // slots with a value, in the order of data.Changes
	held    map[int]*holding
	visited bool
}

// holding is the value of a name.
type holding struct {
	value  statetree.Value
	hidden bool
	shown  string // the text of a value that is not an object
	text   int    // its number, or -1
}

func newFollower(t *statetree.Tree, from, to int, r *redact.Redactor) *follower {
	f := &follower{
		data: emptyData(), tree: t, redact: r, from: from, to: to,
		numbers: map[uint32]int{}, codes: map[int]int{}, files: map[int]int{}, scopes: map[int]*python.Scopes{}, asides: map[int][]*activation{},
	}
	f.texts.ids = map[[sha256.Size]byte]int{}
	f.objects = objects{
		f: f, byKey: map[key]*object{}, byObject: map[statetree.Object][]*object{},
		parents: map[statetree.Object][]statetree.Object{}, scanned: map[statetree.Object]bool{}, changed: map[int][]statetree.Object{},
	}
	return f
}

// run reads all events. It reports whether their texts fit on a page.
func (f *follower) run() (fits bool) {
	kinds := make([]byte, 0, f.to-f.from)
	for f.at = f.from; f.at < f.to; f.at++ {
		r := f.tree.At(f.at)
		kind := kindOf(f.tree, f.at, r)
		f.Lines = append(f.Lines, r.Line-f.line)
		f.line = r.Line
		f.restack(kinds, kind, r)
		kinds = append(kinds, kind)
		f.changeAsides()
		f.change(f.stack[len(f.stack)-1], &f.Changes)
		f.value(r)
		f.objects.update(f.at)
		if f.texts.bytes > mostText {
			return false
		}
	}
	f.Kinds, f.Texts = string(kinds), append(f.Texts, f.texts.list...)
	return true
}

// restack sets the stack of the event. A call pushes an activation, and a return pops one before the
// next event; every other change of the stack is written in full.
func (f *follower) restack(kinds []byte, kind byte, r statetree.Record) {
	stack := f.stack
	if n := len(kinds); n > 0 && kinds[n-1] >= kindReturned && kinds[n-1] <= kindUnwound {
		stack = stack[:len(stack)-1]
	}
	_, known := f.numbers[r.Activation]
	pushes := kind == kindResumed || kind == kindCall && !known
	depth := len(stack) - 1
	if pushes {
		depth++
	}
	same := len(kinds) > 0 && !r.AfterGap && depth == r.Depth
	switch {
	case same && pushes:
		a := f.activation(r.Activation)
		f.Pushed = append(f.Pushed, a.number-f.pushed)
		f.pushed = a.number
		f.show(stack, a)
	case same && stack[depth].act == r.Activation:
		f.show(stack)
	default:
		full := []int{f.at - f.from}
		var now []*activation
		for _, frame := range f.tree.Stack(f.at) {
			a := f.activation(frame.Activation)
			now, full = append(now, a), append(full, a.number, frame.Line)
		}
		f.Stacks = append(f.Stacks, full)
		f.show(nil, now...)
		for _, a := range now[:len(now)-1] {
			f.changeAside(a)
		}
	}
}

// show sets the stack to activations that were on it, and others above them.
func (f *follower) show(below []*activation, above ...*activation) {
	was := f.stack[len(below):]
	for _, a := range above {
		f.see(a, 1)
	}
	for _, a := range was {
		f.see(a, -1)
	}
	f.stack = append(slices.Clone(below), above...)
}

// see adds n to the number of places where an activation's names can be seen.
func (f *follower) see(a *activation, n int) {
	before := a.shown > 0
	a.shown += n
	if now := a.shown > 0; now != before {
		for slot, h := range a.held {
			f.objects.hold(h.value, a.name(slot), n)
		}
	}
}

func (a *activation) name(slot int) string { return a.code.Names[slot] }

// activation returns an activation of the page.
func (f *follower) activation(act uint32) *activation {
	if n, ok := f.numbers[act]; ok {
		return f.acts[n]
	}
	number := f.tree.CodeOf(act)
	a := &activation{number: len(f.acts), act: act, code: f.tree.Code(number), held: map[int]*holding{}}
	f.numbers[act] = a.number
	f.acts = append(f.acts, a)
	f.Acts, f.Globals = append(f.Acts, f.codeOf(number, a.code)), append(f.Globals, -1)
	f.schedule(a)
	if module, ok := f.tree.GlobalsOf(act); ok {
		m := f.activation(module)
		f.Globals[a.number] = m.number
		if !m.visited { // its names are seen from all of its functions
			m.visited = true
			m.shown++
			f.changeAside(m)
		}
	}
	return a
}

// schedule notes when other code changes the names of an activation next.
func (f *follower) schedule(a *activation) {
	if next, ok := f.tree.AsideAfter(a.act, f.at); ok && next < f.to {
		f.asides[next] = append(f.asides[next], a)
	}
}

// changeAsides writes the changes of activations that are not on top of the stack.
func (f *follower) changeAsides() {
	for _, a := range f.asides[f.at] {
		if a != f.stack[len(f.stack)-1] {
			f.changeAside(a)
		}
		f.schedule(a)
	}
	delete(f.asides, f.at)
}

func (f *follower) changeAside(a *activation) {
	var changes []int
	if f.change(a, &changes); changes[0] > 0 {
		f.Asides = append(append(f.Asides, f.at-f.from-f.aside, a.number), changes...)
		f.aside = f.at - f.from
	}
}

// change writes how the names of an activation differ from what the page knows: the number of
// changes, then for each the slot and the value (0 for none). The slot -1 is followed by the number
// of all slots and the slots in order, where that is not the order in which they got values.
func (f *follower) change(a *activation, to *[]int) {
	now := f.tree.Holdings(a.act, f.at)
	at := len(*to)
	*to = append(*to, 0)
	add := func(numbers ...int) {
		*to = append(*to, numbers...)
		(*to)[at]++
	}
	kept := 0
	for _, h := range now {
		if _, known := a.held[h.Slot]; known {
			kept++
		}
	}
	if kept < len(a.held) {
		f.unset(a, now, add)
	}
	for _, h := range now {
		was, known := a.held[h.Slot]
		if !known || was.value != h.Value || was.hidden != h.Hidden {
			add(h.Slot, f.set(a, h, was))
		}
	}
	if !a.code.Fast && !slices.EqualFunc(now, a.slots, func(h statetree.Binding, slot int) bool { return h.Slot == slot }) {
		a.slots = a.slots[:0]
		order := []int{-1, len(now)}
		for _, h := range now {
			a.slots, order = append(a.slots, h.Slot), append(order, h.Slot)
		}
		add(order...)
	}
}

// set changes a name of an activation, and returns the number of its value.
func (f *follower) set(a *activation, to statetree.Binding, was *holding) int {
	name := a.name(to.Slot)
	if a.shown > 0 {
		f.objects.hold(to.Value, name, 1)
	}
	is := &holding{value: to.Value, hidden: to.Hidden, text: -1}
	if was == nil {
		a.slots, was = append(a.slots, to.Slot), is
	} else if a.shown > 0 {
		f.objects.hold(was.value, name, -1)
	}
	a.held[to.Slot] = is
	return f.reference(is, was, name)
}

// unset removes the names that have no value any more.
func (f *follower) unset(a *activation, now []statetree.Binding, add func(...int)) {
	a.slots = slices.DeleteFunc(a.slots, func(slot int) bool {
		if slices.ContainsFunc(now, func(h statetree.Binding) bool { return h.Slot == slot }) {
			return false
		}
		if a.shown > 0 {
			f.objects.hold(a.held[slot].value, a.name(slot), -1)
		}
		delete(a.held, slot)
		add(slot, 0)
		return true
	})
}

// value writes what an event returns, yields or raises.
func (f *follower) value(r statetree.Record) {
	if r.Event != dsl.Return && r.Event != dsl.Exception {
		return
	}
	v, ok := f.tree.Returned(f.at)
	if !ok {
		f.Values = append(f.Values, 0)
		return
	}
	name := ""
	if r.Event == dsl.Return {
		name = f.tree.Code(r.Code).Name + "()"
	}
	is := &holding{value: v, text: -1}
	f.Values = append(f.Values, f.reference(is, is, name))
	f.objects.force(v, name)
	if words, ok := f.tree.Words(f.at); ok {
		f.Said = append(f.Said, said{f.at - f.from, f.safe(f.redact.Plain(words))})
	}
}

// reference returns the number of a value: 1 more than four times the distance of its text or object
// from the next new one, plus 2 for an object, plus 1 for a hidden name. was is the value before, in
// which a long text may have its beginning or end.
func (f *follower) reference(is, was *holding, name string) int {
	n := 0
	if o, ok := is.value.Object(); ok {
		n = f.objects.reference(o, name)*4 + 2
	} else {
		is.shown, _ = f.text(is.value, name)
		n, is.text = f.texts.reference(is.shown, was.shown, was.text)
		n *= 4
	}
	if is.hidden {
		n++
	}
	return n + 1
}
