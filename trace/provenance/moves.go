package provenance

import (
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// mostVersions bounds how many versions of a sequence are examined one by one.
const mostVersions = 2_000

// arrivalOfMany returns the arrival of an element of a sequence that has others like it. What a
// version changed does not tell them apart, so the statements decide.
func (f *Finder) arrivalOfMany(c *piece, step python.Step) arrived {
	var moves []placed
	at, index, sure := c.event, step.Index, true
	for range mostVersions {
		t, ok := f.tree.VersionUpTo(c.object, at)
		if !ok || f.stop() {
			break
		}
		if _, had := f.tree.VersionUpTo(c.object, t-1); !had {
			return arrived{python.Step{Index: index, IsIndex: true}, t, sure, moves}
		}
		before, known := f.moved(c.object, index, t)
		if !known {
			sure, before = false, index
			if from, ok := f.shifted(c.object, index, t); ok && !f.has(c, index, t-1) {
				before = from
			}
		}
		if before < 0 || !f.has(c, before, t-1) {
			return arrived{python.Step{Index: index, IsIndex: true}, t, sure && before < 0, moves}
		}
		if before != index {
			moves = append(moves, placed{index, t})
		}
		index, at = before, t-1
	}
	return arrived{step: step, event: -1}
}

// has reports whether a sequence has the value at an index.
func (f *Finder) has(c *piece, index, event int) bool {
	v, ok := f.past.Piece(c.object, python.Step{Index: index, IsIndex: true}, event)
	return ok && v == c.value
}

// moved returns the index that an element had before a version, or -1 if the version's statement
// stored it. known is false if the statement does not tell.
func (f *Finder) moved(o statetree.Object, index, version int) (before int, known bool) {
	r, ok := f.runAt(f.by(version))
	if !ok || r.vague || r.stored.Shared || r.end < version || f.versions(o, r) != 1 {
		return 0, false
	}
	size, _ := f.tree.Size(o, version-1)
	stored, deletes := 0, false
	before = index
	for _, s := range r.stored.Stores {
		switch k := s.Target.Kind(); {
		case s.Kind == python.Augmented && k != python.SubscriptTerm:
			v, ok := f.valueOf(s.Target, r)
			if !ok || v == statetree.ObjectValue(o) {
				return 0, false
			}
		case k == python.SubscriptTerm:
			v, ok := f.valueOf(s.Target.Terms()[0], r)
			if ok && v != statetree.ObjectValue(o) && f.settled(s.Target.Terms()[0], s, r) {
				continue
			}
			at, constant := f.index(s.Target.Terms()[1], r)
			if !ok || !constant || !at.IsIndex || !f.settled(s.Target.Terms()[1], s, r) {
				return 0, false
			}
			stored, deletes = stored+1, s.Kind == python.Deleted
			before = shift(s.Kind == python.Deleted, fromEnd(at.Index, size), index, before)
		}
	}
	call, n, sure := f.mutatingCall(o, r)
	switch {
	case !sure || n > 1 || n == 1 && stored > 0 || deletes && stored > 1:
		return 0, false
	case n == 1:
		return f.movedBy(call, index, size, r)
	}
	return before, stored > 0
}

// shift returns the index before an element was stored or deleted at an index.
func shift(deleted bool, at, index, before int) int {
	switch {
	case deleted && index >= at:
		return index + 1
	case !deleted && index == at:
		return -1
	}
	return before
}

func fromEnd(index, size int) int {
	if index < 0 {
		return index + size
	}
	return index
}

// versions counts the versions of an object that a run made.
func (f *Finder) versions(o statetree.Object, r run) int {
	n := 0
	for at := r.end; n < 2; n++ {
		t, ok := f.tree.VersionUpTo(o, at)
		if !ok || t <= r.start {
			break
		}
		at = t - 1
	}
	return n
}

// mutatingCall returns the call of a statement that may change an object, and how many there are.
// sure is false if whether it happens once depends on values.
func (f *Finder) mutatingCall(o statetree.Object, r run) (call python.Term, n int, sure bool) {
	sure = true
	for _, e := range r.stored.Exprs {
		calls, once := e.Calls()
		for _, c := range calls {
			if f.mentions(c, o, r) {
				call, n, sure = c, n+1, sure && once
			}
		}
	}
	return call, n, sure
}

// movedBy returns the index that an element had before a call of a list's method, or -1 if the call
// stored it.
func (f *Finder) movedBy(call python.Term, index, size int, r run) (before int, known bool) {
	callee, args := call.Terms()[0], call.Terms()[1:]
	if callee.Kind() != python.AttributeTerm || starred(args) {
		return 0, false
	}
	at := 0
	if len(args) > 0 && (callee.Name() == "insert" || callee.Name() == "pop") {
		step, ok := f.index(args[0], r)
		if !ok || !step.IsIndex {
			return 0, false
		}
		at = fromEnd(step.Index, size)
	}
	switch callee.Name() {
	case "append", "extend":
		if index >= size {
			return -1, true
		}
		return index, true
	case "insert", "appendleft":
		at = min(max(at, 0), size)
		switch {
		case index == at:
			return -1, true
		case index > at:
			return index - 1, true
		}
		return index, true
	case "popleft":
		return index + 1, true
	case "pop":
		if len(args) > 0 && index >= at {
			return index + 1, true
		}
		return index, true
	case "reverse":
		return size - 1 - index, len(args) == 0
	}
	return 0, false
}
