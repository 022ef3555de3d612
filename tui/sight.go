package tui

import (
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
)

// sighted is a pane that may have more rows than there is room for. At the right
// end of its title stand those that it shows, and what there is to know of the
// others; either may be "". It is asked after the pane was drawn.
type sighted interface {
	sight(m *Model) (shown, news string)
}

// newsmaker is a pane whose news are not always of what has changed.
type newsmaker interface {
	newsRole(m *Model) themes.Role
}

// drawSight writes what of a pane is in sight into its title, and returns the
// columns that takes, of those there are beside the pane's name. Where there is
// no room for all of it, the news are what is left.
func (m *Model) drawSight(a *draw.Area, p pane, room int) int {
	s, ok := p.(sighted)
	if !ok {
		return 0
	}
	role := themes.Changed
	if n, ok := p.(newsmaker); ok {
		role = n.newsRole(m)
	}
	dim, told := m.style(themes.Dim), m.style(role)
	shown, news := s.sight(m)
	all := []draw.Span{{Text: " " + shown, Style: dim}, {Text: ", ", Style: dim}, {Text: news, Style: told}, {Text: " ", Style: dim}}
	short := []draw.Span{{Text: " " + news + " ", Style: told}}
	switch {
	case shown == "" && news == "":
		return 0
	case news == "":
		all = []draw.Span{{Text: " " + shown + " ", Style: dim}}
		short = all
	case shown == "":
		all = short
	}
	const rule = 2 // on both sides of it
	w, _ := a.Size()
	for _, line := range [][]draw.Span{all, short} {
		if width := m.measure.Width(spansText(line)); width+rule <= room {
			a.Spans(w-width-1, 0, line, 0)
			return width + 1
		}
	}
	return 0
}
