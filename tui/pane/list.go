package pane

import (
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// List is the common part of panes that list items of the view, one in each row.
type List struct {
	*Screen
	Scroll
	In  keys.Context
	Len func(v *session.View) int
}

// Context returns the context of the pane.
func (l *List) Context() keys.Context { return l.In }

// Count returns the number of rows, 0 before there is a view.
func (l *List) Count() int {
	if l.View == nil {
		return 0
	}
	return l.Len(l.View)
}

// Sight describes which rows are visible.
func (l *List) Sight() (shown, news string, role themes.Role) {
	return l.Shown(l.Count()), "", themes.Changed
}

// Fills counts one row for each item.
func (l *List) Fills(_, most int) int { return min(l.Count(), most) }

// Wheel scrolls.
func (l *List) Wheel(rows int) { l.Scroll.Wheel(rows, l.Count()) }

// DrawRows draws the visible rows in the first h rows of an area. row draws the i-th item, and
// returns the text that a search can match, which begins at column left.
func (l *List) DrawRows(a *draw.Area, h int, focused bool, left int, row func(line *draw.Area, i int) string) {
	w, _ := a.Size()
	n := l.Count()
	l.Fit(n, h)
	for i := l.Top; i < min(n, l.Top+h); i++ {
		line := a.Sub(draw.Rect{Y: i - l.Top, W: w, H: 1})
		text := row(line, i)
		if focused && i == l.Cursor {
			line.Overlay(draw.Rect{W: w, H: 1}, l.Style(themes.Selection))
		}
		l.Mark(l.In, line.Sub(draw.Rect{X: left, W: max(w-left, 0), H: 1}), text, 0, i == l.Cursor)
	}
}
