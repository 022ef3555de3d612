package settings

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// Themes is the list of themes at the right edge of the screen. While it is open, the screen shows
// the theme under the cursor. Typed text filters the list.
type Themes struct {
	*pane.Screen
	pane.Scroll
	dark   bool   // the terminal's background
	chosen string // the theme before the list was opened
	all    []themes.Named
	shown  []themes.Named // the themes that match the filter
	filter pane.Filter
	loaded Loaded   // the last one that was tried
	waits  bool     // keep the theme under the cursor as soon as it is loaded
	ahead  []string // moves of the cursor before the list arrived
	panel  draw.Rect
}

// Listed is the message with all themes.
type Listed []themes.Named

// Loaded is the message with a loaded theme, or with the error.
type Loaded struct {
	Name  string
	Dark  bool // the background that it was asked for
	Theme *themes.Theme
	Err   error
}

// NewThemes opens the list at the chosen theme.
func NewThemes(s *pane.Screen, chosen string, dark bool) (*Themes, tea.Cmd) {
	p := &Themes{Screen: s, dark: dark, chosen: chosen, filter: pane.NewFilter()}
	return p, func() tea.Msg { return Listed(themes.Catalog()) }
}

// List sets the themes.
func (p *Themes) List(all Listed) tea.Cmd {
	p.all = all
	p.narrow()
	for i, named := range p.shown {
		if named.Name == p.chosen {
			p.Cursor = i
		}
	}
	for _, move := range p.ahead {
		p.Move(move, len(p.shown))
	}
	if p.waits && p.At() == "" {
		p.Keep() // shows why no theme is kept
	}
	return p.load()
}

// narrow filters the themes by every word.
func (p *Themes) narrow() {
	p.shown, p.Cursor = nil, 0
	for _, named := range p.all {
		if matches(named, p.filter.Value()) {
			p.shown = append(p.shown, named)
		}
	}
}

func matches(named themes.Named, filter string) bool {
	text := strings.ToLower(named.Name + " " + named.From.String())
	for word := range strings.FieldsSeq(strings.ToLower(filter)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// At returns the theme under the cursor, "" if none matches.
func (p *Themes) At() string {
	if p.Cursor >= len(p.shown) {
		return ""
	}
	return p.shown[p.Cursor].Name
}

// Key handles a key press, and returns the action that the screen has to do, "" for none.
func (p *Themes) Key(msg tea.KeyPressMsg) (action string, cmd tea.Cmd) {
	a, ok := p.Keys.Lookup(keys.Themes, msg)
	if !ok {
		return "", p.edit(msg)
	}
	if move, ok := strings.CutPrefix(a.Name, "themes-"); ok {
		if p.all == nil {
			p.ahead, p.waits = append(p.ahead, move), false
			return "", nil
		}
		p.Move(move, len(p.shown))
		return "", p.try()
	}
	return a.Name, nil
}

// Paste inserts text into the filter.
func (p *Themes) Paste(msg tea.PasteMsg) tea.Cmd { return p.edit(msg) }

func (p *Themes) edit(msg tea.Msg) tea.Cmd {
	cmd, changed := p.filter.Edit(msg)
	if !changed {
		return cmd
	}
	p.narrow()
	return tea.Batch(cmd, p.try())
}

// try shows the theme under the cursor.
func (p *Themes) try() tea.Cmd {
	p.waits = false // Enter was pressed for another theme
	return p.load()
}

// load loads the theme under the cursor, which may read files.
func (p *Themes) load() tea.Cmd {
	name, dark := p.At(), p.dark
	if name == "" {
		return nil
	}
	return func() tea.Msg {
		theme, err := themes.Load(name, dark)
		return Loaded{Name: name, Dark: dark, Theme: theme, Err: err}
	}
}

// OnBackground loads the theme again after the terminal's background has changed.
func (p *Themes) OnBackground(dark bool) tea.Cmd {
	p.dark = dark
	return p.load()
}

// Take accepts a loaded theme. show is false if the cursor is on another theme by now. keep reports
// that the user has chosen the theme since it was requested.
func (p *Themes) Take(msg Loaded) (show, keep bool) {
	if msg.Name != p.At() || msg.Dark != p.dark {
		return false, false
	}
	p.loaded = msg
	keep, p.waits = p.waits && msg.Err == nil, false
	return msg.Err == nil, keep
}

// Keep returns the theme under the cursor; ok is false if it is not loaded.
func (p *Themes) Keep() (name string, ok bool) {
	switch name = p.At(); {
	case p.all == nil:
		p.waits = true
	case name == "":
		p.Flash = "No theme has that name."
	case p.loaded.Name != name || p.loaded.Dark != p.dark:
		p.waits = true
	case p.loaded.Err != nil:
		p.Flash = p.loaded.Err.Error()
	default:
		return name, true
	}
	return name, false
}

// Click moves the cursor to the clicked theme; chosen reports that it was there already.
func (p *Themes) Click(x, y int) (chosen bool, cmd tea.Cmd) {
	i := p.Top + y - p.panel.Y - 1
	if !p.panel.Contains(x, y) || y == p.panel.Y || i >= min(len(p.shown), p.Top+p.Rows) {
		return false, nil
	}
	if i == p.Cursor {
		return true, nil
	}
	p.Cursor = i
	return false, p.try()
}

// Wheel scrolls and keeps the cursor visible.
func (p *Themes) Wheel(rows int) tea.Cmd {
	was := p.Cursor
	if p.Scroll.Wheel(rows, len(p.shown)); p.Cursor == was {
		return nil
	}
	return p.try()
}

// Columns of the panel, and rows of the description at its bottom.
const (
	panelColumns = 34
	aboutRows    = 3
)

// Draw draws the panel over the right edge and the last row, and returns the cursor of the filter.
func (p *Themes) Draw(a *draw.Area) *tea.Cursor {
	w, h := a.Size()
	a.Fill(draw.Rect{Y: h - 1, W: w, H: 1}, " ", p.Style(themes.Text))
	p.DrawFoot(a, keys.Themes)
	columns := min(panelColumns, w/2)
	p.panel = draw.Rect{X: w - columns, Y: 1, W: columns, H: h - 2}
	a.Fill(p.panel, " ", p.Style(themes.Text))
	a.Fill(draw.Rect{X: p.panel.X, Y: p.panel.Y, W: 1, H: p.panel.H}, "│", p.Style(themes.Rule))
	inner := a.Sub(draw.Rect{X: p.panel.X + 1, Y: p.panel.Y, W: columns - 1, H: p.panel.H})
	rows := max(p.panel.H-2-aboutRows, 1) // without the title and the rule
	p.Fit(len(p.shown), rows)
	p.drawList(inner.Sub(draw.Rect{Y: 1, W: columns - 1, H: rows}))
	p.drawAbout(inner.Sub(draw.Rect{Y: 1 + rows, W: columns - 1, H: 1 + aboutRows}))
	return p.DrawFilter(inner, "themes", &p.filter, p.Shown(len(p.shown)))
}

// drawList draws a row for each theme: its name and its source.
func (p *Themes) drawList(a *draw.Area) {
	w, _ := a.Size()
	if len(p.shown) == 0 && len(p.all) > 0 {
		a.Text(1, 0, "no theme has that name", p.Style(themes.Dim))
	}
	for y := range min(p.Rows, len(p.shown)-p.Top) {
		named := p.shown[p.Top+y]
		mark, name := "  ", p.Style(themes.Text)
		if named.Name == p.chosen {
			mark = pane.GlyphHere + " "
		}
		from := named.From.String()
		a.Spans(0, y, []draw.Span{{Text: mark, Style: p.Style(themes.Here)}, {Text: p.Measure.Cut(named.Name, w-len(from)-4), Style: name}}, 0)
		a.Text(w-len(from)-1, y, from, p.Style(themes.Dim))
		if p.Top+y == p.Cursor {
			a.Overlay(draw.Rect{Y: y, W: w, H: 1}, p.Style(themes.Selection))
		}
	}
}

// drawAbout describes the theme under the cursor, or the error in its file.
func (p *Themes) drawAbout(a *draw.Area) {
	w, _ := a.Size()
	a.Fill(draw.Rect{W: w, H: 1}, "─", p.Style(themes.Rule))
	text, style := "", p.Style(themes.Dim)
	switch l := p.loaded; {
	case l.Name != p.At(), l.Name == "":
	case l.Err != nil:
		// There are few columns, so the known folder of the themes is left out.
		text, style = strings.ReplaceAll(l.Err.Error(), themes.Dir()+string(filepath.Separator), ""), p.Style(themes.Error)
	default:
		if text = "light"; l.Theme.Dark {
			text = "dark"
		}
		if !strings.EqualFold(l.Theme.Name, l.Name) { // the name stands for a pair of themes
			text += ": " + l.Theme.Name
		}
		text += "\n" + l.Theme.About
	}
	y := 1
	for row := range p.Measure.Wrap(text, w-2) {
		if y > aboutRows {
			break
		}
		a.Text(1, y, row, style)
		y++
	}
}
