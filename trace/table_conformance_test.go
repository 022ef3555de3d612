//go:build unix

package trace_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// flatList is every event of a finished run in order, as the witness saw them.
// On it the meaning of the moves is written down a second time, as a search
// from the definition: it is what dsl.Goal and the State Tree's indexes are
// held against.
type flatList []witnessed

// Landings that are not events.
const (
	atEnd   = -1 // the program has ended
	atStart = -2 // an inverse move found nothing
)

// places are the events at which a move may land in a generator or coroutine.
func places(e witnessed) bool { return e.Event == "line" || e.Event == "exception" }

func finalReturn(e witnessed) bool { return e.Event == "return" && e.Kind != "yield" }

// firstCall reports whether event i is the call that began its activation.
func (f flatList) firstCall(i int) bool {
	return f[i].Event == "call" && !slices.ContainsFunc(f[:i], func(e witnessed) bool { return e.Act == f[i].Act })
}

// straight reports whether event j is a line that continues the basic block of the line before it in
// its activation. A generator continues its block when it is resumed.
func (f flatList) straight(j int) bool {
	to := f[j]
	i, ok := f.behind(j, func(i int) bool {
		pauses := f[i].Suspends && (f[i].Kind == "yield" || f[i].Event == "call" && !f.firstCall(i))
		return f[i].Act == to.Act && !pauses
	})
	if !ok || f[i].Event != "line" || to.Event != "line" || f[i].Slot == nil || to.Slot == nil || f[i].Slot.block != to.Slot.block {
		return false
	}
	if from := f[i].Slot.statement; from != to.Slot.statement {
		return from < to.Slot.statement
	}
	return to.Slot.again == "any" || to.Slot.again == "forward" && f[i].Line < to.Line
}

// chain makes steps over, or back over, until one leads elsewhere than to a line that continues
// the block in the same activation.
func (f flatList) chain(i int, over dsl.Move) int {
	act := f[i].Act
	for {
		if i = f.land(i, over, nil); i < 0 || f[i].Act != act || !f.straight(i) {
			return i
		}
	}
}

// ahead returns the first event after i for which ok is true.
func (f flatList) ahead(i int, ok func(j int) bool) (int, bool) {
	for j := i + 1; j < len(f); j++ {
		if ok(j) {
			return j, true
		}
	}
	return atEnd, false
}

// behind returns the last event before i for which ok is true.
func (f flatList) behind(i int, ok func(j int) bool) (int, bool) {
	for j := i - 1; j >= 0; j-- {
		if ok(j) {
			return j, true
		}
	}
	return atStart, false
}

// spot is a line of a file, given by its displayed name.
type spot struct {
	file string
	line int
}

// land implements the table of moves, row by row. i may be len(f), the end, for inverse
// moves. stops are the lines of the breakpoint moves. The module is the outermost
// activation, number 0.
func (f flatList) land(i int, move dsl.Move, stops []spot) int {
	const outermost = 0
	onLine := func(j int) bool {
		return f[j].Event == "line" && slices.Contains(stops, spot{f[j].File, f[j].Line})
	}
	switch move {
	case dsl.Continue:
		return atEnd
	case dsl.InvContinue:
		if i == 0 {
			return atStart
		}
		return 0
	case dsl.Breakpoint:
		return first(f.ahead(i, onLine))
	case dsl.InvBreakpoint:
		return first(f.behind(i, onLine))
	}
	if i == len(f) && !move.Inverse() {
		return atEnd
	}
	crosses := func(j int) bool { return f[j].Event == "call" || f[j].Event == "return" }
	switch move {
	case dsl.StepFunction:
		return first(f.ahead(i, crosses))
	case dsl.InvStepFunction:
		return first(f.behind(i, crosses))
	}
	if i == len(f) {
		return i - 1
	}
	here := f[i]
	within := func(j int) bool { return f[j].Depth <= here.Depth }
	below := func(j int) bool { return f[j].Depth < here.Depth }
	switch move {
	case dsl.StepBlock:
		return f.chain(i, dsl.StepOver)
	case dsl.InvStepBlock:
		return f.chain(i, dsl.InvStepOver)
	case dsl.StepInto:
		return first(f.ahead(i, func(int) bool { return true }))
	case dsl.InvStepInto:
		return first(f.behind(i, func(int) bool { return true }))
	case dsl.StepOver:
		if !here.Suspends || here.Event == "return" {
			return first(f.ahead(i, within))
		}
		if j, ok := f.ahead(i, func(j int) bool {
			return f[j].Act == here.Act && (places(f[j]) || finalReturn(f[j]))
		}); ok {
			return j
		}
		return first(f.ahead(i, func(j int) bool { return f[j].Act == outermost && finalReturn(f[j]) }))
	case dsl.InvStepOver:
		if !here.Suspends || here.Event == "call" {
			return first(f.behind(i, within))
		}
		if j, ok := f.behind(i, func(j int) bool {
			return f[j].Act == here.Act && (places(f[j]) || f.firstCall(j))
		}); ok {
			return j
		}
		return first(f.behind(i, func(j int) bool { return f[j].Act == outermost && f.firstCall(j) }))
	case dsl.StepReturn:
		if here.Event == "return" {
			return first(f.ahead(i, below))
		}
		if j, ok := f.ahead(i, func(j int) bool { return f[j].Act == here.Act && finalReturn(f[j]) }); ok {
			return j
		}
		if here.Suspends {
			return first(f.ahead(i, func(j int) bool { return f[j].Act == outermost && finalReturn(f[j]) }))
		}
		return first(f.ahead(i, below)) // its return was not a state
	default: // dsl.InvStepReturn
		if here.Event == "call" {
			return first(f.behind(i, below))
		}
		if j, ok := f.behind(i, func(j int) bool { return f[j].Act == here.Act && f.firstCall(j) }); ok {
			return j
		}
		if here.Suspends {
			return first(f.behind(i, func(j int) bool { return f[j].Act == outermost && f.firstCall(j) }))
		}
		return first(f.behind(i, below)) // its call was not a state
	}
}

func first(j int, _ bool) int { return j }

// fatal returns the event at which a run that an exception ended stops post-mortem:
// the innermost exception event of the propagation that left the module.
func (f flatList) fatal() int {
	i, _ := f.behind(len(f), func(j int) bool { return f[j].Act == 0 && f[j].Event == "exception" })
	for i > 0 && f[i-1].Kind == "unwind" && f[i-1].Depth > f[i].Depth {
		act := f[i-1].Act
		j, ok := f.behind(i, func(j int) bool { return f[j].Act == act && f[j].Event == "exception" })
		if !ok {
			break
		}
		i = j
	}
	return i
}

var allMoves = slices.Collect(dsl.Moves())

// spread returns about sample of the numbers from 0 to n, always including n.
func spread(n, sample int) []int {
	var all []int
	for i := 0; i < n; i += max(1, n/sample) {
		all = append(all, i)
	}
	return append(all, n)
}

// checkTable makes every move at events all over a finished recording and compares the
// landings with the table. It tries about sample events at most.
func checkTable(t *testing.T, rec *trace.Recording, p program, f flatList, sample int) {
	t.Helper()
	// The rarest lines: a breakpoint on them is far away.
	reached := map[spot]int{}
	for _, e := range f {
		if e.Event == "line" {
			reached[spot{e.File, e.Line}]++
		}
	}
	rare := slices.SortedFunc(maps.Keys(reached), func(a, b spot) int {
		return cmp.Or(cmp.Compare(reached[a], reached[b]), cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	stops := rare[:min(len(rare), 3)]
	for _, i := range spread(len(f), sample) {
		for _, m := range allMoves {
			from := trace.Position{Event: i}
			if i == len(f) {
				if !m.Inverse() {
					continue
				}
				from = trace.Position{End: true}
			}
			if _, err := f.check(t.Context(), rec, from, m, stops); err != nil {
				t.Fatalf("%s: %v", p.name, err)
			}
		}
	}
}

// check makes one move and compares its landing with the table.
func (f flatList) check(ctx context.Context, rec *trace.Recording, from trace.Position, m dsl.Move, stops []spot) (trace.Landing, error) {
	i := from.Event
	if from.End {
		i = len(f)
	}
	action := dsl.Action{Move: m}
	if m.TakesLines() {
		for _, s := range stops {
			file := slices.IndexFunc(rec.Tree().Files(), func(known statetree.File) bool { return known.Name == s.file })
			action.Lines = append(action.Lines, dsl.Location{File: file, Line: s.line})
		}
	}
	got, err := rec.Move(ctx, from, action)
	if err != nil {
		return got, fmt.Errorf("%v at event %d: %w", action, i, err)
	}
	want := f.land(i, m, stops)
	fails := func(what string) error {
		return fmt.Errorf("%v at event %d of %d lands on %+v, want %s", action, i, len(f), got, what)
	}
	switch {
	case from.PostMortem && !m.Inverse():
		if !got.End {
			return got, fails("the end")
		}
	case want == atEnd && got.PostMortem:
		if want := f.fatal(); got.Event != want || got.Reason != trace.DiedPostMortem {
			return got, fails(fmt.Sprintf("the exception that ended it, event %d", want))
		}
	case want == atEnd:
		if !got.End || got.Boundary == trace.AtStart {
			return got, fails("the end")
		}
	case want == atStart:
		if got.Boundary != trace.AtStart || got.Position != from {
			return got, fails("to stay and to say start")
		}
	case got.End || got.PostMortem || got.Event != want || got.Boundary != trace.NoBoundary:
		return got, fails(fmt.Sprintf("event %d", want))
	case got.Horizon != max(want-i, i-want):
		return got, fails(fmt.Sprintf("a horizon of %d", max(want-i, i-want)))
	}
	return got, nil
}

// checkLive walks at random through a recording while it is made: all moves, including
// generators and breakpoints, and inverse moves from the live edge. Each landing must be
// the table's, and the program must never run past the furthest of them.
func checkLive(t *testing.T, rec *trace.Recording, p program, landing trace.Landing, f flatList, seed uint64, moves int) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, uint64(len(f))))
	furthest, over := 0, false
	for range moves {
		m := liveMoves[random.IntN(len(liveMoves))]
		var stops []spot
		for range 2 {
			e := f[random.IntN(len(f))]
			known := slices.ContainsFunc(rec.Tree().Files(), func(file statetree.File) bool { return file.Name == e.File })
			if known {
				stops = append(stops, spot{e.File, e.Line})
			}
		}
		if m.TakesLines() && len(stops) == 0 {
			continue
		}
		var err error
		if landing, err = f.check(t.Context(), rec, landing.Position, m, stops); err != nil {
			t.Fatalf("%s, seed %d: %v", p.name, seed, err)
		}
		over = over || landing.End || landing.PostMortem
		furthest = max(furthest, landing.Event)
		if n := rec.Tree().Len(); !over && n != furthest+1 {
			t.Fatalf("%s, seed %d: %v recorded %d events, but the furthest landing is event %d", p.name, seed, m, n, furthest)
		}
	}
}

// liveMoves are the moves of a live walk, the usual ones more often.
var liveMoves = []dsl.Move{
	dsl.StepInto, dsl.StepInto, dsl.StepInto, dsl.StepInto, dsl.StepInto, dsl.StepInto,
	dsl.StepOver, dsl.StepOver, dsl.StepOver, dsl.StepReturn, dsl.Breakpoint, dsl.StepBlock, dsl.StepBlock, dsl.StepFunction,
	dsl.InvStepInto, dsl.InvStepOver, dsl.InvStepReturn, dsl.InvBreakpoint, dsl.InvStepBlock, dsl.InvStepFunction,
}
