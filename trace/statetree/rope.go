package statetree

import "slices"

const (
	ropePart = 512 // number of cells of a new part
	ropeMost = 2 * ropePart
	// A splice that moves more cells than this is faster in a rope.
	ropeFrom = 4 * ropePart
)

// rope is a long list of cells in parts, so that a splice in the middle moves few of them.
type rope struct{ parts [][]handle }

func newRope(cells []handle) *rope {
	r := &rope{parts: make([][]handle, 0, len(cells)/ropePart+8)}
	for part := range slices.Chunk(cells, ropePart) {
		r.parts = append(r.parts, part) // without spare capacity, so that appending copies the part
	}
	return r
}

// splice removes some cells from index at on and inserts others there.
func (r *rope) splice(at, removed int, cells []handle) {
	k := 0
	for k < len(r.parts)-1 && at > len(r.parts[k]) {
		at -= len(r.parts[k])
		k++
	}
	if len(r.parts) == 0 {
		r.parts = append(r.parts, nil)
	}
	here := min(removed, len(r.parts[k])-at)
	if here == len(cells) {
		copy(r.parts[k][at:], cells)
	} else {
		r.parts[k] = slices.Replace(r.parts[k], at, at+here, cells...)
	}
	for removed -= here; removed > 0; removed -= here { // remove the cells from the parts that follow
		here = min(removed, len(r.parts[k+1]))
		if r.parts[k+1] = r.parts[k+1][here:]; len(r.parts[k+1]) == 0 {
			r.parts = slices.Delete(r.parts, k+1, k+2)
		}
	}
	switch part := r.parts[k]; {
	case len(part) == 0:
		r.parts = slices.Delete(r.parts, k, k+1)
	case len(part) > ropeMost:
		var split [][]handle
		for half := range slices.Chunk(part, ropePart) {
			split = append(split, half)
		}
		r.parts = slices.Replace(r.parts, k, k+1, split...)
	}
}

// cells returns the cells of all parts.
func (r *rope) cells() []handle { return slices.Concat(r.parts...) }
