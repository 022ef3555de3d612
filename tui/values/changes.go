package values

import (
	"slices"
	"strings"
)

// Pairs maps the elements of a value to the elements of its old value.
type Pairs struct {
	// Before holds the old index of each child, -1 for an added one.
	Before []int
	// Gone lists the indexes of removed old elements.
	Gone []int
}

// Pair matches the elements of two values, as Diff does. ok is false if they are too different: of
// another class, or without elements.
func Pair(old, now *Node) (p Pairs, ok bool) {
	switch {
	case hollow(old, now):
		p.Before = make([]int, now.Len())
		for j := range p.Before {
			p.Before[j] = -1
		}
		return p, true
	case old.Len() == 0 || now.Len() == 0 || old.form != now.form || old.Open() != now.Open() || old.Close() != now.Close():
		return Pairs{}, false
	}
	p.Before = make([]int, 0, now.Len())
	i := 0
	until := func(i2, j2 int) {
		for i < i2 && len(p.Before) < j2 && old.key(i) == now.key(len(p.Before)) {
			p.Before = append(p.Before, i)
			i++
		}
		for ; i < i2; i++ {
			p.Gone = append(p.Gone, i)
		}
		for len(p.Before) < j2 {
			p.Before = append(p.Before, -1)
		}
	}
	for _, m := range matches(old, now) {
		until(m.a, m.b)
		for range m.n {
			p.Before = append(p.Before, i)
			i++
		}
	}
	until(old.Len(), now.Len())
	return p, true
}

// Differ returns the children of the new value that were added or changed, in order, without a
// note about elements that are not stored.
func (p Pairs) Differ(old, now *Node) []int {
	var kids []int
	for j, i := range p.Before {
		e := now.spans[j]
		text := now.Text[e.value:e.end]
		if i >= 0 {
			if f := old.spans[i]; sameText(old.Text[f.value:f.end], text) {
				continue
			}
		}
		if !now.Child(j).Note {
			kids = append(kids, j)
		}
	}
	return kids
}

// sameText reports whether two texts are equal except for blanks around brackets and commas,
// because numpy pads all elements of an array to the width of the longest. Texts with quotes
// must be equal, because blanks count in strings.
func sameText(a, b string) bool {
	if a == b {
		return true
	}
	if strings.ContainsAny(a, `'"`) || strings.ContainsAny(b, `'"`) {
		return false
	}
	return withoutPadding(a) == withoutPadding(b)
}

func withoutPadding(text string) string {
	const around = "[](){},:="
	var b strings.Builder
	words := strings.Fields(text)
	for i, word := range words {
		if i > 0 && !strings.ContainsRune(around, rune(word[0])) && !strings.ContainsRune(around, rune(words[i-1][len(words[i-1])-1])) {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

// Change is a changed place in a value.
type Change struct {
	// Path leads to it, each step as it follows an expression: "[0]", "['a']", ".owner". An
	// element of a set has an empty step.
	Path []string
	Kind Kind  // Added, Removed or Changed
	Old  *Node // nil for what was added
	New  *Node // nil for what was removed
}

// Changes returns the innermost changed places of a value, in order: at most most of them, and
// their total number. A value that changed as a whole has none.
func Changes(old, now *Node, most int) (found []Change, all int) {
	c := &changes{most: most}
	c.walk(old, now, nil)
	return c.found, c.all
}

type changes struct {
	found     []Change
	most, all int
}

// walk collects the changes of a value; ok is false if the whole value changed.
func (c *changes) walk(old, now *Node, path []string) (ok bool) {
	if len(path) == diffDepth {
		return false
	}
	p, ok := Pair(old, now)
	if !ok {
		return false
	}
	before := c.all
	for _, j := range p.Differ(old, now) {
		i, kid := p.Before[j], now.Child(j)
		to := slices.Concat(path, []string{kid.step()})
		switch {
		case i < 0:
			c.add(Change{Path: to, Kind: Added, New: kid.Node})
		case !c.walk(old.Child(i).Node, kid.Node, to):
			c.add(Change{Path: to, Kind: Changed, Old: old.Child(i).Node, New: kid.Node})
		}
	}
	for _, i := range p.Gone {
		if kid := old.Child(i); !kid.Note {
			c.add(Change{Path: slices.Concat(path, []string{kid.step()}), Kind: Removed, Old: kid.Node})
		}
	}
	return c.all > before
}

func (c *changes) add(one Change) {
	if c.all++; len(c.found) < c.most {
		c.found = append(c.found, one)
	}
}

// step returns the step from a value to its child for display: Access, or something similar if
// that is unknown.
func (c Child) step() string {
	if c.Access != "" || c.Label == "" {
		return c.Access
	}
	return "[" + c.Label + "]"
}

// Deltas holds the computed changes of a stop, by the new value.
type Deltas map[*Node]*Delta

// Delta is the difference between a value and its old value.
type Delta struct {
	Old, New *Node
	all      Deltas
	looked   bool // found and places are computed
	found    []Change
	places   int
	pairs    *Pairs
	kids     []int
	pieces   []Piece
}

// Of returns the difference between a value and its old value.
func (c Deltas) Of(old, now *Node) *Delta {
	if c[now] == nil {
		c[now] = &Delta{Old: old, New: now, all: c}
	}
	return c[now]
}

// Child returns the old value of child k, nil if the child is unchanged or new. fresh reports that
// it is new.
func (c *Delta) Child(k int) (before *Node, fresh bool) {
	if c.Old == nil {
		return nil, false // the value as a whole has not changed
	}
	kids := c.Children()
	if _, ok := slices.BinarySearch(kids, k); !ok {
		return nil, false
	}
	i := c.pairs.Before[k]
	if i < 0 {
		return nil, true
	}
	return c.Old.Child(i).Node, false
}

// Children returns the new and the changed children, in order.
func (c *Delta) Children() []int {
	if c.pairs == nil {
		pairs, alike := Pair(c.Old, c.New)
		if !alike { // the whole value changed, so all its children are new
			pairs.Before = slices.Repeat([]int{-1}, c.New.Len())
		}
		c.pairs = &pairs
		c.kids = pairs.Differ(c.Old, c.New)
	}
	return c.kids
}

// First returns the first changed place and the number of them; none if the whole value changed,
// or was empty.
func (c *Delta) First() (Change, int) {
	if !c.looked && c.Old.Len() > 0 {
		c.looked = true
		c.found, c.places = Changes(c.Old, c.New, 1)
	}
	if c.places == 0 {
		return Change{}, 0
	}
	return c.found[0], c.places
}

// Diff returns the new text in unchanged and changed pieces.
func (c *Delta) Diff() []Piece {
	if c.pieces == nil {
		c.pieces = Diff(c.Old.Text, c.New.Text)
	}
	return c.pieces
}

// In returns the delta of a changed place in the value.
func (c *Delta) In(place Change) *Delta { return c.all.Of(place.Old, place.New) }
