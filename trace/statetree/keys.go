package statetree

import (
	"cmp"
	"slices"
	"sort"
)

// keys returns the texts that are keys or names of attributes of an object, sorted. A loaded tree
// searches them instead of an index of all texts.
func (t *Tree) keys() *column[uint32] {
	k := &keyTexts{tree: t, found: map[uint32]bool{}, lists: map[uint32]bool{}}
	for v := range uint32(t.objects.versions.n) {
		k.version(v)
	}
	type key struct {
		text string
		id   uint32
	}
	keys := make([]key, 0, len(k.found))
	for id := range k.found {
		keys = append(keys, key{t.texts.text(id), id})
	}
	slices.SortFunc(keys, func(x, y key) int { return cmp.Compare(x.text, y.text) })
	sorted := &column[uint32]{}
	for _, key := range keys {
		sorted.push(key.id)
	}
	return sorted
}

// keyTexts collects the texts that are keys or names of attributes.
type keyTexts struct {
	tree  *Tree
	found map[uint32]bool
	lists map[uint32]bool // lists of names that were read
	cells []handle
}

// version adds the keys in a version of an object.
func (k *keyTexts) version(v uint32) {
	o := &k.tree.objects
	h, r := o.head(v)
	kind := o.forms[h.form].Kind
	if !kind.Paired() {
		return
	}
	switch h.op {
	case opEntry, opDelete:
		k.add(r.handle())
	case opSplice:
		r.number()
		r.number()
		k.pairs(r.cells(r.number()))
	case opWhole:
		if !kind.Named() {
			k.cells = r.whole(k.cells[:0], false, k.tree.texts)
			k.pairs(k.cells)
			return
		}
		if list := uint32(r.number()); !k.lists[list] {
			k.lists[list] = true
			names := reading{k.tree.texts.entry(list).plain}
			for left := len(names.b); left > 0; left = len(names.b) {
				k.add(names.handle())
				damaged(len(names.b) < left, "the names of attributes are cut off")
			}
		}
	}
}

func (k *keyTexts) pairs(cells []handle) {
	for n := 0; n < len(cells); n += 2 {
		k.add(cells[n])
	}
}

func (k *keyTexts) add(h handle) {
	if !h.isObject() {
		k.found[h.text()] = true
	}
}

// lookupKey returns the number of a text that is a key.
func (s *texts) lookupKey(text string) (uint32, bool) {
	k := sort.Search(s.keys.n, func(k int) bool { return s.text(*s.keys.at(k)) >= text })
	if k == s.keys.n {
		return 0, false
	}
	id := *s.keys.at(k)
	return id, s.text(id) == text
}
