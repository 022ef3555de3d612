//go:build unix

package cpython_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/cruxeval"
	"github.com/npdb/npdb/trace"
)

// TestWalks checks that random walks lead to the same states as the moves of a recording, asked with the
// nodes of earlier answers and from the text alone. It uses the tracer's test programs and every tenth
// problem of CruxEval, or all with NPDB_WALKS, which takes minutes.
func TestWalks(t *testing.T) {
	problems := cruxeval.Some(t)
	programs := map[string]string{}
	paths, err := filepath.Glob(filepath.Join("..", "..", "trace", "testdata", "programs", "*.py"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		programs[filepath.Base(path)] = string(source)
	}
	for _, problem := range problems {
		programs[problem.ID] = problem.Source
	}
	p := predictor(t, cpython.Config{})
	drift := predictor(t, cpython.Config{Drift: true})
	for name, source := range programs {
		t.Run(name, func(t *testing.T) {
			if why := unfit[name]; why != "" {
				t.Skip(why)
			}
			t.Parallel()
			walkAlong(t, p, drift, source, 20)
		})
	}
}

// unfit lists programs that behave differently in two runs or under two debuggers.
var unfit = map[string]string{
	"breakpoint_pdb.py": "its set_trace stops a recording's moves",
	"classes_meta.py":   "shows addresses",
	"coding_latin1.py":  "is not UTF-8",
	"dunder_main.py":    "shows its path",
	"empty.py":          "has no state",
	"exec_same_file.py": "shows its path",
	"fork_child.py":     "shows numbers of processes",
	"infinite_loop.py":  "has no end",
	"input_iterate.py":  "reads its input, which is not in a text",
	"input_lines.py":    "reads its input, which is not in a text",
	"one_liners.py":     "shows its path",
	"only_blank.py":     "has no state",
	"only_comments.py":  "has no state",
	"signal_alarm.py":   "shows addresses",
	"signal_raises.py":  "shows its path",
	"threads_joined.py": "shows numbers of threads",
	"threads_queue.py":  "is a race of threads",
	"weakrefs.py":       "shows addresses",
}

// recordText records a program with CPython. It skips the test if this Python cannot parse the program.
func recordText(t *testing.T, prog *dsl.Program) (*trace.Recording, trace.Landing) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program.py")
	if err := os.WriteFile(path, []byte(strings.Join(prog.Files[0].Lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer nothing.Close()
	rec, l, err := trace.Start(t.Context(), trace.Options{
		Python: anyPython(t), Script: path, Dir: filepath.Dir(path), Stdin: nothing,
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(path), "LANG=C.UTF-8", "PYTHONBREAKPOINT=0", "PYTHONDONTWRITEBYTECODE=1"},
	})
	var refused *trace.StartError
	switch {
	case errors.As(err, &refused) && refused.Kind == trace.SyntaxError:
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec, l
}

func walkAlong(t *testing.T, p, drift *cpython.Predictor, source string, moves int) {
	prog := program(source)
	rec, l := recordText(t, prog)
	var err error
	reply := func(l trace.Landing) dsl.Reply {
		switch {
		case l.Boundary == trace.AtStart:
			return dsl.Reply{Outcome: dsl.AtStart}
		case l.End:
			return dsl.Reply{Outcome: dsl.Ended, Exit: rec.Exit()}
		}
		stop := &dsl.Stop{State: *rec.Tree().State(l.Event)}
		stop.Source = prog.Files[0].Lines[stop.Line-1]
		for _, f := range rec.Tree().Stack(l.Event) {
			stop.Stack = append(stop.Stack, f.Frame)
			stop.Activations = append(stop.Activations, f.Activation)
		}
		return dsl.Reply{Outcome: dsl.Landed, Stop: stop}
	}
	truth := begin(t, prog, reply(l))
	random := rand.New(rand.NewPCG(1, uint64(len(source))))
	asked := reread(t, truth)
	for range moves {
		a := dsl.Action{Move: dsl.Move(1 + random.IntN(int(dsl.InvStepFunction)))}
		if random.IntN(2) == 0 || a.Move == dsl.Continue && random.IntN(4) > 0 {
			a.Move = dsl.StepInto + dsl.Move(random.IntN(2))
		}
		if a.Move.TakesLines() {
			a.Lines = []dsl.Location{{Line: 1 + random.IntN(len(prog.Files[0].Lines)+1)}}
		}
		if l, err = rec.Move(t.Context(), l.Position, a); err != nil {
			t.Fatal(err)
		}
		want, err := truth.Append(dsl.Step{Action: a, Reply: reply(l)})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []*cpython.Predictor{p, drift} {
			for _, n := range []*dsl.Node{truth, asked} {
				made := ask(t, p, n, a.String())
				got, err := n.Append(made.Step)
				if err != nil {
					t.Fatal(err)
				}
				if got.Added() != want.Added() {
					t.Fatalf("%s: %s %v\n%s\nwant\n%s\nafter\n%s", p.Model().Name, a, made.Warnings, got.Added(), want.Added(), truth.Added())
				}
			}
		}
		truth, asked = want, reread(t, want)
	}
}
