//go:build linux

package cpython_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/cruxeval"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/contain"
)

// eachProblem runs a test for CruxEval's problems, several at a time.
func eachProblem(t *testing.T, test func(t *testing.T, p cruxeval.Problem, c *contain.Containment)) {
	t.Helper()
	some := cruxeval.Some(t)
	c := containment(t, pythons.Any(t))
	problems := make(chan cruxeval.Problem)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for p := range problems {
				t.Run(p.ID, func(t *testing.T) { test(t, p, c) })
			}
		})
	}
	for _, p := range some {
		problems <- p
	}
	close(problems)
	group.Wait()
}

// TestCallerCruxEval checks that calls of the functions of CruxEval's problems have the outcomes that
// CPython returns without npdb.
func TestCallerCruxEval(t *testing.T) {
	tracer, err := filepath.Abs(filepath.Join("..", "..", "trace", "tracer"))
	if err != nil {
		t.Fatal(err)
	}
	eachProblem(t, func(t *testing.T, p cruxeval.Problem, c *contain.Containment) {
		code, input, _ := strings.Cut(strings.TrimSuffix(p.Source, ")\n"), "\nout = f(")
		code += "\ndef npdb_call(call):\n    return call(f)\n"
		script := filepath.Join(t.TempDir(), "program.py")
		if err := os.WriteFile(script, []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
		call := []string{"lambda f: f(" + input + ")"}
		list, err := json.Marshal([][]string{call})
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), c.Python(), "-B", "-c", fmt.Sprintf(directly, tracer, script, list, "npdb_call"))
		cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0", "PYTHONIOENCODING=utf-8")
		want, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		found, err := caller(t, c, code, "npdb_call").Call(t.Context(), [][]string{call})
		if err != nil || inShort(found[0])+"\n" != string(want) {
			t.Errorf("%v, %v, want %s", found, err, want)
		}
	})
}

// TestVerifyCruxEval checks verdicts about recordings of CruxEval's problems: the arguments of a call
// lead to its return, and no recorded state is judged to lead elsewhere.
func TestVerifyCruxEval(t *testing.T) {
	var mu sync.Mutex
	verdicts := map[backend.Verdict]int{}
	eachProblem(t, func(t *testing.T, p cruxeval.Problem, c *contain.Containment) {
		v, err := cpython.NewVerifier(c)
		if err != nil {
			t.Fatal(err)
		}
		v.Timeout = time.Minute
		rec := recorded(t, p.Source)
		tree := rec.Tree()
		verify := func(i, j int, a dsl.Action) backend.Verification {
			got, err := v.Verify(t.Context(), backend.Claim{Program: program(p.Source), Past: stopAt(rec, j), Action: a, Now: stopAt(rec, i)})
			if err != nil || got.Verdict == backend.LeadsElsewhere {
				t.Errorf("%v from event %d to %d: %+v, %v", a, i, j, got, err)
			}
			return got
		}
		back := dsl.Action{Move: dsl.InvStepReturn}
		for i := tree.Len() - 1; i >= 0; i-- {
			if at := tree.At(i); at.Event == dsl.Return && tree.State(i).Function == "f" {
				call := tree.Land(i, back).Event
				literal := !slices.ContainsFunc(tree.State(call).Locals, func(l dsl.Local) bool { return strings.Contains(l.Value, "<function ") })
				if got := verify(i, call, back); literal != (got.Verdict == backend.LeadsHere) {
					t.Errorf("the arguments: %+v", got)
				}
				break
			}
		}
		random := rand.New(rand.NewPCG(1, uint64(len(p.Source))))
		for range 2 {
			i := 1 + random.IntN(tree.Len()-1)
			a := dsl.Action{Move: []dsl.Move{dsl.InvStepInto, dsl.InvStepOver}[random.IntN(2)]}
			got := verify(i, tree.Land(i, a).Event, a)
			mu.Lock()
			verdicts[got.Verdict]++
			mu.Unlock()
		}
	})
	t.Log("statements: ", verdicts)
}

// recorded records a program to its end.
func recorded(t testing.TB, source string) *trace.Recording {
	t.Helper()
	script := filepath.Join(t.TempDir(), "program.py")
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	rec, landing, err := trace.Start(t.Context(), trace.Options{Python: pythons.Any(t), Script: script, Stdin: strings.NewReader("")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rec.Close() })
	if _, err = rec.Move(t.Context(), landing.Position, dsl.Action{Move: dsl.Continue}); err != nil {
		t.Fatal(err)
	}
	return rec
}

// stopAt returns the state at event i of a recording, with its stack.
func stopAt(rec *trace.Recording, i int) *dsl.Stop {
	s := &dsl.Stop{State: *rec.Tree().State(i)}
	for _, f := range rec.Tree().Stack(i) {
		s.Stack = append(s.Stack, f.Frame)
	}
	return s
}
