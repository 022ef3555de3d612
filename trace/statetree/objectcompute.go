package statetree

import (
	"slices"
	"sync"

	"github.com/npdb/npdb/python"
)

// The result of a __repr__ of the program can be computed from the recorded attributes if
// its body is a single return statement that npdb can evaluate. Nothing is guessed: if any
// part is unknown, the object is shown by its attributes.

const (
	mostComputing = 50     // maximum nesting of __repr__ evaluations
	mostComputed  = 10_000 // maximum number of __repr__ evaluations in one text
	mostGiven     = 10_000 // maximum elements of containers passed to one evaluation
)

// representations caches, by file, every __repr__ that can be evaluated. A file is parsed
// when the first object of one of its classes is shown.
type representations struct {
	mu     sync.Mutex
	off    bool
	byFile map[int]python.Representations
}

// ShowAttributes makes the tree show objects by their attributes even if the result of
// their __repr__ can be computed.
func (t *Tree) ShowAttributes() {
	t.own.mu.Lock()
	t.own.off = true
	t.own.mu.Unlock()
	t.cache.clear()
}

// representation returns the __repr__ of a form if it can be evaluated, else nil.
func (t *Tree) representation(f *Form) *python.Representation {
	if f.Own.Line == 0 || f.Own.File >= len(t.files) {
		return nil
	}
	r := &t.own
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.off {
		return nil
	}
	found, ok := r.byFile[f.Own.File]
	if !ok {
		if r.byFile == nil {
			r.byFile = map[int]python.Representations{}
		}
		found = python.ReadRepresentations(t.files[f.Own.File].Source)
		r.byFile[f.Own.File] = found
	}
	return found[f.Own.Line]
}

// ByAttributes reports whether the text of a value as of event i shows any object by its
// attributes because the result of the object's own __repr__ is unknown.
func (t *Tree) ByAttributes(v Value, i int) bool {
	if !v.h.isObject() {
		return false
	}
	t.mu.RLock()
	defer t.done()
	s := t.scribe(i)
	s.walk(v.h, 0, 0)
	return s.unasked
}

// Attributes returns the text of a value as of event i with all objects shown by their
// attributes, even if the result of their __repr__ is known. own reports whether any of
// the objects has its own __repr__.
func (t *Tree) Attributes(v Value, i int) (text string, own bool) {
	if !v.h.isObject() {
		return t.Text(v, i), false
	}
	t.mu.RLock()
	defer t.done()
	s := t.scribe(i)
	s.bare = true
	s.walk(v.h, 0, 0)
	s.cut()
	return string(s.buf), s.unasked
}

// compute writes the result of an object's __repr__, and reports whether it could be
// computed.
func (s *scribe) compute(o Object, c *content, f *Form) bool {
	if s.bare {
		return false
	}
	r := s.t.representation(f)
	if r == nil || f.Kind != Attributes || len(s.computing) >= mostComputing || s.computed >= mostComputed || contains(s.computing, o) {
		return false
	}
	s.computed++
	s.computing = append(s.computing, o)
	given := mostGiven
	text, ok := r.Text(&instance{s: s, o: o, form: f, content: c, given: &given})
	s.computing = s.computing[:len(s.computing)-1]
	if !ok {
		return false
	}
	start := len(s.buf)
	s.write(text)
	s.dropAddresses(start)
	return true
}

// instance implements python.Instance for the objects in the expression that a __repr__ returns.
type instance struct {
	s       *scribe
	o       Object
	form    *Form
	content *content // the attributes; nil if they cannot be read
	given   *int     // remaining elements that may be passed
}

var _ python.Instance = (*instance)(nil)

// Class returns type(x).__name__. ok is false if this may differ from the form's name.
func (x *instance) Class() (string, bool) {
	return x.form.Name, x.form.Reads.Name && !slices.Contains(x.form.Reads.Described, "__class__")
}

// Attribute returns the recorded value of x.name. ok is false if the program may see another
// value.
func (x *instance) Attribute(name string) (python.Datum, bool) {
	c := x.content
	if c == nil || !x.form.Kind.Named() || !x.form.Reads.Attribute(name) {
		return python.Datum{}, false
	}
	id, known := x.s.t.texts.lookup([]byte(name))
	if !known {
		return python.Datum{}, false
	}
	for k := 0; k+1 < len(c.cells); k += 2 {
		if c.cells[k] == textHandle(id) {
			return x.datum(c.cells[k+1], 0)
		}
	}
	return python.Datum{}, false
}

// Repr returns CPython's repr of the object. ok is false if the recording does not determine
// it.
func (x *instance) Repr() (string, bool) {
	s := x.s
	inner := scribe{t: s.t, event: s.event, limits: s.limits, missing: s.missing, brief: s.brief, computing: s.computing, computed: s.computed}
	inner.repr(objectHandle(x.o))
	s.computed = inner.computed
	s.from = append(s.from, inner.from...)
	return string(inner.buf), !inner.unasked && !inner.partly && !inner.fails && !inner.tooDeep
}

// Str returns str(x), which is the repr. ok is false if the two may differ.
func (x *instance) Str() (string, bool) {
	if !x.form.Reads.Str && (x.form.Style != Walk || x.form.Kind == Attributes || x.form.Kind == Text) {
		return "", false
	}
	return x.Repr()
}

// datum converts a value to an operand of an expression: a built-in list, tuple or dict with all
// its elements, any other object as an instance.
func (x *instance) datum(h handle, depth int) (python.Datum, bool) {
	s := x.s
	o, ok := h.object()
	if !ok {
		return python.ReadDatum(s.t.texts.text(h.text())), true
	}
	c := s.open(o)
	if c == nil {
		return python.Datum{}, false
	}
	f := &s.t.objects.forms[c.form]
	own := &instance{s: s, o: o, form: f, content: c, given: x.given}
	if f.Style != Walk || c.text != none || f.Kind == Attributes || f.Kind == Text || f.Kind == Set {
		return python.InstanceDatum(own), true
	}
	defer s.close(c)
	if *x.given -= len(c.cells); *x.given < 0 || depth > mostComputing || c.stored != c.total {
		return python.Datum{}, false
	}
	cells := make([]python.Datum, len(c.cells))
	for n, cell := range c.cells {
		if cells[n], ok = x.datum(cell, depth+1); !ok {
			return python.Datum{}, false
		}
	}
	if f.Kind == Sequence {
		if f.Single != "" {
			return python.TupleDatum(cells), true
		}
		return python.ListDatum(cells), true
	}
	var keys, values []python.Datum
	for n := 0; n < len(cells); n += 2 {
		keys, values = append(keys, cells[n]), append(values, cells[n+1])
	}
	if dict, ok := python.DictDatum(keys, values); ok {
		return dict, true
	}
	return python.InstanceDatum(own), true
}
