package query

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// object is a recorded object as of an event, as an operand of a condition.
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

// isPlain reports whether a form is that of a built-in container or a namedtuple, whose
// elements and length can be read from the recording because they run no code of the program.
func isPlain(f statetree.Form) bool {
	return f.Reads.Exact || f.Reads.Elements && f.Kind == statetree.Sequence && len(f.Shown) > 0
}

// isKeyed reports whether an object's content consists of keys and values, as that of a dict.
func isKeyed(k statetree.FormKind) bool { return k.Paired() && !k.Named() }

// Attribute returns the value of an attribute.
func (o *object) Attribute(name string) (python.Datum, bool) {
	return o.piece(python.Step{Attribute: name})
}

// Lacks explains why the recording has no value for an attribute.
func (o *object) Lacks(name string) string {
	return o.past.Lacks(o.id, python.Step{Attribute: name}, o.event)
}

// Item returns an element of a sequence, counted from 0.
func (o *object) Item(index int) (python.Datum, bool) {
	if f := o.form(); f.Kind != statetree.Sequence || !f.Reads.Elements || index < 0 {
		return python.Datum{}, false
	}
	return o.piece(python.Step{Index: index, IsIndex: true})
}

// Entry returns the value of a dict's key, by the key's repr.
func (o *object) Entry(key string) (python.Datum, bool) {
	if f := o.form(); !isKeyed(f.Kind) || !f.Reads.Elements {
		return python.Datum{}, false
	}
	return o.piece(python.Step{Key: key})
}

func (o *object) piece(step python.Step) (python.Datum, bool) {
	v, ok := o.past.Piece(o.id, step, o.event)
	if !ok {
		return python.Datum{}, false
	}
	return o.past.datum(v, o.event), true
}

// Len returns the length of a container. ok is false if a method of the program may decide it.
func (o *object) Len() (int, bool) {
	if !o.form().Reads.Elements {
		return 0, false
	}
	return o.past.tree.Size(o.id, o.event)
}

// Keyed reports whether the object's content consists of keys and values, as that of a dict.
func (o *object) Keyed() bool { return isKeyed(o.form().Kind) }

// Whole reports whether all elements or entries of the object are recorded.
func (o *object) Whole() bool {
	total, ok := o.past.tree.Size(o.id, o.event)
	return ok && o.form().Reads.Elements && len(o.past.tree.Items(o.id, o.event))+len(o.past.tree.Entries(o.id, o.event)) == total
}

// LiteralKeys reports whether all keys of the object are literals.
func (o *object) LiteralKeys() bool { return o.past.literalKeys(o.id, o.event) }

func (p *Past) literalKeys(o statetree.Object, event int) bool {
	for _, e := range p.tree.Entries(o, event) {
		if _, object := e.Key.Object(); object || !p.datum(e.Key, event).Literal() {
			return false
		}
	}
	return true
}

// Defaults reports whether the object may have a value for a missing key, as a defaultdict or a
// Counter does.
func (o *object) Defaults() bool {
	name := o.form().Name
	return name != "dict" && name != "OrderedDict"
}

// Literal returns the object as a literal. ok is false unless the object and all objects below
// it are built-in containers or namedtuples, and the whole text is a literal.
func (o *object) Literal() (python.Datum, bool) {
	whole := true // another object could also have the text of a literal
	o.past.reach(o.id, o.event, func(id statetree.Object) { whole = whole && isPlain(o.past.form(id, o.event)) })
	if !whole {
		return python.Datum{}, false
	}
	d := python.ReadDatum(o.past.tree.Text(o.value, o.event))
	return d, d.Literal()
}

// Derived returns the class of an object that looks like a built-in container but is an
// instance of a derived class, whose methods may behave differently. The object is the value of
// a name or reachable from that value.
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

// Same reports whether o and other are the same object of the program.
func (o *object) Same(other python.Object) bool { return o.id == other.(*object).id }

// whatis returns an object's type in pdb's wording.
func (p *Past) whatis(o *object) string {
	f := o.form()
	switch bare, found := strings.CutSuffix(strings.TrimPrefix(f.Bare, "<"), " object>"); {
	case found:
		return "<class '" + bare + "'>"
	case f.Reads.Exact && slices.Contains([]string{"deque", "defaultdict", "OrderedDict", "Counter"}, f.Name):
		return "<class 'collections." + f.Name + "'>"
	}
	return "<class '" + f.Name + "'>"
}
