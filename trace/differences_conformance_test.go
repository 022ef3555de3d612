//go:build unix

package trace_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// difference is a known case where bdb does not stop where the table says. Only the last
// move of the walk differs.
type difference struct {
	name     string
	program  string // of testdata/programs
	from, to int    // versions 3.x that behave like this
	walk     string // moves s, n and r from the first state
	bdb      string // where bdb stops: event, kind, line, function; or "end"
	table    string // where the table, and so npdb, lands
	why      string
}

// differences are the cases that the walks of the other tests avoid (Walker.choose in
// testdata/witness_observers.py).
var differences = []difference{
	{
		name: "next on the last line of a generator", program: "generator_simple", from: 9, to: 14,
		walk: steps(30) + "n", bdb: "exception  12 use", table: "return return 7 count",
		why: "dispatch_return ignores the returns of generators unless it steps; it shows the consumer's StopIteration in place of it",
	},
	{
		name: "return in a generator", program: "generator_simple", from: 9, to: 14,
		walk: steps(7) + "r", bdb: "exception  12 use", table: "return return 7 count",
		why: "set_return in a generator waits for the StopIteration or GeneratorExit that its consumer sees",
	},
	{
		name: "return in a generator that is never finished", program: "generator_simple", from: 9, to: 14,
		walk: steps(39) + "r", bdb: "end", table: "return return 20 <module>",
		why: "no consumer ever sees a StopIteration; the table falls back to the outermost activation's final return",
	},
	{
		name: "next in a generator that is never resumed", program: "generator_simple", from: 9, to: 14,
		walk: steps(46) + "n", bdb: "end", table: "return return 20 <module>",
		why: "the stop frame has no further event; the table falls back to the outermost activation's final return",
	},
	{
		name: "return at a yield", program: "generator_simple", from: 9, to: 14,
		walk: steps(10) + "r", bdb: "exception  12 use", table: "line  13 use",
		why: "set_return looks at the frame alone, not at the event; at a return the table asks for the first event below",
	},
	{
		name: "return at the return of what a generator called", program: "generator_expression", from: 9, to: 14,
		walk: steps(6) + "r", bdb: "line  6 <genexpr>", table: "return yield 6 <genexpr>",
		why: "the caller's next event is its yield, which dispatch_return ignores",
	},
	{
		name: "return at the return of a callback", program: "callbacks_library", from: 9, to: 14,
		walk: steps(40) + "r", bdb: "end", table: "line  37 <module>",
		why: "the stop frame is the caller, which is library code that is passed over",
	},
	{
		name: "step to a __del__ at the end of a function", program: "del_function", from: 13, to: 13,
		walk: steps(25), bdb: "line  27 <module>", table: "call  10 __del__",
		why: "trace_dispatch keeps the frame in self.enterframe, so that its locals live on until the next event",
	},
}

func steps(n int) string { return strings.Repeat("s", n) }

func TestDifferencesFromBdb(t *testing.T) {
	for _, python := range pythons.All(t) {
		var here []difference
		var jobs []job
		for _, d := range differences {
			if python.Minor < d.from || python.Minor > d.to {
				continue
			}
			path, err := filepath.Abs(filepath.Join("testdata", "programs", d.program+".py"))
			if err != nil {
				t.Fatal(err)
			}
			here = append(here, d)
			jobs = append(jobs, job{Program: path, Mode: "walk", Script: &d.walk, Locals: true})
		}
		for i, w := range testify(t, python, jobs) {
			d := here[i]
			t.Run(python.String()+"/"+d.name, func(t *testing.T) {
				t.Parallel()
				d.check(t, python, w)
			})
		}
	}
}

func (d difference) check(t *testing.T, python pythons.Python, w testimony) {
	bdb := "end"
	if w.end == nil {
		last := w.stops[len(w.stops)-1]
		bdb = fmt.Sprintf("%s %s %d %s", last.Event, last.Kind, last.Line, last.Function)
		w.stops = w.stops[:len(w.stops)-1]
	}
	if bdb != d.bdb {
		t.Errorf("after %q bdb stops at %q, want %q (%s)", d.walk, bdb, d.bdb, d.why)
	}
	if d.bdb == d.table {
		t.Errorf("bdb and the table agree on %q: this is no difference", d.bdb)
	}
	p := readProgram(t, d.program, filepath.Join("testdata", "programs", d.program+".py"))
	rec, landing := start(t, python, p, nil)
	w.end, w.stopped = nil, true // the last move is compared below
	landing = checkWalk(t, rec, p, landing, w)
	landing = move(t, rec, p, landing.Position, letters[d.walk[len(d.walk)-1:]])
	got := "end"
	if !landing.End {
		s := rec.Tree().State(landing.Event)
		got = fmt.Sprintf("%v %v %d %s", s.Event, s.Kind, s.Line, s.Function)
	}
	if got != d.table {
		t.Errorf("after %q npdb lands on %q, want %q", d.walk, got, d.table)
	}
}

// TestRecursionLimit reaches the recursion limit. bdb fails there on every version: the
// RecursionError is raised inside its own trace function, which turns tracing off
// permanently. npdb continues while the stack unwinds.
func TestRecursionLimit(t *testing.T) {
	for _, python := range pythons.All(t) {
		var jobs []job
		var programs []program
		for _, p := range readPrograms(t, "programs") {
			if p.has(tagRecursion) {
				script := steps(8000)
				programs = append(programs, p)
				jobs = append(jobs, job{Program: p.path, Mode: "walk", Script: &script})
			}
		}
		for i, w := range testify(t, python, jobs) {
			p := programs[i]
			t.Run(python.String()+"/"+p.name, func(t *testing.T) {
				t.Parallel()
				checkRecursion(t, python, p, w)
			})
		}
	}
}

func checkRecursion(t *testing.T, python pythons.Python, p program, w testimony) {
	last := w.stops[len(w.stops)-1]
	if w.end == nil || last.Depth < 900 {
		t.Errorf("bdb is said to be lost at the limit, but its last stop is %s, end %v", place(last), w.end)
	}
	rec, landing := start(t, python, p, nil)
	landing = move(t, rec, p, landing.Position, dsl.Continue)
	gap := strings.Contains(landing.Notice, "stack")
	if raised := w.end != nil && w.end.Exception != nil; raised != landing.PostMortem {
		t.Errorf("%s: ends at %+v, want post-mortem %v", p.name, landing, raised)
	}
	if landing.PostMortem {
		landing = move(t, rec, p, landing.Position, dsl.StepInto)
	}
	if exit := rec.Exit(); exit == nil || !landing.End || exit.Code != w.exitCode() {
		t.Errorf("%s: %+v, exit %v, want code %d", p.name, landing, exit, w.exitCode())
	}
	tree := rec.Tree()
	deepest, marked := 0, false
	for i := range tree.Len() {
		record := tree.At(i)
		deepest = max(deepest, record.Depth)
		marked = marked || record.AfterGap
	}
	if deepest < 900 {
		t.Errorf("%s: recorded to depth %d only", p.name, deepest)
	}
	if !gap && !marked {
		t.Logf("%s: the limit was met with room to trace all of it", p.name)
	}
	switch end := tree.State(tree.Len() - 1); {
	case p.name == "recursion_caught":
		// Tracing is on again when the module's own frame is reached.
		checkLocal(t, end, "later", "2")
		if end.Event != dsl.Return || end.Depth != 0 {
			t.Errorf("%s: the last state is %v in %s at depth %d, want the module's return", p.name, end.Event, end.Function, end.Depth)
		}
	case !strings.HasPrefix(text(end.Value), "RecursionError(") && end.Kind != dsl.Unwound:
		t.Errorf("%s: the last state is %v in %s at depth %d, want the RecursionError", p.name, end.Event, end.Function, end.Depth)
	}
	back, err := rec.Move(t.Context(), trace.Position{Event: tree.Len() - 1}, dsl.Action{Move: dsl.InvContinue})
	if err != nil || back.Event != 0 {
		t.Errorf("%s: inv_continue lands on %+v, %v", p.name, back, err)
	}
}

func checkLocal(t *testing.T, s *dsl.State, name, value string) {
	t.Helper()
	for _, l := range s.Locals {
		if l.Name == name {
			if l.Value != value {
				t.Errorf("%s is %s, want %s", name, l.Value, value)
			}
			return
		}
	}
	t.Errorf("no local %s at line %d", name, s.Line)
}
