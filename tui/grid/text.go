package grid

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/values"
)

// left is numpy's mark for omitted elements in a repr.
const left = "..."

// arrays holds the prefixes of numpy's reprs of arrays.
var arrays = []string{"array(", "matrix(", "memmap(", "rec.array("}

// extras matches the shape and dtype after the elements in the repr of an array.
var extras = regexp.MustCompile(`(?s)^(.*\])(?:,\s+shape=(\([\d, ]*\)))?(?:,\s+dtype=([^\[\]]*))?\)$`)

// apart splits an array's repr into its elements, shape and dtype.
func apart(text string) (elements, shape, kind string, ok bool) {
	// A structured dtype contains brackets, which extras does not match.
	if i := strings.LastIndex(text, "dtype=["); i > 0 && strings.HasSuffix(text, "])") {
		kind, text = text[i+len("dtype="):len(text)-1], strings.TrimRight(text[:i], ", \n")+")"
	}
	m := extras.FindStringSubmatch(text)
	if m == nil {
		return "", "", "", false
	}
	return m[1] + ")", m[2], cmp.Or(kind, strings.Trim(m[3], "'")), true
}

// Read parses an array's recorded text. whole is false if the text omits elements; ok is
// false if the text is not that of an array.
func Read(text string) (g session.Grid, whole, ok bool) {
	if !slices.ContainsFunc(arrays, func(name string) bool { return strings.HasPrefix(text, name+"[") }) {
		return g, false, false
	}
	elements, shape, kind, ok := apart(text)
	if !ok {
		return g, false, false
	}
	g.Columns, g.Shape, g.Kind = []string{""}, shape, kind
	if strings.HasSuffix(elements, "([])") {
		g.Shape = cmp.Or(shape, "(0,)")
		return g, true, true
	}
	node := values.Parse(elements)
	if node.Len() == 0 {
		return g, false, false
	}
	r := reader{whole: true}
	r.read(node, nil)
	g.Labels, g.Rows = r.labels, r.rows
	if len(r.columns) > 0 {
		g.Columns = r.columns
	}
	g.Kind = cmp.Or(g.Kind, kindOf(r.rows))
	if r.whole {
		g.Shape = cmp.Or(g.Shape, r.shape(node))
	}
	return g, r.whole, true
}

// Lists parses a list or tuple of equally long lists or tuples; ok is false for any other text.
func Lists(text string) (g session.Grid, ok bool) {
	const most = 10000 // rows
	node := values.Parse(text)
	if !isList(text) || node.Cut != "" || node.Len() == 0 || node.Len() > most {
		return g, false
	}
	columns := node.Child(0).Node.Len()
	for i := range node.Len() {
		row := node.Child(i)
		if !isList(row.Node.Text) || row.Note || row.Node.Len() != columns || columns == 0 {
			return session.Grid{}, false
		}
		cells := make([]string, columns)
		for k := range columns {
			cells[k] = row.Node.Child(k).Node.Text
		}
		g.Labels, g.Rows = append(g.Labels, strconv.Itoa(i)), append(g.Rows, cells)
	}
	for k := range columns {
		g.Columns = append(g.Columns, strconv.Itoa(k))
	}
	g.Shape = fmt.Sprintf("(%d, %d)", len(g.Rows), columns)
	return g, true
}

func isList(text string) bool { return text != "" && strings.ContainsAny(text[:1], "[(") }

// reader collects the rows of an array's parsed text.
type reader struct {
	columns, labels []string
	rows            [][]string
	whole           bool
}

// read adds the rows of a node. at is the node's index in the outer dimensions.
func (r *reader) read(n *values.Node, at []string) {
	if n.Len() > 0 && nested(n) {
		r.each(n, func(label string, child *values.Node) { r.read(child, append(at[:len(at):len(at)], label)) }, func() {
			r.labels, r.rows = append(r.labels, "…"), append(r.rows, []string{"…"})
		})
		return
	}
	var cells, labels []string
	r.each(n, func(label string, child *values.Node) {
		cells, labels = append(cells, child.Text), append(labels, label)
	}, func() { cells, labels = append(cells, "…"), append(labels, "…") })
	if len(at) > 0 {
		r.columns = labels
		r.labels, r.rows = append(r.labels, strings.Join(at, ", ")), append(r.rows, cells)
		return
	}
	for i, cell := range cells {
		r.labels, r.rows = append(r.labels, labels[i]), append(r.rows, []string{cell})
	}
}

// each calls child for each child of a node with its index, and gap for omitted elements. After
// a gap indices count from the end.
func (r *reader) each(n *values.Node, child func(label string, child *values.Node), gap func()) {
	behind := false
	for i := range n.Len() {
		switch c := n.Child(i); {
		case c.Node.Text == left:
			behind, r.whole = true, false
			gap()
		case behind:
			child(strconv.Itoa(i-n.Len()), c.Node)
		default:
			child(strconv.Itoa(i), c.Node)
		}
	}
}

// nested reports whether a node's elements are lists.
func nested(n *values.Node) bool { return strings.HasPrefix(n.Child(0).Node.Text, "[") }

func (r *reader) shape(n *values.Node) string {
	var lengths []string
	for {
		lengths = append(lengths, strconv.Itoa(n.Len()))
		if n.Len() == 0 || !nested(n) {
			break
		}
		n = n.Child(0).Node
	}
	if len(lengths) == 1 {
		return fmt.Sprintf("(%s,)", lengths[0])
	}
	return "(" + strings.Join(lengths, ", ") + ")"
}

// kindOf returns the dtype that numpy's repr omits because the elements imply it, "" if it is
// unknown.
func kindOf(rows [][]string) string {
	kind := ""
	for _, row := range rows {
		for _, cell := range row {
			now := kind
			switch {
			case cell == "…":
			case cell == "True" || cell == "False":
				now = "bool"
			case strings.HasSuffix(cell, "j"):
				now = "complex128"
			case strings.ContainsAny(cell, ".") || strings.HasSuffix(cell, "nan") || strings.HasSuffix(cell, "inf"):
				now = "float64"
			case strings.Trim(cell, "-0123456789") == "":
				now = "int64"
			default:
				return ""
			}
			if kind = now; kind == "complex128" {
				return kind
			}
		}
	}
	return kind
}

// Lines returns a grid with one column that holds the lines of a text.
func Lines(text string) session.Grid {
	g := session.Grid{Columns: []string{""}}
	for line := range strings.SplitSeq(text, "\n") {
		g.Labels, g.Rows = append(g.Labels, ""), append(g.Rows, []string{line})
	}
	return g
}
