package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/values"
)

// locals shows the names of the selected frame and their values, which open into
// trees.
type locals struct {
	scroll
	hidden bool // hidden names show too
	wraps  bool
	open   map[string]*opened // by function and name; nil is closed
	nodes  map[string]*values.Node
	widths map[*values.Node]int // of the longest label among a node's first children
	roots  []root
	shows  []int // which row each of the pane's rows had when it was drawn last
	two    besideTree
}

// root is a name of the frame, with its tree.
type root struct {
	local   session.ViewLocal
	node    *values.Node
	before  *values.Node // nil unless it has changed since the stop before
	changes changes
	open    *opened
	size    int  // rows that it takes
	comes   bool // it is no name: what the frame returns, yields or raises
}

// opened is an open node: those of its children that are open too.
type opened struct{ kids map[int]*opened }

// entry is a row of the pane.
type entry struct {
	root   *root
	depth  int
	label  string
	access string // the expression for it
	node   *values.Node
	before *values.Node // nil unless it is another value than at the stop before
	fresh  bool         // it was not there at the stop before
	open   *opened
	parent *opened      // whose child it is; nil for a name
	index  int          // among the parent's children
	among  *values.Node // whose child it is; nil for a name
	note   bool
}

func newLocals() *locals {
	return &locals{open: map[string]*opened{}, nodes: map[string]*values.Node{}}
}

func (p *locals) context() keys.Context { return keys.Locals }

func (p *locals) title(m *Model) (name, more string) {
	if m.besides() {
		return m.besideTitle()
	}
	if f, ok := m.frame(); ok {
		more = f.Function
	}
	return "locals", more
}

// stopped takes over the names of the selected frame. What was open stays open.
func (p *locals) stopped(m *Model) {
	f, _ := m.frame()
	p.roots = p.roots[:0]
	nodes := make(map[string]*values.Node, len(m.view.Locals)+1)
	known := changes{}
	for _, l := range m.view.Locals {
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
	if r, ok := outcome(m.view); ok {
		r.open = p.open[f.Function+"\x00"+r.local.Name]
		r.size = size(r.node, r.open)
		p.roots = append(p.roots, r)
	}
	p.nodes, p.widths = nodes, map[*values.Node]int{}
}

// outcome is what the newest frame returns, yields or raises. It is below its names,
// so that these keep their places.
func outcome(v *session.View) (r root, ok bool) {
	if v.State == nil || v.State.Value == nil || v.Selected != v.Here {
		return root{}, false
	}
	label := "returns"
	switch {
	case v.State.Event == dsl.Exception:
		label = "raises"
	case v.State.Kind == dsl.Yielded:
		label = "yields"
	}
	r.local.Local = dsl.Local{Name: label, Value: *v.State.Value}
	r.node, r.comes = values.Parse(r.local.Value), true
	return r, true
}

// size is how many rows a node takes.
func size(n *values.Node, o *opened) int {
	if o == nil {
		return 1
	}
	rows := 1 + n.Len()
	for i, kid := range o.kids {
		if i < n.Len() {
			rows += size(n.Child(i).Node, kid) - 1
		}
	}
	return rows
}

func (p *locals) count() int {
	n := 0
	for i := range p.roots {
		n += p.roots[i].size
	}
	return n
}

// outcomeRow is the row of what comes out of the frame, -1 if nothing does.
func (p *locals) outcomeRow() int {
	if n := len(p.roots); n > 0 && p.roots[n-1].comes {
		return p.count() - p.roots[n-1].size
	}
	return -1
}

// at is row i.
func (p *locals) entry(i int) (e entry, ok bool) {
	for k := range p.roots {
		r := &p.roots[k]
		if i < r.size {
			e := entry{root: r, label: r.local.Name, access: r.local.Name, node: r.node, before: r.before, fresh: r.local.New, open: r.open}
			if r.comes {
				e.access = ""
			}
			return descend(e, i), true
		}
		i -= r.size
	}
	return entry{}, false
}

// descend is row i of an entry and what is open below it. It looks only at open
// children, so that a list of any length costs the same.
func descend(e entry, i int) entry {
	if i == 0 {
		return e
	}
	i--
	order := make([]int, 0, len(e.open.kids))
	for k := range e.open.kids {
		order = append(order, k)
	}
	slices.Sort(order)
	for _, k := range order {
		if k >= i {
			break
		}
		more := size(e.node.Child(k).Node, e.open.kids[k]) - 1
		if i <= k+more {
			return descend(e.child(k), i-k)
		}
		i -= more
	}
	return e.child(i)
}

// child is a child of an open entry.
func (e entry) child(k int) entry {
	c := e.node.Child(k)
	out := entry{root: e.root, depth: e.depth + 1, label: c.Label, node: c.Node, open: e.open.kids[k], parent: e.open, index: k, among: e.node, note: c.Note}
	if c.Access != "" && e.access != "" {
		out.access = e.access + c.Access
	}
	if e.before != nil {
		out.before, out.fresh = e.root.changes.of(e.before, e.node).child(k)
	}
	return out
}

// opens reports whether an entry can be opened. A huge text is not read to know.
func (e entry) opens() bool {
	const huge = 1 << 20
	if e.note {
		return false
	}
	if len(e.node.Text) > huge {
		return strings.ContainsAny(e.node.Text[:64], "[({")
	}
	return e.node.Len() > 0
}

// toggle opens a row's value, or closes it.
func (p *locals) toggle(m *Model) {
	e, ok := p.entry(p.cursor)
	if !ok || !e.opens() {
		return
	}
	var now *opened
	if e.open == nil {
		now = &opened{kids: map[int]*opened{}}
	}
	if e.parent != nil {
		if now == nil {
			delete(e.parent.kids, e.index)
		} else {
			e.parent.kids[e.index] = now
		}
	} else {
		f, _ := m.frame()
		p.open[f.Function+"\x00"+e.root.local.Name] = now
		e.root.open = now
	}
	e.root.size = size(e.root.node, e.root.open)
}

func (p *locals) act(m *Model, action string) (tea.Cmd, bool) {
	if m.besides() {
		return p.actBeside(m, action)
	}
	n := p.count()
	switch action {
	case "hidden-names":
		p.hidden = !p.hidden
		if m.view != nil {
			p.stopped(m)
		}
		return nil, true
	case "wrap":
		p.wraps = !p.wraps
		return nil, true
	}
	if p.move(action, n) {
		return nil, true
	}
	e, ok := p.entry(p.cursor)
	if !ok {
		return nil, false
	}
	switch action {
	case "expand":
		p.toggle(m)
	case "copy":
		return m.copy(e.node.Text), true
	case "set":
		if e.access == "" {
			m.flash = "There is no name to set this by."
			return nil, true
		}
		m.line.start(m, keys.CommandLine, "!"+e.access+" = ")
	case "watch":
		if e.access == "" {
			m.flash = "There is no name to watch this by."
			return nil, true
		}
		return m.run("display " + e.access), true
	case "break-on-change", "last-change", "value-history":
		if e.access == "" {
			m.flash = "There is no name to follow this by."
			return nil, true
		}
		return m.run(map[string]string{"break-on-change": "watch ", "last-change": "last ", "value-history": "history "}[action] + e.access), true
	default:
		return nil, false
	}
	return nil, true
}

func (p *locals) click(m *Model, _, y int) tea.Cmd {
	if m.besides() {
		p.clickBeside(m, y)
		return nil
	}
	if y < 0 || y >= len(p.shows) || p.shows[y] >= p.count() {
		return nil
	}
	row := p.shows[y]
	if row == p.cursor {
		p.toggle(m)
	}
	p.cursor = row
	return nil
}

func (p *locals) wheel(m *Model, rows int) {
	n := p.count()
	if m.besides() {
		n = m.besideCount()
	}
	p.scroll.wheel(rows, n)
}
