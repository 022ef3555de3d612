package recorder

import (
	"errors"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// errSpoiled reports that bytes are not a recording in the format of the package maker's packing.py.
var errSpoiled = errors.New("this is no recording")

// Limits for the content of a recording. With them, reading takes time and memory in proportion to the
// recording's length, even if a recording uses one text a million times.
const (
	mostSlots     = 1 << 22 // names of all activations, for each of which the tree reserves memory
	mostNames     = 1 << 20 // names of all codes and shapes
	mostOfName    = 1 << 12 // bytes of a name
	bytesOfLetter = 6       // largest number of bytes for a character of a value: a surrogate is written as \udc80
)

// eventKinds lists the kinds of events. tracing.py refers to them by their index.
var eventKinds = [...]struct {
	event dsl.Event
	kind  dsl.ReturnKind
}{
	{dsl.Call, dsl.NoReturn},
	{dsl.Line, dsl.NoReturn},
	{dsl.Return, dsl.Returned},
	{dsl.Return, dsl.Yielded},
	{dsl.Return, dsl.Unwound},
	{dsl.Exception, dsl.NoReturn},
}

// unpacker converts bytes written by packing.py to a recording. It checks everything, because the
// recorded program itself could have written the bytes.
type unpacker struct {
	words
	limits Limits
	texts  [][]byte
	named  []string // texts that are used as names, as strings
	codes  []code
	shapes []shape
	room   int // number of names that further activations may have
	names  int // number of names that further codes and shapes may have
	lines  int // number of lines of the program
	tree   *statetree.Tree
	acts   []activation
	stack  []int // indexes in acts of the activations on the stack
	left   bool  // the latest event was a return, after which the top activation is removed
}

// code is a code object of the program. slots is set for a module or class body: the slots of its names.
type code struct {
	fast, generator bool
	number          int // number in the tree; -1 until an activation is entered
	made            statetree.Code
	slots           map[string]int
	seen            []int // by slot: number of the latest shape with this slot, plus one
}

// shape lists the names that have a value at an event, as slots of a code object.
type shape struct {
	code  int
	slots []int
}

type activation struct {
	code    int
	act     uint32 // number in the tree
	entered bool
	running bool
	over    bool
	held    []int // by slot: number of the value's text, plus one; 0 for no value
	shape   int   // number of the shape at the latest event, plus one
	order   []int // for a module or class body: slots in the order in which they were bound
}

// unpack decodes a packed recording. It returns an error if the recording is invalid or
// exceeds the limits.
func unpack(b []byte, name string, limits Limits) (*Recording, error) {
	u := unpacker{words: words{b: b}, limits: limits, room: mostSlots, names: mostNames, tree: statetree.New()}
	if !u.readTexts() {
		return nil, errSpoiled
	}
	// The program's source comes last, but the tree needs it first.
	const tail = 6 * 4
	if len(u.b) < tail {
		return nil, errSpoiled
	}
	end := words{b: u.b[len(u.b)-tail:]}
	u.b = u.b[:len(u.b)-tail]
	r := &Recording{Tree: u.tree, Exit: dsl.Exit{Code: end.below(256)}}
	if text := u.value(&end); text != nil {
		said := string(text)
		r.Exit.Exception = &said
	}
	r.Fatal = end.next() - 1
	source := u.text(&end)
	r.Program = Program{Name: name, Source: string(source), Entry: string(u.optional(&end)), Family: string(u.text(&end))}
	if end.failed || u.failed {
		return nil, errSpoiled
	}
	u.lines = len(dsl.SplitLines(r.Program.Source))
	ok := false
	u.tree.Batch(func() {
		u.tree.AddFile(statetree.File{Path: name, Name: name, Source: []byte(r.Program.Source)})
		if ok = u.readCodes() && u.readShapes() && u.readActivations() && u.readEvents(); ok {
			u.tree.Finish()
		}
	})
	if !ok || len(u.b) > 0 || r.Fatal >= u.tree.Len() || r.Fatal >= 0 && u.tree.At(r.Fatal).Event != dsl.Exception {
		return nil, errSpoiled
	}
	return r, nil
}

func (u *unpacker) readActivations() bool {
	u.acts = make([]activation, u.count(1))
	for i := range u.acts {
		u.acts[i].code = u.below(len(u.codes))
	}
	return !u.failed
}

func (u *unpacker) readEvents() bool {
	n := u.count(6)
	if n > u.limits.Events {
		return false
	}
	for range n {
		if !u.readEvent() {
			return false
		}
	}
	return n > 0 && !u.failed
}

func (u *unpacker) readEvent() bool {
	kind, line, number, depth := u.below(len(eventKinds)), u.next(), u.below(len(u.acts)), u.next()
	value, at := u.value(&u.words), u.below(len(u.shapes))
	if u.failed || line < 1 || line > u.lines || u.shapes[at].code != u.acts[number].code {
		return false
	}
	k := eventKinds[kind]
	if (value != nil) != (k.event == dsl.Exception || k.kind == dsl.Returned || k.kind == dsl.Yielded) {
		return false
	}
	a := &u.acts[number]
	if k.kind == dsl.Yielded && !u.codes[a.code].generator || !u.arrive(k.event, number, depth) || !u.bind(a, at) {
		return false
	}
	u.tree.Event(k.event, line, k.kind, value)
	u.left = k.event == dsl.Return
	a.over = u.left && k.kind != dsl.Yielded
	return true
}

// arrive updates the stack for the next event. It removes activations that ended without an event, on a
// line that is not a state, and adds or resumes the event's own activation. It returns false if that is
// impossible.
func (u *unpacker) arrive(e dsl.Event, number, depth int) bool {
	if u.left {
		u.left = false
		u.pop()
	}
	top := len(u.stack) - 1
	for ; top > depth || top == depth && (u.stack[top] != number || e == dsl.Call); top-- {
		u.tree.Leave()
		u.pop()
	}
	if top == depth {
		return true
	}
	a := &u.acts[number]
	if top != depth-1 || a.running || a.over || a.entered && !u.codes[a.code].generator {
		return false
	}
	if a.entered {
		u.tree.Resume(a.act)
	} else if !u.enter(a) {
		return false
	}
	a.running = true
	u.stack = append(u.stack, number)
	return true
}

func (u *unpacker) pop() {
	top := len(u.stack) - 1
	a := &u.acts[u.stack[top]]
	a.running = false
	a.over = a.over || !u.codes[a.code].generator
	u.stack = u.stack[:top]
}

// enter adds a new activation to the tree, on top of the stack. It returns false if the activations have
// too many names.
func (u *unpacker) enter(a *activation) bool {
	c := &u.codes[a.code]
	if u.room -= len(c.made.Names); u.room < 0 {
		return false
	}
	if c.number < 0 {
		c.number = u.tree.AddCode(c.made)
	}
	a.act = u.tree.Enter(c.number)
	a.entered = true
	a.held = make([]int, len(c.made.Names))
	return true
}

// bind reads the values of an activation's names at an event, and writes those to the tree that differ
// from the activation's latest event.
func (u *unpacker) bind(a *activation, at int) bool {
	slots := u.shapes[at].slots
	same := a.shape == at+1
	if !same && a.shape > 0 {
		for _, slot := range u.shapes[a.shape-1].slots {
			a.held[slot] = -a.held[slot] // negative until it is known whether the new shape contains the name
		}
	}
	for _, slot := range slots {
		text := u.below(len(u.texts))
		if u.failed || len(u.texts[text]) > bytesOfLetter*u.limits.Text {
			return false
		}
		old := max(a.held[slot], -a.held[slot])
		a.held[slot] = text + 1
		if old != text+1 {
			u.tree.Set(slot, u.texts[text], false)
		}
	}
	if same {
		return true
	}
	if a.shape > 0 {
		for _, slot := range u.shapes[a.shape-1].slots {
			if a.held[slot] < 0 {
				a.held[slot] = 0
				u.tree.Unset(slot)
			}
		}
	}
	if a.shape = at + 1; !u.codes[a.code].fast {
		u.order(a, slots)
	}
	return true
}

// order writes the order of a module or class body's names to the tree, if it differs from the order in
// which they were bound.
func (u *unpacker) order(a *activation, slots []int) {
	kept := a.order[:0]
	there := make(map[int]bool, len(slots))
	for _, slot := range a.order {
		if a.held[slot] > 0 {
			kept = append(kept, slot)
			there[slot] = true
		}
	}
	for _, slot := range slots {
		if !there[slot] {
			kept = append(kept, slot)
		}
	}
	if a.order = kept; !slices.Equal(kept, slots) {
		a.order = append(a.order[:0], slots...)
		u.tree.Order(slots)
	}
}
