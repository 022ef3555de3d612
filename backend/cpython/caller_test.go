//go:build linux

package cpython_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace/contain"
)

// containment returns a containment that blocks the network and the user's files. It skips the test if
// there is none.
func containment(t testing.TB, python string) *contain.Containment {
	t.Helper()
	c, err := contain.New(t.Context(), python, contain.Auto, contain.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	if !c.Holds() {
		t.Skip(c.Warning())
	}
	return c
}

// caller returns a Caller of a function in a program with one file.
func caller(t testing.TB, c *contain.Containment, source, function string) *cpython.Caller {
	t.Helper()
	made, err := cpython.NewCaller(t.Context(), c, program(source), "program.py", function, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = made.Close() })
	return made
}

// inShort formats an outcome: "= 3", "! ValueError()" or "? why".
func inShort(o backend.CallOutcome) string {
	switch {
	case o.Exception != "":
		return "! " + o.Exception
	case o.Refused != "":
		return "? " + o.Refused
	}
	return "= " + o.Value
}

// hostileCalls is a program whose function executes its argument.
const hostileCalls = `import os, signal, sys, time
seen = []
print("loading", flush=True)
class Point:
    def __init__(self, x): self.x = x
class Prints:
    def __repr__(self): print("repr"); return "Prints()"
def f(text, kept=[], *rest, key=None):
    if text == "again":
        kept.append(1)
        seen.append(text)
        return len(kept), len(seen)
    return eval(text) if not text.startswith("!") else exec(text[1:])
def rolls(): yield 1
`

// TestCallerOutlivesHostileCalls checks that a call can destroy only its own outcome, and cannot reach a
// file outside of the sandbox.
func TestCallerOutlivesHostileCalls(t *testing.T) {
	file := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(file, []byte("whole"), 0o600); err != nil {
		t.Fatal(err)
	}
	const tooLong, ends = "? it takes too long", "? it ends the process"
	calls := []struct{ text, want string }{
		{"1 + 1", "= 2"},
		{"True", "= True"},
		{"[Point(1), {'k': (None,)}]", "= [Point(x=1), {'k': (None,)}]"},
		{"1 / 0", "! ZeroDivisionError('division by zero')"},
		{"sys.exit(3)", "! SystemExit(3)"},
		{"input()", "! EOFError('EOF when reading a line')"},
		{"print('x' * 100000)", "= None"},
		{"os.write(1, b'forged') and os.write(2, b'forged')", "= 6"},
		{"open('w', 'w').write('x')", "= 1"},
		{"os.path.exists('w')", "= True"}, // written by an earlier call of the batch
		{fmt.Sprintf("os.path.exists(%q)", file), "= False"},
		{fmt.Sprintf("os.remove(%q)", file), "! FileNotFoundError(2, 'No such file or directory')"},
		{fmt.Sprintf("open(%q, 'w')", file), "! FileNotFoundError(2, 'No such file or directory')"},
		{"os._exit(0)", ends},
		{"os.abort()", ends},
		{"os.kill(os.getpid(), 9)", ends},
		{"os.closerange(0, 1000)", "= None"},
		{"2 + 2", "= 4"},
		{"bytearray(1 << 40)", "! MemoryError()"},
		{"'x' * (1 << 21)", "? the text of its result is too long"},
		{"(lambda g: g(g))(lambda g: g(g))", "! RecursionError('maximum recursion depth exceeded')"},
		{"os.fork() and 1", "= 1"},
		{"Prints()", "= Prints()"},
		{"!raise KeyboardInterrupt", "! KeyboardInterrupt()"},
		{"3 + 3", "= 6"},
		{"!while True: pass", tooLong},
		{"!\nwhile True:\n try: pass\n except BaseException: pass", tooLong},
		{"10 ** 10 ** 9", tooLong},
		{"time.sleep(60)", tooLong},
		{"!signal.signal(signal.SIGPROF, signal.SIG_IGN)\nwhile True: pass", tooLong},
		{"4 + 4", "= 8"},
	}
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			c := caller(t, containment(t, python.Path), hostileCalls, "f")
			if got := strings.Join(c.Parameters, " "); got != "text kept key rest" {
				t.Errorf("the parameters are %s", got)
			}
			var batch [][]string
			for _, one := range calls {
				batch = append(batch, []string{fmt.Sprintf("%q", one.text), "[]", "None", "()"})
			}
			found, err := c.Call(t.Context(), batch)
			if err != nil {
				t.Fatal(err)
			}
			for i, one := range found {
				if got := inShort(one); !strings.HasPrefix(got, calls[i].want) {
					t.Errorf("%s: %.100s, want %s", calls[i].text, got, calls[i].want)
				}
			}
			if text, err := os.ReadFile(file); err != nil || string(text) != "whole" {
				t.Errorf("the file outside has %q: %v", text, err)
			}
		})
	}
}

// TestCallerEndedFromBelow checks calls that kill the process from which all calls are forked.
func TestCallerEndedFromBelow(t *testing.T) {
	c := caller(t, containment(t, pythons.Any(t)), hostileCalls, "f")
	const kills = "os.kill(os.getppid(), 9)"
	var batch [][]string
	for _, text := range []string{"1", "2", kills, "4", "5", kills, "7"} {
		batch = append(batch, []string{fmt.Sprintf("%q", text), "[]", "None", "()"})
	}
	found, err := c.Call(t.Context(), batch)
	if err != nil {
		t.Fatal(err)
	}
	for i, one := range found {
		want := fmt.Sprintf("= %d", i+1)
		if i == 2 || i == 5 {
			want = "? it ends the process that runs the calls"
		}
		if got := inShort(one); got != want {
			t.Errorf("%d: %s, want %s", i, got, want)
		}
	}
}

// TestCallerForksEachBatch checks that the calls of one batch share the module's state, and that each
// batch begins with the state after the module has run.
func TestCallerForksEachBatch(t *testing.T) {
	c := caller(t, containment(t, pythons.Any(t)), hostileCalls, "f")
	again := []string{`"again"`, "f.__defaults__[0]", "None", "()"}
	for range 2 {
		found, err := c.Call(t.Context(), [][]string{again, again, again})
		if err != nil || inShort(found[2]) != "= (3, 3)" {
			t.Errorf("the third call gives %v, %v", found, err)
		}
		if found, err = c.Call(t.Context(), [][]string{again}); err != nil || inShort(found[0]) != "= (1, 1)" {
			t.Errorf("a call of its own gives %v, %v", found, err)
		}
	}
}

// TestCallerRefuses checks the errors for functions that cannot be called.
func TestCallerRefuses(t *testing.T) {
	contained := containment(t, pythons.Any(t))
	for _, c := range []struct {
		source, file, function string
		line                   int
		want                   string
	}{
		{hostileCalls, "program.py", "rolls", 0, "rolls is a generator"},
		{hostileCalls, "program.py", "g", 0, "no function g is defined at line 0"},
		{hostileCalls, "program.py", "f", 3, "no function f is defined at line 3"},
		{hostileCalls, "other.py", "f", 0, "no file other.py"},
		{"def f(): pass\n1 / 0\n", "program.py", "f", 1, "ZeroDivisionError('division by zero')"},
		{"def f(): pass\nraise SystemExit\n", "program.py", "f", 1, "SystemExit()"},
		{"def f(:\n", "program.py", "f", 1, "SyntaxError"},
		{"import os\ndef f(): pass\nos._exit(0)\n", "program.py", "f", 2, "ends the process"},
	} {
		_, err := cpython.NewCaller(t.Context(), contained, program(c.source), c.file, c.function, c.line)
		if load := (*cpython.LoadError)(nil); !errors.As(err, &load) || !strings.Contains(load.Why, c.want) {
			t.Errorf("%q, %s: %v, want %s", c.source, c.function, err, c.want)
		}
	}
	weak, err := contain.New(t.Context(), pythons.Any(t), contain.LimitsOnly, contain.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer weak.Close()
	_, err = cpython.NewCaller(t.Context(), weak, program(hostileCalls), "program.py", "f", 0)
	if refused := (*cpython.NotContainedError)(nil); !errors.As(err, &refused) {
		t.Errorf("without a containment: %v", err)
	}
}

// TestCallerIsCancelled checks that a call ends if its context ends, and that the next call works.
func TestCallerIsCancelled(t *testing.T) {
	c := caller(t, containment(t, pythons.Any(t)), hostileCalls, "f")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	sleeps := []string{`"time.sleep(1)"`, "[]", "None", "()"}
	if _, err := c.Call(ctx, slices.Repeat([][]string{sleeps}, 100)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the call ended with %v", err)
	}
	found, err := c.Call(t.Context(), [][]string{{`"6 * 7"`, "[]", "None", "()"}})
	if err != nil || inShort(found[0]) != "= 42" {
		t.Errorf("%v, %v", found, err)
	}
}

// directly is a program that calls a function with each of its arguments and prints the outcomes,
// without npdb.
const directly = `import sys
sys.path.insert(0, %q)
import render
exec(compile(open(%q).read(), "program.py", "exec"))
for args in %s:
    try:
        print("=", render.render(%s(*map(eval, args))))
    except BaseException as e:
        print("!", render.render(e))
`

// TestCallerIsCPython checks that outcomes equal those of CPython without npdb.
func TestCallerIsCPython(t *testing.T) {
	tracer, err := filepath.Abs(filepath.Join("..", "..", "trace", "tracer"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct{ source, function string }{
		{"def f(a, b):\n    return [a[i:i + b] for i in range(0, len(a), b)]\n", "f"},
		{"def f(a, b):\n    a.append(b)\n    return {len(a): a, b: True}\n", "f"},
		{"import collections, re\ndef f(a, b):\n    return collections.Counter(a).most_common(b), re.findall('.', str(a))\n", "f"},
		{"class A:\n    def __init__(self, *a): self.a = a\ndef f(a, b):\n    return A(a, A(b)), a == b\n", "f"},
		{"def f(a, b):\n    return b if not a else f(a[1:], a[0])\n", "f"},
		{"x = 0\ndef g(a, b):\n    global x\n    x += 1\n    return sorted(a, key=str)[b], a * b\n", "g"},
	} {
		var calls [][]string
		for _, a := range []string{"[1, 2, 3]", "'abc'", "[]", "(1, True, 1.0)", "{'k': [None]}", "None", "{3, 1, 2}", "float('nan')", "b'\\xff'"} {
			for _, b := range []string{"1", "0", "-1", "True", "'x'", "1.5", "None"} {
				calls = append(calls, []string{a, b})
			}
		}
		for _, python := range pythons.All(t) {
			script := filepath.Join(t.TempDir(), "program.py")
			if err := os.WriteFile(script, []byte(p.source), 0o600); err != nil {
				t.Fatal(err)
			}
			list, err := json.Marshal(calls)
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(python.Path, "-B", "-c", fmt.Sprintf(directly, tracer, script, list, p.function))
			cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0", "PYTHONIOENCODING=utf-8")
			said, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Split(strings.TrimSuffix(string(said), "\n"), "\n")
			found, err := caller(t, containment(t, python.Path), p.source, p.function).Call(t.Context(), calls)
			if err != nil || len(want) != len(found) {
				t.Fatalf("%d outcomes, want %d: %v", len(found), len(want), err)
			}
			for i, one := range found {
				if got := inShort(one); got != want[i] {
					t.Errorf("3.%d: %s%q: %s, want %s", python.Minor, p.function, calls[i], got, want[i])
				}
			}
		}
	}
}

// BenchmarkCaller measures calls of a function of CruxEval's size.
func BenchmarkCaller(b *testing.B) {
	c := caller(b, containment(b, pythons.Any(b)), "def f(text, n):\n    out = []\n    for c in text:\n        if c.isalpha():\n            out.append(c * n)\n"+
		"    return ''.join(sorted(out)), {k: out.count(k) for k in out}\n", "f")
	batch := make([][]string, 1000)
	for i := range batch {
		batch[i] = []string{fmt.Sprintf("'a%dbcd efgh'", i), "2"}
	}
	calls := 0
	for b.Loop() {
		found, err := c.Call(b.Context(), batch)
		if err != nil || found[0].Value == "" {
			b.Fatal(found[0], err)
		}
		calls += len(found)
	}
	b.ReportMetric(float64(calls)/b.Elapsed().Seconds(), "calls/s")
}
