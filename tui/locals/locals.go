// Package locals is the pane of the names of the selected frame and their values.
package locals

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/values"
)

// Pane shows the names of the selected frame and their values, which open into trees.
type Pane struct {
	*pane.Screen
	pane.Scroll
	hidden bool // hidden names show too
	wraps  bool
	open   map[string]*opened // by function and name; nil is closed
	nodes  map[string]*values.Node
	widths map[*values.Node]int // of the longest label among a node's first children
	roots  []root
	shows  []int // which row each of the pane's rows had when it was drawn last
}

// New is a pane without names.
func New(s *pane.Screen) *Pane {
	return &Pane{Screen: s, open: map[string]*opened{}, nodes: map[string]*values.Node{}}
}

// Context is that of the locals.
func (p *Pane) Context() keys.Context { return keys.Locals }

// Title names the function whose names they are.
func (p *Pane) Title() (name, more string) {
	if f, ok := p.Frame(); ok {
		more = f.Function
	}
	return "locals", more
}

// Stopped takes over the names of the selected frame. What was open stays open.
func (p *Pane) Stopped() {
	f, _ := p.Frame()
	p.roots = p.roots[:0]
	nodes := make(map[string]*values.Node, len(p.View.Locals)+1)
	known := values.Deltas{}
	for _, l := range p.View.Locals {
		if l.Hidden && !p.hidden {
			continue
		}
		node := p.nodes[l.Name]
		if node == nil || node.Text != l.Value {
			node = values.Parse(l.Value)
		}
		nodes[l.Name] = node
		r := root{local: l, node: node, changes: known, open: p.open[f.Function+"\x00"+l.Name]}
		if l.Was != nil {
			if r.before = p.nodes[l.Name]; r.before == nil || r.before.Text != *l.Was {
				r.before = values.Parse(*l.Was)
			}
		}
		r.size = size(node, r.open)
		p.roots = append(p.roots, r)
	}
	if r, ok := outcome(p.View); ok {
		r.open = p.open[f.Function+"\x00"+r.local.Name]
		r.size = size(r.node, r.open)
		p.roots = append(p.roots, r)
	}
	p.nodes, p.widths = nodes, map[*values.Node]int{}
}

// Fills counts the rows of the names, of what is open or wrapped below them, and of
// what the frame returns or raises, which comes sooner or later.
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
	if !ok {
		return nil, false
	}
	switch action {
	case "expand":
		p.toggle()
	case "copy":
		return p.Copy(e.node.Text), true
	case "set":
		if e.access == "" {
			p.Flash = "There is no name to set this by."
			return nil, true
		}
		p.Type(keys.CommandLine, "!"+e.access+" = ")
	case "watch":
		if e.access == "" {
			p.Flash = "There is no name to watch this by."
			return nil, true
		}
		return p.Orders.Display(e.access), true
	case "break-on-change", "last-change", "value-history":
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

// follow has the session tell when an expression changes, or did.
func (p *Pane) follow(action, expression string) tea.Cmd {
	switch action {
	case "break-on-change":
		return p.Orders.BreakOnChange(expression)
	case "last-change":
		return p.Orders.LastChange(expression)
	}
	return p.Orders.ValueHistory(expression)
}

// Click moves to a row, and opens the one the cursor is at.
func (p *Pane) Click(_, y int) tea.Cmd {
	if y < 0 || y >= len(p.shows) || p.shows[y] >= p.count() {
		return nil
	}
	row := p.shows[y]
	if row == p.Cursor {
		p.toggle()
	}
	p.Cursor = row
	return nil
}

// Wheel scrolls.
func (p *Pane) Wheel(rows int) {
	p.Scroll.Wheel(rows, p.count())
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

// Texts are the rows': of a closed one all of its value, so that what is in it is
// found too; of an open one its name alone, for its children are rows.
func (p *Pane) Texts() (int, func(int) string) {
	return p.count(), func(i int) string {
		e, _ := p.entry(i)
		if e.open != nil {
			return e.label
		}
		return e.label + " " + e.node.Text
	}
}

// Sight says which rows are in sight, and what has changed in the others: rows keep
// their place from stop to stop, so that what has changed does not come by itself.
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
	if out := p.outcomeRow(); out >= p.Top+p.Rows { // it shows below them all the same
		row = out
	}
	return p.Shown(row), changedWords(above, below), themes.Changed
}
