// Package locals shows the names of the selected frame and their values.
package locals

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/values"
)

// Pane shows the names of the selected frame and their values, which expand into trees.
type Pane struct {
	*pane.Screen
	pane.Scroll
	hidden bool // hidden names are shown too
	wraps  bool
	open   map[string]*opened // expanded values by key; nil if collapsed
	nodes  map[string]*values.Node
	widths map[*values.Node]int // of the longest label among a node's first children
	roots  []root
	shows  []int // index of the row in each screen row of the last Draw
	w, h   int   // columns and rows at the last Draw
}

// New returns a pane without names.
func New(s *pane.Screen) *Pane {
	return &Pane{Screen: s, open: map[string]*opened{}, nodes: map[string]*values.Node{}}
}

// Context returns the context of the locals.
func (p *Pane) Context() keys.Context { return keys.Locals }

// Title returns the pane's name and the selected frame's function.
func (p *Pane) Title() (name, more string) {
	if f, ok := p.Frame(); ok {
		more = f.Function
	}
	return "locals", more
}

// key returns the key under which a name stays expanded from stop to stop.
func (p *Pane) key(r *root) string {
	if r.section != names { // watches and globals are the same in every function
		return fmt.Sprint(r.section, "\x00", r.local.Name)
	}
	f, _ := p.Frame()
	if r.comes { // a local may have the same name
		return f.Function + "\x00\x00" + r.local.Name
	}
	return f.Function + "\x00" + r.local.Name
}

// Stopped takes over the names of the selected frame. Expanded values stay expanded, and the cursor
// stays on its name.
func (p *Pane) Stopped() {
	stay := p.cursorKey()
	before := p.nodes
	p.roots, p.nodes, p.widths = p.roots[:0], map[string]*values.Node{}, map[*values.Node]int{}
	known := values.Deltas{}
	if len(p.View.Watches) > 0 {
		p.title("watches")
		for _, w := range p.View.Watches {
			p.roots = append(p.roots, p.watch(w, before, known))
		}
		p.title("locals")
	}
	p.names(names, p.View.Locals, before, known)
	if r, ok := outcome(p.View); ok {
		r.open = p.open[p.key(&r)]
		r.size = size(r.node, r.open)
		p.roots = append(p.roots, r)
	}
	shown := len(p.roots)
	p.names(globals, p.View.Globals, before, known)
	if len(p.roots) > shown {
		title := root{title: "globals", section: globals, size: 1}
		if at := p.View.GlobalsAt; at > 0 {
			title.title += fmt.Sprintf(" as of line %d", at)
		}
		p.roots = slices.Insert(p.roots, shown, title)
	}
	p.stay(stay)
}

// title adds the title row of a section.
func (p *Pane) title(text string) {
	p.roots = append(p.roots, root{title: text, size: 1})
}

// names adds names to a section.
func (p *Pane) names(of section, locals []session.ViewLocal, before map[string]*values.Node, known values.Deltas) {
	for _, l := range locals {
		if l.Hidden && !p.hidden && !l.Unknown {
			continue
		}
		r := root{section: of, local: l, changes: known}
		text := l.Value
		if l.Attributes != "" {
			text = l.Attributes // they can be expanded, unlike its __repr__
		}
		if l.Unknown {
			r.none, r.node, r.size = true, values.Parse("unknown"), 1
			p.roots = append(p.roots, r)
			continue
		}
		r.node, r.before = p.read(of, l.Name, text, l.Was, before)
		r.open = p.open[p.key(&r)]
		r.size = size(r.node, r.open)
		p.roots = append(p.roots, r)
	}
}

// watch adds the row of a displayed expression.
func (p *Pane) watch(w session.ViewWatch, before map[string]*values.Node, known values.Deltas) root {
	r := root{section: watches, changes: known, size: 1, local: session.ViewLocal{Local: dsl.Local{Name: w.Expression, Value: w.Value}}}
	if w.Value == "" {
		r.none, r.node = true, values.Parse(w.Note)
		return r
	}
	r.from = w.Note
	var was *values.Node
	r.node, was = p.read(watches, w.Expression, w.Value, w.Was, before)
	if w.Changed {
		r.before = was
	} else {
		r.last = was
	}
	r.open = p.open[p.key(&r)]
	r.size = size(r.node, r.open)
	return r
}

// read parses the new and the old value, or reuses what was parsed at the stop before.
func (p *Pane) read(of section, name, now string, was *string, before map[string]*values.Node) (node, old *values.Node) {
	key := fmt.Sprint(of, name)
	known := before[key]
	if node = known; node == nil || node.Text != now {
		node = values.Parse(now)
	}
	p.nodes[key] = node
	if was == nil {
		return node, nil
	}
	if old = known; old == nil || old.Text != *was {
		old = values.Parse(*was)
	}
	return node, old
}

// cursorKey identifies the cursor's row: a name, and how many rows below it.
type cursorKey struct {
	key    string
	behind int
}

func (p *Pane) cursorKey() cursorKey {
	row := 0
	for i := range p.roots {
		if r := &p.roots[i]; p.Cursor < row+r.size {
			return cursorKey{p.rowKey(r), p.Cursor - row}
		}
		row += p.roots[i].size
	}
	return cursorKey{}
}

func (p *Pane) rowKey(r *root) string {
	if r.title != "" || r.comes {
		return ""
	}
	return fmt.Sprint(r.section, r.local.Name)
}

// stay keeps the cursor on its name, if that still exists.
func (p *Pane) stay(at cursorKey) {
	if p.Cursor == 0 { // the user has not moved the cursor: keep the top visible
		if len(p.roots) > 1 && p.roots[0].title != "" {
			p.Cursor = 1
		}
		return
	}
	row := 0
	for i := range p.roots {
		r := &p.roots[i]
		if at.key != "" && p.rowKey(r) == at.key {
			p.Cursor = row + min(at.behind, r.size-1)
			return
		}
		row += r.size
	}
}

// Fills counts the rows of the names, of what is expanded or wrapped below them, and of the
// frame's result.
func (p *Pane) Fills(columns, most int) (rows int) {
	names, n := p.nameColumns(), p.count()
	out := p.outcomeRow()
	if out < 0 {
		rows++
	}
	if !p.wraps {
		if rows += n; out >= 0 {
			rows += p.height(out, names, columns, mostWrapped+1) - 1
		}
		return min(rows, most)
	}
	for i := 0; i < n && rows < most; i++ {
		rows += p.height(i, names, columns, mostWrapped+1)
	}
	return min(rows, most)
}

// Act does an action on the row at the cursor.
func (p *Pane) Act(action string) (tea.Cmd, bool) {
	n := p.count()
	switch action {
	case "hidden-names":
		p.hidden = !p.hidden
		if p.View != nil {
			p.Stopped()
		}
		return nil, true
	case "wrap":
		p.wraps = !p.wraps
		return nil, true
	}
	if p.Move(action, n) {
		return nil, true
	}
	e, ok := p.entry(p.Cursor)
	if !ok || e.node == nil {
		if action == "watch" && p.Running == nil { // while a command runs, this row may get a name
			p.Type(keys.CommandLine, "display ")
			return nil, true
		}
		return nil, false
	}
	switch action {
	case "expand":
		if e.open == nil && !e.root.none {
			if cmd, shown := p.Orders.Grid(p.pathOf(e), e.access, e.node.Text); shown {
				return cmd, true
			}
		}
		p.toggle()
	case "other-form":
		if e.open != nil || e.root.none || !p.Orders.Lists(p.pathOf(e), e.node.Text) {
			p.toggle()
		}
	case "copy":
		return p.Copy(e.node.Text), true
	case "set":
		if e.access == "" {
			p.Flash = "There is no name to set this by."
			return nil, true
		}
		value := ""
		if !e.root.local.Unknown {
			value = present(e.node.Text)
		}
		p.Type(keys.CommandLine, "!"+e.access+" = "+value)
	case "watch":
		if e.access == "" {
			p.Flash = "There is no name to watch this by."
			return nil, true
		}
		return p.Orders.Display(e.access), true
	case "unwatch":
		if e.root.section != watches {
			p.Flash = "This is not displayed: " + p.KeyFor("watch") + " has it stay at the top."
			return nil, true
		}
		return p.Orders.Undisplay(e.root.local.Name), true
	case "break-on-change", "last-change", "value-history", "provenance":
		if e.access == "" {
			p.Flash = "There is no name to follow this by."
			return nil, true
		}
		return p.follow(action, e.access), true
	default:
		return nil, false
	}
	return nil, true
}

// pathOf returns the expression of an entry, or its label if it has none.
func (p *Pane) pathOf(e entry) string {
	if e.access != "" {
		return e.access
	}
	return e.label
}

// mostPresent bounds the length of a value that = offers to edit, in bytes.
const mostPresent = 500

// present returns a value's text as an expression to edit; "" if the text is not an expression,
// such as <object>, or too long.
func present(text string) string {
	if len(text) > mostPresent || strings.ContainsAny(text, "<\n"+pane.GlyphEllipsis) && !quoted(text) {
		return ""
	}
	return text
}

// quoted reports whether a text is a string's literal, in which any character may be.
func quoted(text string) bool {
	return strings.HasPrefix(text, "'") || strings.HasPrefix(text, `"`)
}

// follow runs one of the actions about changes of an expression.
func (p *Pane) follow(action, expression string) tea.Cmd {
	switch action {
	case "break-on-change":
		return p.Orders.BreakOnChange(expression)
	case "last-change":
		return p.Orders.LastChange(expression)
	case "provenance":
		return p.Orders.Provenance(expression)
	}
	return p.Orders.ValueHistory(expression)
}

// Click moves the cursor to the clicked row. If it is there already, Click expands or collapses the
// row.
func (p *Pane) Click(_, y int) tea.Cmd {
	if y < 0 || y >= len(p.shows) || p.shows[y] >= p.count() {
		return nil
	}
	row := p.shows[y]
	if row == p.Cursor {
		cmd, _ := p.Act("expand")
		return cmd
	}
	p.Cursor = row
	return nil
}

// Wheel scrolls.
func (p *Pane) Wheel(rows int) { p.wheelWrapped(rows, p.w, p.h, p.nameColumns()) }

// Texts returns the texts of the rows for a search: of a collapsed one the whole value, of an
// expanded one only the name.
func (p *Pane) Texts() (int, func(int) string) {
	return p.count(), func(i int) string {
		e, _ := p.entry(i)
		if e.open != nil || e.node == nil {
			return e.label
		}
		return e.label + " " + e.node.Text
	}
}

// Sight describes which rows are visible, and how many of the others have changed.
func (p *Pane) Sight() (shown, news string, role themes.Role) {
	if partial := p.streams(); partial != nil && !p.stays(partial) {
		return "", "", themes.Changed
	}
	var above, below int
	row := 0
	for i := range p.roots {
		r := &p.roots[i]
		if r.before != nil || r.local.New {
			e := entry{root: r, node: r.node, before: r.before, fresh: r.local.New, open: r.open}
			e.changedRows(row, func(row int) {
				switch {
				case row < p.Top:
					above++
				case row >= p.Top+p.Rows:
					below++
				}
			})
		}
		row += r.size
	}
	if out := p.outcomeRow(); out >= p.Top+p.Rows { // the result is pinned below the other rows
		row--
	}
	return p.Shown(row), changedWords(above, below), themes.Changed
}
