package query

import (
	"strings"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// object is an object as of an event, as a condition looks into it.
type object struct {
	past  *Past
	id    statetree.Object
	value statetree.Value
	event int
}

var _ python.Object = (*object)(nil)

func (o *object) form() statetree.Form { return o.past.form(o.id, o.event) }

func (p *Past) form(o statetree.Object, event int) statetree.Form {
	f, _ := p.tree.Form(o, event)
	return f
}

// isPlain reports whether a form is that of a container of Python's own, whose pieces
// and length are what the recording has of it: they run no code of the program's. A
// class of the program's may have the same name, but is not shown the same way. A
// namedtuple's type has any name, and names for its elements.
func isPlain(f statetree.Form) bool {
	if f.Kind.Named() {
		return false
	}
	switch f.Name {
	case "list", "tuple", "dict", "set", "frozenset":
		return f.Style == statetree.Walk
	case "deque", "defaultdict", "OrderedDict", "Counter":
		return strings.HasPrefix(f.Open, f.Name+"(")
	}
	return f.Kind == statetree.Sequence && len(f.Shown) > 0
}

// isKeyed reports whether content is entries of a dict, however they are shown.
func isKeyed(k statetree.FormKind) bool { return k.Paired() && !k.Named() }

// Attribute returns what an attribute of the object holds.
func (o *object) Attribute(name string) (python.Datum, bool) {
	return o.piece(python.Step{Attribute: name})
}

// Item returns an element, counted from 0.
func (o *object) Item(index int) (python.Datum, bool) {
	if f := o.form(); f.Kind != statetree.Sequence || !isPlain(f) || index < 0 {
		return python.Datum{}, false
	}
	return o.piece(python.Step{Index: index, IsIndex: true})
}

// Entry returns what a dict's key has, by the key's repr.
func (o *object) Entry(key string) (python.Datum, bool) {
	if f := o.form(); !isKeyed(f.Kind) || !isPlain(f) {
		return python.Datum{}, false
	}
	return o.piece(python.Step{Key: key})
}

func (o *object) piece(step python.Step) (python.Datum, bool) {
	v, ok := o.past.piece(o.id, step, o.event)
	if !ok {
		return python.Datum{}, false
	}
	return o.past.datum(v, o.event), true
}

// Len returns len() of a container of Python's own.
func (o *object) Len() (int, bool) {
	if !isPlain(o.form()) {
		return 0, false
	}
	return o.past.tree.Size(o.id, o.event)
}

// Keyed reports whether the object has entries.
func (o *object) Keyed() bool { return isKeyed(o.form().Kind) }

// Whole reports whether the object is a container of Python's own of which all is
// recorded.
func (o *object) Whole() bool {
	total, ok := o.past.tree.Size(o.id, o.event)
	return ok && isPlain(o.form()) && len(o.past.tree.Items(o.id, o.event))+len(o.past.tree.Entries(o.id, o.event)) == total
}

// Literal returns the whole object where its text is a literal's: a container of Python's
// own of literals.
func (o *object) Literal() (python.Datum, bool) {
	whole := true // what is the program's own could show itself as a literal
	o.past.reach(o.id, o.event, func(id statetree.Object) { whole = whole && isPlain(o.past.form(id, o.event)) })
	if !whole {
		return python.Datum{}, false
	}
	d := python.ReadDatum(o.past.tree.Text(o.value, o.event))
	return d, d.Literal()
}

// Derived returns a class, of what a name of a scope holds or of what that holds, of which the
// text reads as that of a list, a dict or another container of Python's own though it is
// none: its methods may answer otherwise.
func (p *Past) Derived(s Scope, name string, event int) (class string, ok bool) {
	v, held := p.held(s, event, name)
	o, object := v.Object()
	if !held || !object {
		return "", false
	}
	p.reach(o, event, func(id statetree.Object) {
		if f := p.form(id, event); !ok && !isPlain(f) {
			class, ok = f.Name, true
		}
	})
	return class, ok && python.ReadDatum(p.tree.Text(v, event)).Literal()
}

// Same reports whether both are one object.
func (o *object) Same(other python.Object) bool { return o.id == other.(*object).id }

// whatis returns pdb's words for an object's type.
func (p *Past) whatis(o *object) string {
	f := o.form()
	switch bare, found := strings.CutSuffix(strings.TrimPrefix(f.Bare, "<"), " object>"); {
	case found:
		return "<class '" + bare + "'>"
	case f.Name == "deque" || f.Name == "defaultdict" || f.Name == "OrderedDict" || f.Name == "Counter":
		return "<class 'collections." + f.Name + "'>"
	}
	return "<class '" + f.Name + "'>"
}
