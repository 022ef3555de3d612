package breakpoint

import (
	"maps"
	"math"
	"slices"
)

// Crossings records the events at which a breakpoint was crossed in a run. An event that is crossed
// again, in either direction, counts once.
type Crossings struct {
	at   []int       // events; sorted and without duplicates once settle was called
	new  bool        // at has unsorted additions
	more map[int]int // number of crossings in each unrecorded part, by the event at its end
}

// Cross records that the breakpoint was crossed at an event.
func (b *Breakpoint) Cross(event int) {
	b.crossed.at, b.crossed.new = append(b.crossed.at, event), true
}

// settle sorts the events and removes duplicates, if events were added since the last call.
func (h *Crossings) settle() {
	if h.new {
		slices.Sort(h.at)
		h.at, h.new = slices.Compact(h.at), false
	}
}

// CrossUnrecorded records that the breakpoint was crossed count times in an unrecorded part of the
// run, which ended at the given event.
func (b *Breakpoint) CrossUnrecorded(event, count int) {
	if b.crossed.more == nil {
		b.crossed.more = map[int]int{}
	}
	b.crossed.more[event] += count
}

// CountTo sets Hits to the number of crossings up to and including an event.
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

// ForgetHits resets the hit count for another run.
func (b *Breakpoint) ForgetHits() { b.crossed, b.Hits = Crossings{}, 0 }

// CrossedTo returns the crossings of each breakpoint up to and including an event.
func (t *Table) CrossedTo(event int) map[*Breakpoint]Crossings {
	of := map[*Breakpoint]Crossings{}
	for _, b := range t.List {
		b.crossed.settle()
		i, found := slices.BinarySearch(b.crossed.at, event)
		if found {
			i++
		}
		some := Crossings{at: slices.Clone(b.crossed.at[:i]), more: maps.Clone(b.crossed.more)}
		maps.DeleteFunc(some.more, func(at, _ int) bool { return at > event })
		of[b] = some
	}
	return of
}

// Exchange replaces the crossings of all breakpoints by those in another run, and returns them.
func (t *Table) Exchange(of map[*Breakpoint]Crossings) (was map[*Breakpoint]Crossings) {
	was = map[*Breakpoint]Crossings{}
	for _, b := range t.List {
		was[b], b.crossed = b.crossed, of[b]
	}
	return was
}
