package align

import "github.com/npdb/npdb/trace/statetree"

// sameEnd reports whether the runs have the same values after the last events that are aligned, in all
// frames that are on the stack there and in the main modules, and ended alike.
func (w *walker) sameEnd() bool {
	if !sameExit(w.Alignment) || w.i < w.a.n || w.j < w.b.n {
		return false
	}
	last := w.a.n - 1
	for last >= 0 && w.other[0][last] < 0 {
		last--
	}
	if last < 0 {
		return w.a.n == w.b.n
	}
	c := comparison{Alignment: w.Alignment, seen: map[[2]statetree.Object]bool{}, at: [2]int{w.a.n - 1, w.b.n - 1}}
	for act, f := range w.a.frames {
		other := w.a.partner[act]
		if other == 0 || w.b.frames[other-1] == nil {
			continue
		}
		g := w.b.frames[other-1]
		slots := w.sources.codes[0][f.code].slots
		for slot := range f.cells {
			var found subject
			if slot < len(slots) {
				w.compareName(&c, f, g, [2]uint32{act, other - 1}, slot, slots[slot], &found)
			}
			if found.kind != 0 {
				return false
			}
		}
	}
	return true
}
