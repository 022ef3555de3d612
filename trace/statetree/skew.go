package statetree

// A skew-binary list finds one of n rows in O(log n), although rows are only ever
// appended. Each row refers to the row before it and to one much earlier, its jump.

// skew is the part of a row that makes it a member of such a list. The row is valid from the
// event stamp on.
type skew struct {
	stamp    uint32
	previous uint32 // the row before it, or none
	jump     uint32 // an earlier row, or none
}

// skewed holds the rows of many such lists.
type skewed interface {
	skew(row uint32) *skew
	length(row uint32) uint32 // number of rows before it
}

// follows returns the links of a new row after previous, which may be none. If stamp is lower
// than that of previous, the new row gets the stamp of previous.
func follows[L skewed](l L, previous, stamp uint32) skew {
	if previous == none {
		return skew{stamp, none, none}
	}
	p := l.skew(previous)
	s := skew{max(stamp, p.stamp), previous, previous}
	if p.jump != none {
		// If the last two jumps had the same length, jump over both.
		if further := l.skew(p.jump).jump; further != none &&
			l.length(previous)-l.length(p.jump) == l.length(p.jump)-l.length(further) {
			s.jump = further
		}
	}
	return s
}

// upTo returns the latest row, from row backwards, that is valid from event i or earlier,
// or none.
func upTo[L skewed](l L, row uint32, i int) uint32 {
	for row != none {
		at := l.skew(row)
		if int64(at.stamp) <= int64(i) {
			return row
		}
		if at.jump != none && int64(l.skew(at.jump).stamp) > int64(i) {
			row = at.jump
		} else {
			row = at.previous
		}
	}
	return none
}

// behind returns the earliest row, from row backwards, that is valid only from an event after
// i, or none.
func behind[L skewed](l L, row uint32, i int) uint32 {
	later := func(row uint32) bool { return row != none && int64(l.skew(row).stamp) > int64(i) }
	if !later(row) {
		return none
	}
	for {
		switch at := l.skew(row); {
		case later(at.jump):
			row = at.jump
		case later(at.previous):
			row = at.previous
		default:
			return row
		}
	}
}
