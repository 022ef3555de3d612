package statetree

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

const (
	segmentLen  = 1024
	segmentFull = segmentLen * 7 / 8
	groupLen    = 8 // slots compared at once
)

// textIndex finds a text's number by its hash. It is an extendible hash table:
// the top bits of a hash choose a segment, and a segment that is full splits
// in two, so that growing never rebuilds the whole.
type textIndex struct {
	dir   []*segment // of length 1<<depth
	depth uint8
	count int // distinct segments
}

// segment is an open-addressed table. A tag is 0 in a free slot, else seven
// bits of the hash and the top bit.
type segment struct {
	depth uint8
	n     int
	tags  [segmentLen]uint8
	ids   [segmentLen]uint32
}

func newTextIndex() textIndex { return textIndex{dir: []*segment{{}}, count: 1} }

func (x *textIndex) bytes() int64 {
	return int64(x.count)*int64(unsafe.Sizeof(segment{})) + int64(len(x.dir))*8
}

func (x *textIndex) segment(hash uint64) *segment {
	return x.dir[hash>>(64-x.depth)] // a shift by 64 gives 0
}

// slotOf is the first group to look at, and the tag.
func slotOf(hash uint64) (slot int, tag uint8) {
	return int(hash) & (segmentLen - 1) &^ (groupLen - 1), uint8(hash>>10) | 0x80
}

func (x *textIndex) find(s *texts, hash uint64, text []byte) (uint32, bool) {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	g := x.segment(hash)
	slot, tag := slotOf(hash)
	for {
		tags := binary.LittleEndian.Uint64(g.tags[slot : slot+groupLen])
		// A byte of differ is 0 where the tag is the same. The sum marks some
		// others too, after a true match only; equal decides.
		differ := tags ^ ones*uint64(tag)
		for match := (differ - ones) &^ differ & tops; match != 0; match &= match - 1 {
			id := g.ids[slot+bits.TrailingZeros64(match)/8]
			if s.equal(id, hash, text) {
				return id, true
			}
		}
		if tags&tops != tops { // a free slot: the text would be here
			return 0, false
		}
		slot = (slot + groupLen) & (segmentLen - 1)
	}
}

func (x *textIndex) add(s *texts, hash uint64, id uint32) {
	g := x.segment(hash)
	for g.n >= segmentFull {
		x.split(s, g)
		g = x.segment(hash)
	}
	g.put(hash, id)
}

func (g *segment) put(hash uint64, id uint32) {
	slot, tag := slotOf(hash)
	for g.tags[slot] != 0 {
		slot = (slot + 1) & (segmentLen - 1)
	}
	g.tags[slot], g.ids[slot] = tag, id
	g.n++
}

func (x *textIndex) split(s *texts, g *segment) {
	if g.depth == x.depth {
		dir := make([]*segment, 2*len(x.dir))
		for i, old := range x.dir {
			dir[2*i], dir[2*i+1] = old, old
		}
		x.dir = dir
		x.depth++
	}
	halves := [2]*segment{{depth: g.depth + 1}, {depth: g.depth + 1}}
	var hash uint64 // of the last text; they share their top bits
	for slot := range g.tags {
		if g.tags[slot] != 0 {
			hash = s.hash(g.ids[slot])
			halves[hash>>(63-g.depth)&1].put(hash, g.ids[slot])
		}
	}
	x.count++
	// The directory entries of g are one run: those that share its top bits.
	run := 1 << (x.depth - g.depth)
	first := int(hash>>(64-x.depth)) &^ (run - 1)
	for i := range run {
		x.dir[first+i] = halves[i*2/run]
	}
}
