package draw

import (
	"iter"
	"strings"
)

// Measure is how the terminal counts the columns of a text. It must be the one
// Bubble Tea draws by: Runes from the start; Clusters once a tea.ModeReportMsg
// for ansi.ModeUnicodeCore (mode 2027) says set, reset or permanently set.
//
// Where a terminal may count characters, what it may draw as one is written in
// a way that takes the same columns either way: the parts of an emoji side by
// side, with what joins them escaped.
type Measure uint8

// The ways to count.
const (
	// Runes adds up the columns of each character, like wcwidth(3).
	Runes Measure = iota
	// Clusters takes what a reader sees as one character for one (UAX 29).
	Clusters
)

// Span is text of one style, a part of a line.
type Span struct {
	Text  string
	Style Style
}

// Width returns how many columns the line takes when it is drawn: tabs
// expanded, hostile characters escaped.
func (m Measure) Width(line string) int {
	s := scanner{measure: m, text: line}
	for {
		if _, ok := s.next(); !ok {
			return s.col
		}
	}
}

// Cut returns line if it fits into columns, else as much of it as does, and "…".
// It reads no more of the line than it returns.
func (m Measure) Cut(line string, columns int) string {
	if cut := m.CutSpans([]Span{{Text: line}}, columns); len(cut) > 0 {
		return cut[0].Text
	}
	return ""
}

// CutSpans returns the spans of a line if they fit into columns, else those
// that do, and "…" in the style of what it stands for.
func (m Measure) CutSpans(line []Span, columns int) []Span {
	if columns <= 0 {
		return nil
	}
	s := scanner{measure: m}
	last, at := 0, 0 // the span and the byte where "…" still fits
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

// CutFront returns line if it fits into columns, else "…" and as much of its end as
// does, so that of a path the file's name stays.
func (m Measure) CutFront(line string, columns int) string {
	over := m.Width(line) - columns
	switch {
	case over <= 0:
		return line
	case columns <= 0:
		return ""
	}
	s := scanner{measure: m, text: line}
	for s.col <= over { // one more than what is over makes room for "…"
		s.step()
	}
	return "…" + s.text
}

// step passes over one character of the text with all it is drawn as.
func (s *scanner) step() {
	s.next()
	s.col += len(s.queue)
	s.queue = ""
}

// Wrap yields text as rows of at most columns, and starts a new one at each
// line's end ("\n" or "\r\n") and after the last space that fits, or where the
// row is full if there is none. Together the rows are the text without its line
// ends; nothing is dropped or read ahead, so that the caller may stop early. A
// character wider than columns has a row to itself, and an empty text has one row.
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

// row returns the bytes of line that make up its first row.
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

// SpansWidth returns how many columns the spans take, each drawn by itself.
func (m Measure) SpansWidth(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += m.Width(s.Text)
	}
	return n
}

// SpansText returns the text of a row that is made of spans.
func SpansText(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}
