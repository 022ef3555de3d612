package python

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Datum is a value that a Condition reads: a literal, an object that is read piece by piece, or a
// text.
type Datum struct{ value pyValue }

// Object is a value that is not a literal. A condition asks it for the pieces that it needs; false
// means that a piece is unknown.
type Object interface {
	Attribute(name string) (Datum, bool)
	Hides(name string) bool // the class decides what the attribute is, by code that is not run
	Item(index int) (Datum, bool)
	Entry(key string) (Datum, bool) // by the key's repr
	Len() (int, bool)
	Keyed() bool            // it has entries, and no items
	Literal() (Datum, bool) // all of it, where a literal can stand for it
	Whole() bool            // it is a container of Python's own, and all of it is known
	LiteralKeys() bool      // its keys are literals, so that no text is equal to one but its own
	Defaults() bool         // a key that it does not have may have a value all the same
	Same(other Object) bool // whether both are one object
}

// opaque is a value of which only the text is known, and which is not a literal.
type opaque struct {
	text  string
	epoch int // of a program that is followed: how many changes there were when it was read
}

// unknown is a value that was not recorded.
type unknown struct{ reason string }

// UnknownDatum returns the datum of a name whose value is not known. An expression that reads it is
// a *RefusedError with the reason.
func UnknownDatum(reason string) Datum { return Datum{unknown{reason}} }

// object makes an Object a value of an expression.
type object struct{ Object }

// ReadDatum parses a value's text.
func ReadDatum(text string) Datum {
	d := Datum{plainLiteral(text)}
	if d.value != nil {
		return d
	}
	err := within(context.Background(), Names{}, func(ev *evaluation) {
		if v, reason := ev.read(text); reason == "" {
			d.value = v
		}
	})
	if err != nil || d.value == nil {
		d.value = opaque{text: text}
	}
	return d
}

// plainLiteral parses the most frequent texts without a parser: small ints, strings without
// escapes, None and the bools. It returns nil for all others.
func plainLiteral(text string) pyValue {
	switch text {
	case "None":
		return pyNone{}
	case "True":
		return true
	case "False":
		return false
	case "":
		return nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && strconv.FormatInt(n, 10) == text {
		return big.NewInt(n)
	}
	if last := len(text) - 1; last > 0 && text[0] == '\'' && text[last] == '\'' {
		for i := 1; i < last; i++ {
			if c := text[i]; c < ' ' || c > '~' || c == '\\' || c == '\'' {
				return nil
			}
		}
		return pyStr(text[1:last])
	}
	return nil
}

// StringOf returns the value of a string literal, with surrogates as they are escaped; ok is
// false for any other text.
func StringOf(literal string) (value string, ok bool) {
	s, ok := ReadDatum(literal).value.(pyStr)
	if !ok || utf8.ValidString(string(s)) {
		return string(s), ok
	}
	var b strings.Builder
	for _, r := range s.runes() {
		if utf8.ValidRune(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String(), true
}

// ObjectDatum returns an object as a datum.
func ObjectDatum(o Object) Datum { return Datum{object{o}} }

// Object returns the object of a datum that is one.
func (d Datum) Object() (Object, bool) {
	o, ok := d.value.(object)
	return o.Object, ok
}

// Literal reports whether the datum is the value of a literal.
func (d Datum) Literal() bool {
	switch d.value.(type) {
	case nil, opaque, object:
		return false
	}
	return true
}

// Text returns the repr of a literal, and the known text of other values.
func (d Datum) Text() (text string, err error) {
	switch v := d.value.(type) {
	case object:
		return "", refused("", "an object's text is not known here")
	case opaque:
		return v.text, nil
	}
	err = within(context.Background(), Names{}, func(ev *evaluation) { text = ev.repr(d.value) })
	return text, err
}

// Whatis returns what pdb's whatis prints for a literal.
func (d Datum) Whatis() string { return whatis(d.value) }
