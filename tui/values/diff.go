package values

import "strings"

// Kind is the kind of a piece of a value's text.
type Kind uint8

// The kinds of pieces. Removed is only in the old text, Added only in the new one; Changed is in
// the new one and replaces Piece.Old.
const (
	Same Kind = iota
	Added
	Removed
	Changed
)

func (k Kind) String() string { return [...]string{"same", "added", "removed", "changed"}[k] }

// Piece is a part of a value's text, compared with the text it had before.
type Piece struct {
	Text string
	Kind Kind
	Old  string // of Changed
}

// Limits of Diff, so that texts of 10 MB are compared in well under a second: similar ones
// exactly, others element by element in order.
const (
	diffDepth  = 16    // nested values
	diffEdits  = 300   // elements added and removed in one value
	diffChars  = 60    // characters added and removed in one string
	diffWithin = 2_000 // bytes of a changed part that is looked at more closely
	diffPieces = 20_000
)

// Diff splits a value's text into pieces by how they differ from the old text: by element, within
// an element by its elements, and within a string by its characters. All pieces but the removed
// ones make up the new text. The same and the removed pieces, and Old of the changed ones, make up
// the old text.
func Diff(old, text string) []Piece {
	d := &differ{old: old, text: text}
	d.values(old, text, 0)
	return d.pieces
}

// differ makes the pieces while it walks through both texts.
type differ struct {
	old, text string // the parts that are not in pieces yet
	last      string // the new text from the last piece on, and lastOld the old one
	lastOld   string
	pieces    []Piece
}

// add makes a piece of the next parts of both texts, or extends the last one.
func (d *differ) add(kind Kind, old, text string) {
	switch {
	case old == "" && text == "":
		return
	case kind == Changed && old == "":
		kind = Added
	case kind == Changed && text == "":
		kind = Removed
	}
	n := len(d.pieces) - 1
	if n < 0 || d.pieces[n].Kind != kind {
		d.pieces = append(d.pieces, Piece{Kind: kind})
		d.last, d.lastOld = d.text, d.old
		n++
	}
	d.old, d.text = d.old[len(old):], d.text[len(text):]
	p := &d.pieces[n]
	if p.Text = d.last[:len(d.last)-len(d.text)]; kind == Removed {
		p.Text = d.lastOld[:len(d.lastOld)-len(d.old)]
	}
	if kind == Changed {
		p.Old = d.lastOld[:len(d.lastOld)-len(d.old)]
	}
}

// plain compares and adds the text between elements.
func (d *differ) plain(old, text string) {
	n := 0
	for n < len(old) && n < len(text) && old[n] == text[n] {
		n++
	}
	d.add(Same, old[:n], text[:n])
	d.add(Changed, old[n:], text[n:])
}

// values compares two values.
func (d *differ) values(old, text string, depth int) {
	if old == text {
		d.add(Same, text, text)
		return
	}
	if depth < diffDepth {
		a, b := Parse(old), Parse(text)
		if a.Len() > 0 && b.Len() > 0 && a.form == b.form && a.Open() == b.Open() && a.Close() == b.Close() {
			d.elements(a, b, depth)
			return
		}
		if hollow(a, b) || hollow(b, a) {
			d.filled(old, text, a, b)
			return
		}
	}
	d.strings(old, text)
}

// hollow reports whether one value is the other without elements: "[]".
func hollow(empty, full *Node) bool {
	return full.Len() > 0 && empty.Text == full.Open()+full.Close()
}

// filled compares two values of which one is empty: all elements of the other have changed.
func (d *differ) filled(old, text string, a, b *Node) {
	open := max(len(a.Open()), len(b.Open()))
	end := max(len(a.Close()), len(b.Close()))
	d.add(Same, text[:open], text[:open])
	d.add(Changed, old[open:len(old)-end], text[open:len(text)-end])
	d.add(Same, text[len(text)-end:], text[len(text)-end:])
}

// elements compares the elements of two values of the same kind.
func (d *differ) elements(a, b *Node, depth int) {
	d.plain(a.Text[:a.chunk(0)], b.Text[:b.chunk(0)])
	i, j := 0, 0
	pair := func(i2, j2 int) {
		// Between two matches equally many elements replace each other, if they have no keys or
		// the same.
		for i < i2 && j < j2 && a.key(i) == b.key(j) && len(d.pieces) <= diffPieces {
			d.element(a, b, i, j, depth)
			i, j = i+1, j+1
		}
		if len(d.pieces) <= diffPieces {
			d.add(Removed, a.Text[a.chunk(i):a.chunk(i2)], "")
			d.add(Added, "", b.Text[b.chunk(j):b.chunk(j2)])
			i, j = i2, j2
		}
	}
	for _, m := range matches(a, b) {
		pair(m.a, m.b)
		for range m.n {
			if len(d.pieces) > diffPieces {
				break
			}
			d.element(a, b, i, j, depth)
			i, j = i+1, j+1
		}
		if len(d.pieces) > diffPieces {
			break
		}
	}
	if len(d.pieces) <= diffPieces {
		pair(a.Len(), b.Len())
	}
	d.plain(a.Text[a.chunk(i):a.close], b.Text[b.chunk(j):b.close])
	d.plain(a.Text[a.close:], b.Text[b.close:])
}

// element compares the i-th element with the j-th: key, value and the text before the next one.
func (d *differ) element(a, b *Node, i, j, depth int) {
	x, y := a.spans[i], b.spans[j]
	d.plain(a.key(i), b.key(j))
	d.values(a.Text[x.value:x.end], b.Text[y.value:y.end], depth+1)
	d.plain(a.Text[x.end:a.chunk(i+1)], b.Text[y.end:b.chunk(j+1)])
}

// chunk returns where the i-th element begins; after the last one, where the closing bracket is.
func (n *Node) chunk(i int) int {
	if i == len(n.spans) {
		return n.close
	}
	return int(n.spans[i].start)
}

// key returns the text before the i-th element's value, "" if there is none.
func (n *Node) key(i int) string { return n.Text[n.spans[i].start:n.spans[i].value] }

// strings compares two texts by characters. A short text that is not a string, such as a number,
// changes as a whole.
func (d *differ) strings(old, text string) {
	if !strings.ContainsAny(text[:min(len(text), 3)], `'"<`) && max(len(old), len(text)) < 40 {
		d.add(Changed, old, text) // a number is a unit: 12 is not 13 with another digit
		return
	}
	start := 0
	for start < len(old) && start < len(text) && old[start] == text[start] {
		start++
	}
	for !between(old, start) || !between(text, start) {
		start--
	}
	end := 0
	for end < len(old)-start && end < len(text)-start && old[len(old)-1-end] == text[len(text)-1-end] {
		end++
	}
	for !between(old, len(old)-end) || !between(text, len(text)-end) {
		end--
	}
	d.add(Same, text[:start], text[:start])
	d.middle(old[start:len(old)-end], text[start:len(text)-end])
	d.add(Same, text[len(text)-end:], text[len(text)-end:])
}

// middle compares the part between the common beginning and end.
func (d *differ) middle(old, text string) {
	if len(old) > diffWithin || len(text) > diffWithin || old == "" || text == "" {
		d.add(Changed, old, text)
		return
	}
	a, b := characters(old), characters(text)
	found, ok := common(len(a), len(b), func(i, j int) bool { return a[i] == b[j] }, diffChars)
	if !ok {
		d.add(Changed, old, text)
		return
	}
	i, j := 0, 0
	for _, m := range found {
		if m.n < 3 {
			continue // a few characters may be equal by chance
		}
		d.add(Changed, strings.Join(a[i:m.a], ""), strings.Join(b[j:m.b], ""))
		same := strings.Join(b[m.b:m.b+m.n], "")
		d.add(Same, same, same)
		i, j = m.a+m.n, m.b+m.n
	}
	d.add(Changed, strings.Join(a[i:], ""), strings.Join(b[j:], ""))
}
