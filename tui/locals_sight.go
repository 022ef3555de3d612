package tui

import "fmt"

var _ sighted = (*locals)(nil)

// sight says which rows are in sight, and what has changed in the others: rows keep
// their place from stop to stop, so that what has changed does not come by itself.
func (p *locals) sight(m *Model) (shown, news string) {
	if m.besides() {
		return p.besideSight(m)
	}
	if m.partial() != nil {
		return "", ""
	}
	var above, below int
	row := 0
	for i := range p.roots {
		r := &p.roots[i]
		if r.before != nil || r.local.New {
			e := entry{root: r, node: r.node, before: r.before, fresh: r.local.New, open: r.open}
			e.changedRows(row, func(row int) {
				switch {
				case row < p.top:
					above++
				case row >= p.top+p.rows:
					below++
				}
			})
		}
		row += r.size
	}
	if out := p.outcomeRow(); out >= p.top+p.rows { // it shows below them all the same
		row = out
	}
	return p.shown(row), changedWords(above, below)
}

// changedRows tells the rows of an entry that has changed, which begins at a row:
// where it is open, those of the children that have, if any has.
func (e entry) changedRows(row int, tell func(row int)) {
	if e.open == nil || e.before == nil {
		tell(row)
		return
	}
	kids := e.root.changes.of(e.before, e.node).children()
	for _, k := range kids {
		e.child(k).changedRows(e.rowOf(row, k), tell)
	}
	if len(kids) == 0 {
		tell(row)
	}
}

// changedWords say how many names have changed out of sight.
func changedWords(above, below int) string {
	switch {
	case above+below == 0:
		return ""
	case below == 0:
		return fmt.Sprintf("%d changed above", above)
	case above == 0:
		return fmt.Sprintf("%d changed below", below)
	}
	return fmt.Sprintf("%d changed above, %d below", above, below)
}
