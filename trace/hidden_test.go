//go:build unix

package trace

import (
	"maps"
	"slices"

	"github.com/npdb/npdb/trace/statetree"
)

// Hide returns a recording as it would be if all between the first event and the live edge had run
// unrecorded, by one move that stopped at stops. It shares the process with r.
func Hide(r *Recording, stops []Stop) *Recording {
	h := &Recording{
		proc: r.proc, opts: r.opts, messages: r.messages, limits: r.limits, over: r.over, orderly: r.orderly, fatal: r.fatal, exit: r.exit,
		chance: r.chance, typed: r.typed, edge: r.edge,
	}
	h.chance.reasons = maps.Clone(r.chance.reasons)
	h.outputs.list = slices.Clone(r.outputs.list)
	h.tree = statetree.New()
	for _, f := range r.tree.Files() {
		h.tree.AddFile(f)
	}
	addEvent(h.tree, r.tree, 0, func(act uint32, _ int) {})
	if h.edge.End {
		h.edge.Event = 0
		h.tree.Hole(nil, nil)
	} else {
		h.edge.Event = 1
		addEvent(h.tree, r.tree, r.edge.Event, func(act uint32, line int) { h.tree.Hole([]uint32{act}, []int{line}) })
	}
	h.tree.Finish()
	h.stretches = []stretch{{
		fast: true, move: append(fast(mode("free", 0, 0, 0)), r.told(stops)...), start: 1, events: h.tree.Len(), count: r.chance.count,
	}}
	return h
}

// addEvent adds an event of a recording to a tree, in an activation of its own.
func addEvent(to, from *statetree.Tree, i int, before func(act uint32, line int)) {
	at := from.At(i)
	before(to.Enter(to.AddCode(from.Code(at.Code))), at.Line)
	var value []byte
	if v, ok := from.Returned(i); ok {
		value = []byte(from.Text(v, i))
	}
	to.Event(at.Event, at.Line, at.Kind, value)
}
