package policy

import (
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// A walk that changes its direction could continue forever. So the number of its actions is limited
// to perEvent for each event of the recording, plus the constant beside.
const (
	perEvent = 3
	beside   = 10
)

// walk is the current position in a recording, with the data for choosing the next move.
type walk struct {
	*scene
	rng    *rand.Rand
	s      *Settings
	single float64
	at     statetree.Spot
}

// move is an action with the position where it lands.
type move struct {
	action dsl.Action
	to     statetree.Spot
	stays  bool
	passed int // number of events passed over, including the event where it lands
}

func (w *walk) make(a dsl.Action) move {
	to, stays := w.tree.Move(w.at, a, w.fatal)
	m := move{action: a, to: to, stays: stays}
	if !stays {
		m.passed = w.at.Horizon(to)
	}
	w.at = to
	return m
}

// moves yields the moves of a plan, until the program ends or the walk is complete. The
// caller may stop earlier.
func (w *walk) moves(p Plan) iter.Seq[move] {
	if p.Ask != NoQuestion {
		return w.question(p.Ask)
	}
	return func(yield func(move) bool) {
		back, left := false, -1 // left: actions before the direction changes; negative if it never does
		if p.Inverse {
			begin := w.s.Back
			if len(p.Start) > 0 {
				begin = w.s.BackCompacted
			}
			back = w.at.Event > 0 && chance(w.rng, begin)
			left = w.run()
		}
		for range perEvent*w.len() + beside {
			if left == 0 {
				back, left = !back, w.run()
			}
			m := w.make(w.draw(back))
			if !yield(m) {
				return
			}
			switch {
			case m.to.End:
				if !p.Inverse || !chance(w.rng, w.s.Return) {
					return
				}
				back, left = true, w.run()
			case m.stays:
				if chance(w.rng, w.s.Leave) {
					return
				}
				back, left = false, w.run()
			case left > 0:
				left--
			}
		}
	}
}

func (w *walk) run() int { return w.s.Runs[w.rng.IntN(len(w.s.Runs))] }

// question yields the moves of a question about the call at the current event.
func (w *walk) question(ask Question) iter.Seq[move] {
	return func(yield func(move) bool) {
		actions := []dsl.Action{{Move: dsl.StepReturn}}
		if lines := w.left(); ask == AskBreakpoint && lines != nil {
			actions = []dsl.Action{{Move: dsl.Breakpoint, Lines: lines}, {Move: dsl.StepInto}}
		}
		if chance(w.rng, w.s.More) {
			actions = append(actions, w.step(false))
		}
		for _, a := range actions {
			if !yield(w.make(a)) {
				return
			}
		}
	}
}

// left returns the line at which the current activation returns, if a breakpoint on that line stops
// before the return; otherwise nil.
func (w *walk) left() []dsl.Location {
	act := w.tree.At(w.at.Event).Activation
	for last := w.len() - 1; last > w.at.Event; last-- {
		r := w.tree.At(last)
		if r.Activation != act || r.Event != dsl.Return || r.Kind == dsl.Yielded {
			continue
		}
		line := dsl.Location{File: r.File, Line: r.Line}
		if slices.Contains(w.lines[w.at.Event+1:last], line) {
			return []dsl.Location{line}
		}
		return nil
	}
	return nil
}

// draw chooses the next action: a single step, or any action in the current direction.
func (w *walk) draw(back bool) dsl.Action {
	if w.rng.Float64() < w.single {
		return w.step(back)
	}
	m := dsl.StepInto + dsl.Move(weighted(w.rng, w.s.Actions.list()))
	if back {
		m = m.Inverted()
	}
	a := dsl.Action{Move: m}
	if m.TakesLines() {
		a.Lines = w.breakpoint(back)
	}
	return a
}

// step chooses step_into or step_over, or one of their inverses.
func (w *walk) step(back bool) dsl.Action {
	m := dsl.StepInto + dsl.Move(w.rng.IntN(2))
	if back {
		m = m.Inverted()
	}
	return dsl.Action{Move: m}
}

// breakpoint chooses the lines of a breakpoint, mostly lines that will still be reached in the direction
// of the walk.
func (w *walk) breakpoint(back bool) []dsl.Location {
	ahead := w.lines[min(w.at.Event+1, w.len()):]
	if back {
		ahead = w.lines[:w.at.Event]
	}
	coming := distinct(ahead)
	var found []dsl.Location
	for range 1 + weighted(w.rng, w.s.Lines) {
		from := coming
		if len(coming) == 0 || !chance(w.rng, w.s.Hit) {
			from = w.written()
		}
		if line := from[w.rng.IntN(len(from))]; !slices.Contains(found, line) {
			found = append(found, line)
		}
	}
	slices.SortFunc(found, inOrder)
	return found
}

// distinct returns the lines of some events, sorted and without duplicates.
func distinct(events []dsl.Location) []dsl.Location {
	seen := map[dsl.Location]bool{}
	var list []dsl.Location
	for _, l := range events {
		if l.Line > 0 && !seen[l] {
			seen[l] = true
			list = append(list, l)
		}
	}
	slices.SortFunc(list, inOrder)
	return list
}

func inOrder(a, b dsl.Location) int {
	if a.File != b.File {
		return a.File - b.File
	}
	return a.Line - b.Line
}

// written returns the non-empty lines of the program. There is at least one, because every state has a
// line.
func (w *walk) written() []dsl.Location {
	var list []dsl.Location
	for f := range w.program.Files {
		for i, text := range w.program.Files[f].Lines {
			if isWritten(text) {
				list = append(list, dsl.Location{File: f, Line: i + 1})
			}
		}
	}
	return list
}

func isWritten(line string) bool {
	for _, c := range []byte(line) {
		if c != ' ' && c != '\t' && c != '\f' {
			return true
		}
	}
	return false
}
