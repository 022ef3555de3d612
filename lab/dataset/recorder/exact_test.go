//go:build unix

package recorder_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/lab/dataset/recorder"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// TestExact checks that the recorder's recordings agree with npdb's own, with each Python: events,
// stacks, values, exit, and the event of a fatal exception. A share of the programs may have no
// recording: two in five of the given ones, which are unusual, one in three of the generated ones, and
// none that were recorded before. NPDB_MADE sets the number of generated programs, and selects all
// others.
func TestExact(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			w := start(t, recorder.Config{Python: python.Path})
			programs := given(t)
			odd := len(programs) // the number of given programs
			if python.Minor >= 12 {
				programs = append(programs, made(t, w)...)
			}
			failures, failed := map[string]int{}, 0
			for i, p := range programs {
				r, err := w.Record(t.Context(), recorder.Job{Program: &p})
				if failure := (*recorder.Failure)(nil); errors.As(err, &failure) {
					failures[failure.Reason]++
					failed++
					if i >= odd {
						t.Errorf("a program that was made is given up: %v\n%s", failure, p.Source)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if err := compare(t, python.Path, r); err != nil {
					t.Errorf("%s: %v\n%s", p.Name, err, p.Source)
				}
			}
			t.Logf("%d programs, given up: %v", len(programs), failures)
			if 5*failed > 2*odd {
				t.Errorf("%d of %d given ones are given up", failed, odd)
			}
		})
	}
}

func start(t testing.TB, c recorder.Config) *recorder.Worker {
	t.Helper()
	w, err := recorder.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// personal lists programs whose recordings differ between two runs, because a value
// contains a path or an address. In type_parameters.py on 3.12, npdb's own tracer reads
// the names of a class body differently from the program.
var personal = []string{"async_cancel.py", "async_timeout.py", "dunder_main.py", "type_parameters.py", "unpickle_copy.py"}

// all reports whether every program is compared, not only every fourth.
func all() bool { return os.Getenv("NPDB_MADE") != "" }

// given returns the programs of npdb's examples and test vectors, and unusual ones.
func given(t *testing.T) []recorder.Program {
	t.Helper()
	var programs []recorder.Program
	add := func(name, source string) {
		programs = append(programs, recorder.Program{Name: name, Source: source})
	}
	paths, err := filepath.Glob("../../../examples/*.py")
	odd, err2 := filepath.Glob("../../../trace/testdata/programs/*.py")
	if err != nil || err2 != nil || len(paths) == 0 || len(odd) == 0 {
		t.Fatal("no examples: ", err, err2)
	}
	for i, path := range append(paths, odd...) {
		if slices.Contains(personal, filepath.Base(path)) || !all() && i%4 != 0 {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		add(filepath.Base(path), string(source))
	}
	vectors, err := os.Open("../../../dsl/vectors/nd1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer vectors.Close()
	lines := bufio.NewScanner(vectors)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var v struct{ Name, Program string }
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(programs, func(p recorder.Program) bool { return p.Source == v.Program }) {
			add("vector.py", v.Program)
		}
	}
	return programs
}

// made returns programs of the generators.
func made(t *testing.T, w *recorder.Worker) []recorder.Program {
	t.Helper()
	n := 6
	if asked, err := strconv.Atoi(os.Getenv("NPDB_MADE")); err == nil {
		n = asked
	}
	var programs []recorder.Program
	for number := range n {
		r, err := w.Record(t.Context(), recorder.Job{Seed: "exact", Number: number, Difficulty: float64(number) / float64(n)})
		if failed := (*recorder.Failure)(nil); errors.As(err, &failed) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, r.Program)
	}
	if 3*len(programs) < 2*n {
		t.Errorf("of %d programs of the generators' %d are recorded", n, len(programs))
	}
	return programs
}

// compare compares a recording with npdb's own recording of the same program.
func compare(t *testing.T, python string, r *recorder.Recording) error {
	t.Helper()
	dir := t.TempDir()
	script := filepath.Join(dir, "program.py")
	if err := os.WriteFile(script, []byte(r.Program.Source), 0o600); err != nil {
		t.Fatal(err)
	}
	seed := int64(0)
	rec, at, err := trace.Start(t.Context(), trace.Options{
		Python: python, Script: script, Entry: r.Program.Entry, Stdin: strings.NewReader(""), RandomSeed: &seed,
		Env: append(os.Environ(), "PYTHONHASHSEED=0"),
	})
	if err != nil {
		return err
	}
	defer func() { _ = rec.Close() }()
	fatal := -1
	for !at.End {
		if at, err = rec.Move(t.Context(), at.Position, dsl.Action{Move: dsl.Continue}); err != nil {
			return err
		}
		if at.PostMortem {
			fatal = at.Event
		}
	}
	theirs, ours := rec.Tree(), r.Tree
	for i := range min(theirs.Len(), ours.Len()) {
		a, b := said(ours.State(i)), said(theirs.State(i))
		if a != b {
			return fmt.Errorf("event %d is %s, npdb's own %s", i, a, b)
		}
		if a, b := stack(ours.Stack(i)), stack(theirs.Stack(i)); a != b {
			return fmt.Errorf("the stack of event %d is %s, npdb's own %s", i, a, b)
		}
	}
	if theirs.Len() != ours.Len() {
		return fmt.Errorf("%d events, npdb's own recording has %d", ours.Len(), theirs.Len())
	}
	if a, b := ending(&r.Exit), ending(rec.Exit()); a != b {
		return fmt.Errorf("it ends with %s, npdb's own recording with %s", a, b)
	}
	if r.Fatal != fatal {
		return fmt.Errorf("the fatal event is %d, npdb's %d", r.Fatal, fatal)
	}
	return nil
}

func stack(frames []statetree.StackFrame) string {
	var b strings.Builder
	for _, f := range frames {
		fmt.Fprintf(&b, "%s %d (%d) ", f.Function, f.Line, f.Event)
	}
	return b.String()
}

// said formats a state, without hidden names and the file's name.
func said(s *dsl.State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %v line %d %q %s depth %d:", s.Event, s.Kind, s.Line, s.Source, s.Function, s.Depth)
	for _, l := range s.Locals {
		if !l.Hidden {
			fmt.Fprintf(&b, " %s=%s", l.Name, l.Value)
		}
	}
	if s.Value != nil {
		b.WriteString(" → " + *s.Value)
	}
	return b.String()
}

func ending(e *dsl.Exit) string {
	if e.Exception != nil {
		return fmt.Sprintf("%d, %s", e.Code, *e.Exception)
	}
	return strconv.Itoa(e.Code)
}
