package statetree

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"unsafe"
)

const (
	// Only texts longer than this are stored as differences.
	plainLen = 256
	// deltaCost is the approximate overhead of a difference, in bytes.
	deltaCost = 32
	// A chain of differences has at most deltaChain links, and at most one for every
	// deltaShare bytes of the text. So reading a text costs only a small multiple of
	// copying it.
	deltaChain = 512
	deltaShare = 64
)

// texts stores each distinct text once and numbers them from 0. A long text that has the
// same beginning and end as an earlier one (its base) is stored as a difference: the
// number of the base, the length of the common beginning and end, and the bytes between
// them.
//
// In the arena a text is
//
//	uvarint  length·2 + 1 if it is a difference
//	bytes    the text; or, for a difference,
//	uvarint  base, chain length, prefix, suffix; then the middle
type texts struct {
	seed   maphash.Seed
	data   arena
	low    column[uint32] // address of each text, bits 0 to 31
	high   column[uint8]  // bits 32 to 39 of the address of each text
	index  textIndex
	pieces [][]byte // scratch

	keys *column[uint32] // set in a loaded tree, which has no index: the keys and names of attributes, sorted by text
	most int             // maximum length of a text in a loaded tree
}

func newTexts() *texts { return &texts{seed: maphash.MakeSeed(), index: newTextIndex()} }

// entry is a stored text in the arena.
type entry struct {
	length int
	plain  []byte // nil for a difference
	delta
}

type delta struct {
	base           uint32
	chain          int // number of differences to apply to a plain text to get this text
	prefix, suffix int
	middle         []byte
}

func (s *texts) len() int { return s.low.n }

func (s *texts) bytes() int64 {
	return s.data.held + s.low.bytes() + s.high.bytes() + s.index.bytes()
}

func (s *texts) entry(id uint32) entry {
	b := s.data.from(uint64(*s.low.at(int(id))) | uint64(*s.high.at(int(id)))<<32)
	next := func() int {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return int(v)
	}
	head := next()
	e := entry{length: head >> 1}
	if head&1 == 0 {
		e.plain = b[:e.length:e.length]
		return e
	}
	e.base, e.chain, e.prefix, e.suffix = uint32(next()), next(), next(), next()
	damaged(e.base < id && e.chain <= deltaChain && e.prefix >= 0 && e.suffix >= 0, "a text refers to a later one")
	e.middle = b[:e.length-e.prefix-e.suffix]
	return e
}

// walk passes the bytes [from, to) of a text to visit, piece by piece, until visit returns
// false.
func (s *texts) walk(id uint32, from, to int, visit func([]byte) bool) bool {
	for from < to {
		e := s.entry(id)
		if e.plain != nil {
			return visit(e.plain[from:to])
		}
		id = e.base
		base := s.entry(id)
		damaged(base.chain < e.chain && (s.most == 0 || e.length <= s.most), "a text refers to too many others")
		if from < e.prefix {
			if !s.walk(id, from, min(to, e.prefix), visit) {
				return false
			}
			from = min(to, e.prefix)
		}
		end := e.prefix + len(e.middle)
		if from < min(to, end) {
			if !visit(e.middle[from-e.prefix : min(to, end)-e.prefix]) {
				return false
			}
			from = min(to, end)
		}
		// The rest of the text is also the rest of the base, at the same distance from its end.
		shift := base.length - e.length
		from, to = from+shift, to+shift
	}
	return true
}

// text returns the text with the number id. Unless it is stored as a difference, it shares the
// arena's memory, which never changes. In a loaded tree this applies only to a long text.
func (s *texts) text(id uint32) string {
	e := s.entry(id)
	if e.length == 0 {
		return ""
	}
	if e.plain != nil {
		if s.keys != nil && e.length < arenaLarge {
			return string(e.plain) // its page is not kept in memory for it
		}
		return unsafe.String(&e.plain[0], e.length)
	}
	var out []byte
	if s.most == 0 {
		out = make([]byte, 0, e.length)
	}
	s.walk(id, 0, e.length, func(piece []byte) bool {
		out = append(out, piece...)
		return true
	})
	return unsafe.String(&out[0], len(out))
}

func (s *texts) equal(id uint32, text []byte) bool {
	e := s.entry(id)
	if e.length != len(text) {
		return false
	}
	if e.plain != nil {
		return bytes.Equal(e.plain, text)
	}
	return s.walk(id, 0, e.length, func(piece []byte) bool {
		same := bytes.Equal(piece, text[:len(piece)])
		text = text[len(piece):]
		return same
	})
}

// lookup returns the number of a text, if it is stored. In a loaded tree it finds only texts that
// are keys or names of attributes.
func (s *texts) lookup(text []byte) (uint32, bool) {
	if s.keys != nil {
		return s.lookupKey(string(text))
	}
	return s.index.find(s.hash(text), func(id uint32) bool { return s.equal(id, text) })
}

func (s *texts) hash(text []byte) uint32 { return max(1, uint32(maphash.Bytes(s.seed, text))) }

// intern returns the number of a text, and stores a copy if it is new. base, if not none,
// is a similar text.
func (s *texts) intern(text []byte, base uint32) uint32 {
	hash := s.hash(text)
	if id, ok := s.index.find(hash, func(id uint32) bool { return s.equal(id, text) }); ok {
		return id
	}
	id := uint32(s.low.n)
	addr := s.store(text, base)
	s.low.push(uint32(addr))
	s.high.push(uint8(addr >> 32))
	s.index.add(hash, id)
	return id
}

func (s *texts) store(text []byte, base uint32) (addr uint64) {
	var head [5 * binary.MaxVarintLen64]byte
	n := binary.PutUvarint(head[:], uint64(len(text))<<1)
	body := text
	if d, ok := s.difference(text, base); ok {
		head[0] |= 1
		for _, v := range [...]int{int(d.base), d.chain, d.prefix, d.suffix} {
			n += binary.PutUvarint(head[n:], uint64(v))
		}
		body = d.middle
	}
	addr, room := s.data.alloc(n + len(body))
	copy(room[copy(room, head[:n]):], body)
	return addr
}

// difference compares a text with a base and reports whether to store only the difference.
func (s *texts) difference(text []byte, base uint32) (delta, bool) {
	if base == none || len(text) <= plainLen {
		return delta{}, false
	}
	b := s.entry(base)
	chain := b.chain + 1
	if b.length <= plainLen || chain > min(deltaChain, len(text)/deltaShare) {
		return delta{}, false
	}
	s.pieces = s.pieces[:0]
	s.walk(base, 0, b.length, func(piece []byte) bool {
		s.pieces = append(s.pieces, piece)
		return true
	})
	prefix := 0
	for _, piece := range s.pieces {
		same := commonPrefix(piece, text[prefix:])
		prefix += same
		if same < len(piece) {
			break
		}
	}
	// Prefix and suffix may overlap in the base, but not in the text.
	suffix := 0
	for k := len(s.pieces) - 1; k >= 0; k-- {
		same := commonSuffix(s.pieces[k], text[prefix:len(text)-suffix])
		suffix += same
		if same < len(s.pieces[k]) {
			break
		}
	}
	middle := text[prefix : len(text)-suffix]
	return delta{base, chain, prefix, suffix, middle}, len(middle)+deltaCost < len(text)/2
}

// strides are the numbers of bytes that are compared at once: large ones first, then
// smaller ones to find the first difference.
var strides = [...]int{4096, 64, 1}

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for _, k := range strides {
		for i+k <= n && bytes.Equal(a[i:i+k], b[i:i+k]) {
			i += k
		}
	}
	return i
}

func commonSuffix(a, b []byte) int {
	n := min(len(a), len(b))
	a, b = a[len(a)-n:], b[len(b)-n:]
	i := n
	for _, k := range strides {
		for i >= k && bytes.Equal(a[i-k:i], b[i-k:i]) {
			i -= k
		}
	}
	return n - i
}
