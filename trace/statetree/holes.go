package statetree

import "slices"

// Hole records that the program ran unrecorded on purpose since the last event. stack and lines
// are the activations at the end of the hole, outermost first, and their lines. The next event
// is marked as AfterGap. If no event follows, the hole extends to the end.
func (t *Tree) Hole(stack []uint32, lines []int) {
	t.settle()
	gone := append([]frame(nil), t.stack...)
	t.stack = t.stack[:0]
	for _, f := range gone {
		f.onStack = false
	}
	for i, act := range stack {
		t.push(t.liveOf(act))
		t.standAt(act, lines[i])
	}
	for _, f := range gone {
		if !f.onStack {
			t.endIfOver(f.live)
		}
	}
	t.gap, t.hole = true, true
}

// Stand records the line of the top activation, which its file does not have. So the line is not
// an event, but calls may come from it.
func (t *Tree) Stand(line int) {
	t.settle()
	t.standAt(t.top().activation, line)
}

func (t *Tree) standAt(act uint32, line int) {
	at := t.stood[act]
	if n := len(at); n > 0 && at[n-1].event == t.events.n() {
		at = at[:n-1] // no event followed the previous line: replace it
		t.stands--
	}
	t.stands++
	t.stood[act] = append(at, stood{t.events.n(), line})
}

// stood is the line of an activation that no event of it has: at the end of a hole, or one that
// its file does not have. event is the first event after that; the line is valid until the
// activation's own next event.
type stood struct{ event, line int }

// lineOf returns the line of an activation as of event i. latest is the activation's latest
// event up to i, or none.
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

// HoleAfter returns the first event after event i that has a hole before it, or Len if the
// hole extends to the end of a finished tree.
func (t *Tree) HoleAfter(i int) (edge int, ok bool) {
	t.mu.RLock()
	defer t.done()
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
	defer t.done()
	return t.holeUpTo(i)
}

func (t *Tree) holeUpTo(i int) (edge int, ok bool) {
	at, _ := slices.BinarySearch(t.holes, i+1)
	if at == 0 {
		return 0, false
	}
	return t.holes[at-1], true
}

// Holes returns the number of holes.
func (t *Tree) Holes() int {
	t.mu.RLock()
	defer t.done()
	return len(t.holes)
}

// upToHole limits the landing of a move from event i: if the move would pass over a hole, it
// lands on the first event after the hole. A forward move ignores a hole that extends to the
// end.
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
