package locals

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/highlight"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/values"
)

// section is a part of the pane.
type section uint8

// The sections from the top down.
const (
	watches section = iota
	names
	globals
	sections int = iota
)

// root is a name of the frame or a displayed expression with its tree, or a section's title.
type root struct {
	section section
	title   string // of a title's row, which has no tree
	local   session.ViewLocal
	node    *values.Node
	before  *values.Node // the value at the stop before; nil if unchanged
	changes values.Deltas
	open    *opened
	size    int  // number of its rows
	comes   bool // the row is what the frame returns, yields or raises, not a name

	none bool         // there is no value: node is the reason
	from string       // a note on the value, such as its origin
	last *values.Node // of an unchanged watch, the value before its last change; nil if there is none
}

// opened is an expanded node, with its expanded children.
type opened struct{ kids map[int]*opened }

// entry is a row of the pane.
type entry struct {
	root   *root
	depth  int
	label  string
	access string // expression for the value; "" if there is none
	node   *values.Node
	before *values.Node // the value at the stop before; nil if unchanged
	fresh  bool         // it did not exist at the stop before
	open   *opened
	parent *opened      // the expanded node that it is a child of; nil for a name
	index  int          // its index among the parent's children
	among  *values.Node // the node that it is a child of; nil for a name
	note   bool
}

// raises is the label of what the frame raises.
const raises = "raises"

// outcome returns what the newest frame returns, yields or raises. It is shown below the names, so
// that these keep their places.
func outcome(v *session.View) (r root, ok bool) {
	if v.State == nil || v.State.Value == nil || v.Selected != v.Here {
		return root{}, false
	}
	label := "returns"
	switch {
	case v.State.Event == dsl.Exception:
		label = raises
	case v.State.Kind == dsl.Yielded:
		label = "yields"
	}
	r.section = names
	r.local.Local = dsl.Local{Name: label, Value: *v.State.Value}
	r.node, r.comes = values.Parse(r.local.Value), true
	return r, true
}

// raised reports whether an entry is the exception of the frame.
func (e entry) raised() bool { return e.root.comes && e.depth == 0 && e.label == raises }

// size returns the number of rows of a node with its expanded children.
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

func (p *Pane) count() int {
	n := 0
	for i := range p.roots {
		n += p.roots[i].size
	}
	return n
}

// outcomeRow returns the row of the frame's result, -1 if there is none.
func (p *Pane) outcomeRow() int {
	row := 0
	for i := range p.roots {
		if p.roots[i].comes {
			return row
		}
		row += p.roots[i].size
	}
	return -1
}

// entry returns row i of the pane.
func (p *Pane) entry(i int) (e entry, ok bool) {
	for k := range p.roots {
		r := &p.roots[k]
		if i < r.size {
			if r.title != "" {
				return entry{root: r, label: r.title}, true
			}
			e := entry{root: r, label: r.local.Name, access: r.local.Name, node: r.node, before: r.before, fresh: r.local.New, open: r.open}
			switch {
			case r.comes:
				e.access = ""
			case r.section == watches && !python.IsDottedName(e.access):
				// An index after the parentheses applies to the whole expression.
				e.access = "(" + e.access + ")"
			}
			return descend(e, i), true
		}
		i -= r.size
	}
	return entry{}, false
}

// descend returns row i of an entry and its expanded descendants. It visits expanded children
// only, so that the length of a list does not matter.
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

// child returns a child of an open entry.
func (e entry) child(k int) entry {
	c := e.node.Child(k)
	out := entry{root: e.root, depth: e.depth + 1, label: c.Label, node: c.Node, open: e.open.kids[k], parent: e.open, index: k, among: e.node, note: c.Note}
	if c.Access != "" && e.access != "" {
		out.access = e.access + c.Access
	}
	if e.before != nil {
		out.before, out.fresh = e.root.changes.Of(e.before, e.node).Child(k)
	}
	return out
}

// opens reports whether an entry can be expanded. It does not parse huge texts.
func (e entry) opens() bool {
	const huge = 1 << 20
	if e.note || e.node == nil || e.root.none {
		return false
	}
	if len(e.node.Text) > huge {
		return strings.ContainsAny(e.node.Text[:64], "[({")
	}
	return e.node.Len() > 0
}

// toggle expands or collapses a row's value.
func (p *Pane) toggle() {
	e, ok := p.entry(p.Cursor)
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
		p.open[p.key(e.root)] = now
		e.root.open = now
	}
	e.root.size = size(e.root.node, e.root.open)
}

// OpenMatch expands the value under the cursor down to the first match in it, and moves the cursor
// there. The cursor stays if the name matches or nothing is nested.
func (p *Pane) OpenMatch(q *pane.Search) {
	e, ok := p.entry(p.Cursor)
	if !ok || e.open != nil || e.node == nil || len(highlight.Match(e.label, q.Pattern, !q.Exact)) > 0 {
		return
	}
	found := e.node.Find(q.Pattern, !q.Exact, 1)
	if len(found) == 0 {
		return
	}
	for _, child := range found[0] {
		if e, ok = p.entry(p.Cursor); !ok || !e.opens() {
			return
		}
		if e.open == nil {
			p.toggle()
		}
		e, _ = p.entry(p.Cursor) // now the entry is open
		p.Cursor = e.rowOf(p.Cursor, child)
	}
}

// rowOf returns the row of a child of an open entry, which is itself at row.
func (e entry) rowOf(row, child int) int {
	at := row + 1 + child
	for k, kid := range e.open.kids {
		if k < child {
			at += size(e.node.Child(k).Node, kid) - 1
		}
	}
	return at
}

// changedRows calls tell with the rows of a changed entry: its own, or those of its changed
// children if it is open.
func (e entry) changedRows(row int, tell func(row int)) {
	if e.open == nil || e.before == nil {
		tell(row)
		return
	}
	kids := e.root.changes.Of(e.before, e.node).Children()
	for _, k := range kids {
		e.child(k).changedRows(e.rowOf(row, k), tell)
	}
	if len(kids) == 0 {
		tell(row)
	}
}
