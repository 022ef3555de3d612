package tui

import "github.com/npdb/npdb/tui/highlight"

var _ searcher = (*locals)(nil)

// texts are the rows': of a closed one all of its value, so that what is in it is
// found too; of an open one its name alone, for its children are rows.
func (p *locals) texts(m *Model) (int, func(int) string) {
	if m.besides() {
		return m.besideTexts()
	}
	return p.count(), func(i int) string {
		e, _ := p.entry(i)
		if e.open != nil {
			return e.label
		}
		return e.label + " " + e.node.Text
	}
}

// reveal opens the value under the cursor down to the first match in it, and goes
// there. Where the name matches, or nothing is nested, it stays.
func (p *locals) reveal(m *Model, q *search) {
	e, ok := p.entry(p.cursor)
	if !ok || m.besides() || e.open != nil || len(highlight.Match(e.label, q.pattern, !q.exact)) > 0 {
		return
	}
	found := e.node.Find(q.pattern, !q.exact, 1)
	if len(found) == 0 {
		return
	}
	for _, child := range found[0] {
		if e, ok = p.entry(p.cursor); !ok || !e.opens() {
			return
		}
		if e.open == nil {
			p.toggle(m)
		}
		e, _ = p.entry(p.cursor) // which is open now
		p.cursor = e.rowOf(p.cursor, child)
	}
}

// rowOf is the row of a child of an open entry that has a row itself.
func (e entry) rowOf(row, child int) int {
	at := row + 1 + child
	for k, kid := range e.open.kids {
		if k < child {
			at += size(e.node.Child(k).Node, kid) - 1
		}
	}
	return at
}
