package python

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"
)

// repr returns the repr of a value as npdb shows it: as in CPython, but without the addresses of
// objects.
func (ev *evaluation) repr(v pyValue) string {
	var b strings.Builder
	ev.writeRepr(&b, v)
	return b.String()
}

func (ev *evaluation) writeRepr(b *strings.Builder, v pyValue) {
	defer ev.enter()()
	if b.Len() > textLimit {
		panic(tooLarge("a text of more than %d MiB", textLimit>>20))
	}
	if ev.interp != nil {
		ev.interp.knows(v)
	}
	switch v := v.(type) {
	case pyNone:
		b.WriteString("None")
	case pyEllipsis:
		b.WriteString("Ellipsis")
	case bool:
		if v {
			b.WriteString("True")
		} else {
			b.WriteString("False")
		}
	case *big.Int:
		ev.spend(v.BitLen() / 8)
		if ev.interp != nil && v.BitLen() > mostDigits {
			panic(refused("", "the text of an int of more than 4,300 digits"))
		}
		b.WriteString(v.String())
	case float64:
		b.WriteString(floatText(v))
	case complex128:
		b.WriteString(complexText(v))
	case pyStr:
		ev.spend(len(v))
		writeStrRepr(b, v)
	case pyBytes:
		ev.spend(len(v))
		writeBytesRepr(b, v)
	case *pyList:
		b.WriteByte('[')
		ev.writeItems(b, v.items)
		b.WriteByte(']')
	case *pyTuple:
		b.WriteByte('(')
		ev.writeItems(b, v.items)
		if len(v.items) == 1 {
			b.WriteByte(',')
		}
		b.WriteByte(')')
	case *pyDict:
		b.WriteByte('{')
		for i, key := range v.keys {
			if i > 0 {
				b.WriteString(", ")
			}
			ev.writeRepr(b, key)
			b.WriteString(": ")
			ev.writeRepr(b, v.values[i])
		}
		b.WriteByte('}')
	case *pyView:
		ev.refuseObjects(v)
		b.WriteString(v.kind + "([")
		ev.writeItems(b, v.items())
		b.WriteString("])")
	case *pySet:
		ev.writeSet(b, v)
	case *pyRange:
		fmt.Fprintf(b, "range(%s, %s", v.start, v.stop)
		if v.step.Cmp(big.NewInt(1)) != 0 {
			fmt.Fprintf(b, ", %s", v.step)
		}
		b.WriteByte(')')
	case *pySlice:
		b.WriteString("slice(")
		ev.writeItems(b, []pyValue{v.start, v.stop, v.step})
		b.WriteByte(')')
	case *pyInstance:
		b.WriteString(v.textOf(v.Repr))
	case opaque:
		if ev.interp != nil {
			ev.interp.knowsDepth(v.text)
		}
		b.WriteString(v.text)
	case *pyClass:
		refuseInstance(v)
	default:
		if ev.interp != nil {
			if text, ok := ev.interp.objectText(v); ok {
				b.WriteString(text)
				return
			}
		}
		b.WriteString(objectText(v))
	}
}

func (ev *evaluation) writeItems(b *strings.Builder, items []pyValue) {
	for i, item := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		ev.writeRepr(b, item)
	}
}

func (ev *evaluation) writeSet(b *strings.Builder, s *pySet) {
	if len(s.items) == 0 {
		b.WriteString(s.typeName() + "()")
		return
	}
	if s.frozen {
		b.WriteString("frozenset(")
	}
	ev.ordersSet(s)
	b.WriteByte('{')
	ev.writeItems(b, s.items)
	b.WriteByte('}')
	if s.frozen {
		b.WriteByte(')')
	}
}

// objectText returns the repr of a value that is not a literal.
func objectText(v pyValue) string {
	switch v := v.(type) {
	case *pyType:
		return "<class '" + v.name + "'>"
	case *pyBuiltin:
		return "<built-in function " + v.name + ">"
	case *pyMethod:
		if t, ok := v.self.(*pyType); ok {
			return "<method '" + v.name + "' of '" + t.name + "' objects>"
		}
		return "<built-in method " + v.name + " of " + typeName(v.self) + " object>"
	case *pyLambda:
		return "<function <lambda>>"
	case *pyIter:
		if v.kind == "generator" {
			return "<generator object " + cmp.Or(v.of, "<genexpr>") + ">"
		}
		return "<" + v.kind + " object>"
	}
	return "<object>"
}

// str returns str(v).
func (ev *evaluation) str(v pyValue) pyStr {
	if ev.interp != nil {
		if text, ok := ev.interp.str(v); ok {
			return text
		}
	}
	switch v := v.(type) {
	case pyStr:
		return v
	case *pyInstance:
		return pyStr(v.textOf(v.Str))
	case opaque:
		refuseInstance(v)
	}
	return pyStr(ev.repr(v))
}

// Quote returns the repr of a str.
func Quote(text string) string {
	var b strings.Builder
	writeStrRepr(&b, pyStr(text))
	return b.String()
}

// writeStrRepr writes the repr of a str (CPython, Objects/unicodeobject.c, unicode_repr).
func writeStrRepr(b *strings.Builder, s pyStr) {
	quote := byte('\'')
	if strings.IndexByte(string(s), '\'') >= 0 && strings.IndexByte(string(s), '"') < 0 {
		quote = '"'
	}
	b.WriteByte(quote)
	for len(s) > 0 {
		r, size := decodeRune(s)
		switch {
		case r == rune(quote) || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case isPrintable(r):
			b.WriteString(string(s[:size]))
		default:
			b.WriteString(escapeRune(r))
		}
		s = s[size:]
	}
	b.WriteByte(quote)
}

// escapeRune returns a code point as an escape \x, \u or \U.
func escapeRune(r rune) string {
	switch {
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// writeBytesRepr writes the repr of bytes (CPython, Objects/bytesobject.c, PyBytes_Repr).
func writeBytesRepr(b *strings.Builder, s pyBytes) {
	quote := byte('\'')
	if strings.IndexByte(string(s), '\'') >= 0 && strings.IndexByte(string(s), '"') < 0 {
		quote = '"'
	}
	b.WriteByte('b')
	b.WriteByte(quote)
	for i := range len(s) {
		switch c := s[i]; {
		case c == quote || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte(quote)
}

// asciiText escapes the characters of a repr that are not ASCII, like ascii().
func asciiText(repr string) string {
	s := pyStr(repr)
	if s.ascii() {
		return repr
	}
	return string(s.mapRunes(func(r rune) string {
		if r < 0x80 {
			return string(r)
		}
		return escapeRune(r)
	}))
}

// refuseObjects refuses a view of a dict that contains an object of the program. States show what repr()
// returns for the view, and that does not list the object's attributes.
func (ev *evaluation) refuseObjects(v *pyView) {
	seen := map[pyValue]bool{}
	for _, item := range v.items() {
		eachWithin(item, func(v pyValue) bool {
			if _, ok := v.(*instance); ok {
				panic(refused("", "the text of objects in a view of a dict"))
			}
			again := isMutable(v) && seen[v]
			if isMutable(v) {
				seen[v] = true
			}
			return !again
		})
	}
}
