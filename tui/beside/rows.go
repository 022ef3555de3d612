package beside

import (
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/tui/values"
)

// tree holds the rows of the two sides and which values are expanded.
type tree struct {
	of    *session.View // the view of these rows; nil if they must be computed again
	told  *dsl.Stop     // the streamed part of the prediction that the rows show
	rows  []row
	open  map[string]bool // by path
	shown *session.View   // the view whose most important row was made visible
}

// row holds both values of one name or element.
type row struct {
	label   string
	depth   int             // 0 for a name, more for what is in its value
	sides   [2]*values.Node // the prediction's and CPython's; nil where there is none
	kind    compare.Kind    // 0 where nothing is compared
	changed bool            // the program changed the value since the stop shown before
	before  *values.Node    // the value before that change; nil if there is none
	access  string          // expression for the value, "" if there is none
	path    string          // key in tree.open; "" if it cannot be expanded
	opened  bool
	sure    [2]*float64    // the models' confidence in the sides; nil if unknown, or for CPython
	note    bool           // not an element, but a note how many are left out
	diff    []values.Piece // CPython's text compared with the prediction's; nil until drawn
	parts   []row          // rows of the elements; nil until expanded
}

// list returns the rows of the two sides: the names in the program's order, so that each keeps its
// place from stop to stop, then the other fields that differ. Event and line are drawn above the
// rows.
func (p *Pane) list() []row {
	if t, told := &p.tree, p.told(); t.of != p.View || t.told != told {
		t.told = told
		was := make(map[string]*row, len(t.rows))
		for i := range t.rows {
			was[t.rows[i].path] = &t.rows[i]
		}
		t.of, t.rows = p.View, nil
		for _, r := range p.names() {
			t.add(r, was)
		}
	}
	return p.tree.rows
}

// told returns the part of the prediction that has streamed in, nil if the model is not answering.
func (p *Pane) told() *dsl.Stop {
	if !p.sides().Awaited {
		return nil
	}
	return p.Partial()
}

// add adds a row, and if it is expanded those of its elements.
func (t *tree) add(r row, was map[string]*row) {
	r.keep(was[r.path])
	r.opened = t.open[r.path] && r.opens()
	if r.opened && r.parts == nil {
		r.parts = r.kids()
	}
	t.rows = append(t.rows, r)
	if r.opened {
		for _, kid := range r.parts {
			kid.sure = r.sure
			t.add(kid, was)
		}
	}
}

// keep reuses the parsed values of the same row at the stop before: most values do not change, and
// a large one takes long to parse.
func (r *row) keep(was *row) {
	if r.path == "" || was == nil || was.kind != r.kind || !alike(r.sides[0], was.sides[0]) || !alike(r.sides[1], was.sides[1]) {
		return
	}
	r.sides, r.diff = was.sides, was.diff
	if r.access == was.access && r.depth == was.depth && alike(r.before, was.before) {
		r.parts = was.parts
	}
}

// alike reports whether two values have the same text.
func alike(a, b *values.Node) bool {
	return a == b || a != nil && b != nil && a.Text == b.Text
}

// opens reports whether a row can be expanded. It does not parse huge texts.
func (r *row) opens() bool {
	return r.path != "" && (parts(r.sides[0]) || parts(r.sides[1]))
}

func parts(n *values.Node) bool { return n != nil && n.Len() > 0 }

// toggle expands or collapses the value of a row on both sides.
func (t *tree) toggle(r row) {
	switch {
	case !r.opens():
		return
	case r.opened:
		delete(t.open, r.path)
	case t.open == nil:
		t.open = map[string]bool{r.path: true}
	default:
		t.open[r.path] = true
	}
	t.of = nil
}

// names returns the rows of names and other fields, without those of elements.
func (p *Pane) names() []row {
	b := p.sides()
	newest := p.View.Selected == p.View.Here
	names := map[string]*session.ViewLocal{} // locals of the state's own frame
	function := ""
	if newest {
		for i := range p.View.Locals {
			names[p.View.Locals[i].Name] = &p.View.Locals[i]
		}
	}
	if p.View.State != nil {
		function = p.View.State.Function
	}
	named := func(label string, kind compare.Kind, sides [2]*values.Node) row {
		r := row{label: label, kind: kind, sides: sides, sure: [2]*float64{b.Sureness.Local(label), p.View.Sureness.Local(label)}}
		if l := names[label]; l != nil {
			r.changed = l.New || l.Was != nil
			if l.Was != nil {
				r.before = values.Parse(*l.Was)
			}
		}
		return r
	}
	var rows, place []row
	for i := range b.Verdicts {
		v := &b.Verdicts[i]
		var sides [2]*values.Node
		if v.Kind != compare.Missing {
			sides[0] = values.Parse(v.Predicted)
		}
		if v.Kind != compare.Extra {
			sides[1] = values.Parse(v.Real)
		}
		switch v.Field {
		case compare.Outcome, compare.Event, compare.Line: // drawn above the rows
		case compare.Local:
			r := named(v.Name, v.Kind, sides)
			r.access, r.path = v.Name, function+"\x00"+v.Name
			rows = append(rows, r)
		case compare.Value:
			r := row{label: v.Field.String(), kind: v.Kind, sides: sides, path: function + "\x00" + v.Field.String() + "\x00"}
			for i, of := range p.sureness() {
				if of != nil {
					r.sure[i] = of.Value
				}
			}
			rows = append(rows, r)
		default:
			if v.Kind != compare.Same {
				place = append(place, row{label: v.Field.String(), kind: v.Kind, sides: sides})
			}
		}
	}
	if len(b.Verdicts) > 0 && b.State != nil {
		return append(rows, place...)
	}
	predicted := map[string]*values.Node{}
	var locals []dsl.Local
	if told := p.told(); told != nil {
		locals = told.Locals
	} else if b.State != nil {
		locals = b.State.Locals
	}
	for _, l := range locals {
		predicted[l.Name] = values.Parse(l.Value)
	}
	for _, l := range p.View.Locals {
		if !l.Hidden {
			r := named(l.Name, 0, [2]*values.Node{predicted[l.Name], values.Parse(l.Value)})
			r.access, r.path = l.Name, function+"\x00"+l.Name
			rows = append(rows, r)
		}
	}
	return append(rows, place...)
}

// sureness returns the models' confidence in each side; nil for CPython's.
func (p *Pane) sureness() [2]*backend.Sureness {
	return [2]*backend.Sureness{p.sides().Sureness, p.View.Sureness}
}

// same lists the fields that are equal on both sides, apart from locals and values.
func (p *Pane) same() string {
	var same []string
	verdicts := p.sides().Verdicts
	for i := range verdicts {
		if v := &verdicts[i]; v.Kind == compare.Same && v.Field != compare.Local && v.Field != compare.Value {
			same = append(same, v.Field.String())
		}
	}
	return strings.Join(same, ", ")
}

// mostKids limits the rows of a value's elements.
const mostKids = 2000

// kids returns the rows of a value's elements: each beside the element of the other side with the
// same key or index, in a set beside the equal one. They are in CPython's order; an element that
// only the prediction has follows its predecessor there.
func (r *row) kids() []row {
	predicted, real := children(r.sides[0]), children(r.sides[1])
	at := make(map[string]int, len(real))
	for i, c := range real {
		at[kidKey(c)] = i
	}
	matched := make([]*values.Child, len(real))
	extra := make([][]row, len(real)+1) // predicted elements without a counterpart
	behind := 0
	for i := range predicted {
		c := &predicted[i]
		if k, ok := at[kidKey(*c)]; ok && matched[k] == nil {
			matched[k], behind = c, k+1
			continue
		}
		extra[behind] = append(extra[behind], r.kid(c, nil))
	}
	rows := extra[0]
	c := values.Delta{Old: r.before, New: r.sides[1]}
	for i := range real {
		k := r.kid(matched[i], &real[i])
		if was, fresh := c.Child(i); !k.note && (was != nil || fresh) {
			k.changed, k.before = true, was
		}
		rows = append(rows, k)
		rows = append(rows, extra[i+1]...)
	}
	return rows
}

// children returns the elements of a value; if there are too many the last one is a note.
func children(n *values.Node) []values.Child {
	if n == nil {
		return nil
	}
	list := make([]values.Child, 0, min(n.Len(), mostKids+1))
	for i := range min(n.Len(), mostKids) {
		list = append(list, n.Child(i))
	}
	if more := n.Len() - mostKids; more > 0 {
		list = append(list, values.Child{Node: values.Parse("… " + english.Plural(more, "element", "") + " more"), Note: true})
	}
	return list
}

// kidKey returns the key that matches elements of the two sides.
func kidKey(c values.Child) string {
	switch {
	case c.Note:
		return "…"
	case c.Label == "":
		return "=" + c.Node.Text
	}
	return ":" + c.Label
}

// kid returns the row of an element, of which either side may be nil.
func (r *row) kid(predicted, real *values.Child) row {
	k := row{depth: r.depth + 1}
	for i, c := range [2]*values.Child{predicted, real} {
		if c == nil {
			continue
		}
		k.label, k.sides[i], k.note = c.Label, c.Node, c.Note
		if c.Access != "" && r.access != "" {
			k.access = r.access + c.Access
		}
		k.path = r.path + "\x00" + kidKey(*c)
	}
	if k.note {
		k.access, k.path = "", ""
		return k
	}
	k.kind = kidKind(r.kind, k.sides[0], k.sides[1])
	return k
}

// kidKind returns the verdict on an element. If the whole is the same, so are all elements.
func kidKind(whole compare.Kind, predicted, real *values.Node) compare.Kind {
	switch {
	case whole == 0 || whole == compare.Same:
		return whole
	case predicted == nil:
		return compare.Missing
	case real == nil:
		return compare.Extra
	case predicted.Text == real.Text:
		return compare.Same
	case whole == compare.Incomparable:
		return whole
	}
	return compare.Values(predicted.Text, real.Text, compare.All()).Kind
}
