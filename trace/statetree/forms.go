package statetree

import "slices"

// Form is how the objects of a type are made up, and how they are shown.
type Form struct {
	Kind FormKind
	Name string // type(x).__name__
	// Open and Close stand around the elements or attributes; Empty is the text
	// of an object without any ("" for Open and Close); Single follows a sole
	// element.
	Open, Close, Empty, Single string
	// Cycle stands for an object inside itself. An object whose form has none
	// does not notice that it stands inside itself: one within it will.
	Cycle string
	Style Style
	// Bare is what CPython's own repr says of an object that is shown by its
	// attributes, without the address; "" where its class has a __repr__ that
	// fails.
	Bare string
	// Shown are the attributes that the repr shows, or the names of a sequence's
	// elements. Attributes of a form without any are all shown. Of a form that
	// shows what an attribute holds, that attribute, and then those that stand in
	// no __dict__: they are left out where an object is shown by its attributes.
	Shown []string
	// HasOwn reports whether the class defines a __repr__ that was not called. Own is the place of
	// that __repr__; its Line is 0 if unknown.
	HasOwn bool
	Own    Place
	Reads  Reads
}

// Place is a line of a file, from 1.
type Place struct{ File, Line int }

// Reads holds which operations on an instance follow from its recorded attributes.
type Reads struct {
	Name       bool     // type(x).__name__ is the form's Name
	Str        bool     // str(x) and format(x) are repr(x)
	Attributes bool     // x.NAME is the attribute that was recorded
	Described  []string // exceptions to Attributes: names of descriptors of the class
}

// FormKind is what the content of an object is.
type FormKind uint8

// The kinds: elements in order; elements of a set; entries of a dict, shown as
// "key: value", or as "(key, value)"; entries whose values are counts, shown by
// descending count; attributes; and no content, only the text that the object's
// own __repr__ says. Then elements that are bytes, shown as one literal; and
// attributes, of which one is shown: what it holds, what that holds without the
// brackets, or of a dict that it holds the keys, values or items.
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

// Named reports whether the content is attributes.
func (k FormKind) Named() bool { return k == Attributes || k >= Inner }

// Paired reports whether the content is of pairs: a key, or a name, and its value.
func (k FormKind) Paired() bool { return k == Dict || k == Pairs || k == Counter || k.Named() }

// spliced reports whether the content is elements, of which some may be replaced.
func (k FormKind) spliced() bool { return k == Sequence || k == Set || k == Bytes }

// Width returns how many values are recorded for an element, an entry or an attribute.
func (k FormKind) Width() int {
	if k.Paired() {
		return 2
	}
	return 1
}

// Style is who decides how the elements of an object are shown: the tracer, or
// CPython's repr.
type Style uint8

// The styles, as in trace/tracer/render.py. An object whose own __repr__ was not asked is
// shown by its attributes wherever it stands.
const (
	Walk Style = iota
	Repr
	Unasked
)

// TellsUnasked reports whether the tree holds an object with a __repr__ of its own that was
// recorded by its attributes instead.
func (t *Tree) TellsUnasked() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.ContainsFunc(t.objects.forms, func(f Form) bool { return f.HasOwn })
}

// AddForm adds a form and returns its number, from 0.
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
