package python

import "strings"

// Abridged is a text without the parts that only people read: comments on lines of their own, all
// of a docstring but its first line, and blank lines beyond two in a row.
type Abridged struct {
	Lines []string
	From  []int // for each line its number in the whole text
}

// mostBlank is the number of consecutive blank lines that are kept.
const mostBlank = 2

// Abridged returns the shortened text. It runs as the original does, except for docstrings.
func (s *Source) Abridged() Abridged { return s.abridged }

// abridge returns lines without lines of comments, the later lines of docstrings, and blank lines
// beyond two in a row. It gets the tokens and statements of the text.
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

// docstrings finds strings of several lines that are statements.
type docstrings struct {
	text  string
	heads map[int32]string // the first line of each, closed there
	inner map[int32]bool   // its other lines
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

// expression records a statement's expression if it is such a string.
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
