package align

import (
	"context"

	"github.com/npdb/npdb/trace/statetree"
)

// walker walks both runs in lockstep.
type walker struct {
	*Alignment
	ctx     context.Context
	a, b    *side
	objects *objects
	looked  int // elements that were read to find names of objects
	i, j    int // the next event of each run
	steps   int
}

// walk aligns all events.
func (w *walker) walk() error {
	for w.i < w.a.n && w.j < w.b.n {
		if w.steps++; w.steps&0xfff == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		switch {
		case w.match(w.i, w.j):
			w.align()
		case w.a.flags[w.i]&isSoft != 0:
			w.skip(0, w.i+1)
		case w.b.flags[w.j]&isSoft != 0:
			w.skip(1, w.j+1)
		case w.a.flags[w.i]&isOnly != 0:
			w.passOver(0, w.i)
		case w.b.flags[w.j]&isOnly != 0:
			w.passOver(1, w.j)
		default:
			w.part()
		}
	}
	for w.i < w.a.n && w.a.flags[w.i]&isSoft != 0 {
		w.skip(0, w.i+1)
	}
	for w.j < w.b.n && w.b.flags[w.j]&isSoft != 0 {
		w.skip(1, w.j+1)
	}
	if w.i < w.a.n || w.j < w.b.n {
		w.diverge(Divergence{Kind: End, Events: [2]int{w.i, w.j}, Joins: [2]int{-1, -1}})
		w.leave(0, w.a.n)
		w.leave(1, w.b.n)
	}
	w.Rejoined = w.sameEnd()
	return nil
}

// match reports whether two events are alike, in activations that are alike.
func (w *walker) match(i, j int) bool {
	if w.a.key[i] != w.b.key[j] {
		return false
	}
	x, y := w.a.act[i], w.b.act[j]
	if w.a.partner[x] == 0 && w.b.partner[y] == 0 {
		return true // a call, or an activation that was on the stack before the first event
	}
	return w.a.partner[x] == y+1
}

// align pairs the next events of both runs and compares their values.
func (w *walker) align() {
	i, j := w.i, w.j
	x, y := w.a.act[i], w.b.act[j]
	w.a.partner[x], w.b.partner[y] = y+1, x+1
	w.other[0][i], w.other[1][j] = int32(j), int32(i)
	w.Aligned++
	w.a.advance(i + 1)
	w.b.advance(j + 1)
	w.i, w.j = i+1, j+1
	if (w.a.flags[i]|w.b.flags[j])&isSoft == 0 { // else the runs may be at different points of a statement
		w.compare(i, j)
	}
	w.a.left(i)
	w.b.left(j)
}

// compare compares what has changed up to two aligned events.
func (w *walker) compare(i, j int) {
	c := comparison{Alignment: w.Alignment, objects: w.objects, at: [2]int{i, j}}
	found := w.compareObjects(&c)
	if s := w.compareNames(&c); s.kind != 0 {
		found = s
	}
	if found.kind == 0 && w.a.flags[i]&w.b.flags[j]&isValue != 0 {
		v, _ := w.a.tree.Returned(i)
		if other, _ := w.b.tree.Returned(j); !c.same(v, other) {
			found = subject{kind: aResult}
		}
	}
	if found.kind != 0 {
		w.differ(&c, found)
	}
}

// skip reads events of run k up to one, without a counterpart. They are not part of what differs.
func (w *walker) skip(k, to int) {
	s, at := w.sides[k], &w.i
	if k == 1 {
		at = &w.j
	}
	behind := w.behind(k, *at)
	for e := *at; e < to; e++ {
		w.other[k][e] = behind
		s.advance(e + 1)
		s.left(e)
	}
	*at = to
}

// behind returns what other holds for an event without a counterpart.
func (w *walker) behind(k, event int) int32 {
	if event == 0 {
		return none
	}
	if o := w.other[k][event-1]; o < 0 {
		return o
	}
	return ^w.other[k][event-1]
}

// leave skips events of run k that are in the other run's way of nothing: the run was there alone.
func (w *walker) leave(k, to int) {
	from := w.i
	if k == 1 {
		from = w.j
	}
	for e := from; e < to; e++ {
		s := w.sides[k]
		if s.flags[e]&(isSoft|isOnly) == 0 {
			w.Only[k]++
		}
	}
	w.skip(k, to)
}

// passOver skips an event on a line that only one source has, with the calls from that line.
func (w *walker) passOver(k, at int) {
	s := w.sides[k]
	to := at + 1
	for to < s.n && s.flags[to]&isCall != 0 {
		to = min(int(s.leap[to])+1, s.n)
	}
	w.skip(k, to)
}

// diverge adds a divergence to the list.
func (w *walker) diverge(d Divergence) {
	if w.Count++; len(w.Divergences) < mostDivergences {
		w.Divergences = append(w.Divergences, d)
	}
}

// differ adds a divergence of values, unless the difference comes from the clock and the like or is in
// an object that no name leads to.
func (w *walker) differ(c *comparison, s subject) {
	d := Divergence{Kind: Values, Events: c.at, Joins: c.at, what: s}
	if len(w.Divergences) < mostTraced && w.ignored(&d) {
		return
	}
	w.diverge(d)
}

// mostTraced limits for how many divergences the walk finds out where the difference comes from.
const mostTraced = 1000

// compareNames compares the names that have changed, and returns the first one that differs.
func (w *walker) compareNames(c *comparison) (found subject) {
	for _, act := range w.a.touched {
		w.compareFrame(c, act, &found)
	}
	for _, act := range w.b.touched {
		if other := w.b.partner[act]; other > 0 {
			w.compareFrame(c, other-1, &found)
		}
	}
	w.a.compared()
	w.b.compared()
	return found
}

// compareFrame compares the names of an activation of the first run, and of its partner, that have
// changed.
func (w *walker) compareFrame(c *comparison, act uint32, found *subject) {
	other := w.a.partner[act]
	f, g := w.a.frames[act], (*frame)(nil)
	if other > 0 {
		g = w.b.frames[other-1]
	}
	if f == nil || g == nil {
		return
	}
	acts := [2]uint32{act, other - 1}
	names, others := &w.sources.codes[0][f.code], &w.sources.codes[1][g.code]
	if names.slots == nil || others.slots == nil {
		return
	}
	for _, slot := range f.dirty {
		w.compareName(c, f, g, acts, slot, names.slots[slot], found)
	}
	for _, slot := range g.dirty {
		w.compareName(c, f, g, acts, others.slots[slot], slot, found)
	}
	f.dirty, g.dirty = f.dirty[:0], g.dirty[:0]
}

// compareName compares a name of two activations, given by its slots. -1 stands for none.
func (w *walker) compareName(c *comparison, f, g *frame, acts [2]uint32, slot, other int, found *subject) {
	x, y := f.cell(slot), g.cell(other)
	switch {
	case x.Bound == y.Bound && !x.Bound, x.Hidden || y.Hidden:
		return
	case w.lenient && slot >= 0 && w.sources.ofVersion(w.sources.codes[0][f.code].Names[slot]):
		return
	case x.Bound && y.Bound:
		c.from = [2]origin{{acts[0], int32(slot), name}, {acts[1], int32(other), name}}
		if c.same(x.Value, y.Value) {
			return
		}
	case !w.meant(f, g, slot, other):
		return
	}
	if found.kind != aName {
		*found = subject{kind: aName, acts: acts, slot: slot, other: other}
	}
}

// meant reports whether a name that only one run has a value of is a name of both sources.
func (w *walker) meant(f, g *frame, slot, other int) bool {
	a, b := &w.sources.codes[0][f.code], &w.sources.codes[1][g.code]
	name := ""
	if slot >= 0 {
		name = a.Names[slot]
	} else {
		name = b.Names[other]
	}
	if w.lenient && w.sources.comprised[name] {
		return false // of a comprehension, which is a frame in one of the versions
	}
	if a.Fast {
		return slot >= 0 && other >= 0
	}
	return w.sources.mentions(0, w.a.tree, a.File, name) && w.sources.mentions(1, w.b.tree, b.File, name)
}

func (f *frame) cell(slot int) statetree.Binding {
	if slot < 0 || slot >= len(f.cells) {
		return statetree.Binding{}
	}
	return f.cells[slot]
}

// compareObjects compares the objects that have changed with their partners. It returns the first pair
// that differs although both changed alike before.
func (w *walker) compareObjects(c *comparison) (found subject) {
	a, b := w.a.changes(c.at[0]), w.b.changes(c.at[1])
	if len(a.of) == 0 && len(b.of) == 0 {
		return found
	}
	check := func(x, y statetree.Object) {
		pair := [2]statetree.Object{x, y}
		c.from = [2]origin{{of: uint32(x), kind: element}, {of: uint32(y), kind: element}}
		if w.changedAlike(c, a.versions[x], b.versions[y]) || w.compareAgain(c, x, y) {
			return
		}
		s, ok := w.located(c, subject{kind: anObject, objects: pair})
		if !ok {
			w.objects.part(x, y)
		} else if found.kind == 0 {
			found = s
		}
	}
	for _, x := range a.of {
		for _, y := range w.objects.of(0, x) {
			check(x, y)
		}
	}
	for _, y := range b.of {
		for _, x := range w.objects.of(1, y) {
			if len(a.versions[x]) == 0 {
				check(x, y)
			}
		}
	}
	return found
}

// compareAgain compares the content of two objects of which one has changed.
func (w *walker) compareAgain(c *comparison, x, y statetree.Object) bool {
	pair := [2]statetree.Object{x, y}
	if c.sameContent(x, y) {
		delete(w.objects.differ, pair)
		return true
	}
	w.objects.differ[pair] = true
	return false
}

// changedAlike reports whether the changes of two objects are the same.
func (w *walker) changedAlike(c *comparison, a, b []int) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	for k := range a {
		x, y := w.a.tree.Delta(a[k]), w.b.tree.Delta(b[k])
		if x.Whole || y.Whole || x.Text || y.Text || x.At != y.At || x.Removed != y.Removed || x.Total != y.Total || len(x.Values) != len(y.Values) {
			return false
		}
		for n := range x.Values {
			if !c.same(x.Values[n], y.Values[n]) {
				return false
			}
		}
	}
	return true
}
