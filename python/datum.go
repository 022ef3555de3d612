package python

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Datum is a value that a Condition reads: a literal, an object whose pieces are read on demand, or
// a value of which only the repr is known.
type Datum struct{ value pyValue }

// Object is a value that is not a literal. A Condition reads only the pieces that it needs; false
// means that a piece is not known.
type Object interface {
	Attribute(name string) (Datum, bool)
	Lacks(name string) string // says why the attribute is not known
	Item(index int) (Datum, bool)
	Entry(key string) (Datum, bool) // the entry with this repr as its key
	Len() (int, bool)
	Keyed() bool            // it is a mapping: it has entries instead of items
	Literal() (Datum, bool) // the whole value, if a literal can represent it
	Whole() bool            // it is a built-in container whose content is completely known
	LiteralKeys() bool      // all its keys are literals, so no key with another repr is equal to a literal
	Defaults() bool         // it may return a value for a missing key
	Same(other Object) bool // reports whether both are the same object
}

// opaque is a value of which only the repr is known, and whose repr is not a literal.
type opaque struct {
	text  string
	names Module // nil if the value is not a module
	epoch int    // only in an Interpreter: its number of changes when the value was read
}

// Module is a module whose names a Condition can read.
type Module interface {
	Attribute(name string) (Datum, bool)
	Lacks(name string) string // says why the name is not known
}

// ModuleDatum returns the datum of a module. text is its repr.
func ModuleDatum(text string, m Module) Datum { return Datum{opaque{text: text, names: m}} }

// unknown is a value that was not recorded. reason says why.
type unknown struct{ reason string }

// UnknownDatum returns a Datum for a name whose value is not known. Evaluating an expression that
// reads it returns a *RefusedError with this reason.
func UnknownDatum(reason string) Datum { return Datum{unknown{reason}} }

// object represents an Object as a value of an expression.
type object struct{ Object }

// ReadDatum parses the repr of a value.
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

// plainLiteral parses the most frequent reprs without the parser: small ints, strings without
// escapes, None, True and False. It returns nil for all other reprs.
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

// StringOf returns the value of a string literal; surrogates stay escaped. ok is false if literal
// is not a string literal.
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

// Object returns the datum's Object; the second result is false if the datum is not an Object.
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

// Text returns the repr of a literal or of an opaque value. For an Object it returns a
// *RefusedError.
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
