package policy

import (
	"strings"
	"unicode/utf8"
)

// literalKind is the Python type of a literal.
type literalKind uint8

const (
	literalNone literalKind = iota + 1
	literalBool
	literalInt
	literalFloat
	literalStr
	literalBytes
	literalList
	literalTuple
	literalDict
	literalSet
)

// literal is a parsed Python literal. A value whose repr is not a literal, such as inf, a
// frozenset or a complex number, cannot be represented.
type literal struct {
	kind  literalKind
	word  string    // text of a bool, None or number; prefix and quote of a str or bytes: b'
	chars []string  // characters of a str or bytes, with escapes as written
	items []literal // items of a container; for a dict, keys and values in turn
}

// readLiteral parses the repr of a value. ok is false if it is not a literal.
func readLiteral(repr string) (literal, bool) {
	r := &literalReader{rest: repr}
	l, ok := r.value(deepestLiteral)
	return l, ok && r.rest == ""
}

// deepestLiteral is the maximum nesting depth of the containers in a literal.
const deepestLiteral = 8

type literalReader struct{ rest string }

func (r *literalReader) skip(text string) bool {
	rest, ok := strings.CutPrefix(r.rest, text)
	if ok {
		r.rest = rest
	}
	return ok
}

func (r *literalReader) value(deep int) (literal, bool) {
	for _, w := range []struct {
		word string
		kind literalKind
	}{{"None", literalNone}, {"True", literalBool}, {"False", literalBool}} {
		if r.skip(w.word) {
			return literal{kind: w.kind, word: w.word}, true
		}
	}
	switch {
	case r.skip("set()"):
		return literal{kind: literalSet}, true
	case r.skip("["):
		return r.items(literalList, "]", deep)
	case r.skip("("):
		return r.items(literalTuple, ")", deep)
	case r.skip("{"):
		return r.items(literalDict, "}", deep)
	case r.skip("b'"):
		return r.quoted(literalBytes, "b'")
	case r.skip(`b"`):
		return r.quoted(literalBytes, `b"`)
	case r.skip("'"):
		return r.quoted(literalStr, "'")
	case r.skip(`"`):
		return r.quoted(literalStr, `"`)
	}
	return r.number()
}

// number parses an int or a float as repr writes it: 12, -0.5, 1e-07.
func (r *literalReader) number() (literal, bool) {
	i := 0
	digits := func() bool {
		from := i
		for i < len(r.rest) && r.rest[i] >= '0' && r.rest[i] <= '9' {
			i++
		}
		return i > from
	}
	sign := func(among string) {
		if i < len(r.rest) && strings.IndexByte(among, r.rest[i]) >= 0 {
			i++
		}
	}
	sign("-")
	from := i
	if !digits() || r.rest[from] == '0' && i > from+1 {
		return literal{}, false
	}
	l := literal{kind: literalInt}
	if i < len(r.rest) && r.rest[i] == '.' {
		i++
		l.kind = literalFloat
		if !digits() {
			return literal{}, false
		}
	}
	if i < len(r.rest) && r.rest[i] == 'e' {
		i++
		l.kind = literalFloat
		sign("+-")
		if !digits() {
			return literal{}, false
		}
	}
	l.word, r.rest = r.rest[:i], r.rest[i:]
	return l, true
}

// quoted parses the rest of a str or bytes, up to the closing quote. Each character, or
// escape, is kept as written.
func (r *literalReader) quoted(kind literalKind, opened string) (literal, bool) {
	l, quote := literal{kind: kind, word: opened}, opened[len(opened)-1]
	for r.rest != "" {
		n := 1
		switch c := r.rest[0]; {
		case c == quote:
			r.rest = r.rest[1:]
			return l, true
		case c == '\\':
			if n = escapeLen(r.rest, kind); n == 0 {
				return l, false
			}
		case c < ' ' || c == 0x7f:
			return l, false
		case c >= utf8.RuneSelf:
			var char rune
			if char, n = utf8.DecodeRuneInString(r.rest); char == utf8.RuneError || kind == literalBytes {
				return l, false
			}
		}
		l.chars, r.rest = append(l.chars, r.rest[:n]), r.rest[n:]
	}
	return l, false
}

// escapeLen returns the length of the escape at the beginning of a text, or 0 if repr never writes such
// an escape.
func escapeLen(text string, kind literalKind) int {
	if len(text) < 2 {
		return 0
	}
	n := 2
	switch text[1] {
	case '\\', '\'', '"', 'n', 'r', 't':
		return n
	case 'x':
		n = 4
	case 'u':
		n = 6
	case 'U':
		n = 10
	default:
		return 0
	}
	if len(text) < n || kind == literalBytes && n > 4 {
		return 0
	}
	for _, c := range []byte(text[2:n]) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return 0
		}
	}
	return n
}

// items parses the items of a container, up to its closing bracket. Items in braces without a colon are
// a set.
func (r *literalReader) items(kind literalKind, closing string, deep int) (literal, bool) {
	l := literal{kind: kind}
	if deep == 0 {
		return l, false
	}
	if r.skip(closing) {
		return l, true
	}
	for {
		item, ok := r.value(deep - 1)
		if !ok {
			return l, false
		}
		if kind == literalDict && len(l.items) == 0 && !strings.HasPrefix(r.rest, ": ") {
			l.kind = literalSet
		}
		l.items = append(l.items, item)
		if l.kind == literalDict {
			if !r.skip(": ") {
				return l, false
			}
			if item, ok = r.value(deep - 1); !ok {
				return l, false
			}
			l.items = append(l.items, item)
		}
		switch {
		case kind == literalTuple && len(l.items) == 1 && r.skip(",)"):
			return l, true
		case (kind != literalTuple || len(l.items) > 1) && r.skip(closing):
			return l, true
		case !r.skip(", "):
			return l, false
		}
	}
}

// text returns the source of the literal as repr would write it, except that repr may
// choose other quotes.
func (l literal) text() string {
	var b strings.Builder
	l.write(&b)
	return b.String()
}

func (l literal) write(b *strings.Builder) {
	opened, closed := "[", "]"
	switch l.kind {
	case literalStr, literalBytes:
		b.WriteString(l.word)
		for _, c := range l.chars {
			b.WriteString(c)
		}
		b.WriteByte(l.word[len(l.word)-1])
		return
	case literalTuple:
		opened, closed = "(", ")"
		if len(l.items) == 1 {
			closed = ",)"
		}
	case literalDict, literalSet:
		opened, closed = "{", "}"
		if l.kind == literalSet && len(l.items) == 0 {
			opened, closed = "set(", ")"
		}
	case literalList:
	default:
		b.WriteString(l.word)
		return
	}
	b.WriteString(opened)
	for i, item := range l.items {
		switch {
		case i == 0:
		case l.kind == literalDict && i%2 == 1:
			b.WriteString(": ")
		default:
			b.WriteString(", ")
		}
		item.write(b)
	}
	b.WriteString(closed)
}
