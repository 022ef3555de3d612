//go:build unix

package computed_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/python/supported"
	"github.com/npdb/npdb/trace"
)

// mostEvents is the number of events of one program that are compared.
const mostEvents = 1000

// record returns the first states of a program as CPython runs it, and which of them continue a block.
func record(t *testing.T, p pythons.Python, path string, most int) (stops []*dsl.Stop, straight []bool) {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	rec, landing, err := trace.Start(t.Context(), trace.Options{
		Python: p.Path, Script: path, Reprs: trace.ReprsAlways, LibraryCode: []string{trace.Texts},
		Env: append(os.Environ(), "PYTHONHASHSEED=0"), Dir: filepath.Dir(path), Stdin: strings.NewReader(""),
	})
	if err != nil {
		t.Skipf("it does not start: %v", err)
	}
	defer rec.Close()
	for !landing.End && landing.Event < most {
		if landing, err = rec.Move(t.Context(), landing.Position, dsl.Action{Move: dsl.StepInto}); err != nil {
			t.Skipf("it cannot be followed: %v", err)
		}
	}
	tree := rec.Tree()
	for i := range min(tree.Len(), most) {
		s := &dsl.Stop{State: *tree.State(i)}
		s.Locals = slices.DeleteFunc(slices.Clone(s.Locals), func(l dsl.Local) bool { return l.Hidden })
		for _, f := range tree.Stack(i) {
			s.Stack = append(s.Stack, f.Frame)
		}
		stops, straight = append(stops, s), append(straight, tree.Straight(i))
	}
	return stops, straight
}

// text formats the parts of a state that are compared.
func text(s *dsl.Stop) string {
	value := "nothing"
	if s.Value != nil {
		value = *s.Value
	}
	return fmt.Sprintf("%v %v at line %d of %s in %s, depth %d, %v, value %s, stack %v",
		s.Event, s.Kind, s.Line, s.Function, s.File, s.Depth, s.Locals, value, s.Stack)
}

// counts counts the states that were compared and those of them that were computed.
type counts struct{ asked, computed atomic.Int64 }

// filesOf returns a program with a script and the files that it imports.
func filesOf(t *testing.T, path string) *dsl.Program {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := &dsl.Program{}
	for _, f := range python.Files(filepath.Dir(path), path, source, os.ReadFile) {
		out.Files = append(out.Files, dsl.SourceFile{Name: f.Name, Lines: dsl.SplitLines(string(f.Source))})
	}
	return out
}

// interpreter returns an interpreter for a program with this first state.
func interpreter(text *dsl.Program, p pythons.Python, first *dsl.Stop) (*python.Interpreter, error) {
	program, err := python.ReadProgram(text, python.Version{Major: 3, Minor: p.Minor})
	if err != nil {
		return nil, err
	}
	return python.NewInterpreter(program, python.MainFile(first))
}

// hold compares every state that the interpreter computes with CPython's. After each state that is not
// computed, or wrong, it continues from CPython's state.
func hold(t *testing.T, p pythons.Python, path string, n *counts) {
	t.Helper()
	stops, straight := record(t, p, path, mostEvents)
	if len(stops) == 0 {
		return
	}
	n.asked.Add(int64(len(stops)))
	in, err := interpreter(filesOf(t, path), p, stops[0])
	if err != nil {
		return // nothing of this program can be computed
	}
	defer in.Close()
	for i, truth := range stops {
		got, exit, err := in.Next(t.Context())
		switch {
		case err != nil:
			if strings.Contains(err.Error(), python.Unexpected) {
				t.Errorf("event %d: %v", i, err)
			}
			in.Show(truth, python.OneEvent)
			continue
		case exit != nil:
			t.Errorf("event %d: the program ends; CPython: %s", i, text(truth))
			return
		}
		n.computed.Add(1)
		if got := in.Moment().Straight; got != straight[i] {
			t.Errorf("event %d, line %d: it continues a block: %v, in CPython %v", i, truth.Line, got, straight[i])
		}
		if g, w := text(got), text(truth); g != w {
			t.Errorf("event %d: %.600s\nCPython: %.600s", i, g, w)
			in.Show(truth, python.OneEvent)
		}
	}
}

// programs returns the paths of the test programs of this package, of the examples, and of the tracer's
// test programs.
func programs(t *testing.T) (paths []string) {
	t.Helper()
	for _, pattern := range []string{"testdata/*.py", "testdata/files/*/main.py", "../../examples/*.py", "../../trace/testdata/programs/*.py"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	return paths
}

// nameOf returns the name of a program; a program of several files is named after its folder.
func nameOf(path string) string {
	if base := filepath.Base(path); base != "main.py" {
		return base
	}
	return filepath.Base(filepath.Dir(path))
}

// unlike returns why a program's states cannot be compared on this Python, or "".
func unlike(p pythons.Python, name string) string {
	switch {
	case p.Wasm && name == "repr_hangs.py":
		return "a __repr__ that hangs is ended by a signal, which WebAssembly lacks"
	case p.Wasm && name == "modules.py":
		return "sys.maxsize is that of 32 bits in WebAssembly"
	case p.Minor == 15 && name == "messages_statements.py":
		return "3.15.0rc1 reports a return of the caller after (x for x in 5) has raised"
	}
	return ""
}

// TestComputedIsTrue checks that every state computed for the programs of programs equals CPython's.
func TestComputedIsTrue(t *testing.T) {
	paths := programs(t)
	for _, p := range pythons.Between(t, supported.Oldest, supported.Preview) {
		t.Run(p.String(), func(t *testing.T) {
			var n counts
			t.Run("programs", func(t *testing.T) {
				for _, path := range paths {
					t.Run(nameOf(path), func(t *testing.T) {
						t.Parallel()
						if why := unlike(p, nameOf(path)); why != "" {
							t.Skip(why)
						}
						hold(t, p, path, &n)
					})
				}
			})
			asked, computed := n.asked.Load(), n.computed.Load()
			t.Logf("%d of %d states are computed (%.1f%%)", computed, asked, 100*float64(computed)/float64(asked))
			if asked < 10000 || computed*4 < asked {
				t.Errorf("%d of %d states are computed: too few", computed, asked)
			}
		})
	}
}

// TestPublic is like TestComputedIsTrue, for scripts of a public repository. NPDB_PUBLIC_SCRIPTS names a
// folder with them, which lab/eval/public/copy creates.
func TestPublic(t *testing.T) {
	folder := os.Getenv("NPDB_PUBLIC_SCRIPTS")
	if folder == "" {
		t.Skip("NPDB_PUBLIC_SCRIPTS names no folder of scripts")
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*.py"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s has no scripts (%v)", folder, err)
	}
	for _, p := range pythons.Between(t, supported.Oldest, supported.Preview) {
		var n counts
		t.Run(p.String(), func(t *testing.T) {
			for _, path := range paths {
				t.Run(filepath.Base(path), func(t *testing.T) { hold(t, p, path, &n) })
			}
		})
		asked, computed := n.asked.Load(), n.computed.Load()
		t.Logf("%s: %d of %d states are computed (%.1f%%)", p, computed, asked, 100*float64(computed)/float64(asked))
	}
}
