package pane

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// Filter is the input whose text narrows a list.
type Filter struct{ textinput.Model }

// NewFilter returns an empty filter that takes keys.
func NewFilter() Filter {
	f := Filter{Field()}
	f.Focus()
	return f
}

// Edit passes a key press or a pasted text to the input. changed reports whether the filter's text
// changed.
func (f *Filter) Edit(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	was := f.Value()
	f.Model, cmd = f.Update(msg)
	return cmd, f.Value() != was
}

// DrawFilter draws the first row of a list: its title, the filter, and which rows are visible. It
// returns the cursor of the filter.
func (s *Screen) DrawFilter(a *draw.Area, title string, f *Filter, sight string) *tea.Cursor {
	w, _ := a.Size()
	rule, word := s.FocusStyles()
	a.Fill(draw.Rect{W: w, H: 1}, "─", rule)
	x := a.Spans(0, 0, []draw.Span{{Text: " ", Style: rule}, {Text: title, Style: word}, {Text: " / ", Style: s.Style(themes.Dim)}}, 0)
	room := max(w-x-1, 1)
	if n := s.Measure.Width(sight) + 3; sight != "" && room-n >= 8 {
		room -= n
		a.Text(w-n, 0, " "+sight+" ", s.Style(themes.Dim))
	}
	text := f.Value()
	a.Text(x, 0, s.Measure.Cut(text, room)+" ", s.Style(themes.Prompt))
	r := a.Rect()
	return tea.NewCursor(r.X+x+min(s.Measure.Width(text[:Position(&f.Model)]), room), r.Y)
}

// DrawFoot draws the last row of a page that covers the screen: the flash message, or else the keys
// of a context.
func (s *Screen) DrawFoot(a *draw.Area, of keys.Context) {
	w, h := a.Size()
	foot := a.Sub(draw.Rect{Y: h - 1, W: w, H: 1})
	if s.Flash != "" {
		foot.Text(1, 0, s.Measure.Cut(s.Flash, w-2), s.Style(themes.Notice))
		return
	}
	foot.Styled(" " + s.Hints(s.Keys.Hints(of, w-2)))
}
