package values

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is the place of an element in a text, in bytes. An element without a key has key 0.
type span struct {
	start int32 // of the key, or of the value
	key   int32 // the key's end
	value int32
	end   int32
}

// scanner finds the elements between two brackets. In texts that are not a proper repr it has to
// look ahead; it remembers what it found, so that a text is read only a few times.
type scanner struct {
	text     string
	unclosed [2]bool // the rest has no closing quote of that kind (' and ")
	crooked  bool    // < and > do not match
	noAngle  bool    // the rest has no closing >
}

// The forms of elements between two brackets.
type form uint8

const (
	sequence form = iota // 1, 2
	mapping              // 'a': 1, or a set's 1, 2
	call                 // 1, name=2
)

// elements finds the elements between the bracket before i and the one that closes it, at end. If
// that one is missing, closed is false and end is the end of the text.
func (s *scanner) elements(i int, f form) (spans []span, end int, closed bool) {
	text := s.text
	var e span
	begin := func(at int) {
		for at < len(text) && blank(text[at]) {
			at++
		}
		e = span{start: int32(at), value: int32(at)}
	}
	finish := func(at int) {
		for at > int(e.value) && blank(text[at-1]) {
			at--
		}
		if e.end = int32(at); e.end > e.start {
			spans = append(spans, e)
		}
	}
	begin(i)
	depth := 0
	fresh := true // nothing of the element is read yet
	for i < len(text) {
		c := text[i]
		switch c {
		case '\'', '"':
			if j := s.quoted(i); j > 0 {
				i, fresh = j, false
				continue
			}
		case '<':
			if fresh {
				if j := s.opaque(i); j > 0 {
					i, fresh = j, false
					continue
				}
			}
		case '(', '[', '{':
			depth++
			i, fresh = i+1, true
			continue
		case ')', ']', '}':
			// Any bracket closes any other: (0, 1] is an interval.
			if depth == 0 {
				finish(i)
				return spans, i, true
			}
			depth--
		case ',':
			if depth == 0 {
				finish(i)
				begin(i + 1)
			}
			i, fresh = i+1, true
			continue
		case ':':
			if depth == 0 && f == mapping && e.key == 0 && i > int(e.start) && i+1 < len(text) && blank(text[i+1]) {
				e.key, e.value = int32(i), int32(i+2)
			}
			i, fresh = i+1, true
			continue
		case '=':
			if depth == 0 && f == call && e.key == 0 && identifier(text[e.start:i]) {
				e.key, e.value = int32(i), int32(i+1)
			}
			i, fresh = i+1, true
			continue
		case ' ', '\n', '\t', '\r':
			i++
			continue
		case "…"[0]:
			if n := len(note(text[i:])); n > 0 {
				i, fresh = i+n, false
				continue
			}
		}
		i, fresh = i+1, false
	}
	finish(len(text))
	return spans, len(text), false
}

// quoted returns the end of the string literal that begins at i, 0 if there is none.
func (s *scanner) quoted(i int) int {
	text, quote := s.text, s.text[i]
	kind := 0
	if quote == '"' {
		kind = 1
	}
	if s.unclosed[kind] || !beginsString(text[:i]) {
		return 0
	}
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case quote:
			return j + 1
		}
	}
	s.unclosed[kind] = true
	return 0
}

// beginsString reports whether a quote after this text begins a literal: it does not in "it's".
func beginsString(before string) bool {
	word := len(before)
	for word > 0 && len(before)-word < 3 && wordByte(before[word-1]) {
		word--
	}
	switch strings.ToLower(before[word:]) {
	case "", "b", "r", "u", "f", "br", "rb", "fr", "rf":
		return true
	}
	return false
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// opaque returns the end of a text like "<function f>" that begins at i, 0 if there is none. It
// ends where brackets match, except those in strings, and an element can end; if that is nowhere,
// at the first > after which an element can end.
func (s *scanner) opaque(i int) int {
	if s.noAngle {
		return 0
	}
	text := s.text
	for {
		depth := 0
		for j := i; j < len(text); j++ {
			switch text[j] {
			case '\'', '"':
				if s.crooked {
					continue
				}
				if end := s.quoted(j); end > 0 {
					j = end - 1
				}
			case '<':
				depth++
			case '>':
				if text[j-1] == '-' || text[j-1] == '=' { // an arrow
					continue
				}
				depth = max(depth-1, 0)
				if (depth == 0 || s.crooked) && endsElement(text[j+1:]) {
					return j + 1
				}
			}
		}
		if s.crooked {
			s.noAngle = true
			return 0
		}
		s.crooked = true
	}
}

func endsElement(rest string) bool {
	return rest == "" || strings.IndexByte(",:)]}\n", rest[0]) >= 0 || strings.HasPrefix(rest, "…")
}

// note returns the note about omitted parts at the beginning of a text, "… +1,234 items not
// stored", "" if there is none.
func note(text string) string {
	rest, ok := strings.CutPrefix(text, "… +")
	digits := strings.TrimLeft(rest, "0123456789,")
	if !ok || len(digits) == len(rest) || rest[0] == ',' {
		return ""
	}
	number := rest[:len(rest)-len(digits)]
	// In "… +3, 4" the comma does not belong to the number.
	digits = rest[len(strings.TrimRight(number, ",")):]
	for _, unit := range []string{" chars", " items", " attributes"} {
		if after, ok := strings.CutPrefix(digits, unit); ok {
			digits = after
			break
		}
	}
	digits = strings.TrimPrefix(digits, " not stored")
	return text[:len(text)-len(digits)]
}

// left returns the number in a note.
func left(note string) int {
	n := 0
	for _, c := range []byte(strings.TrimPrefix(note, "… +")) {
		switch {
		case c >= '0' && c <= '9' && n < 1<<40:
			n = n*10 + int(c-'0')
		case c != ',':
			return n
		}
	}
	return n
}

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// identifier reports whether text is a Python name.
func identifier(text string) bool {
	for i, r := range text {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return text != ""
}
