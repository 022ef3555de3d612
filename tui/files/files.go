// Package files shows the list of source files and modules on the whole screen. Typed text
// filters the list, or names another file.
package files

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// Files is the open list.
type Files struct {
	*pane.Screen
	pane.Scroll
	here   string // the file that the source shows
	listed bool
	all    []session.Module
	shown  []session.Module // the modules that match the filter
	filter pane.Filter
}

// Listed is the message with all files and modules.
type Listed []session.Module

// New opens an empty list. List fills it.
func New(s *pane.Screen, here string) *Files {
	return &Files{Screen: s, here: here, filter: pane.NewFilter()}
}

// List sets the files.
func (p *Files) List(all Listed) {
	p.all, p.listed = all, true
	p.narrow()
}

// typed returns the typed name, and the line after a colon, 0 for none.
func (p *Files) typed() (name string, line int) {
	text := strings.TrimSpace(p.filter.Value())
	if colon := strings.LastIndexByte(text, ':'); colon > 0 {
		if n, err := strconv.Atoi(text[colon+1:]); err == nil && n > 0 {
			return text[:colon], n
		}
		if colon == len(text)-1 {
			return text[:colon], 0
		}
	}
	return text, 0
}

// narrow filters the files to those that match every typed word, the best matches first.
func (p *Files) narrow() {
	name, _ := p.typed()
	words := strings.Fields(strings.ToLower(name))
	p.shown, p.Cursor = nil, 0
	ranks := map[string]int{}
	for _, m := range p.all {
		if rank, ok := rankOf(m, words); ok {
			ranks[m.Path] = rank
			p.shown = append(p.shown, m)
		}
	}
	slices.SortStableFunc(p.shown, func(a, b session.Module) int { return cmp.Compare(ranks[a.Path], ranks[b.Path]) })
}

// rankOf reports whether a file matches all words, and returns the rank of the worst match: 0
// if the name is the word, 1 if it begins with it, 2 if its last part does, 3 if it contains
// it, 4 if only the path contains it.
func rankOf(m session.Module, words []string) (rank int, ok bool) {
	name, path := strings.ToLower(m.Name), strings.ToLower(m.Path)
	for _, w := range words {
		leaf := name[strings.LastIndexAny(name, "./")+1:]
		switch {
		case name == w || name == w+".py":
		case strings.HasPrefix(name, w):
			rank = max(rank, 1)
		case strings.HasPrefix(leaf, w):
			rank = max(rank, 2)
		case strings.Contains(name, w):
			rank = max(rank, 3)
		case strings.Contains(path, w):
			rank = max(rank, 4)
		default:
			return 0, false
		}
	}
	return rank, true
}

// At returns the file under the cursor, or the typed name if no file matches, and the typed
// line. The name is "" for none.
func (p *Files) At() (name string, line int) {
	name, line = p.typed()
	if p.Cursor < len(p.shown) {
		name = p.shown[p.Cursor].Path
	}
	return name, line
}

// Key handles a key press. It returns the action that the screen has to do, "" for none.
func (p *Files) Key(msg tea.KeyPressMsg) (action string, cmd tea.Cmd) {
	a, ok := p.Keys.Lookup(keys.Files, msg)
	if !ok {
		return "", p.edit(msg)
	}
	if move, ok := strings.CutPrefix(a.Name, "files-"); ok {
		p.Move(move, len(p.shown))
		return "", nil
	}
	return a.Name, nil
}

// Paste inserts text into the filter.
func (p *Files) Paste(msg tea.PasteMsg) tea.Cmd { return p.edit(msg) }

func (p *Files) edit(msg tea.Msg) tea.Cmd {
	cmd, changed := p.filter.Edit(msg)
	if changed {
		p.narrow()
	}
	return cmd
}

// Click moves the cursor to the clicked file. chosen reports whether it was there already.
func (p *Files) Click(y int) (chosen bool) {
	i := p.Top + y - 1
	if y < 1 || i >= min(len(p.shown), p.Top+p.Rows) {
		return false
	}
	chosen, p.Cursor = i == p.Cursor, i
	return chosen
}

// Wheel scrolls by rows.
func (p *Files) Wheel(rows int) { p.Scroll.Wheel(rows, len(p.shown)) }

// Columns of the list.
const (
	mostName   = 36
	groupWidth = 14
	gap        = 2
)

// groups holds the displayed name of each group.
var groups = [...]string{
	session.OfProgram: "of the program", session.InFolder: "in its folder", session.Imported: "imported", session.OnPath: "not imported",
}

// Draw draws the list on the whole screen, and returns the cursor of the filter.
func (p *Files) Draw(a *draw.Area) *tea.Cursor {
	w, h := a.Size()
	if h < 2 {
		return nil
	}
	a.Fill(draw.Rect{W: w, H: h}, " ", p.Style(themes.Text))
	p.Fit(len(p.shown), h-2)
	p.drawList(a.Sub(draw.Rect{Y: 1, W: w, H: h - 2}))
	p.DrawFoot(a, keys.Files)
	return p.DrawFilter(a.Sub(draw.Rect{W: w, H: 1}), "files and modules", &p.filter, p.Shown(len(p.shown)))
}

// drawList draws a row for each file: its name, path and group.
func (p *Files) drawList(a *draw.Area) {
	w, _ := a.Size()
	if len(p.shown) == 0 {
		a.Text(1, 0, p.Measure.Cut(p.emptyWords(), w-2), p.Style(themes.Dim))
	}
	names := 0
	for _, m := range p.shown {
		names = max(names, p.Measure.Width(m.Name))
	}
	names = min(names, mostName, max(w/2, 1))
	for y := range min(p.Rows, len(p.shown)-p.Top) {
		m := p.shown[p.Top+y]
		row := a.Sub(draw.Rect{Y: y, W: w, H: 1})
		if m.Path == p.here {
			row.Text(1, 0, pane.GlyphHere, p.Style(themes.Here))
		}
		const left = 3
		row.Text(left, 0, p.Measure.Cut(m.Name, names), p.Style(themes.Text))
		at, end := left+names+gap, w-groupWidth-1
		if room := end - gap - at; room > 0 {
			row.Text(at, 0, p.cutPath(m.Path, room), p.Style(themes.Dim))
		}
		row.Text(max(end, at), 0, groups[m.Group], p.Style(themes.Dim))
		if p.Top+y == p.Cursor {
			row.Overlay(draw.Rect{W: w, H: 1}, p.Style(themes.Selection))
		}
	}
}

// emptyWords returns why the list is empty.
func (p *Files) emptyWords() string {
	switch name, _ := p.typed(); {
	case !p.listed && p.Running != nil:
		return "the program runs; its modules are listed when it stops"
	case !p.listed:
		return "searching…"
	case name != "":
		return p.KeyFor("show-file") + " looks for " + name
	}
	return "there are none"
}

// cutPath shortens a path at its beginning, because the end is more specific.
func (p *Files) cutPath(path string, columns int) string {
	for p.Measure.Width(path) > columns {
		rest := strings.TrimPrefix(path, pane.GlyphEllipsis)
		slash := strings.IndexByte(rest[min(1, len(rest)):], '/')
		if slash < 0 {
			return p.Measure.Cut(path, columns)
		}
		path = pane.GlyphEllipsis + rest[slash+1:]
	}
	return path
}
