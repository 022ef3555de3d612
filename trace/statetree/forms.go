package statetree

import "slices"

// Form describes the content and the display of the objects of a type.
type Form struct {
	Kind FormKind
	Name string // type(x).__name__
	// Open and Close surround the elements or attributes. Empty is the text of an object
	// without any ("" for Open and Close). Single follows an element that is the only one.
	Open, Close, Empty, Single string
	// Cycle is the text of an object that occurs inside itself. "" means that objects of this
	// form are not checked for that; objects inside them are.
	Cycle string
	Style Style
	// Bare is the repr by object.__repr__, without the address, for an object that is displayed
	// by its attributes. It is "" if its class has a __repr__ that fails.
	Bare string
	// Shown are the names of the attributes that the repr shows, or of the elements of a
	// namedtuple. In a form of attributes, none means all. In a form that shows one attribute
	// (Inner to Items), the first name is that attribute; the others are attributes outside the
	// __dict__, which are omitted when the object is displayed by its attributes.
	Shown []string
	// HasOwn reports whether the class has its own __repr__, which was not called. Own is the
	// location of that __repr__; its Line is 0 if unknown.
	HasOwn bool
	Own    Place
	Reads  Reads
}

// Place is a line of a file, counted from 1.
type Place struct{ File, Line int }

// Reads lists the operations on an instance whose results follow from its recorded
// attributes.
type Reads struct {
	Name       bool     // type(x).__name__ is the form's Name
	Str        bool     // str(x) and format(x) are repr(x)
	Exact      bool     // x is a built-in container, of no derived class
	Elements   bool     // x[i], len(x), iteration and "in" read the recorded elements
	Attributes bool     // x.NAME is the attribute that was recorded
	Described  []string // names to which Attributes does not apply, because the class computes them
}

// Attribute reports whether x.name is the attribute that was recorded.
func (r *Reads) Attribute(name string) bool {
	return r.Attributes && !slices.Contains(r.Described, name)
}

// Hides reports whether the class computes x.name: by a descriptor, such as a property, or by
// its own __getattribute__.
func (f *Form) Hides(name string) bool {
	return f.Kind == Attributes && !f.Reads.Attributes || slices.Contains(f.Reads.Described, name)
}

// FormKind is the kind of an object's content.
type FormKind uint8

// The kinds of content.
//
//   - Sequence: elements in order.
//   - Set: elements without order.
//   - Dict and Pairs: entries, displayed as "key: value" or as "(key, value)".
//   - Counter: a dict of counts, displayed by descending count.
//   - Attributes: names and values.
//   - Text: nothing but the result of the object's own __repr__.
//   - Bytes: numbers, displayed as one literal.
//   - Inner, Spread, Keys, Values and Items: attributes, of which one is displayed. Inner shows
//     its repr, Spread its elements without the brackets, and the others show the keys, values or
//     items of the dict in it.
const (
	Sequence FormKind = iota
	Set
	Dict
	Pairs
	Counter
	Attributes
	Text
	Bytes
	Inner
	Spread
	Keys
	Values
	Items
)

// Named reports whether the content consists of attributes.
func (k FormKind) Named() bool { return k == Attributes || k >= Inner }

// Paired reports whether the content consists of pairs: a key or name, and its value.
func (k FormKind) Paired() bool { return k == Dict || k == Pairs || k == Counter || k.Named() }

// spliced reports whether the content consists of elements that can be replaced.
func (k FormKind) spliced() bool { return k == Sequence || k == Set || k == Bytes }

// Width returns the number of recorded values for one element, entry or attribute.
func (k FormKind) Width() int {
	if k.Paired() {
		return 2
	}
	return 1
}

// Style says which rules determine the display of an object's elements: the tracer's, or
// those of CPython's repr.
type Style uint8

// The styles, as in trace/tracer/render.py. Walk displays elements by the tracer's rules, Repr
// as CPython's repr does. Unasked displays the object by its attributes everywhere, because its
// own __repr__ was not called.
const (
	Walk Style = iota
	Repr
	Unasked
)

// TellsUnasked reports whether the tree contains an object that has its own __repr__ but
// was recorded by its attributes.
func (t *Tree) TellsUnasked() bool {
	t.mu.RLock()
	defer t.done()
	return slices.ContainsFunc(t.objects.forms, func(f Form) bool { return f.HasOwn })
}

// AddForm adds a form and returns its number, counted from 0.
func (t *Tree) AddForm(f Form) int {
	f.Shown = append([]string(nil), f.Shown...)
	o := &t.objects
	o.forms = append(o.forms, f)
	o.shown = append(o.shown, nil)
	size := len(f.Name) + len(f.Open) + len(f.Close) + len(f.Empty) + len(f.Single) + len(f.Cycle) + len(f.Bare)
	for _, name := range f.Shown {
		size += len(name) + 16
		k := len(o.shown) - 1
		o.shown[k] = append(o.shown[k], textHandle(t.texts.intern([]byte(name), none)))
	}
	t.held += int64(size) + 160
	return len(o.forms) - 1
}
