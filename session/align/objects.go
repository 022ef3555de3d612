package align

import (
	"slices"

	"github.com/npdb/npdb/trace/statetree"
)

// objects pairs the objects of two runs.
type objects struct {
	partners [2][]uint32                                // by object: the one it was paired with first, plus one, or 0
	further  [2]map[statetree.Object][]statetree.Object // those that it was also paired with
	origins  [2][]origin                                // by object: where it was found last
	differ   map[[2]statetree.Object]bool               // pairs whose content differs
}

// origin is where an object was found: under a name of an activation, or in another object.
type origin struct {
	of   uint32 // an activation or an object
	slot int32
	kind originKind
}

type originKind uint8

const (
	nowhere originKind = iota
	name
	element
)

// mostPartners limits with how many objects one is paired, since a constant may be equal to many.
const mostPartners = 16

func newObjects(runs [2]Run) *objects {
	o := &objects{differ: map[[2]statetree.Object]bool{}}
	for k := range o.partners {
		n := runs[k].Tree.Objects()
		o.partners[k], o.origins[k], o.further[k] = make([]uint32, n), make([]origin, n), map[statetree.Object][]statetree.Object{}
	}
	return o
}

// of returns the objects with which an object of run k is paired.
func (o *objects) of(k int, object statetree.Object) (list []statetree.Object) {
	if int(object) < len(o.partners[k]) && o.partners[k][object] > 0 {
		list = append(list, statetree.Object(o.partners[k][object]-1))
		list = append(list, o.further[k][object]...)
	}
	return list
}

// pair pairs two objects. It reports whether they were paired already.
func (o *objects) pair(a, b statetree.Object) (was bool) {
	if int(a) >= len(o.partners[0]) || int(b) >= len(o.partners[1]) {
		return false
	}
	if first := o.partners[0][a]; first == uint32(b)+1 || first > 0 && slices.Contains(o.further[0][a], b) {
		return true
	}
	o.add(0, a, b)
	o.add(1, b, a)
	return false
}

func (o *objects) add(k int, object, other statetree.Object) {
	switch list := o.further[k][object]; {
	case o.partners[k][object] == 0:
		o.partners[k][object] = uint32(other) + 1
	case len(list) < mostPartners:
		o.further[k][object] = append(list, other)
	default:
		o.further[k][object] = append(slices.Delete(list, 0, 1), other)
	}
}

// part undoes pair.
func (o *objects) part(a, b statetree.Object) {
	o.remove(0, a, b)
	o.remove(1, b, a)
	delete(o.differ, [2]statetree.Object{a, b})
}

func (o *objects) remove(k int, object, other statetree.Object) {
	list := slices.DeleteFunc(o.of(k, object), func(x statetree.Object) bool { return x == other })
	o.partners[k][object] = 0
	delete(o.further[k], object)
	for _, x := range list {
		o.add(k, object, x)
	}
}

// foundAt notes where two objects were found.
func (o *objects) foundAt(pair [2]statetree.Object, from [2]origin) {
	for k, object := range pair {
		if int(object) < len(o.origins[k]) {
			o.origins[k][object] = from[k]
		}
	}
}

// mostOuter limits how many objects around one are followed to a name.
const mostOuter = 100

// root returns the name that leads to an object of run k as of an event. ok is false if where the object
// was found last does not lead to it any more. So an object that is gone, and whose place in memory
// another one has taken, is none that differs.
func (w *walker) root(k int, object statetree.Object, event int) (from origin, ok bool) {
	for range mostOuter {
		if int(object) >= len(w.objects.origins[k]) {
			return from, false
		}
		switch from = w.objects.origins[k][object]; from.kind {
		case name:
			f := w.sides[k].frames[from.of]
			return from, f != nil && f.cell(int(from.slot)).Value == statetree.ObjectValue(object) && f.cell(int(from.slot)).Bound
		case element:
			if !w.sides[k].holds(statetree.Object(from.of), object, event) {
				return from, false
			}
			object = statetree.Object(from.of)
		default:
			return from, false
		}
	}
	return from, false
}

// holds reports whether an object has another one as an element, key, value or attribute.
func (s *side) holds(outer, inner statetree.Object, event int) bool {
	f, _ := s.tree.Form(outer, event)
	v := statetree.ObjectValue(inner)
	if f.Kind.Paired() {
		return slices.ContainsFunc(s.tree.Entries(outer, event), func(e statetree.Entry) bool { return e.Key == v || e.Value == v })
	}
	return slices.Contains(s.tree.Items(outer, event), v)
}

// located completes a subject that is a pair of objects with the name that leads to them. ok is false if
// no name does in both runs.
func (w *walker) located(c *comparison, s subject) (_ subject, ok bool) {
	a, okA := w.root(0, s.objects[0], c.at[0])
	b, okB := w.root(1, s.objects[1], c.at[1])
	if okA && okB {
		if w.a.partner[a.of] != b.of+1 {
			return s, false
		}
		s.acts, s.slot, s.other = [2]uint32{a.of, b.of}, int(a.slot), int(b.slot)
		return s, w.counterparts(s)
	}
	if !okA {
		if a, okA = w.lookFor(0, s.objects[0], c.at[0]); !okA {
			return s, false
		}
	}
	f := w.a.frames[a.of]
	other := w.a.partner[a.of]
	if slots := w.sources.codes[0][f.code].slots; other > 0 && slots != nil && slots[a.slot] >= 0 {
		s.acts, s.slot, s.other = [2]uint32{a.of, other - 1}, int(a.slot), slots[a.slot]
		return s, !w.sameNamed(c, s)
	}
	return s, false
}

// counterparts reports whether the two names of a subject are the same one.
func (w *walker) counterparts(s subject) bool {
	slots := w.sources.codes[0][w.a.tree.CodeOf(s.acts[0])].slots
	return len(slots) > 0 && slots[s.slot] == s.other
}

// sameNamed reports whether the names of a subject have the same values, whatever was compared before.
func (w *walker) sameNamed(c *comparison, s subject) bool {
	f, g := w.a.frames[s.acts[0]], w.b.frames[s.acts[1]]
	if f == nil || g == nil {
		return true
	}
	x, y := f.cell(s.slot), g.cell(s.other)
	fresh := comparison{Alignment: w.Alignment, at: c.at, seen: map[[2]statetree.Object]bool{}}
	return x.Bound == y.Bound && (!x.Bound || fresh.same(x.Value, y.Value))
}

const (
	mostLooked = 2000    // elements that are read to find a name that leads to an object
	mostInAll  = 4 << 20 // such elements in all
)

// lookFor returns a name of a frame on the stack that leads to an object of run k.
func (w *walker) lookFor(k int, object statetree.Object, event int) (from origin, ok bool) {
	if w.looked > mostInAll {
		return from, false
	}
	look := &looking{side: w.sides[k], event: event, to: object, left: mostLooked, seen: map[statetree.Object]bool{}}
	defer func() { w.looked += mostLooked - look.left }()
	stack := look.tree.Stack(event)
	for n := len(stack) - 1; n >= 0; n-- {
		f := look.frames[stack[n].Activation]
		if f == nil {
			continue
		}
		for slot, cell := range f.cells {
			if cell.Bound && !cell.Hidden && look.from(cell.Value) {
				return origin{stack[n].Activation, int32(slot), name}, true
			}
		}
	}
	return from, false
}

// looking is a search for an object in the values of names.
type looking struct {
	*side
	event int
	to    statetree.Object
	left  int
	seen  map[statetree.Object]bool
}

// from reports whether a value is the object, or leads to it.
func (l *looking) from(v statetree.Value) bool {
	o, isObject := v.Object()
	switch {
	case !isObject || l.left <= 0 || l.seen[o]:
		return false
	case o == l.to:
		return true
	}
	l.seen[o] = true
	if f, _ := l.tree.Form(o, l.event); !f.Kind.Paired() {
		items := l.tree.Items(o, l.event)
		l.left -= len(items) + 1
		return slices.ContainsFunc(items, l.from)
	}
	entries := l.tree.Entries(o, l.event)
	l.left -= len(entries) + 1
	return slices.ContainsFunc(entries, func(e statetree.Entry) bool { return l.from(e.Value) })
}
