package recorder

import (
	"encoding/binary"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// errSpoiled is of bytes that the package maker's packing.py did not write.
var errSpoiled = errors.New("this is no recording")

// mostSlots is how many names the activations of one recording may have: the tree has
// room for each from the start.
const mostSlots = 1 << 22

// The kinds of events, by the numbers that tracing.py has for them.
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

// words reads numbers; its first error stays, and what it reads then is 0.
type words struct {
	b      []byte
	failed bool
}

func (w *words) next() int {
	if len(w.b) < 4 {
		w.failed = true
		return 0
	}
	n := binary.LittleEndian.Uint32(w.b)
	w.b = w.b[4:]
	if n > 1<<31-1 {
		w.failed = true
		return 0
	}
	return int(n)
}

// below is a number less than n.
func (w *words) below(n int) int {
	v := w.next()
	if v >= n {
		w.failed = true
		return 0
	}
	return v
}

// count is the number of things that follow, of at least so many words each.
func (w *words) count(words int) int {
	n := w.next()
	if n > len(w.b)/4/words {
		w.failed = true
		return 0
	}
	return n
}

// unpacker makes a recording of the bytes that packing.py wrote. They are the program's,
// in the end: it believes nothing.
type unpacker struct {
	words
	texts  [][]byte
	codes  []code
	shapes []shape
	room   int // slots that activations may still have
	lines  int // of the program
	tree   *statetree.Tree
	acts   []activation
	stack  []int // numbers in acts
	left   bool  // the latest event left the activation on top
}

// code is a code object: of a module or class body also the slots of its names.
type code struct {
	fast, generator bool
	number          int // the tree's, -1 until an activation is entered
	made            statetree.Code
	slots           map[string]int
}

// shape is the names that have a value, by their slots.
type shape struct {
	code  int
	slots []int
}

type activation struct {
	code    int
	act     uint32 // the tree's
	entered bool
	running bool
	over    bool
	held    []int // by slot: the text, plus one
	shape   int   // of the latest event, plus one
	order   []int // slots in the order of binding, of a body
}

// unpack reads a packed recording.
func unpack(b []byte, name string) (*Recording, error) {
	u := unpacker{words: words{b: b}, room: mostSlots, tree: statetree.New()}
	if !u.readTexts() {
		return nil, errSpoiled
	}
	// The program's text comes last, and the tree wants it first.
	const tail = 6 * 4
	if len(u.b) < tail {
		return nil, errSpoiled
	}
	end := words{b: u.b[len(u.b)-tail:]}
	u.b = u.b[:len(u.b)-tail]
	r := &Recording{Tree: u.tree, Exit: dsl.Exit{Code: end.below(256)}}
	if text := u.optional(&end); text != nil {
		said := string(text)
		r.Exit.Exception = &said
	}
	r.Fatal = end.next() - 1
	source := u.text(&end)
	r.Program = Program{Name: name, Source: string(source), Entry: string(u.optional(&end)), Family: string(u.text(&end))}
	if end.failed {
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

func (u *unpacker) readTexts() bool {
	n := u.count(1)
	lengths := words{b: u.b[:4*n]}
	u.b = u.b[4*n:]
	u.texts = make([][]byte, n)
	total := 0
	for i := range u.texts {
		length := lengths.next()
		if length > len(u.b) {
			return false
		}
		u.texts[i], u.b = u.b[:length:length], u.b[length:]
		if !utf8.Valid(u.texts[i]) {
			return false
		}
		total += length
	}
	padding := -total & 3
	if u.failed || lengths.failed || padding > len(u.b) {
		return false
	}
	u.b = u.b[padding:]
	return true
}

// text is a text by its number.
func (u *unpacker) text(w *words) []byte {
	if n := w.below(len(u.texts)); !w.failed {
		return u.texts[n]
	}
	return nil
}

// optional is a text by its number plus one, nil for 0.
func (u *unpacker) optional(w *words) []byte {
	if n := w.below(len(u.texts) + 1); n > 0 && !w.failed {
		return u.texts[n-1]
	}
	return nil
}

func (u *unpacker) readCodes() bool {
	n := u.count(7)
	for range n {
		made := statetree.Code{Name: string(u.text(&u.words)), QualName: string(u.text(&u.words)), FirstLine: u.next(), LastLine: u.next()}
		flags := u.below(4)
		made.Fast, made.Generator = flags&1 != 0, flags&2 != 0
		made.Args = u.next()
		c := code{fast: made.Fast, generator: made.Generator, number: -1, slots: map[string]int{}}
		names := u.count(1)
		for range names {
			name := string(u.text(&u.words))
			c.slots[name] = len(made.Names)
			made.Names = append(made.Names, name)
		}
		if u.failed || len(c.slots) != names || names > 0 && !made.Fast || made.Args > names {
			return false
		}
		c.made = made
		u.codes = append(u.codes, c)
	}
	return !u.failed
}

// readShapes reads which names have values; of a body these are its names.
func (u *unpacker) readShapes() bool {
	n := u.count(2)
	for range n {
		s := shape{code: u.below(len(u.codes))}
		names := u.count(1)
		if u.failed {
			return false
		}
		c := &u.codes[s.code]
		seen := make(map[int]bool, names)
		for range names {
			name := string(u.text(&u.words))
			slot, known := c.slots[name]
			switch {
			case u.failed || c.fast && !known:
				return false
			case !known:
				slot = len(c.made.Names)
				c.slots[name] = slot
				c.made.Names = append(c.made.Names, name)
			}
			if seen[slot] || c.fast && len(s.slots) > 0 && slot < s.slots[len(s.slots)-1] {
				return false
			}
			seen[slot] = true
			s.slots = append(s.slots, slot)
		}
		u.shapes = append(u.shapes, s)
	}
	return !u.failed
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
	for range n {
		if !u.readEvent() {
			return false
		}
	}
	return n > 0 && !u.failed
}

func (u *unpacker) readEvent() bool {
	kind, line, number, depth := u.below(len(eventKinds)), u.next(), u.below(len(u.acts)), u.next()
	value, at := u.optional(&u.words), u.below(len(u.shapes))
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

// arrive brings the stack to where an event is: an activation may have left it without an
// event, on a line that is no state.
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

// enter puts an activation on the tree's stack for the first time.
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

// bind tells the tree how the names' values differ from those of the activation's latest
// event.
func (u *unpacker) bind(a *activation, at int) bool {
	slots := u.shapes[at].slots
	same := a.shape == at+1
	if !same && a.shape > 0 {
		for _, slot := range u.shapes[a.shape-1].slots {
			a.held[slot] = -a.held[slot] // until it is found to be there still
		}
	}
	for _, slot := range slots {
		text := u.below(len(u.texts))
		if u.failed {
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

// order brings the names of a body into their order, where they are not in that of their
// binding.
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
