package provenance

import (
	"iter"
	"slices"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// binder is a name of an activation.
type binder struct {
	act  uint32
	name string
}

// bindings are the events in (from, to] at which a name got another value. A search asks for them
// again and again, each time up to an earlier event, so they are kept.
type bindings struct {
	from, to int
	events   []int
}

// lastBinding returns the last event in (from, to] at which a name got another value.
func (f *Finder) lastBinding(act uint32, name string, from, to int) (event int, ok bool) {
	if from >= to {
		return 0, false
	}
	key := binder{act, name}
	b, known := f.rebound[key]
	switch {
	case !known || to < b.from || b.to < from:
		b = &bindings{from, to, f.tree.Bindings(act, name, from, to)}
		f.rebound[key] = b
	default:
		if from < b.from {
			b.events = append(f.tree.Bindings(act, name, from, b.from), b.events...)
			b.from = from
		}
		if to > b.to {
			b.events = append(b.events, f.tree.Bindings(act, name, b.to, to)...)
			b.to = to
		}
	}
	n, found := slices.BinarySearch(b.events, to)
	if !found {
		n--
	}
	if n < 0 || b.events[n] <= from {
		return 0, false
	}
	return b.events[n], true
}

// firstVersions is how many events touched asks for at once at first.
const firstVersions = 256

// touched returns the events up to the given one at which a piece of an object may have changed, the
// latest first. Mostly the first of them ends the search, so the others are not read at once.
func (f *Finder) touched(o statetree.Object, step python.Step, event int) iter.Seq[int] {
	return func(yield func(int) bool) {
		p, ok := f.past.PieceAt(o, step, event)
		if !ok {
			return
		}
		for size := firstVersions; event >= 0; size *= 4 {
			from := max(event-size, -1)
			for _, at := range slices.Backward(f.tree.Touches(o, p, from, event)) {
				if !yield(at) {
					return
				}
			}
			if event, ok = f.tree.VersionUpTo(o, from); !ok {
				return
			}
		}
	}
}
