//go:build unix

package cpython_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
)

// TestVarying checks programs that depend on random values, the time or their environment: values that
// the text does not determine are not answered, all others are.
func TestVarying(t *testing.T) {
	p := predictor(t, cpython.Config{})
	for _, test := range []struct {
		name, source string
		want, why    string // after the first breakpoint on the last line
	}{
		{"random", "import random\nx = random.random()\ny = 1\nz = 2\n", "", "random"},
		{"a coin", "import random\nx = random.choice([0, 0])\nz = 2\n", "", "x comes from random.choice()"},
		{"a coin's way", "from random import random as r\nx = 0\nif r() < 0.5:\n    x = 1\nz = 2\n", "", "x comes from random.random()"},
		{"seeded", "import random\nrandom.seed(7)\nx = random.randint(1, 6)\nz = 2\n", "line <module> z = 2 {x: 3}", ""},
		{"a generator of its own", "import random\nx = random.Random(7).randint(1, 6)\nz = 2\n", "line <module> z = 2 {x: 3}", ""},
		{"the time", "import time\nx = time.time() > 5\nz = 2\n", "", "x comes from time.time()"},
		{"the time, unseen", "import time\ndef f():\n    t = time.time()\n    return 1\nx = f()\nz = 2\n", "line <module> z = 2 {x: 1}", ""},
		{"sleep", "import time\ntime.sleep(0)\nx = 1\nz = 2\n", "line <module> z = 2 {x: 1}", ""},
		{"the day", "import datetime\nclass Day:\n    def __init__(self, d): self.d = d\ndef today(): return datetime.date.today().isoformat()\nx = [f() for f in (today,)]\nz = 2\n", "", "differ in x"},
		{"a process's number", "import os\nx = os.getpid()\nz = 2\n", "", "x comes from os.getpid()"},
		{"an address", "x = id(object()) // 16\nz = 2\n", "", "differ in x"},
		{"an address in a text", "def f(): pass\nx = str(f)\nz = 2\n", "", "differ in x"},
		{"hash of an object", "x = hash(object())\nz = 2\n", "", "differ in x"},
		{"hash of a text", "x = hash('a') == hash('a')\nz = 2\n", "line <module> z = 2 {x: True}", ""},
		{"objects in a set", "class A:\n    def __init__(self, n): self.n = n\nx = [a.n for a in {A(i) for i in range(12)}]\nz = 2\n", "", "differ in x"},
		{"texts in a set", "x = ''.join({'b', 'a', 'c'}) in ('abc', 'acb', 'bac', 'bca', 'cab', 'cba')\nz = 2\n", "line <module> z = 2 {x: True}", ""},
		{"arguments", "import sys\nx = len(sys.argv)\nz = 2\n", "", "two runs"},
		{"arguments, unseen", "import sys\nif len(sys.argv) > 7:\n    raise SystemExit\nx = 1\nz = 2\n", "line <module> z = 2 {x: 1}", ""},
		{"the environment", "import os\nx = sorted(os.environ)\nz = 2\n", "", "differ in x"},
		{"its own place", "x = __file__\nz = 2\n", "", "differ in x"},
		{"input", "x = input()\nz = 2\n", "", "standard input"},
		{"standard input", "import sys\nx = 1\ny = sys.stdin.read()\nz = 2\n", "", "standard input"},
		{"ends in one run", "import sys\nx = 1\nif len(sys.argv) > 1:\n    sys.exit(1)\nz = 2\n", "", "they go different ways"},
		{"steady modules", "import math, collections, json\nx = json.dumps(collections.Counter('aab'))\nz = 2\n", `line <module> z = 2 {x: '{"a": 2, "b": 1}'}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			prog := program(test.source)
			last := len(prog.Files[0].Lines)
			made := ask(t, p, begin(t, prog, module(prog, 1)), "breakpoint "+strconv.Itoa(last))
			got := replied(made.Step.Reply)
			if test.why == "" && got != test.want || test.why != "" && (made.Step.Reply.Outcome != dsl.Unknown || len(made.Warnings) != 1 || !strings.Contains(made.Warnings[0], test.why)) {
				t.Errorf("%s because %q; want %s because %q", got, made.Warnings, test.want, test.why)
			}
		})
	}
}

// TestEditsOfContainers checks edits of a list or dict, which may have changed the object or replaced
// it. What an iterator or another name sees then is not answered, all else is.
func TestEditsOfContainers(t *testing.T) {
	p := predictor(t, cpython.Config{})
	const source = `xs = [1, 2]
seen = {}
for x in xs:
    seen[x] = 1
end = (sum(xs), len(seen))
ys = zs = [[1], 2]
zs.append(3)
done = 0
`
	at := walk(t, p, start(t, source), "breakpoint 4")
	for _, test := range []struct {
		name        string
		at          *dsl.Node
		local, edit string
		then        string
		want        string // "" for unknown
	}{
		{"what is iterated over, later", at, "xs", "[1, 2, 3]", "breakpoint 5", ""},
		{"what is iterated over, now", at, "xs", "[1, 2, 3]", "step_over", "line <module> for x in xs: {xs: [1, 2, 3], seen: {1: 1}, x: 1}"},
		{"what is not", at, "seen", "{9: 9}", "breakpoint 5", "line <module> end = (sum(xs), len(seen)) {xs: [1, 2], seen: {9: 9, 1: 1, 2: 1}, x: 2}"},
		{"a number", at, "x", "7", "breakpoint 5", "line <module> end = (sum(xs), len(seen)) {xs: [1, 2], seen: {7: 1, 2: 1}, x: 2}"},
		{"as long as it was", at, "xs", "[1, 2]", "step_over", "line <module> for x in xs: {xs: [1, 2], seen: {1: 1}, x: 1}"},
	} {
		made := ask(t, p, edit(t, test.at, test.local, test.edit), test.then)
		got := replied(made.Step.Reply)
		if test.want != "" && got != test.want {
			t.Errorf("%s: %s because %q, want %s", test.name, got, made.Warnings, test.want)
		}
		if test.want == "" && (len(made.Warnings) != 1 || !strings.Contains(made.Warnings[0], "changed an object or made another")) {
			t.Errorf("%s: %s because %q", test.name, got, made.Warnings)
		}
	}
	// Only one of two names of a list is edited, so it now refers to another list.
	alias := walk(t, p, at, "breakpoint 7")
	one := edit(t, alias, "ys", "[0]")
	shows(t, walk(t, p, one, "step_over"), "line <module> done = 0 {xs: [1, 2], seen: {1: 1, 2: 1}, x: 2, end: (3, 2), ys: [0], zs: [[1], 2, 3]}")
	// Both names are edited, so they may still refer to the same list.
	both := edit(t, alias, "ys", "[0]")
	step, _ := both.Step()
	both = appended(t, alias, dsl.Step{Edit: true, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: withLocal(step.Reply.Stop, "zs", "[0]")}})
	if made := ask(t, p, both, "step_over"); made.Step.Reply.Outcome != dsl.Unknown {
		t.Errorf("two names: %s", replied(made.Step.Reply))
	}
}

func withLocal(s *dsl.Stop, name, value string) *dsl.Stop {
	c := *s
	c.Locals = append([]dsl.Local{}, s.Locals...)
	for i := range c.Locals {
		if c.Locals[i].Name == name {
			c.Locals[i].Value = value
		}
	}
	return &c
}
