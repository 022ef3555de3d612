package align

import (
	"slices"

	"github.com/npdb/npdb/trace/statetree"
)

// comparison compares values of the two runs as of an event of each.
type comparison struct {
	*Alignment
	at      [2]int
	objects *objects                     // nil to compare all content, regardless of what was compared before
	seen    map[[2]statetree.Object]bool // objects that were compared, if objects is nil
	from    [2]origin                    // where the values that are being compared were found
}

// same reports whether two values are the same.
func (c *comparison) same(a, b statetree.Value) bool {
	x, isX := a.Object()
	y, isY := b.Object()
	if isX && isY {
		return c.sameObjects(x, y)
	}
	if !isX && !isY {
		return c.values.sameAtom(a, b, func() (string, string) { return c.text(0, a), c.text(1, b) })
	}
	return c.values.sameText(c.text(0, a), c.text(1, b))
}

func (c *comparison) text(k int, v statetree.Value) string { return c.Runs[k].Tree.Text(v, c.at[k]) }

// sameObjects pairs two objects and reports whether they have the same content. Objects that are paired
// already were compared when either of them changed.
func (c *comparison) sameObjects(a, b statetree.Object) bool {
	pair := [2]statetree.Object{a, b}
	if c.objects == nil {
		if same, known := c.seen[pair]; known {
			return same
		}
		c.seen[pair] = true // as long as it is being compared
		c.seen[pair] = c.sameContent(a, b)
		return c.seen[pair]
	}
	c.objects.foundAt(pair, c.from)
	if c.objects.pair(a, b) {
		return !c.objects.differ[pair]
	}
	if c.sameContent(a, b) {
		return true
	}
	c.objects.differ[pair] = true
	return false
}

// sameContent reports whether two objects have the same content.
func (c *comparison) sameContent(a, b statetree.Object) bool {
	from := c.from
	defer func() { c.from = from }()
	c.from = [2]origin{{of: uint32(a), kind: element}, {of: uint32(b), kind: element}}
	f, okA := c.Runs[0].Tree.Form(a, c.at[0])
	g, okB := c.Runs[1].Tree.Form(b, c.at[1])
	switch {
	case !okA || !okB:
		return okA == okB
	case f.Kind == statetree.Text || f.Kind != g.Kind && (!c.lenient || !entries(f.Kind) || !entries(g.Kind)):
		return c.values.sameText(c.text(0, statetree.ObjectValue(a)), c.text(1, statetree.ObjectValue(b)))
	case f.Name != g.Name:
		return false
	case f.Kind.Named():
		return c.sameAttributes(a, b)
	}
	n, _ := c.Runs[0].Tree.Size(a, c.at[0])
	if m, _ := c.Runs[1].Tree.Size(b, c.at[1]); n != m {
		return false
	}
	if f.Kind.Paired() {
		return slices.EqualFunc(c.Runs[0].Tree.Entries(a, c.at[0]), c.Runs[1].Tree.Entries(b, c.at[1]), func(x, y statetree.Entry) bool {
			return c.same(x.Key, y.Key) && c.same(x.Value, y.Value)
		})
	}
	x, y := c.Runs[0].Tree.Items(a, c.at[0]), c.Runs[1].Tree.Items(b, c.at[1])
	if f.Kind == statetree.Set {
		return c.sameSet(x, y)
	}
	return slices.EqualFunc(x, y, c.same)
}

// entries reports whether an object's content is entries with keys.
func entries(k statetree.FormKind) bool { return k.Paired() && !k.Named() }

// sameSet reports whether two sets have the same elements, in any order.
func (c *comparison) sameSet(x, y []statetree.Value) bool {
	if len(x) != len(y) {
		return false
	}
	left := map[string]int{}
	for _, v := range x {
		left[c.values.steady(0, c.text(0, v))]++
	}
	for _, v := range y {
		text := c.values.steady(1, c.text(1, v))
		if left[text] == 0 {
			return false
		}
		left[text]--
	}
	return true
}

// sameAttributes compares the attributes of two objects by name. An attribute that only one of them has
// is a difference, unless another version of Python or of the source may explain it.
func (c *comparison) sameAttributes(a, b statetree.Object) bool {
	same := true
	c.attributes(a, b, func(_ string, x, y *statetree.Value) bool {
		same = x != nil && y != nil && c.same(*x, *y)
		return same
	})
	return same
}

// attributes calls yield with the attributes of two objects by name, until yield returns false. One of
// the values is nil if only the other object has the attribute.
func (c *comparison) attributes(a, b statetree.Object, yield func(name string, x, y *statetree.Value) bool) {
	list, others := c.Runs[0].Tree.Entries(a, c.at[0]), c.Runs[1].Tree.Entries(b, c.at[1])
	at := make(map[string]int, len(others))
	for i := range others {
		at[c.text(1, others[i].Key)] = i
	}
	for i := range list {
		name := c.text(0, list[i].Key)
		k, both := at[name]
		delete(at, name)
		switch {
		case both && !yield(name, &list[i].Value, &others[k].Value):
			return
		case !both && c.counts(name) && !yield(name, &list[i].Value, nil):
			return
		}
	}
	for i := range others {
		if name := c.text(1, others[i].Key); len(at) > 0 {
			if _, left := at[name]; left && c.counts(name) && !yield(name, nil, &others[i].Value) {
				return
			}
		}
	}
}

// counts reports whether a name that only one run has is a difference of the runs. It is none if only one
// version of the source mentions the name, or if only the library of one version of Python does.
func (c *comparison) counts(name string) bool {
	a, b := c.mentioned(0, name), c.mentioned(1, name)
	return a == b && (a || !c.lenient)
}

// mentioned reports whether a file of run k that has an event mentions a name.
func (c *comparison) mentioned(k int, name string) bool {
	t := c.Runs[k].Tree
	for n := range c.sources.codes[k] {
		if c.sides[k].ran[n] && c.sources.mentions(k, t, c.sources.codes[k][n].File, name) {
			return true
		}
	}
	return false
}
