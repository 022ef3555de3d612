package statetree

import "github.com/npdb/npdb/dsl"

// events holds the recorded events and their locations in columns.
type events struct {
	head     column[head]
	place    column[uint32]
	previous column[uint32] // the previous event of the same activation, or none
	changes  column[uint32] // low 32 bits of the address of the event's changes
	// base holds the address of the changes at the first of every 64 events.
	// Any address in the block differs from it by less than 2³¹.
	base     column[uint64]
	farLines ledger // line numbers too large for a head, by event
	places   column[place]
}

// head is a line number, the kind of the event and its flags.
type head uint32

const (
	lineBits = 24
	lineFar  = 1<<lineBits - 1 // the line is in farLines

	isEdited   head = 1 << 27 // the user changed a local here
	isAfterGap head = 1 << 28 // events before this one are missing
	hasValue   head = 1 << 29
	hasAll     head = 1 << 30 // the event stores all locals, not only changes
	hasChanges head = 1 << 31 // the event stores locals
)

// kindOf lists the kinds that a head distinguishes in its bits 24 to 26.
var kindOf = [8]struct {
	event dsl.Event
	kind  dsl.ReturnKind
}{
	{dsl.Call, dsl.NoReturn},
	{dsl.Line, dsl.NoReturn},
	{dsl.Return, dsl.Returned},
	{dsl.Return, dsl.Yielded},
	{dsl.Return, dsl.Unwound},
	{dsl.Exception, dsl.NoReturn},
}

const (
	headCall head = iota << lineBits
	headLine
	headReturned
	headYielded
	headUnwound
	headException

	headKind head = 7 << lineBits
)

func makeHead(e dsl.Event, kind dsl.ReturnKind) head {
	switch e {
	case dsl.Call:
		return headCall
	case dsl.Line:
		return headLine
	case dsl.Exception:
		return headException
	}
	switch kind {
	case dsl.Yielded:
		return headYielded
	case dsl.Unwound:
		return headUnwound
	}
	return headReturned
}

func (h head) kind() head { return h & headKind }

func (h head) event() dsl.Event { return kindOf[h.kind()>>lineBits].event }

// leaves reports whether the event is the last of its activation: a return other than a yield.
// returns reports whether the activation leaves the stack.
func (h head) leaves() bool { return h.kind() == headReturned || h.kind() == headUnwound }

func (h head) returns() bool { return h.leaves() || h.kind() == headYielded }

// stops reports whether moves within a generator stop at such an event, apart from calls and
// returns: at a line or an exception.
func (h head) stops() bool { return h.kind() == headLine || h.kind() == headException }

// place is one stay of an activation on the stack: from a call or a resumption until it returns
// or yields.
type place struct {
	who    uint32 // the activation; for a generator its resumption, plus isResumption
	below  uint32 // the place of the caller, or none
	depth  uint32
	caller uint32 // the caller's latest event when this place was taken, or none
}

const isResumption = 1 << 31

func (p *place) generator() bool { return p.who&isResumption != 0 }

func (e *events) n() int { return e.head.n }

func (e *events) bytes() int64 {
	return e.head.bytes() + e.place.bytes() + e.previous.bytes() + e.changes.bytes() +
		e.base.bytes() + e.places.bytes() + e.farLines.bytes()
}

func (e *events) placeOf(i int) *place { return e.places.at(int(*e.place.at(i))) }

func (e *events) depth(i int) uint32 { return e.placeOf(i).depth }

func (e *events) line(i int) int {
	if line := int(*e.head.at(i) & lineFar); line != lineFar {
		return line
	}
	far, _ := e.farLines.get(uint32(i))
	return int(int32(far))
}

// push appends an event whose changes are at addr.
func (e *events) push(h head, line int, place, previous uint32, addr uint64) {
	i := e.n()
	if line < 0 || line >= lineFar {
		e.farLines.set(uint32(i), uint32(line))
		line = lineFar
	}
	e.head.push(h | head(line))
	e.place.push(place)
	e.previous.push(previous)
	e.changes.push(uint32(addr))
	if i&fanMask == 0 {
		e.base.push(addr)
	}
}

// address returns the address of the changes of event i.
func (e *events) address(i int) uint64 {
	base := *e.base.at(i >> fanBits)
	return base + uint64(int64(int32(*e.changes.at(i)-uint32(base))))
}
