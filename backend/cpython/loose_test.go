//go:build unix

package cpython_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
)

// TestEntryOfWhatCannotBeImported checks calls of a function whose module cannot be imported. They are
// answered unless the function uses a name that the module failed to define.
func TestEntryOfWhatCannotBeImported(t *testing.T) {
	const imports = `import os, no_such_module as np
from no_such_module.sub import thing, other
LIMIT = 3
CONFIG = {"a": 1}
SEEN = []

def twice(x):
    return x * 2

@np.jit
def fast(x):
    return x

class Point:
    def __init__(self, x: np.ndarray):
        self.x = x

def f(xs: "np.ndarray", limit: np.int64 = None):
    total = 0
    for x in xs:
        total += twice(x)
    if total > LIMIT:
        return [total, Point(1).x, os.sep]
    return np.array(xs)

def reads(key):
    return CONFIG[key]

def remembers(x):
    SEEN.append(x)
    return SEEN

def tries(x):
    try:
        return thing(x)
    except Exception:
        return -1

print(f([1, 2]))
SEEN.append(np.zeros(3))
LATE = 5
`
	const broken = `def f(xs):
    return [x + ONE for x in xs]

ONE = 1
def g(:
    return nonsense
if ONE
    TWO = 2
text = """several
def h(): pass
"""
for i in (1, 2):
    def deco(fn):
        return fn

@deco
def h(x):
    try:
        return x + TWO
    finally:
        x = text
`
	p := predictor(t, cpython.Config{})
	for _, test := range []struct {
		source, call string
		arguments    []string
		want, why    string // want is the return; why says why it is unknown
	}{
		{imports, "def f(", []string{"xs", "[1, 2]", "limit", "None"}, "= [6, 1, '/']", ""},
		{imports, "def f(", []string{"xs", "[]", "limit", "None"}, "", "the program needs np, which could not be had: ModuleNotFoundError: No module named 'no_such_module'"},
		{imports, "def twice", []string{"x", "4"}, "= 8", ""},
		{imports, "@np.jit", []string{"x", "4"}, "", "fast could not be had: NameError"},
		{imports, "def tries", []string{"x", "4"}, "", "the program needs thing, which could not be had: ModuleNotFoundError"},
		{imports, "def reads", []string{"key", "'a'"}, "= 1", ""},
		{imports, "def remembers", []string{"x", "4"}, "", "the program needs SEEN, which could not be had: NameError"},
		{broken, "def f(", []string{"xs", "[1, 2]"}, "= [2, 3]", ""},
		{broken, "@deco", []string{"x", "1"}, "", "the program needs TWO, which could not be had: its text is no Python"},
		{broken, "def g", []string{}, "", "g could not be had: its text is no Python"},
		{"def f(n):\n    return n * n\n\nraise SystemExit(2)\n", "def f(", []string{"n", "3"}, "= 9", ""},
		{"# -*- coding: latin-1 -*-\nfrom __future__ import annotations\nimport nope\ndef f(n: 'é' = nope):\n    return n\n", "def f(", []string{"n", "3"}, "", "f could not be had: NameError"},
	} {
		t.Run(test.call+strings.Join(test.arguments, " "), func(t *testing.T) {
			prog := program(test.source)
			line, name := 0, ""
			for i, text := range prog.Files[0].Lines {
				if line == 0 && strings.HasPrefix(text, test.call) {
					line = i + 1
				}
				if line > 0 && name == "" && strings.HasPrefix(text, "def ") {
					name, _, _ = strings.Cut(text[4:], "(")
				}
			}
			at := begin(t, prog, called(prog, name, line, test.arguments...))
			for range 2 {
				made := ask(t, p, reread(t, at), "step_return")
				got := replied(made.Step.Reply)
				if test.why != "" && (made.Step.Reply.Outcome != dsl.Unknown || len(made.Warnings) != 1 || !strings.Contains(made.Warnings[0], test.why)) {
					t.Errorf("%s %q, want unknown because %q", got, made.Warnings, test.why)
				} else if test.why == "" && !strings.HasSuffix(got, test.want) {
					t.Errorf("%s %q, want %s", got, made.Warnings, test.want)
				}
			}
		})
	}
}

// TestLooseSteps checks single steps and backward moves in a module of which only some statements
// can run, with every Python.
func TestLooseSteps(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			p := predictor(t, cpython.Config{Python: python.Path})
			prog := program("import no_such_module\n\ndef f(xs):\n    total = sum(xs)\n    return total\n\nmain(\n")
			n := begin(t, prog, called(prog, "f", 3, "xs", "[1, 2]"))
			n = walk(t, p, n, "step_over", "step_over", "inv_step_over", "step_return")
			shows(t, n, "return f     return total {xs: [1, 2], total: 3} = 3")
			shows(t, walk(t, p, n, "inv_step_return"), "call f def f(xs): {xs: [1, 2]}")
			shows(t, walk(t, p, n, "step_over"), "end")
		})
	}
}
