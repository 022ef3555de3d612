package statetree

import "unsafe"

const (
	segmentLen  = 1024
	segmentFull = segmentLen * 7 / 8
)

// textIndex finds the number of a text by its hash. It is an extendible hash table: the
// top bits of a hash select a segment, and a full segment splits in two, so that the whole
// table is never rebuilt.
type textIndex struct {
	dir   []*segment // its length is 1<<depth
	depth uint8
	count int // number of distinct segments
}

// segment is an open-addressed table with linear probing. Its slots are allocated
// separately, because their size is a power of two and so wastes no memory.
type segment struct {
	depth uint8
	n     int
	slots *[segmentLen]slot
}

// slot holds a hash, or 0 if it is free, and the number of a text.
type slot struct{ hash, id uint32 }

func newSegment(depth uint8) *segment {
	return &segment{depth: depth, slots: new([segmentLen]slot)}
}

func newTextIndex() textIndex { return textIndex{dir: []*segment{newSegment(0)}, count: 1} }

func (x *textIndex) bytes() int64 {
	const size = int64(unsafe.Sizeof(segment{}) + segmentLen*unsafe.Sizeof(slot{}))
	return int64(x.count)*size + int64(len(x.dir))*8
}

func (x *textIndex) segment(hash uint32) *segment {
	return x.dir[hash>>(32-x.depth)] // a shift by 32 gives 0
}

// find looks for a text with this hash, which must not be 0, for which same returns true.
func (x *textIndex) find(hash uint32, same func(id uint32) bool) (uint32, bool) {
	g := x.segment(hash)
	for k := hash % segmentLen; g.slots[k].hash != 0; k = (k + 1) % segmentLen {
		if g.slots[k].hash == hash && same(g.slots[k].id) {
			return g.slots[k].id, true
		}
	}
	return 0, false
}

// add stores the number of a text that is not in the index.
func (x *textIndex) add(hash, id uint32) {
	g := x.segment(hash)
	for g.n >= segmentFull {
		x.split(g, hash)
		g = x.segment(hash)
	}
	g.put(hash, id)
}

func (g *segment) put(hash, id uint32) {
	k := hash % segmentLen
	for g.slots[k].hash != 0 {
		k = (k + 1) % segmentLen
	}
	g.slots[k] = slot{hash, id}
	g.n++
}

// split splits the segment of a hash in two.
func (x *textIndex) split(g *segment, hash uint32) {
	if g.depth == x.depth {
		dir := make([]*segment, 2*len(x.dir))
		for i, old := range x.dir {
			dir[2*i], dir[2*i+1] = old, old
		}
		x.dir = dir
		x.depth++
	}
	halves := [2]*segment{newSegment(g.depth + 1), newSegment(g.depth + 1)}
	for _, s := range g.slots {
		if s.hash != 0 {
			halves[s.hash>>(31-g.depth)&1].put(s.hash, s.id)
		}
	}
	x.count++
	// The directory entries of g are consecutive, because they share its top bits.
	run := 1 << (x.depth - g.depth)
	first := int(hash>>(32-x.depth)) &^ (run - 1)
	for i := range run {
		x.dir[first+i] = halves[i*2/run]
	}
}
