package python

import "strings"

// Abridged is source code without what only human readers need: comment lines, all lines of a
// docstring after the first, and blank lines after the second in a row.
type Abridged struct {
	Lines []string
	From  []int // the line's number in the whole source
}

// mostBlank is the number of consecutive blank lines that are kept.
const mostBlank = 2

// Abridged returns the shortened source. It runs like the whole source, except that docstrings are
// shorter.
func (s *Source) Abridged() Abridged { return s.abridged }

// abridge removes comment lines, the later lines of docstrings, and blank lines after the second in
// a row. tokens and body are the tokens and statements of text.
func abridge(text string, lines []string, tokens []token, body []*stmt) Abridged {
	code := make([]bool, len(lines)+1)
	for _, t := range tokens {
		switch t.kind {
		case tokenEnd, tokenNewline, tokenIndent, tokenDedent:
			continue
		}
		for n := t.line; n <= t.last && int(n) <= len(lines); n++ {
			code[n] = true
		}
	}
	d := &docstrings{text: text, heads: map[int32]string{}, inner: map[int32]bool{}}
	d.block(body)
	var a Abridged
	blank := 0
	for i, line := range lines {
		n := int32(i + 1)
		empty := strings.TrimSpace(line) == ""
		if code[n] {
			blank = 0
		} else if empty {
			blank++
		}
		if d.inner[n] || !code[n] && (!empty || blank > mostBlank) {
			continue
		}
		if head, ok := d.heads[n]; ok {
			line = head
		}
		a.Lines, a.From = append(a.Lines, line), append(a.From, i+1)
	}
	return a
}

// docstrings finds the strings over several lines that are statements on their own.
type docstrings struct {
	text  string
	heads map[int32]string // the first line of each, with closing quotes added, by line number
	inner map[int32]bool   // the numbers of its other lines
}

func (d *docstrings) block(list []*stmt) {
	for _, st := range list {
		if st.kind == stmtExpr && len(st.exprs) == 1 && st.last > st.line {
			d.expression(st.exprs[0])
		}
		for _, b := range st.blocks() {
			d.block(b)
		}
	}
}

// expression records e if it is a triple-quoted string with nothing else on its lines.
func (d *docstrings) expression(e *node) {
	text := e.text
	quotes := strings.TrimLeft(text, "rRuU")
	if e.kind != nodeConstant || len(quotes) < 6 || quotes[0] != '"' && quotes[0] != '\'' || strings.Count(text, quotes[:3]) != 2 || !strings.HasSuffix(text, quotes[:3]) {
		return
	}
	before := d.text[strings.LastIndexAny(d.text[:e.pos], "\n\r")+1 : e.pos]
	after, _, _ := strings.Cut(d.text[e.end:], "\n")
	if strings.TrimSpace(before) != "" || strings.TrimSpace(after) != "" {
		return
	}
	first := text[:strings.IndexAny(text, "\n\r")]
	d.heads[e.line] = before + first + quotes[:3]
	for n := e.line + 1; n <= e.last; n++ {
		d.inner[n] = true
	}
}
