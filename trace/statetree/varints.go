package statetree

import (
	"encoding/binary"
	"errors"
)

// A page of an arena that holds mostly uvarints is saved in streams: one byte for each number, and
// the values of the numbers from 128 on. Most of these are handles, of texts (even) or objects
// (odd). New texts and objects are numbered in order, so a handle that is higher than all others
// of its kind in the page is stored as the difference from the highest one.
//
// The streams are preceded by the number of bytes of the first, plus 1. A page that is saved
// unchanged begins with a 0. The streams are, in this order,
//
//   - a byte for each number: the number if it is below 128, or one of the marks below
//   - the differences, and the values of numbers that are not higher: both as in appendPlanes
//   - the bytes that are part of no number that uvarint encoding would give
const (
	markNew  = 0x80 // plus the lowest bit of the number; its other bits are a difference
	markOld  = 0x82 // plus the lowest bit; its other bits are a value
	markByte = 0x84 // a byte of the last stream
)

var errVarints = errors.New("its numbers are invalid")

// varintCoder encodes pages of uvarints.
type varintCoder struct {
	marks, bytes []byte
	higher       []uint32
	values       []uint32
	out          []byte
}

// encode encodes a page. The result is valid until the next call.
func (c *varintCoder) encode(page []byte) []byte {
	c.marks, c.bytes, c.higher, c.values = c.marks[:0], c.bytes[:0], c.higher[:0], c.values[:0]
	var highest [2]uint32
	for len(page) > 0 {
		if page[0] < 0x80 {
			c.marks = append(c.marks, page[0])
			page = page[1:]
			continue
		}
		v, n := binary.Uvarint(page)
		if n <= 0 || v>>32 != 0 || page[n-1] == 0 {
			c.marks, c.bytes = append(c.marks, markByte), append(c.bytes, page[0])
			page = page[1:]
			continue
		}
		page = page[n:]
		kind, x := byte(v&1), uint32(v>>1)
		if x > highest[kind] {
			c.marks, c.higher = append(c.marks, markNew|kind), append(c.higher, x-highest[kind])
			highest[kind] = x
		} else {
			c.marks, c.values = append(c.marks, markOld|kind), append(c.values, x)
		}
	}
	c.out = binary.AppendUvarint(c.out[:0], uint64(len(c.marks))+1)
	c.out = append(c.out, c.marks...)
	c.out = appendPlanes(c.out, c.higher)
	c.out = appendPlanes(c.out, c.values)
	c.out = append(c.out, c.bytes...)
	return c.out
}

// plain returns a page as it is saved without streams.
func (c *varintCoder) plain(page []byte) []byte {
	c.out = append(append(c.out[:0], 0), page...)
	return c.out
}

// decodeVarints decodes a page.
func decodeVarints(b []byte) ([]byte, error) {
	count, n := binary.Uvarint(b)
	switch {
	case n == 1 && count == 0:
		return b[1:], nil
	case n <= 0 || count-1 > uint64(min(len(b)-n, arenaPage)):
		return nil, errVarints
	}
	marks, b := b[n:n+int(count)-1], b[n+int(count)-1:]
	var counts [3]int
	for _, m := range marks {
		switch {
		case m < 0x80:
		case m <= markByte:
			counts[(m-markNew)/2]++
		default:
			return nil, errVarints
		}
	}
	var streams [2][]uint32
	for k := range streams {
		streams[k] = make([]uint32, counts[k])
		var ok bool
		if b, ok = readPlanes(b, streams[k]); !ok {
			return nil, errVarints
		}
	}
	if len(b) != counts[2] {
		return nil, errVarints
	}
	page := make([]byte, 0, arenaPage)
	var highest [2]uint32
	for _, m := range marks {
		kind := m & 1
		var x uint32
		switch m &^ 1 {
		case markNew:
			highest[kind] += streams[0][0]
			x, streams[0] = highest[kind], streams[0][1:]
		case markOld:
			x, streams[1] = streams[1][0], streams[1][1:]
		case markByte:
			page, b = append(page, b[0]), b[1:]
			continue
		default:
			page = append(page, m)
			continue
		}
		page = binary.AppendUvarint(page, uint64(x)<<1|uint64(kind))
	}
	if len(page) > arenaPage {
		return nil, errVarints
	}
	return page, nil
}
