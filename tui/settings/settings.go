// Package settings shows the page of settings on the whole screen, and the list of themes. Changes
// are written into the user's configuration.
package settings

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// Config holds the settings that the page shows, and the functions that change them.
type Config struct {
	Entries []Entry // ordered by group
	File    string  // path of the configuration file to show; "" if there is none
	// Keep writes a setting into the file: a string or a bool.
	Keep func(key string, value any) error
	// KeyMap returns the bindings of a key profile.
	KeyMap func(profile string) (*keys.Map, error)
}

// Entry is a setting.
type Entry struct {
	Key   string // in the file
	Group string
	Value string
	From  string // what set the value, to show
	About string // a sentence
	// Choices are its possible values. A setting without choices can be changed in the file only.
	Choices []string
	// Now reports that a change takes effect at once, and not at the next start.
	Now bool
	// Over is the flag or variable that overrides the file, "" for none.
	Over string
}

// Yes and No are the choices of a switch.
const (
	Yes = "yes"
	No  = "no"
)

// ThemeKey is the key of the theme, which is chosen from a list of its own.
const ThemeKey = "theme"

// Change is a change of a setting.
type Change struct {
	Key, Value string
	Switch     bool // the value is Yes or No
}

// Word returns the choice for a switch's state.
func Word(on bool) string {
	if on {
		return Yes
	}
	return No
}

// Entry returns a setting by its key, nil if there is none.
func (c *Config) Entry(key string) *Entry {
	for i := range c.Entries {
		if c.Entries[i].Key == key {
			return &c.Entries[i]
		}
	}
	return nil
}

// Page is the list of the settings.
type Page struct {
	*pane.Screen
	pane.Scroll
	config *Config
	rows   []int // index of the entry in each row of the last Draw, -1 for a heading
}

// NewPage opens the page.
func NewPage(s *pane.Screen, c *Config) *Page { return &Page{Screen: s, config: c} }

// Key handles a key press. It returns the change, or the action that the screen has to do, "" for
// none.
func (p *Page) Key(msg tea.KeyPressMsg) (change *Change, action string) {
	a, ok := p.Keys.Lookup(keys.Settings, msg)
	switch {
	case !ok, p.Move(a.Name, len(p.config.Entries)):
		return nil, ""
	case a.Name == "change-setting", a.Name == "right":
		return p.change(+1)
	case a.Name == "left":
		return p.change(-1)
	}
	return nil, a.Name
}

// change returns the setting under the cursor with its next or previous choice.
func (p *Page) change(by int) (change *Change, action string) {
	e := p.config.Entries[p.Cursor]
	n := len(e.Choices)
	switch {
	case e.Key == ThemeKey:
		return nil, "themes"
	case n == 0:
		p.Flash = p.hand(e) + "; it counts from the next start on."
		return nil, ""
	}
	at := slices.Index(e.Choices, e.Value)
	if at < 0 && by < 0 {
		at = 0
	}
	return &Change{Key: e.Key, Value: e.Choices[(at+by+n)%n], Switch: e.Choices[0] == Yes}, ""
}

// hand describes how to change a setting that cannot be changed here.
func (p *Page) hand(e Entry) string {
	if p.config.File == "" {
		return e.Key + " is set by a flag or a variable: no home is known for a configuration"
	}
	return fmt.Sprintf("Set %s in %s", e.Key, p.config.File)
}

// Click moves the cursor to the clicked setting. If it is there already, Click changes the setting.
func (p *Page) Click(y int) (change *Change, action string) {
	y -= titleRows
	if y < 0 || y >= len(p.rows) || p.rows[y] < 0 {
		return nil, ""
	}
	if p.rows[y] == p.Cursor {
		return p.change(+1)
	}
	p.Cursor = p.rows[y]
	return nil, ""
}

// Wheel moves the cursor.
func (p *Page) Wheel(rows int) {
	p.Cursor = min(max(p.Cursor+rows, 0), len(p.config.Entries)-1)
}

// Columns of the page, and rows of its title and of the description below.
const (
	mostColumns = 92
	keyColumns  = 18
	fromColumns = 18
	titleRows   = 1
	footRows    = 3
)

// Draw draws the page on the whole screen.
func (p *Page) Draw(a *draw.Area) {
	w, h := a.Size()
	if h < 4 {
		return
	}
	a.Fill(draw.Rect{W: w, H: h}, " ", p.Style(themes.Text))
	p.drawTitle(a)
	room := h - titleRows - 2 - footRows // rule and hints
	p.lay(room)
	for y, i := range p.rows {
		row := a.Sub(draw.Rect{Y: titleRows + y, W: w, H: 1})
		switch {
		case i >= 0:
			p.drawEntry(row.Sub(draw.Rect{W: min(w, mostColumns), H: 1}), p.config.Entries[i])
			if i == p.Cursor {
				row.Overlay(draw.Rect{W: min(w, mostColumns), H: 1}, p.Style(themes.Selection))
			}
		case y+1 < len(p.rows) && p.rows[y+1] >= 0:
			row.Text(1, 0, p.config.Entries[p.rows[y+1]].Group, p.Style(themes.Title))
		}
	}
	at := titleRows + min(len(p.rows), room)
	p.drawAbout(a.Sub(draw.Rect{Y: at, W: min(w, mostColumns), H: h - 1 - at}))
	p.DrawFoot(a, keys.Settings)
}

// lay places the rows: a heading before each group, with a blank row before it if there is room;
// else only the rows around the cursor.
func (p *Page) lay(room int) {
	list := func(blanks bool) (rows []int) {
		for i, e := range p.config.Entries {
			if i == 0 || p.config.Entries[i-1].Group != e.Group {
				if i > 0 && blanks {
					rows = append(rows, -1)
				}
				rows = append(rows, -1)
			}
			rows = append(rows, i)
		}
		return rows
	}
	if p.rows = list(true); len(p.rows) > room {
		p.rows = list(false)
	}
	if len(p.rows) > room {
		at := slices.Index(p.rows, p.Cursor)
		p.Top = min(max(p.Top, at-room+1), max(at-1, 0))
		p.Top = min(max(p.Top, 0), len(p.rows)-room)
		p.rows = p.rows[p.Top : p.Top+room]
	} else {
		p.Top = 0
	}
	p.Rows = room
}

func (p *Page) drawTitle(a *draw.Area) {
	w, _ := a.Size()
	rule, word := p.FocusStyles()
	a.Fill(draw.Rect{W: w, H: 1}, "─", rule)
	x := a.Spans(0, 0, []draw.Span{{Text: " ", Style: rule}, {Text: "settings", Style: word}, {Text: " ", Style: rule}}, 0)
	if p.config.File != "" {
		a.Text(x, 0, p.Measure.Cut("kept in "+p.config.File, max(w-x-2, 0))+" ", p.Style(themes.Dim))
	}
}

// drawEntry draws a row: the key, the value, and its source.
func (p *Page) drawEntry(a *draw.Area, e Entry) {
	w, _ := a.Size()
	from := p.Measure.Cut(e.From, fromColumns)
	value := p.Style(themes.Text)
	switch {
	case len(e.Choices) == 0 && e.Key != ThemeKey:
		value = p.Style(themes.Dim)
	case e.Value == No:
		value = p.Style(themes.Dim)
	}
	a.Text(3, 0, p.Measure.Cut(e.Key, keyColumns), p.Style(themes.LocalName))
	room := w - 3 - keyColumns - fromColumns - 2
	a.Text(3+keyColumns, 0, p.Measure.Cut(e.Value, room), value)
	a.Text(w-fromColumns-1, 0, from, p.Style(themes.Dim))
}

// drawAbout describes the setting under the cursor and how to change it, below a rule.
func (p *Page) drawAbout(a *draw.Area) {
	w, h := a.Size()
	e := p.config.Entries[p.Cursor]
	a.Fill(draw.Rect{W: w, H: 1}, "─", p.Style(themes.Rule))
	lines := slices.Collect(p.Measure.Wrap(e.About+".", w-2))
	how := p.hand(e) + "."
	switch {
	case e.Key == ThemeKey:
		how = p.KeyFor("change-setting") + " lists the themes; the screen shows each at once."
	case len(e.Choices) > 0 && e.Now:
		how = p.choices(e) + ", at once and from then on."
	case len(e.Choices) > 0:
		how = p.choices(e) + ", from the next start on."
	}
	if e.Over != "" {
		how += " " + e.Over + " wins over the file where it is given."
	}
	more := slices.Collect(p.Measure.Wrap(how, w-2))
	lines = lines[:min(len(lines), max(h-1-len(more), 1))]
	for y, line := range lines {
		a.Text(1, 1+y, line, p.Style(themes.Text))
	}
	for y, line := range more {
		a.Text(1, 1+len(lines)+y, line, p.Style(themes.Dim))
	}
}

// choices formats the possible values of a setting.
func (p *Page) choices(e Entry) string {
	words := ""
	for i, c := range e.Choices {
		switch {
		case i == 0:
		case i == len(e.Choices)-1:
			words += " or "
		default:
			words += ", "
		}
		words += c
	}
	return words
}
