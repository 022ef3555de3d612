package compare

import (
	"strings"
	"unicode/utf8"
)

// maxOpen limits how many open brackets a matcher remembers, maxDepth how deep sets may be nested
// to be compared in any order. npdb nests containers at most 100 deep (trace/tracer/render.py), but
// a model's text may contain anything.
const (
	maxOpen  = 1000
	maxDepth = 100
)

// matcher compares two texts token by token. Where tokens differ, it looks for a rule that explains
// the difference, and continues after the explained part.
type matcher struct {
	rules   Rules
	texts   [2]lexer  // predicted, real
	missing [2]string // per text: the note that its end was cut off, "" for none
	open    []bracket
	deeper  int // number of open brackets above maxOpen
	depth   int // number of sets that contain the texts
	paired  *pairing
	work    *int

	used rule
	cut  bool   // parts that npdb left out could not be compared
	at   [2]int // offsets at which the texts differ
}

// bracket is a bracket that was opened in both texts and not closed yet.
type bracket struct {
	at   [2]int
	used rule // the rules used before the bracket
	char byte
}

func newMatcher(predicted, real string, r Rules, work *int) *matcher {
	m := &matcher{rules: r, work: work}
	for i, text := range [2]string{predicted, real} {
		m.texts[i].text, m.missing[i] = cutEnd(text)
	}
	return m
}

// spent reports whether matching stopped because it exceeded its limit of work.
func (m *matcher) spent() bool { return *m.work < 0 }

// match reports whether the rules explain all differences of the two texts.
func (m *matcher) match() bool {
	left, right := &m.texts[0], &m.texts[1]
	for {
		a, b := left.next(), right.next()
		if a.kind != b.kind || left.in(a) != right.in(b) {
			if done, ok := m.endsCut(a, b); done {
				return ok
			}
			m.at = [2]int{a.start, b.start}
			if !m.explain(a, b) {
				return false
			}
			continue
		}
		switch a.kind {
		case end:
			return m.ended()
		case note:
			m.cut = true
		case mark:
			m.bracket(a, b)
		case number:
			if m.objects(a, b) && !m.paired.add(left.in(a), right.in(b)) {
				m.at = [2]int{a.start, b.start}
				return false
			}
		}
	}
}

// ended compares the notes about missing characters after both texts ended.
func (m *matcher) ended() bool {
	if m.missing[0] != m.missing[1] {
		m.at = [2]int{len(m.texts[0].text), len(m.texts[1].text)}
		return false
	}
	m.cut = m.cut || m.missing[0] != ""
	return true
}

// endsCut compares two differing tokens where a text may be cut off. If the rest of a cut text is
// the beginning of the other text, both results are true; else both are false.
func (m *matcher) endsCut(a, b token) (done, ok bool) {
	rest := [2]string{m.texts[0].text[a.start:], m.texts[1].text[b.start:]}
	for i, t := range [2]token{a, b} {
		if m.missing[i] == "" {
			continue
		}
		short, long := rest[i], rest[1-i]
		if a.kind == literal && b.kind == literal && t.end == len(m.texts[i].text) {
			// npdb quotes a cut string as a literal of its own, so compare without quotes.
			short, long = body(short), body(long)
		}
		if strings.HasPrefix(long, short) {
			m.cut = true
			return true, true
		}
	}
	return false, false
}

// body returns the text of a string or bytes literal without its quotes.
func body(literal string) string {
	literal = strings.TrimPrefix(literal, "b")
	return literal[1 : len(literal)-1]
}

func (m *matcher) bracket(a, b token) {
	switch c := m.texts[0].text[a.start]; c {
	case '(', '[', '{':
		if m.deeper > 0 || len(m.open) == maxOpen {
			m.deeper++
			return
		}
		m.open = append(m.open, bracket{[2]int{a.start, b.start}, m.used, c})
	case ')', ']', '}':
		if m.deeper > 0 {
			m.deeper--
		} else if n := len(m.open); n > 0 {
			m.open = m.open[:n-1]
		}
	}
}

// explain looks for a rule that explains why two tokens differ, and moves both lexers past the
// explained part. It reports whether there is one.
func (m *matcher) explain(a, b token) bool {
	switch {
	case a.kind == note || b.kind == note:
		return m.leftOut(a, b)
	case a.kind == literal && b.kind == literal && m.literals(a, b):
		return true
	case a.kind == number && b.kind == number && m.numbers(a, b):
		return true
	case m.droppedAddress(a, b):
		return true
	case m.datetime(a, b):
		return true
	}
	return m.sets()
}

// leftOut handles a note about omitted elements in one of the texts: it skips the other text's
// elements that the note stands for. It reports false if it cannot.
func (m *matcher) leftOut(a, b token) bool {
	tokens := [2]token{a, b}
	if a.kind == b.kind {
		// Both texts have a note but omitted different numbers of elements.
		return false
	}
	for i, t := range tokens {
		if t.kind == note {
			if strings.Contains(m.texts[i].in(t), "chars") {
				return false // the note belongs to a string: see the method literals
			}
			continue
		}
		if !m.texts[i].skipItems(t) {
			return false
		}
	}
	m.cut = true
	return true
}

// skipItems skips elements up to the bracket that closes their container. It reports whether it
// skipped any.
func (l *lexer) skipItems(first token) bool {
	l.pos = first.start
	depth := 0
	for {
		t := l.next()
		switch {
		case t.kind == end:
			return t.start > first.start
		case t.kind != mark:
			continue
		}
		switch l.text[t.start] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				l.pos = t.start
				return t.start > first.start
			}
			depth--
		}
	}
}

// literals reports whether the difference of two string or bytes literals is explained, by a rule
// or because one of them was cut off.
func (m *matcher) literals(a, b token) bool {
	p, r := m.texts[0].in(a), m.texts[1].in(b)
	for i, t := range [2]token{a, b} {
		n := noteLen(m.texts[i].text[t.end:])
		if n == 0 {
			continue
		}
		short, long := p, r
		if i == 1 {
			short, long = r, p
		}
		if noteLen(m.texts[1-i].text[[2]token{a, b}[1-i].end:]) > 0 || !strings.HasPrefix(body(long), body(short)) {
			return false
		}
		m.texts[i].pos += n
		m.cut = true
		return true
	}
	used, at, ok := m.rules.explainText(p, r)
	if !ok {
		m.at = [2]int{a.start + runeStart(p, at[0]), b.start + runeStart(r, at[1])}
		return false
	}
	m.used |= used
	return true
}

// runeStart returns the offset at which the character that contains byte at begins.
func runeStart(text string, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
