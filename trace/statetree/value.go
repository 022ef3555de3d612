package statetree

// Value is the value of a name, an element or an attribute: an atom, identified by its
// text, or an object. Two values of one tree are equal (==) if they are the same text or
// the same object, like Python's `is`.
type Value struct{ h handle }

// Object is the number of an object of the program, counted from 0. Numbers are never
// reused.
type Object uint32

// ObjectValue returns the value for an object.
func ObjectValue(o Object) Value { return Value{objectHandle(o)} }

// Object returns the object of a value; ok is false for an atom.
func (v Value) Object() (o Object, ok bool) { return v.h.object() }

// handle is the number of a text or an object, times two, plus one for an object. none stands
// for no value.
type handle uint32

func textHandle(text uint32) handle     { return handle(text << 1) }
func objectHandle(o Object) handle      { return handle(o<<1) | 1 }
func (h handle) text() uint32           { return uint32(h >> 1) }
func (h handle) isObject() bool         { return h&1 == 1 }
func (h handle) object() (Object, bool) { return Object(h >> 1), h&1 == 1 }

// MostObjects is the maximum number of objects of a tree.
const MostObjects = 1<<31 - 1
