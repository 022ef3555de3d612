//go:build unix

package trace_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// framesCompared is the number of frames of a stack that are compared with the witness's,
// from the top down.
const framesCompared = math.MaxInt

// TestValues compares the recorded values of names with CPython, on programs that change a
// value through another name than the one under which it is shown. With one Python it runs
// half of them, or all.
func TestValues(t *testing.T) {
	holdValues(t, readPrograms(t, "values"), ofOne(t, 2), trace.ReprsAlways)
}

// TestValuesUnasked does the same without running code of the program for a text: an
// object is recorded by its attributes, whatever its __repr__.
func TestValuesUnasked(t *testing.T) {
	holdValues(t, readPrograms(t, "values"), ofOne(t, 2), trace.ReprsAsked)
}

// TestValuesComputed compares the texts that npdb evaluates from attributes with the
// results of __repr__ in CPython. The recordings run no code of the program for a text.
// Objects shown by their attributes are left out.
func TestValuesComputed(t *testing.T) {
	programs := append(readPrograms(t, "values"), readPrograms(t, "computed")...)
	for i := range programs {
		programs[i].computed = true
	}
	holdValues(t, programs, ofOne(t, 2), trace.ReprsAsked)
}

// holdValues runs one in n programs, or all, on every Python to their ends: under npdb,
// and under the witness, which reads every frame's names at every event. It compares their
// output and their end with plain Python.
func holdValues(t *testing.T, programs []program, n int, reprs trace.Reprs) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			var run []program
			var jobs []job
			for _, p := range shareOf(t, programs, python.Minor, n) {
				if python.Minor < p.from {
					continue
				}
				p.reprs = reprs
				run = append(run, p)
				jobs = append(jobs, p.framesJob(t, python))
			}
			answers := testimonies(t, python, jobs)
			for i, p := range run {
				t.Run(p.name, func(t *testing.T) {
					t.Parallel()
					flat := answers(t, i, i+1)[0]
					if flat.stopped {
						t.Fatalf("%s: more than %d events", p.name, flatLimit)
					}
					rec, landing := start(t, python, p, flat.user)
					if finish(t, rec, p, landing, dsl.Continue, flat).End && (!p.has(tagLifetimes) || python.Minor >= 13) {
						plainRun(t, python, p, time.Minute).compare(t, rec, p)
					}
					if n := len(flat.stops); rec.Tree().Len() != n {
						t.Errorf("%s: %d events recorded, CPython reports %d", p.name, rec.Tree().Len(), n)
					}
					checkValues(t, rec, p, flat)
				})
			}
		})
	}
}

// framesJob requests all events of a program. For the first ones and some of the others it
// requests all frames with every name, which is slow.
func (p program) framesJob(t testing.TB, python pythons.Python) job {
	t.Helper()
	whole, oneIn := 150, 40
	if longtest.Asked(t) {
		whole, oneIn = 600, 20
	}
	reprs := p.reprs
	if p.computed {
		reprs = trace.ReprsAlways
	}
	j := job{
		Reprs:   string(reprs),
		Program: p.path, Mode: "frames", Seed: python.Minor, User: p.user, Stdin: p.stdin,
		Locals: !p.has(tagNoLocals) && !p.computed, Limit: flatLimit, All: whole, OneIn: oneIn, // if computed, only frames are compared
	}
	switch {
	case p.has(tagNoLocals), p.has(tagHistory):
		j.Mode = "flat"
	case p.has(tagLifetimes) && python.Minor < 13:
		j.Mode = "flat" // reading f_locals keeps objects of functions alive longer
	}
	if p.has(tagEndless) {
		j.Limit = endlessLimit
	}
	return j
}

// witnessedFrame is one activation on the stack as the witness saw it.
type witnessedFrame struct {
	function string
	locals   []string
}

// framesOf reads the frames of events, nil for an event without frames.
func framesOf(stops []witnessed) ([][]witnessedFrame, error) {
	var known []witnessedFrame
	all := make([][]witnessedFrame, len(stops))
	for i, stop := range stops {
		for _, raw := range stop.Frames {
			var number int
			if raw[0] != '[' {
				if err := json.Unmarshal(raw, &number); err != nil {
					return nil, err
				}
				all[i] = append(all[i], known[number])
				continue
			}
			var f witnessedFrame
			var locals [][]json.RawMessage
			if err := json.Unmarshal(raw, &[]any{&f.function, &locals}); err != nil {
				return nil, err
			}
			f.locals = witnessedLocals(witnessed{Locals: locals})
			known = append(known, f)
			all[i] = append(all[i], f)
		}
	}
	return all, nil
}

// checkValues compares the names of the frames on the stack, at every event for which the
// witness has them.
func checkValues(t *testing.T, rec *trace.Recording, p program, flat testimony) {
	t.Helper()
	tree := rec.Tree()
	frames, err := framesOf(flat.stops)
	if err != nil {
		t.Fatalf("%s: the witness's frames: %v", p.name, err)
	}
	if !p.computed {
		tree.ShowAttributes() // as the witness does
	}
	compared := 0
	reported := map[string]bool{}
	for i, want := range frames[:min(tree.Len(), len(frames))] {
		if want == nil {
			continue
		}
		stack := tree.Stack(i)
		for k := range min(framesCompared, len(want), len(stack)) {
			seen, on := want[len(want)-1-k], stack[len(stack)-1-k]
			if on.Function != seen.function {
				t.Fatalf("%s: event %d, %s: frame %d from the top is of %s, want %s", p.name, i, place(flat.stops[i]), k, on.Function, seen.function)
			}
			if line := flat.stops[i].Lines[len(want)-1-k]; on.Line != line {
				t.Errorf("%s: event %d, %s: frame %d from the top, %s, is at line %d, want %d", p.name, i, place(flat.stops[i]), k, on.Function, on.Line, line)
			}
			compared += len(seen.locals)
			have, want := listed(tree.LocalsOf(on.Activation, i)), seen.locals
			if p.computed {
				have, want = withoutUnasked(tree, on.Activation, i, have), withoutUnasked(tree, on.Activation, i, want)
			}
			err := namesDiffer(have, want, p)
			if err == nil || reported[seen.function] {
				continue
			}
			reported[seen.function] = true // stale values stay stale
			t.Errorf("%s: event %d of %d, %s, frame %d from the top, %s:\n%v", p.name, i, tree.Len(), place(flat.stops[i]), k, seen.function, err)
		}
	}
	t.Logf("%d events, %d values compared", tree.Len(), compared)
	if framesCompared > 1 && !p.computed {
		checkPaths(t, rec, p, flat.stops)
	}
}

// withoutUnasked drops the texts of names whose values are shown by their attributes.
func withoutUnasked(tree *statetree.Tree, act uint32, event int, locals []string) []string {
	kept := make([]string, len(locals))
	for i, l := range locals {
		name, _, _ := strings.Cut(l, " ")
		v, ok := tree.Held(act, event, name)
		unasked := ok && tree.ByAttributes(v, event)
		kept[i] = l
		if unasked || strings.HasSuffix(l, "hidden=true") || strings.Contains(l, "<weakref") { // the __repr__ of a metaclass, and that of a referenced object, are not called
			kept[i] = name
		}
		// A program of testdata/computed announces the expected result by a name.
		if ok && (strings.HasPrefix(name, "computed_") && unasked || strings.HasPrefix(name, "attributes_") && !unasked) {
			kept[i] = fmt.Sprintf("%s, by its attributes: %t, of %d", l, unasked, len(locals))
		}
	}
	return kept
}

// namesDiffer returns an error if the names of a frame differ.
func namesDiffer(have, want []string, p program) error {
	if slices.EqualFunc(have, want, func(a, b string) bool { return a == b || masked(a, p) == masked(b, p) }) {
		return nil
	}
	var diff []string
	for _, l := range have {
		if !slices.Contains(want, l) {
			diff = append(diff, "npdb has  "+l)
		}
	}
	for _, l := range want {
		if !slices.Contains(have, l) {
			diff = append(diff, "CPython:  "+l)
		}
	}
	if diff == nil {
		return fmt.Errorf("the names are in the order\n\t%s\nwant\n\t%s", strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
	}
	return fmt.Errorf("\t%s", strings.Join(diff, "\n\t"))
}
