package statetree

import "slices"

// Hole records that what the program did since the last event was not recorded, on
// purpose, and what the stack is now, from the outermost activation in, and at which
// lines they stand. It is marked on the next event; where none comes, the hole
// reaches to the end.
func (t *Tree) Hole(stack []uint32, lines []int) {
	t.settle()
	gone := append([]frame(nil), t.stack...)
	t.stack = t.stack[:0]
	for _, f := range gone {
		f.onStack = false
	}
	for i, act := range stack {
		t.push(t.liveOf(act))
		at := t.stood[act]
		if n := len(at); n > 0 && at[n-1].event == t.events.n() {
			at = at[:n-1] // a hole without an event behind it
		}
		t.stood[act] = append(at, stood{t.events.n(), lines[i]})
	}
	for _, f := range gone {
		if !f.onStack {
			t.endIfOver(f.live)
		}
	}
	t.gap, t.hole = true, true
}

// stood is the line of an activation as of an event, until it has one of its own.
type stood struct{ event, line int }

// lineOf returns the line at which an activation stands as of event i; latest is its
// latest event by then, or none.
func (t *Tree) lineOf(act uint32, i int, latest uint32) int {
	if at := t.stood[act]; len(at) > 0 {
		n, found := slices.BinarySearchFunc(at, i, func(s stood, i int) int { return s.event - i })
		if !found {
			n--
		}
		if n >= 0 && (latest == none || at[n].event > int(latest)) {
			return at[n].line
		}
	}
	if latest == none {
		return 0
	}
	return t.events.line(int(latest))
}

// HoleAfter returns the first event after event i that has a hole before it; Len where
// the hole reaches to the end of a finished tree.
func (t *Tree) HoleAfter(i int) (edge int, ok bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.holeAfter(i)
}

func (t *Tree) holeAfter(i int) (edge int, ok bool) {
	at, _ := slices.BinarySearch(t.holes, i+1)
	if at == len(t.holes) {
		return 0, false
	}
	return t.holes[at], true
}

// HoleUpTo returns the last event up to event i that has a hole before it; i may be Len.
func (t *Tree) HoleUpTo(i int) (edge int, ok bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.holeUpTo(i)
}

func (t *Tree) holeUpTo(i int) (edge int, ok bool) {
	at, _ := slices.BinarySearch(t.holes, i+1)
	if at == 0 {
		return 0, false
	}
	return t.holes[at-1], true
}

// Holes returns how many there are.
func (t *Tree) Holes() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.holes)
}

// upToHole returns where a move from event i lands that would land on out: where it passes
// over a hole, at that hole's edge. A hole that the end is in is no landing of a
// forward move's.
func (t *Tree) upToHole(i int, out Outcome, inverse bool) Outcome {
	if inverse {
		if edge, ok := t.holeUpTo(i); ok && (out.Boundary == AtStart || edge > out.Event) {
			return Outcome{edge, AtHole}
		}
	} else if edge, ok := t.holeAfter(i); ok && edge < t.events.n() && (out.Boundary != NoBoundary || edge <= out.Event) {
		return Outcome{edge, AtHole}
	}
	return out
}
