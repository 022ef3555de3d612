//go:build unix

package trace_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// flatLimit limits the events that are compared one by one; endlessLimit is for programs
// without an end.
const (
	flatLimit    = 10000
	endlessLimit = 200
)

// TestPrograms compares npdb with CPython on programs that are difficult to debug, each
// for one reason. It compares every event with a bare trace function that reads all
// frames, random walks of step, next and return with bdb, and every move from many events
// with the table. With one Python it runs half of them, or all.
func TestPrograms(t *testing.T) {
	conform(t, readPrograms(t, "programs"), ofOne(t, 2), 40)
}

// TestStandardLibrary does the same with modules of the standard library, whose source
// counts as user code. It runs a third of them, or all.
func TestStandardLibrary(t *testing.T) {
	conform(t, readPrograms(t, "stdlib"), 3, 60)
}

// conform compares one in n programs, or all, on every Python, each program in a subtest.
func conform(t *testing.T, programs []program, n, moves int) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel() // the witness of one program runs while others are compared
			var run []program
			var jobs []job
			walks := longtest.Walks(t)
			for _, p := range shareOf(t, programs, python.Minor, n) {
				if python.Minor < p.from || p.has(tagRecursion) {
					continue
				}
				run = append(run, p)
				flat := p.framesJob(t, python)
				jobs = append(jobs, flat)
				for seed := range walks {
					walk := flat
					walk.Locals = walk.Locals && !p.has(tagHistory)
					walk.Mode, walk.Seed, walk.Moves, walk.Cautious = "walk", seed+1+python.Minor, moves, true
					if p.has(tagEndless) {
						steps := strings.Repeat("s", moves)
						walk.Script = &steps
					}
					jobs = append(jobs, walk)
				}
			}
			answers := testimonies(t, python, jobs)
			for i, p := range run {
				t.Run(p.name, func(t *testing.T) {
					t.Parallel()
					mine := answers(t, i*(walks+1), (i+1)*(walks+1))
					check(t, python, p, mine[0], mine[1:], moves)
				})
			}
		})
	}
}

// check compares one program: bdb's walks, the flat list, and live walks.
func check(t *testing.T, python pythons.Python, p program, flat testimony, walks []testimony, moves int) {
	if p.has(tagLifetimes) || p.has(tagBreakpoint) {
		rec, landing := start(t, python, p, flat.user)
		if p.has(tagBreakpoint) {
			stop, err := rec.Move(t.Context(), landing.Position, dsl.Action{Move: dsl.Continue})
			if err != nil || stop.Reason != trace.ProgramBreak || rec.Tree().State(stop.Event).Function != "f" {
				t.Fatalf("%s: continue lands on %+v, %v, want the breakpoint in f", p.name, stop, err)
			}
			landing = stop
		}
		checkFlat(t, rec, p, landing, flat)
		walks = nil
	}
	for _, walk := range walks {
		rec, landing := start(t, python, p, walk.user)
		landing = checkWalk(t, rec, p, landing, walk)
		checkFlat(t, rec, p, landing, flat)
	}
	if flat.stopped || p.has(tagBreakpoint) || len(flat.stops) == 0 {
		return // a live walk needs the whole list, and no stops except its own
	}
	for seed := range longtest.Walks(t) {
		rec, landing := start(t, python, p, flat.user)
		checkLive(t, rec, p, landing, flat.stops, uint64(seed*100+python.Minor), moves)
	}
}

// start runs a program under npdb up to its first state.
func start(t *testing.T, python pythons.Python, p program, user []string) (*trace.Recording, trace.Landing) {
	t.Helper()
	o := trace.Options{
		Python:   python.Path,
		Script:   p.path,
		UserCode: user,
		// The witness only traces files, not the examples of doctest.
		LibraryCode: []string{trace.Texts},
		Reprs:       p.reprs,
		Stdin:       strings.NewReader(p.stdin),
		Env:         append(os.Environ(), "PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1"),
		Dir:         p.path[:strings.LastIndexByte(p.path, '/')],
	}
	if p.has(tagHangs) {
		o.Limits.ReprTime = 20 * time.Millisecond
	}
	rec, landing, err := trace.Start(t.Context(), o)
	if err != nil {
		t.Fatalf("%s: start: %v", p.name, err)
	}
	t.Cleanup(func() {
		if err := rec.Close(); err != nil {
			t.Errorf("%s: close: %v", p.name, err)
		}
	})
	return rec, landing
}

// move makes one action, and continues if the program stopped on the way because it called
// breakpoint().
func move(t *testing.T, rec *trace.Recording, p program, from trace.Position, m dsl.Move) trace.Landing {
	t.Helper()
	for {
		landing, err := rec.Move(t.Context(), from, dsl.Action{Move: m})
		if err != nil {
			t.Fatalf("%s: %v from %+v: %v", p.name, m, from, err)
		}
		if landing.Reason != trace.ProgramBreak {
			return landing
		}
		if !p.has(tagBreakpoint) {
			t.Fatalf("%s: %v from %+v stops at a breakpoint() that the program lacks", p.name, m, from)
		}
		from = landing.Position
	}
}

// checkFlat continues from the current position of a recording to the program's end, and
// compares every recorded state, the exit and all moves.
func checkFlat(t *testing.T, rec *trace.Recording, p program, landing trace.Landing, flat testimony) {
	t.Helper()
	if flat.stopped {
		for !landing.End && landing.Event < len(flat.stops)-1 {
			landing = move(t, rec, p, landing.Position, dsl.StepInto)
		}
	} else {
		landing = finish(t, rec, p, landing, dsl.Continue, flat)
		if landing.PostMortem && landing.Event != flatList(flat.stops).fatal() {
			t.Errorf("%s: post-mortem at event %d, want %d", p.name, landing.Event, flatList(flat.stops).fatal())
		}
	}
	n := rec.Tree().Len()
	for i, want := range flat.stops[:min(n, len(flat.stops))] {
		if err := differs(rec.Tree().State(i), want, p, !p.has(tagNoLocals)); err != nil {
			t.Fatalf("%s: event %d of %d: %v", p.name, i, len(flat.stops), err)
		}
	}
	if n != len(flat.stops) {
		t.Fatalf("%s: %d events recorded, CPython reports %d", p.name, n, len(flat.stops))
	}
	checkValues(t, rec, p, flat)
	if !flat.stopped && n > 0 {
		checkTable(t, rec, p, flat.stops, 300)
	}
}

// finish makes the move that ends the program, through the post-mortem stop if an
// exception ends it, and compares the end. The landing is the post-mortem stop or the end.
func finish(t *testing.T, rec *trace.Recording, p program, landing trace.Landing, m dsl.Move, w testimony) trace.Landing {
	t.Helper()
	if !landing.End && !landing.PostMortem {
		landing = move(t, rec, p, landing.Position, m)
	}
	last := landing
	if landing.PostMortem {
		if w.end == nil || w.end.Exception == nil {
			t.Errorf("%s: stopped post-mortem at event %d, but no exception ended it", p.name, landing.Event)
		}
		last = move(t, rec, p, landing.Position, dsl.StepInto)
	}
	if !last.End {
		t.Fatalf("%s: after %v: %+v, want the end", p.name, m, last)
	}
	checkExit(t, rec.Exit(), p, w)
	return landing
}

// checkExit compares how the program ended.
func checkExit(t *testing.T, exit *dsl.Exit, p program, w testimony) {
	t.Helper()
	if exit == nil {
		t.Fatalf("%s: it is over and has no exit", p.name)
	}
	var raised *string
	if w.end != nil {
		raised = w.end.Exception
	}
	if exit.Code != w.exitCode() || text(exit.Exception) != text(raised) {
		t.Errorf("%s: exit code %d by %s, want %d by %s",
			p.name, exit.Code, text(exit.Exception), w.exitCode(), text(raised))
	}
}

// checkWalk makes the same walk as bdb, compares each stop, and returns the last landing.
func checkWalk(t *testing.T, rec *trace.Recording, p program, landing trace.Landing, walk testimony) trace.Landing {
	t.Helper()
	taken := ""
	values := !p.has(tagNoLocals) && !p.has(tagHistory)
	for i, want := range walk.stops {
		if i > 0 {
			taken += want.Action
			landing = move(t, rec, p, landing.Position, letters[want.Action])
		}
		if landing.End || landing.PostMortem {
			t.Fatalf("%s: after %q: %+v, bdb stops at %s", p.name, taken, landing, place(want))
		}
		if err := differs(rec.Tree().State(landing.Event), want, p, values); err != nil {
			t.Fatalf("%s: after %q: %v", p.name, taken, err)
		}
	}
	switch {
	case walk.stopped:
	case walk.end != nil && walk.end.Action != "":
		landing = finish(t, rec, p, landing, letters[walk.end.Action], walk)
	default: // the process ended during a move, or had no state
		landing = finish(t, rec, p, landing, dsl.Continue, walk)
	}
	return landing
}

var letters = map[string]dsl.Move{"s": dsl.StepInto, "n": dsl.StepOver, "r": dsl.StepReturn}

var (
	address = regexp.MustCompile(`0x[0-9a-fA-F]+`)
	digits  = regexp.MustCompile(`[0-9a-fA-F]*[0-9][0-9a-fA-F]*`)
)

// masked removes the parts of a value's text that differ between runs.
func masked(s string, p program) string {
	if p.has(tagAddresses) {
		return digits.ReplaceAllString(s, "#")
	}
	return address.ReplaceAllString(s, "0x#")
}

// differs returns an error if a state differs from the witness's.
func differs(got *dsl.State, want witnessed, p program, values bool) error {
	here := fmt.Sprintf("%v %v %s:%d %s depth %d", got.Event, got.Kind, got.File, got.Line, got.Function, got.Depth)
	there := place(want)
	if here != there {
		return fmt.Errorf("npdb is at %s, CPython at %s", here, there)
	}
	if !values {
		return nil
	}
	if masked(text(got.Value), p) != masked(text(want.Value), p) {
		return fmt.Errorf("at %s the value is %s, want %s", here, text(got.Value), text(want.Value))
	}
	have, expect := listed(got.Locals), witnessedLocals(want)
	for i := range max(len(have), len(expect)) {
		if i >= len(have) || i >= len(expect) || masked(have[i], p) != masked(expect[i], p) {
			return fmt.Errorf("at %s the locals are\n\t%s\nwant\n\t%s", here, strings.Join(have, "\n\t"), strings.Join(expect, "\n\t"))
		}
	}
	return nil
}

func place(w witnessed) string {
	return fmt.Sprintf("%s %s %s:%d %s depth %d", w.Event, w.Kind, w.File, w.Line, w.Function, w.Depth)
}

func text(s *string) string {
	if s == nil {
		return "(none)"
	}
	return *s
}

// dunder reports whether a name has double underscores. Such names depend on how a module
// was started (__spec__, __loader__ …).
func dunder(name string) bool { return strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") }

func listed(locals []dsl.Local) []string {
	var all []string
	for _, l := range locals {
		if !dunder(l.Name) {
			all = append(all, fmt.Sprintf("%s = %s hidden=%v", l.Name, l.Value, l.Hidden))
		}
	}
	return all
}

func witnessedLocals(w witnessed) []string {
	var all []string
	for _, l := range w.Locals {
		var name, value string
		var hidden bool
		err := errors.Join(json.Unmarshal(l[0], &name), json.Unmarshal(l[1], &value), json.Unmarshal(l[2], &hidden))
		if err != nil {
			return []string{"the witness wrote no local: " + err.Error()}
		}
		if !dunder(name) {
			all = append(all, fmt.Sprintf("%s = %s hidden=%v", name, value, hidden))
		}
	}
	return all
}
