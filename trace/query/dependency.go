package query

import (
	"iter"
	"slices"
	"sort"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// mostReached bounds the number of objects, reachable from one value, that are checked for
// changes. Changes of further objects are missed.
const mostReached = 20_000

// dependency is one thing that determines the value of a path: the binding of a name, the
// content of an object, or one piece of it.
type dependency struct {
	name       string // "" if the dependency is on an object
	activation uint32
	object     statetree.Object
	piece      statetree.Piece
	one        bool // only this piece of the object matters; otherwise all its content
}

// last returns the latest event up to the given one at which the dependency may have
// changed, or -1.
func (d dependency) last(p *Past, event int) int {
	if d.name == "" && !d.one {
		at, _ := p.tree.VersionUpTo(d.object, event)
		return at
	}
	return p.postingsOf(d, event).upTo(event)
}

// next returns the first event after the given one at which the dependency may have
// changed, or -1.
func (d dependency) next(p *Past, event int) int {
	if d.name == "" && !d.one {
		at, ok := p.tree.VersionAfter(d.object, event)
		if !ok {
			return -1
		}
		return at
	}
	if l, ok := p.posted[d]; ok && event < l.known {
		if at := l.after(event); at >= 0 && at <= l.known {
			return at
		}
	}
	return p.postingsOf(d, p.tree.Len()-1).after(event)
}

// postings lists the events at which a dependency may have changed, ascending. They are
// computed once, and extended for later events on demand.
type postings struct {
	events []int
	known  int // events is complete up to this event
}

// mostPostings bounds the number of dependencies with cached postings.
const mostPostings = 256

// postingsOf returns the postings of a dependency, complete up to an event. The last event of
// the tree is always checked again, because an edit by the user may still change it.
func (p *Past) postingsOf(d dependency, event int) *postings {
	l := p.posted[d]
	if l == nil {
		if len(p.posted) >= mostPostings {
			clear(p.posted)
		}
		l = &postings{known: -1}
		p.posted[d] = l
	}
	if event <= l.known {
		return l
	}
	last := p.tree.Len() - 1
	for n := len(l.events); n > 0 && l.events[n-1] > l.known; n-- {
		l.events = l.events[:n-1]
	}
	if d.name != "" {
		l.events = append(l.events, p.tree.Bindings(d.activation, d.name, l.known, last)...)
	} else {
		l.events = append(l.events, p.tree.Touches(d.object, d.piece, l.known, last)...)
	}
	l.known = max(last-1, l.known)
	return l
}

func (l *postings) upTo(event int) int {
	if i := sort.SearchInts(l.events, event+1); i > 0 {
		return l.events[i-1]
	}
	return -1
}

func (l *postings) after(event int) int {
	if i := sort.SearchInts(l.events, event+1); i < len(l.events) {
		return l.events[i]
	}
	return -1
}

// each visits the dependencies of a path as of an event: the binding of its name, and the
// pieces and objects to which its steps lead. While none of them changes, the value of the path
// does not change either.
func (f *Followed) each(path python.Path, event int, visit func(dependency)) {
	p := f.past
	visit(dependency{name: path.Name, activation: f.owners[path.Name]})
	v, ok := f.held(event, path.Name)
	if !ok {
		return
	}
	for _, step := range path.Steps {
		o, object := v.Object()
		if act, module := p.ModuleOf(v, event); module && step.Attribute != "" {
			visit(dependency{name: step.Attribute, activation: act})
			if v, ok = p.tree.Held(act, event, step.Attribute); !ok {
				return
			}
			continue
		}
		if !object {
			return // an atom has no parts, so nothing below it can change
		}
		visit(p.dependencyOn(o, step, event))
		if v, ok = p.Piece(o, step, event); !ok {
			visit(dependency{object: o}) // any entry may matter: the key 1 also finds the entry of True
			return
		}
	}
	o, object := v.Object()
	switch {
	case !object || path.Identity:
	case path.Len:
		visit(dependency{object: o, piece: statetree.Piece{Size: true}, one: true})
	default:
		p.reach(o, event, func(o statetree.Object) { visit(dependency{object: o}) })
	}
}

// reach visits an object and the objects below it as of an event, each once, up to mostReached.
func (p *Past) reach(o statetree.Object, event int, visit func(statetree.Object)) {
	seen := map[statetree.Object]bool{o: true}
	queue := []statetree.Object{o}
	for len(queue) > 0 {
		o, queue = queue[0], queue[1:]
		visit(o)
		for v := range p.parts(o, event) {
			if child, ok := v.Object(); ok && !seen[child] && len(seen) < mostReached {
				seen[child] = true
				queue = append(queue, child)
			}
		}
	}
}

// resolve returns the value at a path as of an event. ok is false if the path alone does not
// decide: a step leads into an atom, or the name is a global and the globals are not recorded.
func (f *Followed) resolve(path python.Path, event int) (r Reading, ok bool) {
	p := f.past
	v, held := f.held(event, path.Name)
	if !held {
		return Reading{}, !f.hidden[path.Name]
	}
	for _, step := range path.Steps {
		o, object := v.Object()
		if _, module := p.ModuleOf(v, event); !object && !module {
			return Reading{}, false
		}
		if v, held = p.part(v, step, event); !held && object {
			return Reading{Unknown: p.Lacks(o, step, event)}, true
		} else if !held {
			return Reading{}, false
		}
	}
	r = Reading{Text: p.tree.Text(v, event), OK: true}
	if _, object := v.Object(); object {
		r.value = v
	}
	return r, true
}

// Lacks explains why the recording has no value for a step from an object, although the program
// may have one. It returns "" if the program has none either.
func (p *Past) Lacks(o statetree.Object, step python.Step, event int) string {
	form := p.form(o, event)
	if step.Attribute != "" {
		return p.lacksAttribute(o, step.Attribute, event)
	}
	stored := len(p.tree.Items(o, event)) + len(p.tree.Entries(o, event))
	switch total, _ := p.tree.Size(o, event); {
	case form.Kind == statetree.Text:
		return "only the text of " + form.Name + " is recorded, not its elements"
	case stored < total:
		return notAll
	case !form.Kind.Named() && !form.Reads.Elements:
		return form.Name + " reads its elements by methods of its own, which are not run here"
	case !isPlain(form):
		return form.Name + " is recorded by its attributes"
	case isKeyed(form.Kind) && !p.literalKeys(o, event):
		return python.ObjectKeys
	}
	return ""
}

const notAll = "not all of it is recorded"

// lacksAttribute explains why the recording has no value for an attribute of an object.
func (p *Past) lacksAttribute(o statetree.Object, name string, event int) string {
	form := p.form(o, event)
	total, _ := p.tree.Size(o, event)
	switch {
	case form.Kind == statetree.Text:
		return "only the text of " + form.Name + " is recorded, not its attributes"
	case form.Hides(name):
		return "." + name + " is computed by its class (a property, or its own __getattribute__), which is not run here"
	case !form.Kind.Named() && len(form.Shown) == 0:
		return "only the elements of " + form.Name + " are recorded, not its attributes"
	case form.Kind.Named() && len(p.tree.Entries(o, event)) < total:
		return notAll
	}
	return "." + name + " is not among the recorded attributes of " + form.Name
}

// parts returns the values that an object contains.
func (p *Past) parts(o statetree.Object, event int) iter.Seq[statetree.Value] {
	return func(yield func(statetree.Value) bool) {
		for _, v := range p.tree.Items(o, event) {
			if !yield(v) {
				return
			}
		}
		for _, e := range p.tree.Entries(o, event) {
			if !yield(e.Key) || !yield(e.Value) {
				return
			}
		}
	}
}

// PieceAt returns the piece of an object (element, entry or attribute) to which a step leads.
// ok is false if the object has no such piece, or its class may compute another value.
func (p *Past) PieceAt(o statetree.Object, step python.Step, event int) (piece statetree.Piece, ok bool) {
	form, ok := p.tree.Form(o, event)
	switch {
	case !ok:
	case step.Attribute != "" && (form.Kind == statetree.Attributes || form.Kind == statetree.Spread):
		return statetree.Piece{Key: step.Attribute}, form.Reads.Attribute(step.Attribute)
	case step.Attribute != "":
		index := slices.Index(form.Shown, step.Attribute) // the names of a namedtuple's elements
		return statetree.Piece{Index: index, Item: true}, index >= 0 && form.Kind == statetree.Sequence && form.Reads.Attribute(step.Attribute)
	case isKeyed(form.Kind):
		return statetree.Piece{Key: step.Key}, form.Reads.Elements
	case form.Kind == statetree.Sequence:
		return statetree.Piece{Index: step.Index, Item: true}, step.IsIndex && form.Reads.Elements
	}
	return statetree.Piece{}, false
}

// dependencyOn returns what a step from an object depends on: one piece of it, if that is
// known, or all its content.
func (p *Past) dependencyOn(o statetree.Object, step python.Step, event int) dependency {
	piece, ok := p.PieceAt(o, step, event)
	return dependency{object: o, piece: piece, one: ok}
}

// Piece returns the value to which a step from an object leads, as of an event.
func (p *Past) Piece(o statetree.Object, step python.Step, event int) (v statetree.Value, ok bool) {
	piece, ok := p.PieceAt(o, step, event)
	switch {
	case !ok:
		return v, false
	case !piece.Item:
		return p.tree.Entry(o, event, piece.Key)
	case piece.Index < 0:
		n, _ := p.tree.Size(o, event)
		piece.Index += n
	}
	return p.tree.Item(o, event, piece.Index)
}

// Touched reports whether an object, or one that it contains, changed after event from and up to
// another event.
func (p *Past) Touched(v statetree.Value, from, event int) (touched bool) {
	if root, ok := v.Object(); ok {
		p.reach(root, event, func(o statetree.Object) {
			at, ok := p.tree.VersionUpTo(o, event)
			touched = touched || ok && at > from
		})
	}
	return touched
}
