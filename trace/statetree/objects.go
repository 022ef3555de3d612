package statetree

import (
	"encoding/binary"
	"slices"
)

const (
	// The content of an object is stored as changes since an earlier version that is
	// stored whole. When these changes take more memory, or more time to read, than the
	// whole content would, the content is stored whole again.
	changesRoom  = 256 // bytes of changes that are always allowed
	changesShare = 2   // maximum size of the changes, as a multiple of the size of the content
	workShare    = 4   // for this many elements of the content, one further step is allowed
	workFree     = 64  // steps that are always allowed
	workMove     = 512 // elements that are moved in one step
	workMost     = 4   // maximum number of steps that one move of elements costs
)

// objects holds the versions of the objects' content.
//
// The versions of an object form a skew-binary list, so the version as of an event is
// found among n versions in O(log n).
type objects struct {
	forms    []Form
	shown    [][]handle     // by form: the names in Shown, as handles
	latest   column[uint32] // by object: its latest version
	versions column[version]
	high     column[uint8] // bits 32 to 39 of a version's address
	data     arena
	keys     keyIndex
	buf      []byte // scratch
	names    []byte
	values   []handle
}

type version struct {
	skew
	low uint32 // bits 0 to 31 of the address of the version's data
}

// header is the start of a version, stored as uvarints: the operation and the flags, the
// form, and then the fields that the flags announce.
type header struct {
	op     objectOp
	form   uint32
	stored int    // number of stored elements or pairs
	total  int    // number of elements or pairs of the object, stored or not
	text   uint32 // result of the object's own __repr__, or none
	work   int    // steps of reading the changes since the last whole version
	room   int    // bytes of the changes since the last whole version
	length uint32 // number of versions of the object before this one
}

type objectOp uint8

const (
	opWhole  objectOp = iota // the body is all cells
	opSplice                 // the body is at, removed, count and the new cells
	opEntry                  // the body is the key and its value
	opDelete                 // the body is the key
	opText                   // no body: only the header changed

	opMask  objectOp = 7
	opPart  objectOp = 1 << 3 // total differs from stored and is a field of the header
	opTold  objectOp = 1 << 4 // text is a field of the header
	opFirst objectOp = 1 << 5 // work, room and length are 0 and not stored
)

// content is an object as of one version. The cells are its elements, or alternately its keys
// and values.
type content struct {
	header
	cells []handle
}

func (s *objects) len() int { return s.latest.n }

// Objects returns the number of object numbers that were used so far.
func (t *Tree) Objects() int { return t.objects.len() }

func (s *objects) bytes() int64 {
	return s.latest.bytes() + s.versions.bytes() + s.high.bytes() + s.data.held + s.keys.bytes()
}

// head reads the header of a version. It also returns the rest of the version: the operands of
// its change.
func (s *objects) head(v uint32) (header, reading) {
	r := reading{s.data.from(uint64(s.versions.at(int(v)).low) | uint64(*s.high.at(int(v)))<<32)}
	op := objectOp(r.number())
	h := header{op: op & opMask, form: uint32(r.number()), stored: r.number(), text: none}
	h.total = h.stored
	if op&opPart != 0 {
		h.total = r.number()
	}
	if op&opTold != 0 {
		h.text = uint32(r.number())
	}
	if op&opFirst == 0 {
		h.work, h.room, h.length = r.number(), r.number(), uint32(r.number())
	}
	return h, r
}

// reading is a position in the arena.
type reading struct{ b []byte }

func (r *reading) number() int {
	v, n := binary.Uvarint(r.b)
	r.b = r.b[n:]
	return int(v)
}

func (r *reading) handle() handle { return handle(r.number()) }

// last returns an object's latest version, or none.
func (s *objects) last(o Object) uint32 {
	if int(o) >= s.latest.n {
		return none
	}
	return *s.latest.at(int(o))
}

// find returns the version of an object as of event i, or none.
func (s *objects) find(o Object, i int) uint32 { return upTo(s, s.last(o), i) }

func (s *objects) skew(v uint32) *skew { return &s.versions.at(int(v)).skew }

func (s *objects) length(v uint32) uint32 {
	h, _ := s.head(v)
	return h.length
}

// push appends a version of an object, valid from the event stamp: its header and its body.
func (s *objects) push(o Object, stamp uint32, h header, body []byte) {
	v := version{skew: follows(s, s.last(o), stamp)}
	op := h.op
	if h.total != h.stored {
		op |= opPart
	}
	if h.text != none {
		op |= opTold
	}
	if h.work == 0 && h.room == 0 && h.length == 0 {
		op |= opFirst
	}
	var head [8 * binary.MaxVarintLen64]byte
	b := binary.AppendUvarint(head[:0], uint64(op))
	b = binary.AppendUvarint(b, uint64(h.form))
	b = binary.AppendUvarint(b, uint64(h.stored))
	if op&opPart != 0 {
		b = binary.AppendUvarint(b, uint64(h.total))
	}
	if op&opTold != 0 {
		b = binary.AppendUvarint(b, uint64(h.text))
	}
	if op&opFirst == 0 {
		b = binary.AppendUvarint(b, uint64(h.work))
		b = binary.AppendUvarint(b, uint64(h.room))
		b = binary.AppendUvarint(b, uint64(h.length))
	}
	addr, room := s.data.alloc(len(b) + len(body))
	copy(room[copy(room, b):], body)
	v.low = uint32(addr)
	n := uint32(s.versions.n)
	s.versions.push(v)
	s.high.push(uint8(addr >> 32))
	if int(o) == s.latest.n {
		s.latest.push(n)
	} else {
		*s.latest.at(int(o)) = n
	}
}

// read reconstructs the content of a version, and stores it in c. It reuses the memory of c.
func (s *objects) read(v uint32, texts *texts, c *content) {
	var few [32]uint32
	rows := few[:0]
	cells := c.cells[:0]
	for at := v; ; at = s.versions.at(int(at)).previous {
		h, r := s.head(at)
		if at == v {
			c.header = h
		}
		if h.op == opWhole {
			cells = r.whole(cells, s.forms[h.form].Kind.Named(), texts)
			break
		}
		rows = append(rows, at)
		damaged(len(rows) <= workFree+c.stored*s.forms[c.form].Kind.Width()/workShare, "an object has too many changes")
	}
	if len(rows) > 0 {
		d := newDraft(cells, s.forms[c.form].Kind.Paired(), len(rows))
		for _, at := range slices.Backward(rows) {
			h, r := s.head(at)
			d.apply(h.op, r)
		}
		cells = d.finish()
	}
	damaged(len(cells) == c.stored*s.forms[c.form].Kind.Width(), "an object has another number of elements")
	c.cells = cells
}

// entry returns the value of a key or attribute as of a version, by going back to the version
// that set it.
func (s *objects) entry(v uint32, key handle, texts *texts) (handle, bool) {
	for ; ; v = s.versions.at(int(v)).previous {
		h, r := s.head(v)
		switch h.op {
		case opEntry:
			if k := r.handle(); k == key {
				return r.handle(), true
			}
		case opDelete:
			if r.handle() == key {
				return 0, false
			}
		case opWhole, opSplice:
			var c content
			s.read(v, texts, &c)
			for k := 0; k < len(c.cells); k += 2 {
				if c.cells[k] == key {
					return c.cells[k+1], true
				}
			}
			return 0, false
		}
	}
}

// item returns an element as of a version, which must store that element.
func (s *objects) item(v uint32, index int, texts *texts) handle {
	for ; ; v = s.versions.at(int(v)).previous {
		switch h, r := s.head(v); h.op {
		case opSplice:
			at, removed, count := r.number(), r.number(), r.number()
			switch {
			case index < at:
			case index < at+count:
				return r.cells(index - at + 1)[index-at]
			default:
				index += removed - count
			}
		case opWhole:
			head := r.number()
			return fixed(r.b[index*(head&3+1):], head&3+1)
		}
	}
}

// cells reads count consecutive handles.
func (r *reading) cells(count int) []handle {
	damaged(count >= 0 && count <= len(r.b), "a change of an object is cut off")
	cells := make([]handle, count)
	for k := range cells {
		cells[k] = r.handle()
	}
	return cells
}
