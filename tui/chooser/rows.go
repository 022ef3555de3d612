package chooser

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
)

// Columns of the list and of its parts.
const (
	mostColumns = 120
	mostName    = 28
	leastAbout  = 20
	gap         = 3
)

// blocks returns the rows of the list. A description gets all its rows if there is room for all of
// them, else one.
func (p *Screen) blocks(w, h int) []string {
	names := 0
	for _, r := range p.list {
		names = max(names, p.Measure.Width(r.name()))
	}
	names = min(names, mostName, max(w-gap-1, 1))
	blocks := make([]string, len(p.list))
	p.high = make([]int, len(p.list))
	for _, whole := range []bool{true, false} {
		all := 0
		for i, r := range p.list {
			blocks[i] = p.block(r, w, names, i == p.Cursor, whole)
			p.high[i] = lipgloss.Height(blocks[i])
			all += p.high[i]
		}
		if all <= h {
			break
		}
	}
	return blocks
}

// name returns the first column of a row.
func (r row) name() string {
	switch {
	case r.kind == pathRow:
		return "type its path …"
	case r.offer != nil:
		return r.offer.Name
	}
	return ""
}

// block formats a row of the list: a name, a description, and a note at the right.
func (p *Screen) block(r row, w, names int, here, whole bool) string {
	switch r.kind {
	case gapRow:
		return ""
	case headingRow:
		return lipgloss.PlaceHorizontal(w, lipgloss.Left, p.Lip(themes.Title).Render(p.Measure.Cut(" "+r.heading+" ", w)),
			lipgloss.WithWhitespaceChars("─"), lipgloss.WithWhitespaceStyle(p.Lip(themes.Rule)))
	}
	mark, name := lipgloss.NewStyle().Width(gap).Render(""), p.Lip(themes.Text)
	if here {
		mark, name = p.Lip(themes.Here).Width(gap).PaddingLeft(1).Render(pane.GlyphHere), p.Lip(themes.Frame)
	}
	dim := p.Lip(themes.Dim)
	cells := []string{mark, name.Width(names + gap).Render(p.cell(r.name(), names))}
	about, note, room := p.KeyFor("type-path")+" does so from any row. PATH:LINE begins there, and a pasted traceback where it ends", "", w-1-gap-names-gap
	if r.offer != nil {
		about, note = r.offer.About, r.offer.Note
	}
	if n := p.Measure.Width(note); n > 0 && room-n > leastAbout {
		room -= n + 2
	} else {
		note = ""
	}
	if room >= leastAbout {
		if lines := slices.Collect(p.Measure.Wrap(about, room)); whole {
			about = p.cell(strings.Join(lines, "\n"), -1)
		} else {
			about = p.cell(about, room)
		}
		cells = append(cells, dim.Width(room+2).Render(about), dim.Render(p.cell(note, -1)))
	}
	return lipgloss.JoinHorizontal(lipgloss.Top, cells...)
}

// cell formats a text for lipgloss, cut to some columns unless they are negative.
func (p *Screen) cell(text string, columns int) string {
	if columns >= 0 {
		text = p.Measure.Cut(text, columns)
	}
	return escape.Text(text)
}
