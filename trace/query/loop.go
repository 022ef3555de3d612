package query

import (
	"math"
	"sort"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// Iterations are the iterations of a loop in one activation. A run of the loop lasts from where it is
// entered to where it is left; an inner loop has a run for each time that it is entered.
type Iterations struct {
	course  Course
	loop    *python.Loop
	headers [2]int // the lines whose events begin iterations
	bodied  bool   // those events are in the body
	silent  bool   // the loop's header has no events
	heads   []int  // the events that begin iterations or find that there is none left
	runs    []int  // by run: the index in heads of its first one
}

// Iteration is one iteration. Values as of End are those at its end.
type Iteration struct {
	Run    int // the run that it belongs to, from 1
	Number int // in its run, from 1
	Head   int // the event of the header that begins it
	Event  int // the first event of the body
	// End is the event that follows it: the header's next one, the first one behind the loop, or the
	// return of the function.
	End  int
	Open bool // no such event is recorded, and End is the last event of the iteration
}

// FindIterations finds the iterations of a loop. It takes time linear in their number.
func FindIterations(c Course, l *python.Loop) *Iterations {
	it := &Iterations{course: c, loop: l, headers: [2]int{l.Line, l.Last}, bodied: l.OneLine()}
	if it.bodied {
		it.headers[1] = l.Line
	}
	all := c.On(it.headers[0], it.headers[1])
	if it.silent = len(all) == 0 && l.Kind == "while"; it.silent {
		it.headers, it.bodied = l.First, true
		all = c.On(l.First[0], l.First[0])
	}
	for i, e := range all {
		switch {
		case e.Before >= 0 && it.continues(e):
			continue
		case e.Before < 0 || !it.again(e) || i > 0 && c.Holed(all[i-1].Event, e.Event):
			it.runs = append(it.runs, len(it.heads))
		}
		it.heads = append(it.heads, e.Event)
	}
	return it
}

func within(line int, lines [2]int) bool { return lines[0] <= line && line <= lines[1] }

// continues reports whether an event of the header belongs to the same evaluation of it as the event
// before: a header of several lines has several events. In a loop without events of its header, it
// reports whether the event is of a loop inside it.
func (it *Iterations) continues(e statetree.LineEvent) bool {
	if !within(e.BeforeLine, it.headers) && !within(e.BeforeLine, it.loop.Nested) || e.BeforeLine == it.course.Line(e.Event) {
		return false
	}
	if it.silent && it.loop.Nested != [2]int{} {
		return within(e.BeforeLine, it.loop.Nested)
	}
	return within(e.BeforeLine, it.headers)
}

// again reports whether an event of the header follows an iteration, so that its run goes on.
func (it *Iterations) again(e statetree.LineEvent) bool {
	lines := it.loop.Block
	if it.bodied {
		lines[0] = it.loop.Line
	}
	return within(e.BeforeLine, lines)
}

// Runs returns the number of runs.
func (it *Iterations) Runs() int { return len(it.runs) }

// RunAt returns the run that an event is in; else the last one that began before it; else the first.
func (it *Iterations) RunAt(event int) int {
	run := sort.Search(len(it.runs), func(i int) bool { return it.heads[it.runs[i]] > event })
	return max(run, 1)
}

// Count returns the number of iterations of a run.
func (it *Iterations) Count(run int) int {
	first, last := it.span(run)
	n := last - first
	if it.entered(last) {
		n++
	}
	return n
}

// span returns the indexes in heads of the first and the last event of a run.
func (it *Iterations) span(run int) (first, last int) {
	last = len(it.heads) - 1
	if run < len(it.runs) {
		last = it.runs[run] - 1
	}
	return it.runs[run-1], last
}

// entered reports whether the last event of the header in a run began an iteration, which break, a
// return or an exception ended, or which is not over.
func (it *Iterations) entered(last int) bool {
	after := it.course.After(it.heads[last])
	for !it.bodied && after >= 0 && within(it.course.Line(after), it.headers) {
		if it.course.Raised(after) {
			return false // in 3.9, async for has an event of the body's last line after that
		}
		after = it.course.After(after)
	}
	switch {
	case it.silent:
		return true
	case after < 0:
		return false
	case !it.bodied:
		return within(it.course.Line(after), it.loop.Block)
	}
	return it.course.Changed(after) // the event before it looked for another iteration, or ran the last one
}

// At returns an iteration of a run; number counts from 1.
func (it *Iterations) At(run, number int) Iteration {
	first, last := it.span(run)
	i := first + number - 1
	out := Iteration{Run: run, Number: number, Head: it.heads[i], Event: it.heads[i]}
	for !it.bodied && within(it.course.Line(out.Event), it.headers) {
		after := it.course.After(out.Event)
		if after < 0 {
			break
		}
		out.Event = after
	}
	if i < last {
		out.End = it.heads[i+1]
		return out
	}
	out.End, out.Open = it.end(out.Event, run)
	return out
}

// end returns the event that follows the last iteration of a run. open reports that there is none.
func (it *Iterations) end(event, run int) (end int, open bool) {
	last := math.MaxInt - 1
	if run < len(it.runs) {
		last = it.heads[it.runs[run]] - 1
	}
	lines := [2]int{it.loop.Line, it.loop.Block[1]}
	if at := it.course.LastOn(last, lines[0], lines[1]); at > event {
		event = at
	}
	for {
		after := it.course.After(event)
		if after < 0 {
			return event, true
		}
		if event = after; !within(it.course.Line(after), lines) || it.course.Over(after) {
			return after, false
		}
	}
}

// NumberAt returns the iteration of a run that an event is in, or 0.
func (it *Iterations) NumberAt(run, event int) int {
	first, last := it.span(run)
	i := sort.Search(last-first+1, func(i int) bool { return it.heads[first+i] > event })
	if i == 0 || i > it.Count(run) {
		return 0
	}
	if end := it.At(run, i).End; end < event || end == event && !within(it.course.Line(end), [2]int{it.loop.Line, it.loop.Block[1]}) {
		return 0
	}
	return i
}

// RoundAt is like NumberAt, but also counts the evaluation of the header that finds no iteration left.
func (it *Iterations) RoundAt(run, event int) int {
	if n := it.NumberAt(run, event); n > 0 {
		return n
	}
	first, last := it.span(run)
	if it.heads[last] <= event && within(it.course.Line(event), it.headers) {
		return last - first + 1
	}
	return 0
}
