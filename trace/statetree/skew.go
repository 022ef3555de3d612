package statetree

// A skew-binary list is a list of rows, each with the one before it, in which one
// of n rows is found in O(log n) though rows are only ever appended: each row also
// names one far before it to jump to.

// skew is a row of such a list, as of an event that it counts from.
type skew struct {
	stamp    uint32
	previous uint32 // row, or none
	jump     uint32 // an earlier row, or none
}

// skewed holds the rows of many such lists.
type skewed interface {
	skew(row uint32) *skew
	length(row uint32) uint32 // rows before it
}

// follows returns the row after previous, which may be none. Stamps never go back.
func follows[L skewed](l L, previous, stamp uint32) skew {
	if previous == none {
		return skew{stamp, none, none}
	}
	p := l.skew(previous)
	s := skew{max(stamp, p.stamp), previous, previous}
	if p.jump != none {
		// As far again as the last two jumps, where these were equal.
		if further := l.skew(p.jump).jump; further != none &&
			l.length(previous)-l.length(p.jump) == l.length(p.jump)-l.length(further) {
			s.jump = further
		}
	}
	return s
}

// upTo returns the latest row, from row backwards, that counts from event i or earlier, or
// none.
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

// behind returns the earliest row, from row backwards, that counts from an event after i,
// or none.
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
