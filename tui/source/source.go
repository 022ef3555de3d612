// Package source shows the program's source, with marks beside the lines and values at their ends.
package source

import (
	"bytes"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// Pane shows the file of the selected frame: gutter, text, and values at the ends of lines.
type Pane struct {
	*pane.Screen
	pane.Scroll
	Values bool // show values at the ends of lines
	docs   documents
	path   string // of the shown file
	left   int    // columns scrolled to the right
	gutter int    // its columns at the last Draw
	column column // at which values at the ends of lines begin
	raised string // the raised exception, if its line has no room for it
	width  int    // columns at the last Draw
	stop   stop   // the stop that the cursor last moved to
	opened string // an opened file that the program has not imported yet
}

// New returns a pane without a file.
func New(s *pane.Screen, lineValues bool) *Pane {
	return &Pane{Screen: s, Values: lineValues, docs: documents{}}
}

// Context returns the context of the source.
func (p *Pane) Context() keys.Context { return keys.Source }

// Title returns the pane's name and the name of the file.
func (p *Pane) Title() (name, more string) {
	more = "starting"
	if doc := p.docs[p.path]; doc != nil {
		more = doc.name
		if p.opened == p.path && p.path != "" {
			more += ", not imported yet"
		}
		if doc.edited {
			more += ", edited since it began to run"
		}
	}
	return "source", more
}

// document returns the shown file; while the program starts it is the only one.
func (p *Pane) document() *document {
	if p.View == nil && p.path == "" {
		for path := range p.docs {
			p.path = path
		}
	}
	return p.docs[p.path]
}

// stop identifies a stop. If the same stop is shown again, for example after a breakpoint was
// set, the cursor must not move.
type stop struct {
	frame    uint32
	line     int
	selected int
	place    session.Place
	mortal   bool
}

// Stopped moves the cursor to the selected frame's line, once for each stop. It scrolls only if
// the line is not visible.
func (p *Pane) Stopped() {
	f, ok := p.Frame()
	if !ok {
		return
	}
	now := stop{f.Activation, f.Line, p.View.Selected, p.View.Place, p.View.PostMortem}
	if now.place.Events = 0; now != p.stop || p.path == "" {
		p.stop = now
		p.ToFrame()
	}
}

// ToFrame moves the cursor to the selected frame's line.
func (p *Pane) ToFrame() {
	f, ok := p.Frame()
	if !ok || f.Path == "" {
		return
	}
	if p.opened = ""; f.Path != p.path {
		p.path, p.Top, p.left = f.Path, 0, 0
	}
	if f.Line > 0 {
		p.Cursor = f.Line - 1
		p.scrollTo(p.Rows / 3) // so that it need not scroll at every stop
	}
}

// reveal scrolls so that the cursor's line and some lines around it are visible.
func (p *Pane) reveal() { p.scrollTo(0) }

// scrollTo scrolls so that the cursor's line is visible. If it has to scroll, it scrolls further
// than necessary, by more lines.
func (p *Pane) scrollTo(more int) {
	margin := min(3, max(p.Rows/4, 0))
	switch {
	case p.Rows == 0:
		p.Top = max(p.Cursor-8, 0)
	case p.Cursor < p.Top || p.Cursor >= p.Top+p.Rows:
		p.Top = max(p.Cursor-p.Rows/3, 0)
	case p.Cursor < p.Top+margin:
		p.Top = max(p.Cursor-margin-more, 0)
	case p.Cursor >= p.Top+p.Rows-margin:
		p.Top = p.Cursor - p.Rows + margin + 1 + more
	}
}

// Act moves the cursor, or scrolls to the side.
func (p *Pane) Act(action string) (tea.Cmd, bool) {
	doc := p.document()
	if doc == nil {
		return nil, false
	}
	switch action {
	case "left":
		p.left = max(p.left-8, 0)
	case "right":
		p.left += 8
	default:
		if !p.Move(action, len(doc.lines)) {
			return nil, false
		}
		p.reveal()
	}
	return nil, true
}

// Click moves the cursor to a line; in the gutter it toggles a breakpoint.
func (p *Pane) Click(x, y int) tea.Cmd {
	doc := p.document()
	n := p.Top + y
	if doc == nil || n >= len(doc.lines) {
		return nil
	}
	p.Cursor = n
	if x < p.gutter {
		return p.Orders.ToggleBreakpoint(p.Place())
	}
	return nil
}

// Wheel scrolls.
func (p *Pane) Wheel(rows int) {
	if doc := p.document(); doc != nil {
		p.Scroll.Wheel(rows, len(doc.lines))
	}
}

// Place returns the file, and the number of the line under the cursor.
func (p *Pane) Place() (path string, line int) { return p.path, p.Cursor + 1 }

// Show moves the cursor to a line of a file. It returns false if the file was not shown before.
func (p *Pane) Show(path string, line int) bool {
	if p.docs[path] == nil {
		return false
	}
	if path != p.path {
		p.path, p.Top, p.left, p.opened = path, 0, 0, ""
	}
	p.Cursor = max(line-1, 0)
	p.reveal()
	return true
}

// Open shows a source text. The command that it returns analyzes the text.
func (p *Pane) Open(t session.Text) tea.Cmd {
	var learn tea.Cmd
	if doc := p.docs[t.Path]; doc == nil || !bytes.Equal(doc.source, t.Source) {
		p.docs[t.Path] = &document{name: t.Name, source: t.Source, lines: dsl.SplitLines(string(t.Source))}
		learn = study(t.Path, t.Name, t.Source)
	}
	p.docs[t.Path].edited = t.Edited
	p.Show(t.Path, t.Line)
	if t.Pending {
		p.opened = t.Path
	}
	return learn
}

// Line returns the text under the cursor; false if there is none.
func (p *Pane) Line() (string, bool) {
	doc := p.document()
	if doc == nil || p.Cursor >= len(doc.lines) {
		return "", false
	}
	return doc.lines[p.Cursor], true
}

// Texts returns the lines of the file for a search.
func (p *Pane) Texts() (int, func(int) string) {
	doc := p.document()
	if doc == nil {
		return 0, nil
	}
	return len(doc.lines), func(i int) string { return doc.lines[i] }
}

// GoTo moves the cursor to a line and makes it visible.
func (p *Pane) GoTo(i int) {
	p.Cursor = i
	p.reveal()
}
