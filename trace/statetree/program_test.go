package statetree

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"pgregory.net/rapid"
)

// flat is an event in a flat list, with everything about it in full.
type flat struct {
	event     dsl.Event
	kind      dsl.ReturnKind
	line      int
	code      int
	act       uint32
	stack     []uint32 // activations, outermost first
	lines     []int    // of each activation, 0 before its first event
	latest    []int    // latest event of each, -1 before its first
	firstCall bool     // a call that is not a resumption
	locals    []dsl.Local
	held      [][]dsl.Local // by activation: the values of its names at this event
	value     *string
	edited    bool
	afterGap  bool
	straight  bool
}

func (f flat) depth() int { return len(f.stack) - 1 }

// program makes a random run: it fills a tree, and keeps the flat list.
type program struct {
	*rapid.T
	tree   *Tree
	events []flat
	acts   []*run
	stack  []*run
	gap    bool
	hole   bool  // no event has come since the last hole
	holes  []int // the first events after holes
	ahead  bool  // names of any activation were changed since the last event
	fresh  int   // number of names added to bodies
}

// run is an activation of the random program.
type run struct {
	act     uint32
	code    int
	bound   []dsl.Local // in order of binding
	shown   []dsl.Local // its locals as visible before its next event
	known   bool        // its next call is its first
	line    int
	latest  int
	isOver  bool
	onStack bool
	named   bool // its names are known without an event
}

const (
	codeModule = iota
	codeFunction
	codeGenerator
	codeClass
)

var testCodes = []Code{
	{Name: "<module>"},
	{Name: "f", Fast: true, Names: []string{"a", "b", "c", "d"}},
	{Name: "g", Fast: true, Generator: true, Names: []string{"n", "acc", "big"}},
	{Name: "C", File: 1},
}

func newProgram(t *rapid.T) *program {
	p := &program{T: t, tree: New()}
	source := []byte(blockSource)
	p.tree.AddFile(File{Path: "/p/main.py", Name: "main.py", Source: source})
	p.tree.AddFile(File{Path: "/p/lib.py", Name: "lib.py", Source: source})
	for _, c := range testCodes {
		p.tree.AddCode(c)
	}
	return p
}

func (p *program) upTo(n int, what string) int { return rapid.IntRange(0, n-1).Draw(p.T, what) }

func (p *program) top() *run { return p.stack[len(p.stack)-1] }

func (r *run) generator() bool { return r.code == codeGenerator }

// step makes one random change. It keeps the stack shallow enough for depths to repeat.
func (p *program) step() {
	if len(p.stack) == 0 {
		p.enter()
		return
	}
	switch choice := p.upTo(27, "step"); {
	case choice < 3:
		p.enter()
	case choice < 6:
		p.resume()
	case choice < 13:
		p.mutate()
		p.emit(dsl.Line, dsl.NoReturn)
	case choice < 15:
		p.emit(dsl.Exception, dsl.NoReturn)
	case choice < 17 && p.top().generator():
		p.leave(dsl.Yielded)
	case choice < 20:
		p.mutate()
		p.leave([]dsl.ReturnKind{dsl.Returned, dsl.Returned, dsl.Unwound}[p.upTo(3, "kind")])
	case choice < 21:
		p.tree.Leave()
		p.pop(false)
	case choice < 22:
		p.lose()
	case choice < 23:
		p.amend()
	case choice < 24:
		p.elsewhere()
	case choice < 25:
		p.top().line = 1 + p.upTo(7, "line")
		p.tree.Stand(p.top().line)
	default:
		p.mutate()
	}
}

func (p *program) pop(over bool) {
	r := p.top()
	p.stack = p.stack[:len(p.stack)-1]
	r.onStack = false
	r.isOver = over || !r.generator()
}

func (p *program) add(act uint32, code int) *run {
	r := &run{act: act, code: code, latest: -1}
	if int(act) != len(p.acts) {
		p.Fatalf("activation %d got number %d", len(p.acts), act)
	}
	p.acts = append(p.acts, r)
	return r
}

func (p *program) push(r *run) {
	r.onStack = true
	p.stack = append(p.stack, r)
}

func (p *program) enter() {
	code := p.upTo(len(testCodes), "code")
	r := p.add(p.tree.Enter(code), code)
	p.push(r)
	if code != codeModule && p.upTo(8, "seen") > 0 {
		r.known = true
		p.mutate()
		p.emit(dsl.Call, dsl.NoReturn)
	}
	r.known = false
}

func (p *program) resume() {
	for _, r := range p.acts {
		if r.generator() && !r.onStack && !r.isOver && p.upTo(2, "this one") == 0 {
			p.tree.Resume(r.act)
			p.push(r)
			if p.upTo(8, "seen") > 0 {
				p.emit(dsl.Call, dsl.NoReturn)
			}
			return
		}
	}
}

func (p *program) leave(kind dsl.ReturnKind) {
	p.emit(dsl.Return, kind)
	p.pop(kind != dsl.Yielded)
}

// lose makes a gap or a hole: some of the stack is gone, and unknown activations and known
// generators are on it.
func (p *program) lose() {
	for range p.upTo(len(p.stack)+1, "gone") {
		p.pop(p.top().generator() && p.upTo(2, "over") == 0)
	}
	for range p.upTo(3, "found") {
		code := p.upTo(len(testCodes), "code")
		if r := p.add(p.tree.Adopt(code), code); !r.generator() || p.upTo(2, "running") == 0 {
			p.push(r)
		}
	}
	for _, r := range p.acts {
		if r.generator() && !r.onStack && !r.isOver && p.upTo(4, "found again") == 0 {
			p.push(r)
		}
	}
	var stack []uint32
	for _, r := range p.stack {
		stack = append(stack, r.act)
	}
	p.gap = true
	if p.upTo(2, "hole") > 0 {
		p.tree.Gap(stack)
		return
	}
	var lines []int
	for _, r := range p.stack {
		r.line = 1 + p.upTo(7, "line")
		lines = append(lines, r.line)
	}
	p.tree.Hole(stack, lines)
	p.hole = true
}

// finish ends the run.
func (p *program) finish() {
	p.tree.Finish()
	if p.hole {
		p.holes = append(p.holes, len(p.events))
	}
}

// upToHole returns the landing of a move that would land on event j: the edge of a hole,
// if there is one on the way. j is negative if the move finds nothing.
func (p *program) upToHole(i, j int, inverse bool) (edge int, ok bool) {
	for _, e := range p.holes {
		switch {
		case inverse && e <= i && j < e:
			edge, ok = e, true // the last of them
		case !inverse && i < e && e < len(p.events) && (j < 0 || e <= j):
			return e, true
		}
	}
	return edge, ok
}

// emit adds an event of the top activation.
func (p *program) emit(e dsl.Event, kind dsl.ReturnKind) {
	r := p.top()
	f := flat{
		event: e, kind: kind, line: 1 + p.upTo(7, "line"), code: r.code, act: r.act,
		firstCall: e == dsl.Call && r.known, locals: p.locals(r), afterGap: p.gap,
	}
	if f.line == 7 {
		f.line = []int{0, 1 << 24, 1<<31 - 1}[p.upTo(3, "odd line")]
	}
	if p.hole {
		p.holes = append(p.holes, len(p.events))
	}
	p.gap, p.hole, p.ahead = false, false, false
	var value []byte
	if (e == dsl.Return && kind != dsl.Unwound) || e == dsl.Exception {
		value = append([]byte{}, p.text()...)
		text := string(value)
		f.value = &text
	}
	i := p.tree.Event(e, f.line, kind, value)
	if i != len(p.events) {
		p.Fatalf("event %d got number %d", len(p.events), i)
	}
	r.line, r.latest, r.shown = f.line, i, slices.Clone(r.bound)
	f.held = p.held()
	for _, below := range p.stack {
		f.stack = append(f.stack, below.act)
		f.lines = append(f.lines, below.line)
		f.latest = append(f.latest, below.latest)
	}
	f.straight = p.straight(f)
	p.events = append(p.events, f)
}

// held returns the locals of all activations that had an event, and of modules whose names were
// changed.
func (p *program) held() [][]dsl.Local {
	held := make([][]dsl.Local, len(p.acts))
	for k, r := range p.acts {
		if r.latest >= 0 || r.named {
			held[k] = p.ordered(r, r.shown)
		}
	}
	return held
}

// locals returns a run's locals in the expected order.
func (p *program) locals(r *run) []dsl.Local { return p.ordered(r, r.bound) }

func (p *program) ordered(r *run, locals []dsl.Local) []dsl.Local {
	locals = slices.Clone(locals)
	if names := testCodes[r.code].Names; testCodes[r.code].Fast {
		slices.SortFunc(locals, func(a, b dsl.Local) int {
			return slices.Index(names, a.Name) - slices.Index(names, b.Name)
		})
	}
	return locals
}

func (p *program) text() string {
	switch p.upTo(5, "text") {
	case 0:
		n := p.upTo(400, "length")
		return "[" + strings.Repeat("1, ", 100) + strings.Repeat("0, ", n) + "end of a list]"
	case 1:
		return ""
	}
	return fmt.Sprint(p.upTo(6, "number"))
}

// mutate changes locals of the top activation, as of its next event.
func (p *program) mutate() {
	r := p.top()
	for range p.upTo(4, "changes") {
		slot, name := p.name(r)
		at := slices.IndexFunc(r.bound, func(l dsl.Local) bool { return l.Name == name })
		if p.upTo(5, "change") == 0 {
			p.tree.Unset(slot)
			if at >= 0 {
				r.bound = slices.Delete(r.bound, at, at+1)
			}
			continue
		}
		l := dsl.Local{Name: name, Value: p.text(), Hidden: p.upTo(4, "hidden") == 0}
		text := []byte(l.Value)
		p.tree.Set(slot, text, l.Hidden)
		clear(text) // the tree must have copied it
		if at >= 0 {
			r.bound[at] = l
		} else {
			r.bound = append(r.bound, l)
		}
	}
	if !testCodes[r.code].Fast && p.upTo(4, "order") == 0 {
		r.bound = rapid.Permutation(r.bound).Draw(p.T, "order")
		var slots []int
		for _, l := range r.bound {
			slots = append(slots, slices.Index(p.tree.codes[r.code].Names, l.Name))
		}
		p.tree.Order(slots)
	}
}

// elsewhere changes names of any existing activation, as of the next event.
func (p *program) elsewhere() {
	p.ahead = true
	for _, r := range p.acts {
		if r.isOver && r.code != codeModule || p.upTo(3, "this one") > 0 {
			continue
		}
		r.named = r.code == codeModule
		slot, name := p.name(r)
		l := dsl.Local{Name: name, Value: p.text(), Hidden: p.upTo(4, "hidden") == 0}
		if p.upTo(4, "change") == 0 {
			p.tree.UnsetIn(r.act, slot)
			l.Name = ""
		} else {
			p.tree.SetIn(r.act, slot, []byte(l.Value), l.Hidden)
		}
		for _, locals := range []*[]dsl.Local{&r.bound, &r.shown} {
			at := slices.IndexFunc(*locals, func(l dsl.Local) bool { return l.Name == name })
			switch {
			case at >= 0 && l.Name == "":
				*locals = slices.Delete(slices.Clone(*locals), at, at+1)
			case at >= 0:
				*locals = slices.Clone(*locals)
				(*locals)[at] = l
			case l.Name != "":
				*locals = append(slices.Clone(*locals), l)
			}
		}
	}
}

// name picks a name of a run's code, perhaps a new one.
func (p *program) name(r *run) (slot int, name string) {
	names := p.tree.codes[r.code].Names
	if !testCodes[r.code].Fast && (len(names) == 0 || p.upTo(6, "new name") == 0) {
		p.fresh++
		name = fmt.Sprintf("v%d", p.fresh)
		return p.tree.AddName(r.code, name), name
	}
	slot = p.upTo(len(names), "slot")
	return slot, names[slot]
}

// amend edits the last event's locals, if its activation still exists.
func (p *program) amend() {
	last := len(p.events) - 1
	if last < 0 || p.top().latest != last {
		return
	}
	p.mutate()
	if !p.ahead && p.upTo(2, "objects") == 0 {
		p.tree.Edit()
		p.elsewhere()
		p.ahead = false
	}
	p.tree.Amend()
	p.events[last].edited = true
	p.top().shown = slices.Clone(p.top().bound)
	p.events[last].locals = p.locals(p.top())
	if p.ahead {
		p.events[last].held[p.top().act] = p.locals(p.top())
	} else {
		p.events[last].held = p.held()
	}
}
