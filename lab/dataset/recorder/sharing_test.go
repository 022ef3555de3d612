//go:build unix

package recorder

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
)

// harmless lists programs that may share a process.
var harmless = map[string]string{
	"a function":       "def f(n):\n    return [x * 2 for x in range(n)]\nif __name__ == '__main__':\n    print(f(3))\n",
	"imports":          "import math, collections\nfrom functools import reduce as r\nx = math.sqrt(4), collections.Counter('aab'), r(max, [1, 2])\n",
	"methods":          "d = {}\nd.setdefault('a', []).append(1)\nx = 'a-b'.split('-'), sorted(d.items(), key=lambda p: p[1])\n",
	"exceptions":       "try:\n    [][1]\nexcept IndexError as e:\n    x = e.args\n",
	"a generator":      "def g():\n    got = yield 1\n    yield got\nx = g()\nnext(x)\ny = x.send(3)\n",
	"a cache":          "from functools import lru_cache\n@lru_cache(maxsize=None)\ndef f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\nx = f(9), f.cache_info()\n",
	"looks around":     looks,
	"many names":       "import collections\n" + strings.Repeat("x = 1\n", 3) + manyNames(300) + "import math\nx = math.pi\n",
	"a class":          "class C:\n    n: int = 1\n    def __init__(self, x):\n        self._x = x\n    @property\n    def x(self):\n        return self._x\nclass D(C):\n    pass\nx = D(3).x\n",
	"a pattern":        "def f(x):\n    match x:\n        case int(n):\n            return n\n        case [str() as a, *_]:\n            return a\nx = f(1), f(['a'])\n",
	"global, nonlocal": "n = 0\ndef f():\n    global n, m\n    n += 1\n    m = n\n    def g():\n        nonlocal_ = m\n        return nonlocal_\n    return g()\nx = f()\n",
}

func manyNames(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "v%d = %d\n", i, i)
	}
	return b.String()
}

// alone lists programs that may not share a process.
var alone = map[string]string{
	"leaves at once":              "import os\nos._exit(0)\n",
	"changes a built-in":          "import builtins\nbuiltins.len = lambda x: 7\nx = len([])\n",
	"changes a built-in by name":  "__builtins__.len = lambda x: 7\nx = len([])\n",
	"changes a module":            "import math\nmath.pi = 3\nx = math.pi\n",
	"changes a class":             "import collections\ncollections.Counter.most_common = None\nx = 1\n",
	"turns collecting on":         "import gc\ngc.enable()\nx = gc.isenabled()\n",
	"turns collecting off":        "import gc\ngc.disable()\nx = gc.isenabled()\n",
	"limits recursion":            "import sys\nsys.setrecursionlimit(150)\nx = sys.getrecursionlimit()\n",
	"leaves a thread":             "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\nx = 1\n",
	"leaves a thread, past names": "import _thread\nx = [getattr(_thread, n) for n in dir(_thread) if n.startswith('start')][0](print, ())\n",
	"imports by a call":           "x = __import__('sys')\n",
	"a module's module":           "import re\nx = re._compiler\n",
	"a module's module, imported": "from typing import sys\nx = 1\n",
	"a name that is taken":        "sys = 1\nimport typing\nx = typing.sys\n",
	"looks up":                    "x = getattr(len, '_' + '_self_' + '_')\n",
	"looks up by a module":        "import operator\nx = operator.attrgetter('__self__')(len)\n",
	"looks up by a pattern":       "match len:\n    case object(__self__=x):\n        pass\n",
	"looks up by format":          "x = len('{0.__self__}'.format(len))\n",
	"looks up by a class":         "import string\nx = string.Formatter().get_field('0', (1,), {})\n",
	"climbs frames":               "def g():\n    yield\nx = len(str(g().gi_frame))\n",
	"climbs a traceback":          "try:\n    1 / 0\nexcept Exception as e:\n    x = e.__traceback__.tb_frame.f_back is None\n",
	"names a frame's own":         "gi_frame = 1\ndef g():\n    yield\nx = g().gi_frame\n",
	"has a class and a set":       "class C:\n    pass\nx = [1 for c in {C(), C()}]\n",
	"has a finaliser":             "class C:\n    def __del__(self):\n        print('over')\nc = C()\n",
	"has slots":                   "class C:\n    __slots__ = '_' + '_class_' + '_'\nx = 1\n",
	"says what an instance is":    "class M:\n    def __instancecheck__(self, other):\n        return True\nx = 1\n",
	"has a metaclass":             "class M(type):\n    pass\nx = 1\n",
	"a class's class":             "x = (1).__class__.__class__\n",
	"a class of a module's":       "from collections import Counter\nclass C(Counter):\n    pass\nx = C('a')\n",
	"a pattern's attribute":       "class C:\n    pass\nmatch C():\n    case C(gi_frame=x):\n        pass\n",
	"makes a class":               "x = type('C', (), {})\n",
	"sets an attribute":           "import heapq\nheapq.merge.n = 1\n",
	"deletes an attribute":        "import math\ndel math.pi\n",
	"asks for an address":         "x = id([]) % 2\n",
	"asks for a hash":             "x = hash(print) % 2\n",
	"sets of what is no number":   "x = {float('nan'), 1}\n",
	"compiles a text":             "x = compile('1', 'a', 'eval')\n",
	"runs a text":                 "exec('x = 1')\n",
	"names what it lacks":         "x = nowhere\n",
	"wraps":                       "import functools\nx = functools.wraps(len, (), ('__dict__',))(print)\n",
}

// addresses lists the programs in alone whose recordings may differ between runs.
var addresses = []string{"asks for an address", "asks for a hash", "sets of what is no number", "a set of objects"}

// sharing runs code with the module maker.sharing in Python and returns its result.
func sharing(t *testing.T, python pythons.Python, code string, said any) {
	t.Helper()
	cmd := exec.Command(python.Path, "-B", "-W", "ignore", "-c", "import json, sys\nfrom maker import sharing\n"+code)
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		t.Fatalf("%v\n%s", err, exit.Stderr)
	}
	if err == nil {
		err = json.Unmarshal(out, said)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestHarmless(t *testing.T) {
	for _, python := range pythons.All(t) {
		sources := maps.Clone(harmless)
		maps.Copy(sources, alone)
		maps.DeleteFunc(sources, func(_, source string) bool { return python.Minor < 10 && strings.Contains(source, "match ") })
		quoted, err := json.Marshal(sources)
		if err != nil {
			t.Fatal(err)
		}
		var said map[string]bool
		sharing(t, python, fmt.Sprintf("sources = json.loads(%q)\n", quoted)+
			"print(json.dumps({name: sharing.harmless([compile(text, 'program.py', 'exec')]) for name, text in sources.items()}))\n", &said)
		for name := range sources {
			if shares, want := said[name], harmless[name] != ""; shares != want {
				if want && python.Minor < 11 && strings.Contains(sources[name], "class ") {
					continue // its texts contain the full names of its methods
				}
				t.Errorf("%v: what %s shares a process: %v", python, name, shares)
			}
		}
	}
}

// TestSurroundings checks that if an admitted program leaves something behind in its process, this is
// detected.
func TestSurroundings(t *testing.T) {
	left := []string{
		"pass",
		"import builtins; builtins.len = 1",
		"import math; math.new = 1",
		"import collections; collections.Counter.total = 1",
		"import gc; gc.disable()",
		"import gc; gc.set_threshold(1)",
		"sys.setrecursionlimit(150)",
		"sys.settrace(lambda *_: None)",
		"sys.stdout = sys.stderr",
		"sys.argv = []",
		"sys.path.append('x')",
		"sys.modules['x'] = sys",
		"import warnings; warnings.simplefilter('error')",
		"import _thread; lock = _thread.allocate_lock(); lock.acquire(); _thread.start_new_thread(lock.acquire, ()); exec('while not _thread._count(): pass')",
	}
	for _, python := range pythons.All(t) {
		for i, code := range left {
			var same bool
			sharing(t, python, "import math, collections, gc, warnings, _thread, builtins\nout = sys.stdout\nbefore = sharing.Surroundings()\n"+code+
				"\nsame = before.same()\nsys.settrace(None)\nout.write(json.dumps(same))\nout.flush()\nimport os\nos._exit(0)\n", &same)
			if same != (i == 0) {
				t.Errorf("%v: after %s it is the same: %v", python, code, same)
			}
		}
	}
}

// share is a test case: a job with its expected output.
type share struct {
	name string
	job  Job
	want string
}

// said returns the complete output for a job, byte for byte.
func said(t *testing.T, w *Worker, j Job) string {
	t.Helper()
	b, err := w.ask(t.Context(), j.asked(w.config.Limits))
	if failed := (*Failure)(nil); errors.As(err, &failed) {
		return "F" + failed.Reason
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTogether checks that programs that share a process are recorded exactly as in a separate one,
// regardless of their order and number, and of the other programs.
func TestTogether(t *testing.T) {
	maker := pythons.Between(t, 12, 14)[0]
	n := 25
	if longtest.Asked(t) {
		n = 300
	}
	for i, python := range pythons.All(t) {
		if !longtest.In(t, i, 3) {
			continue
		}
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			c := Config{Python: python.Path, Limits: Limits{CPU: time.Second, Wall: 5 * time.Second, Memory: 256 << 20}}
			one := c
			one.together = 1
			w := begin(t, one)
			var jobs []share
			if w.makes {
				for i := range n {
					jobs = append(jobs, share{name: fmt.Sprint("made ", i), job: Job{Seed: "together", Number: i, Difficulty: float64(i) / float64(n)}})
				}
			}
			jobs = append(jobs, given(t, maker, n)...)
			for i := range jobs {
				jobs[i].want = said(t, w, jobs[i].job)
			}
			recordings := 0
			for _, j := range jobs {
				if j.want[0] == 'R' {
					recordings++
				}
			}
			if recordings < len(jobs)*3/4 {
				t.Errorf("%d of %d have a recording", recordings, len(jobs))
			}
			offenders := offending(t, w)
			looking := share{name: "looks around", job: Job{Program: &Program{Source: looks}}}
			looking.want = said(t, w, looking.job)
			rng := rand.New(rand.NewPCG(1, uint64(python.Minor)))
			for _, most := range []int{together, 3, 17} {
				c.together = most
				w := begin(t, c)
				order := slices.Clone(jobs)
				if most == 17 {
					order = append(order, offenders...)
				}
				if most != together {
					rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
				}
				if most == 17 {
					order = watched(order, looking)
				}
				for _, j := range order {
					if got := said(t, w, j.job); got != j.want && !slices.Contains(addresses, j.name) {
						t.Errorf("%d together: %s is\n%q\nand by itself\n%q", most, j.name, got, j.want)
					}
				}
			}
		})
	}
}

// looks is a program that shows everything that earlier programs in its process could have left behind.
const looks = `import math, heapq
from collections import Counter
def f(n):
    return n and f(n - 1)
x = math.pi, len('abc'), Counter('aab').most_common(), hasattr(Counter, 'total'), hasattr(heapq.merge, 'n'), f(110)
`

// watched returns an order with the program `looking` after each of the others.
func watched(order []share, looking share) []share {
	var all []share
	for _, j := range order {
		all = append(all, j, looking)
	}
	return all
}

// given returns generated programs as given programs, some of them with edits.
func given(t *testing.T, maker pythons.Python, n int) []share {
	t.Helper()
	w := begin(t, Config{Python: maker.Path})
	var jobs []share
	for i := range n {
		r, err := w.Record(t.Context(), Job{Seed: "given", Number: i, Difficulty: float64(i) / float64(n)})
		if failed := (*Failure)(nil); errors.As(err, &failed) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		j := Job{Program: &r.Program}
		if locals := r.Tree.State(0).Locals; i%3 == 0 && len(locals) > 0 {
			j.Edit = &Edit{At: 0, Name: locals[0].Name, Literal: "7"}
		}
		jobs = append(jobs, share{name: fmt.Sprint("given ", i), job: j})
	}
	return jobs
}

// offending returns programs that try to harm other programs in their process.
func offending(t *testing.T, w *Worker) []share {
	t.Helper()
	var jobs []share
	for name, source := range alone {
		jobs = append(jobs, share{name: name, job: Job{Program: &Program{Source: source}}})
	}
	for name, source := range map[string]string{ // these may share a process
		"hangs":             "x = 10 ** 10 ** 8\n",
		"hangs by events":   "while True:\n    pass\n",
		"hangs and catches": "while True:\n    try:\n        while True:\n            x = 1\n    except:\n        pass\n",
		"eats memory":       "x = [0] * (1 << 27)\n",
		"keeps memory":      "x = [0] * (1 << 23)\ndef f():\n    y = [0] * (1 << 23)\n    return 1\nz = f()\n",
		"recurses":          "def f(n):\n    return f(n + 1)\nf(0)\n",
		"recurses in C":     "x = []\ny = x\nfor i in range(9):\n    y.append([])\n    y = y[0]\nfrom copy import deepcopy\nz = deepcopy(x)\n",
		"is no Python":      "x = = 1\n",
		"raises":            "def f():\n    raise SystemExit(3)\nf()\n",
		"reads":             "x = input()\n",
		"interrupts":        "raise KeyboardInterrupt\n",
		"leaves generators": "def g():\n    while True:\n        try:\n            yield 1\n        finally:\n            print('over')\na = g()\nb = [next(a)]\ndel a\n",
		"a set of objects":  "def f():\n    pass\ndef g():\n    pass\nx = {f, g, print}\ny = len(x)\n",
		"warns":             "x = 1 is 1\n",
	} {
		jobs = append(jobs, share{name: name, job: Job{Program: &Program{Source: source}}})
	}
	for i := range jobs {
		jobs[i].want = said(t, w, jobs[i].job)
	}
	return jobs
}
