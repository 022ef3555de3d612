package breakpoint

import (
	"math"
	"slices"
)

// hits records the events of a run at which a breakpoint was crossed. Crossing the same event
// again, in either direction, does not count twice.
type hits struct {
	at   []int       // in ascending order, once they are settled
	new  bool        // some are not
	more map[int]int // crossings of an unrecorded stretch, by the event that ended it
}

// Cross records that the breakpoint was crossed at an event.
func (b *Breakpoint) Cross(event int) {
	b.crossed.at, b.crossed.new = append(b.crossed.at, event), true
}

// settle sorts the events and removes duplicates.
func (h *hits) settle() {
	if h.new {
		slices.Sort(h.at)
		h.at, h.new = slices.Compact(h.at), false
	}
}

// CrossUnrecorded records crossings without events, before an event.
func (b *Breakpoint) CrossUnrecorded(event, count int) {
	if b.crossed.more == nil {
		b.crossed.more = map[int]int{}
	}
	b.crossed.more[event] += count
}

// CountTo sets Hits to the crossings up to an event, that one included.
func (b *Breakpoint) CountTo(event int) {
	b.crossed.settle()
	i, found := slices.BinarySearch(b.crossed.at, event)
	if found {
		i++
	}
	b.Hits = i
	for at, n := range b.crossed.more {
		if at <= event {
			b.Hits += n
		}
	}
}

// CountAll sets Hits to all crossings of the run.
func (b *Breakpoint) CountAll() { b.CountTo(math.MaxInt) }

// ForgetHits resets the counts for another run.
func (b *Breakpoint) ForgetHits() { b.crossed, b.Hits = hits{}, 0 }
