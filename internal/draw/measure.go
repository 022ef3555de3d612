package draw

import (
	"iter"
	"strings"
)

// Measure is how a terminal counts columns. It must match what Bubble Tea uses: Runes at first, and
// Clusters after a tea.ModeReportMsg reports ansi.ModeUnicodeCore (mode 2027) as set, reset or
// permanently set.
//
// With Runes, some terminals still draw several characters as one. Such text is drawn so that its
// width is the same in both cases: the parts of an emoji are drawn side by side, and the character
// that joins them is escaped.
type Measure uint8

// The ways to count.
const (
	// Runes adds the columns of each character, like wcwidth(3).
	Runes Measure = iota
	// Clusters counts the columns of each grapheme cluster, which a reader sees as one character
	// (UAX 29).
	Clusters
)

// Span is a part of a line with one style.
type Span struct {
	Text  string
	Style Style
}

// Width returns the number of columns of a line when it is drawn: tabs are expanded, and unsafe
// characters are escaped.
func (m Measure) Width(line string) int {
	s := scanner{measure: m, text: line}
	for {
		if _, ok := s.next(); !ok {
			return s.col
		}
	}
}

// Cut returns line if it fits into columns, otherwise as much of it as fits and "…". It reads only
// as much of line as it returns.
func (m Measure) Cut(line string, columns int) string {
	if cut := m.CutSpans([]Span{{Text: line}}, columns); len(cut) > 0 {
		return cut[0].Text
	}
	return ""
}

// CutSpans returns the spans of a line if they fit into columns, otherwise those that fit,
// and "…" in the style of the omitted text.
func (m Measure) CutSpans(line []Span, columns int) []Span {
	if columns <= 0 {
		return nil
	}
	s := scanner{measure: m}
	last, at := 0, 0 // index of a span, and offset in it, up to which the text fits with "…" after it
	for i, span := range line {
		s.text = span.Text
		for s.text != "" {
			if s.col < columns {
				last, at = i, len(span.Text)-len(s.text)
			}
			s.step()
			if s.col > columns {
				cut := append([]Span(nil), line[:last+1]...)
				cut[last].Text = cut[last].Text[:at] + "…"
				return cut
			}
		}
	}
	return line
}

// CutFront returns line if it fits into columns, otherwise "…" and as much of its end as fits. So a
// long path still ends with its file name.
func (m Measure) CutFront(line string, columns int) string {
	over := m.Width(line) - columns
	switch {
	case over <= 0:
		return line
	case columns <= 0:
		return ""
	}
	s := scanner{measure: m, text: line}
	for s.col <= over { // skip one more column than necessary, to make room for "…"
		s.step()
	}
	return "…" + s.text
}

// step skips one character of the text. If the character is escaped, step skips its whole escape
// sequence.
func (s *scanner) step() {
	s.next()
	s.col += len(s.queue)
	s.queue = ""
}

// Wrap yields text as rows of at most columns. A row ends at each line end ("\n" or "\r\n"), and
// otherwise after the last space that fits or, if there is none, where the row is full. The rows
// together contain the whole text except its line ends. Wrap does not read ahead, so the caller can
// stop early. A character wider than columns gets its own row, and an empty text has one row.
func (m Measure) Wrap(text string, columns int) iter.Seq[string] {
	return func(yield func(string) bool) {
		if text == "" {
			yield("")
			return
		}
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
			for {
				n := m.row(line, columns)
				if !yield(line[:n]) {
					return
				}
				if line = line[n:]; line == "" {
					break
				}
			}
		}
	}
}

// row returns the length in bytes of the first row of line.
func (m Measure) row(line string, columns int) int {
	s := scanner{measure: m, text: line}
	at, space := 0, 0
	for s.text != "" {
		blank := s.text[0] == ' '
		s.step()
		if s.col > columns && at > 0 {
			if space > 0 {
				return space
			}
			return at
		}
		at = len(line) - len(s.text)
		if blank {
			space = at
		}
	}
	return at
}

// SpansWidth returns the number of columns of spans that are drawn separately.
func (m Measure) SpansWidth(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += m.Width(s.Text)
	}
	return n
}

// SpansText returns the text of a line made of spans.
func SpansText(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}
