package align

import (
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// side is one run as the walk reads it.
type side struct {
	k    int
	tree *statetree.Tree
	n    int

	key   []uint32 // by event: what an aligned event of the other run has in common with it
	loops []uint32 // by event: a hash of the iterations of the loops around it
	act   []uint32 // by event: its activation
	leap  []uint32 // by call event: the event with which the activation leaves the stack, or n
	flags []flag
	ran   []bool // by code object: whether it has an event

	modules []bool                      // by code object: whether it is a module's
	paired  func(statetree.Object) bool // whether an object is paired with one of the other run

	frames   map[uint32]*frame // activations of which names are known
	touched  []uint32          // those of which names have changed since they were compared
	partner  []uint32          // by activation: that of the other run plus one, or 0
	asides   []statetree.Aside
	aside    int // index of the next one
	versions []statetree.Object
	version  int // number of the next version
	at       int // number of events that were read
}

// flag is a set of facts about an event.
type flag uint8

const (
	isCall  flag = 1 << iota
	isOut        // a return, yield or unwinding: the activation leaves the stack
	isOver       // it is the activation's last event
	isSoft       // versions of Python differ in having this event
	isOnly       // the event is on a line that only this run's source has
	isValue      // the event has a value: what is returned, yielded or raised
)

// frame holds the names of an activation.
type frame struct {
	code  int
	cells []statetree.Binding
	dirty []int // slots that have changed since they were compared
}

// eventKey is what two aligned events have in common.
type eventKey struct {
	run, code int // run is 0 for code objects of both runs, else 1 plus the run
	line      int
	event     dsl.Event
	kind      dsl.ReturnKind
}

// keyring numbers keys.
type keyring struct{ numbers map[eventKey]uint32 }

func (r *keyring) number(k eventKey) uint32 {
	n, ok := r.numbers[k]
	if !ok {
		n = uint32(len(r.numbers))
		r.numbers[k] = n
	}
	return n
}

// newSide reads the events of run k.
func newSide(k int, runs [2]Run, s *sources, keys *keyring, lenient bool) *side {
	t := runs[k].Tree
	n := t.Len()
	sd := &side{
		k: k, tree: t, n: n,
		key: make([]uint32, n), loops: make([]uint32, n), act: make([]uint32, n), leap: make([]uint32, n), flags: make([]flag, n),
		ran: make([]bool, t.Codes()), modules: make([]bool, t.Codes()), frames: map[uint32]*frame{}, partner: make([]uint32, t.Activations()),
		asides: t.Asides(), versions: t.Versions(),
	}
	r := &reader{
		side: sd, sources: s, keys: keys, lenient: lenient, called: map[uint32]bool{}, counts: map[uint32]*counting{},
		inline: runs[0].Python.Inlines() != runs[1].Python.Inlines(),
	}
	for code := range sd.modules {
		c := &s.codes[k][code]
		sd.modules[code] = c.IsModule() && !strings.HasPrefix(t.Files()[c.File].Path, "<") // a doctest's names are cleared
	}
	for i := range n {
		r.read(i, t.At(i))
	}
	r.close(n, 0)
	return sd
}

// forget drops what only the walk needs.
func (s *side) forget() {
	s.leap, s.frames, s.touched, s.asides, s.versions = nil, nil, nil, nil, nil
	s.loops, s.flags, s.key = nil, nil, nil
}

// reader computes the columns of a side.
type reader struct {
	*side
	sources *sources
	keys    *keyring
	lenient bool
	inline  bool                 // only one of the runs has frames for comprehensions
	open    []int                // call events of the activations on the stack
	bottom  uint32               // the activation of the last event with none of them
	called  map[uint32]bool      // their activations
	counts  map[uint32]*counting // by activation that has not ended
}

// counting is where an activation is in its loops.
type counting struct {
	loops []round
	line  int // the statement of its last line event
	hash  uint32
}

// round is an iteration of a loop.
type round struct{ loop, number int32 }

// read computes the columns of event i.
func (r *reader) read(i int, e statetree.Record) {
	c := &r.sources.codes[r.k][e.Code]
	r.ran[e.Code] = true
	r.act[i] = e.Activation
	if e.AfterGap { // what was called before may have ended
		r.close(i, 0)
	}
	inlined := r.inline && comprehension(c.Name) || r.lenient && annotation(c.Name)
	r.flags[i] = flagsOf(&e, inlined || r.lenient && e.Event == dsl.Call && c.IsModule())
	line := 0
	if e.Event == dsl.Line || e.Event == dsl.Exception {
		line = r.lineOf(i, &e, c)
	}
	if e.Event == dsl.Exception && r.lenient {
		line = 0
		r.raised(i, c)
	}
	r.key[i] = r.keyOf(&e, c, line, inlined)
	switch {
	case e.Event == dsl.Call:
		if at := r.counts[r.caller()]; at != nil {
			r.loops[i] = at.hash
		}
		r.open = append(r.open, i)
		r.called[e.Activation] = true
	case e.Event == dsl.Return && r.called[e.Activation]:
		n := len(r.open) - 1
		for r.act[r.open[n]] != e.Activation {
			n--
		}
		r.close(i, n)
	}
	if len(r.open) == 0 {
		r.bottom = e.Activation
	}
	if r.flags[i]&isOver != 0 {
		delete(r.counts, e.Activation)
	}
}

// caller returns the innermost activation on the stack.
func (r *reader) caller() uint32 {
	if n := len(r.open); n > 0 {
		return r.act[r.open[n-1]]
	}
	return r.bottom
}

// close says that the activations from the n-th on the stack on have left it with event i.
func (r *reader) close(i, n int) {
	for _, call := range r.open[n:] {
		r.leap[call] = uint32(i)
		delete(r.called, r.act[call])
	}
	r.open = r.open[:n]
}

// comprehension reports whether a code object is a list, set or dict comprehension.
func comprehension(name string) bool {
	return name == "<listcomp>" || name == "<dictcomp>" || name == "<setcomp>"
}

// annotation reports whether a code object computes annotations or type parameters, which not all
// versions of Python have.
func annotation(name string) bool {
	return name == "__annotate__" || strings.HasPrefix(name, "<generic parameters of ")
}

func flagsOf(e *statetree.Record, soft bool) (f flag) {
	switch e.Event {
	case dsl.Call:
		f = isCall
	case dsl.Return:
		f = isOut
		if e.Kind != dsl.Yielded {
			f |= isOver
		}
	}
	if e.HasValue {
		f |= isValue
	}
	if soft {
		f |= isSoft
	}
	return f
}

// raised marks exceptions that not all versions of Python report: the end of an iterator.
func (r *reader) raised(i int, c *code) {
	v, _ := r.tree.Returned(i)
	if text := r.tree.Text(v, i); strings.HasPrefix(text, "StopIteration(") || strings.HasPrefix(text, "StopAsyncIteration(") {
		r.flags[i] |= isSoft
	}
}

// lineOf returns the line of an event in the numbering of the first run: that of its statement. It also
// counts the iterations of the loops around it.
func (r *reader) lineOf(i int, e *statetree.Record, c *code) int {
	f := &r.sources.files[r.k][c.File]
	line := f.text.statement(e.Line)
	at := r.counts[e.Activation]
	if at == nil {
		at = &counting{}
		r.counts[e.Activation] = at
	}
	if e.Event == dsl.Line {
		if r.lenient && (f.text.isSoft(e.Line) || line == at.line) {
			r.flags[i] |= isSoft
		}
		at.count(f.text, line)
	}
	r.loops[i] = at.hash
	if f.other < 0 || c.other < 0 {
		return line
	}
	other := r.sources.lineIn(r.k, c.File, line)
	switch {
	case other == 0:
		r.flags[i] |= isOnly
		return -line<<1 - r.k
	case r.k == 1:
		return r.sources.files[0][f.other].text.statement(other)
	}
	return line
}

// count counts the iterations of loops when an activation comes to a statement.
func (at *counting) count(text *statements, line int) {
	at.line = line
	around, n := text.around(line), len(at.loops)
	for n > 0 && !text.within(around, at.loops[n-1].loop) {
		n--
	}
	left := n < len(at.loops)
	at.loops = at.loops[:n]
	switch {
	case around > 0 && (n == 0 || at.loops[n-1].loop != around):
		at.loops = append(at.loops, round{around, 1})
	case around > 0 && int(text.loops[around-1].header) == line:
		at.loops[n-1].number++
	case !left:
		return
	}
	at.hash = 0
	for _, l := range at.loops {
		at.hash = (at.hash ^ uint32(l.number)) * 16777619
	}
}

// within reports whether a loop is another one or in it.
func (s *statements) within(loop, outer int32) bool {
	for loop != 0 && loop != outer {
		loop = s.loops[loop-1].outer
	}
	return loop == outer
}

func (r *reader) keyOf(e *statetree.Record, c *code, line int, inlined bool) uint32 {
	k := eventKey{run: 1 + r.k, code: e.Code, line: line, event: e.Event, kind: e.Kind}
	if c.other >= 0 && !inlined {
		k.run = 0
		if r.k == 1 {
			k.code = c.other
		}
	}
	return r.keys.number(k)
}
