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
		switch {
		case r.local.Was == nil && !r.local.New:
		case row+r.size <= p.top:
			above++
		case row >= p.top+p.rows:
			below++
		}
		row += r.size
	}
	return p.shown(row), changedWords(above, below)
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
