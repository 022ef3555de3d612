//go:build unix

package trace_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// pastOutcome says what became of the past of a program: "past", or the kind of a *trace.NoPast.
func pastOutcome(made *trace.Made, err error) (string, error) {
	var no *trace.NoPast
	switch {
	case errors.As(err, &no):
		return no.Kind, nil
	case err != nil:
		return "", err
	}
	return "past", nil
}

// holdPast records a program up to a stop, or to its end if there is none, and hides the recording
// from npdb. It makes the past and fails the test if that is not what was recorded, event by event.
// It returns the outcome, and why there is no past.
func holdPast(t *testing.T, o trace.Options, stops ...trace.Stop) (result, why string, events int) {
	t.Helper()
	o.Repeat = true
	o.Limits.Slowdown = trace.Unbounded // else two recordings of large objects may hold different parts of them
	rec, at, err := trace.Start(t.Context(), o)
	if err != nil {
		return "start", err.Error(), 0
	}
	defer func() { _ = rec.Close() }()
	if !at.End {
		if at, err = rec.Advance(t.Context(), stops, nil); err != nil {
			t.Fatal(err)
		}
	}
	if at.Reason == trace.LimitReached || at.Reason == trace.NeedsInput {
		return "limit", "", rec.Tree().Len()
	}
	if len(stops) > 0 && at.End {
		return "no stop", "", rec.Tree().Len()
	}
	hidden := trace.Hide(rec, stops)
	edge := hidden.LiveEdge().Event
	if at.End {
		edge = hidden.Tree().Len()
	}
	made, err := hidden.MakePast(t.Context(), trace.Past{Edge: edge, Window: 1 << 20})
	if result, bad := pastOutcome(made, err); bad != nil || result != "past" {
		if bad != nil {
			t.Errorf("%s: %v", o.Script, bad)
		}
		return result, fmt.Sprint(err), rec.Tree().Len()
	}
	defer func() { _ = made.Close() }()
	truth, shown := rec.Tree(), made.Tree()
	last := truth.Len()
	if at.PostMortem {
		last = at.Event + 1
	} else if shown.Len() != last {
		t.Errorf("%s: the past that is shown has %d events, the truth %d", o.Script, shown.Len(), last)
	}
	for i := range min(last, shown.Len()) {
		if a, b := fullText(truth.State(i)), fullText(shown.State(i)); a != b {
			t.Errorf("%s: event %d is shown as\n%s\nand was\n%s", o.Script, i, b, a)
			return "WRONG", "", last
		}
	}
	return "past", "", last
}

// fullText returns everything that a state shows.
func fullText(s *dsl.State) string {
	text := fmt.Sprintf("%s line %d of %s %s value %s", s.Event, s.Line, s.File, s.Function, text(s.Value))
	for _, l := range s.Locals {
		text += fmt.Sprintf("\n%s = %s", l.Name, l.Value)
	}
	return cells.ReplaceAllString(text, "<$1")
}

// cells matches the texts of cells and weak references, which have an address in each recording.
var cells = regexp.MustCompile(`<(cell|weakref) at 0x[0-9a-f]+`)

// chanceful are small programs that depend on chance, clocks, the order of addresses, threads,
// files and input, each with the expected outcome; "" is the past or a run that differs.
var chanceful = []struct{ name, want, source string }{
	{"random", "past", "import random\nx = [random.random() for _ in range(5)]\nrandom.shuffle(x)\n"},
	{"seeded", "past", "import random\nrandom.seed(5)\nx = random.choice('abc')\n"},
	{"reseeded", "past", "import random\nrandom.seed()\nx = random.getrandbits(64)\n"},
	{"instance", "past", "import random\nr = random.Random()\nx = r.randint(0, 9)\ns = random.Random(3)\ny = s.random()\n"},
	{"subclass", "past", "import random\nclass R(random.Random):\n    def extra(self): return self.random()\nx = R().extra()\n"},
	{"system", "past", "import random\nx = random.SystemRandom().random()\n"},
	{"sample", "past", "from random import sample, gauss\nx = sample(range(100), 5)\ny = gauss(0, 1)\n"},
	{"urandom", "past", "import os\nx = os.urandom(8)\n"},
	{"secrets", "past", "import secrets\nx = secrets.token_hex(8)\ny = secrets.choice([1, 2, 3])\n"},
	{"uuid4", "past", "import uuid\nx = str(uuid.uuid4())\n"},
	{"uuid1", "clock", "import uuid\nx = str(uuid.uuid1())\n"},
	{"time", "past", "import time\nx = time.time()\ny = time.monotonic_ns()\nz = time.perf_counter()\n"},
	{"from time", "past", "from time import time, perf_counter\nx = time()\ny = perf_counter()\n"},
	{"branch", "past", "import time\nx = 'even' if time.time_ns() % 2 else 'odd'\nfor i in range(time.time_ns() % 7):\n    x += str(i)\n"},
	{"method", "past", "import time\nclass C:\n    clock = time.perf_counter\n    def now(self): return self.clock()\nx = C().now()\n"},
	{"sleep", "past", "import time\na = time.time()\ntime.sleep(0.05)\nx = time.time() - a\n"},
	{"timeit", "past", "import timeit\nx = timeit.timeit('1 + 1', number=10)\n"},
	{"cpu", "past", "import time\nx = time.process_time()\ny = time.thread_time()\n"},
	{"localtime", "past", "import time\nx = time.localtime()[:6]\ny = time.ctime()\nz = time.strftime('%H%M%S')\nw = time.asctime()\nv = time.gmtime(None).tm_sec\n"},
	{"datetime", "clock", "import datetime\nx = datetime.datetime.now()\n"},
	{"today", "clock", "from datetime import date\nx = date.today()\n"},
	{"fromtimestamp", "past", "import datetime\nx = str(datetime.datetime.fromtimestamp(1))\n"},
	{"pid", "past", "import os\nx = os.getpid()\n"},
	{"hash of str", "past", "x = [w for w in {'a', 'b', 'c', 'd'}]\ny = hash('a') % 7\n"},
	{"set of ints", "past", "x = list({5, 3, 99, 1024})\n"},
	{"set of objects", "address", "class C:\n    def __init__(self, n): self.n = n\nx = [c.n for c in {C(i) for i in range(9)}]\n"},
	{"set of functions", "", "fs = [lambda i=i: i for i in range(9)]\nx = [f() for f in set(fs)]\n"},
	{"set of classes", "address", "class A: pass\nclass B: pass\nclass D: pass\nx = [c.__name__ for c in {A, B, D}]\n"},
	{"id", "address", "x = id(object()) % 97\n"},
	{"repr", "", "class C: pass\nx = repr(C())\n"},
	{"printed object", "", "class C: pass\nprint(C())\n"},
	{"hash of object", "address", "class C: pass\nx = hash(C()) % 97\n"},
	{"sorted by id", "address", "class C: pass\nx = sorted([C(), C()], key=id)\n"},
	{"weakref", "collector", "import weakref\nclass C: pass\nc = C()\nr = weakref.ref(c)\ndel c\nx = r()\n"},
	{"finalizer", "collector", "done = []\nclass C:\n    def __del__(self): done.append(1)\nfor i in range(9):\n    c = C(); c.me = c\n"},
	{"collector", "collector", "import gc\nx = gc.collect()\n"},
	{"thread", "thread", "import threading\nx = []\nts = [threading.Thread(target=x.append, args=(i,)) for i in range(3)]\n[t.start() for t in ts]\n[t.join() for t in ts]\n"},
	{"pool", "thread", "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as e:\n    x = list(e.map(abs, [1, -2]))\n"},
	{"timer", "thread", "import threading\nt = threading.Timer(0.01, print)\nt.start(); t.join()\n"},
	{"fork", "process", "import os\npid = os.fork()\nif pid == 0: os._exit(0)\nx = os.waitpid(pid, 0)[1]\n"},
	{"subprocess", "process", "import subprocess\nx = subprocess.run(['echo', 'a'], capture_output=True).stdout\n"},
	{"system()", "process", "import os\nx = os.system('true')\n"},
	{"asyncio", "socket", "import asyncio\nasync def f(): return 1\nx = asyncio.run(f())\n"},
	{"socket", "socket", "import socket\ns = socket.socket()\ns.close()\n"},
	{"sqlite", "past", "import sqlite3\nc = sqlite3.connect(':memory:')\nx = c.execute('select 1').fetchall()\n"},
	{"signal", "signal", "import signal\nx = signal.signal(signal.SIGUSR1, signal.SIG_IGN)\n"},
	{"kill", "signal", "import os, signal\nos.kill(os.getpid(), 0)\n"},
	{"write", "write", "with open('out.txt', 'a') as f:\n    f.write('x')\nx = open('out.txt').read()\n"},
	{"temporary", "write", "import tempfile\nwith tempfile.TemporaryFile() as f:\n    f.write(b'x')\n"},
	{"mkdir", "write", "import os\nos.makedirs('a/b', exist_ok=True)\nos.rmdir('a/b')\n"},
	{"read", "past", "x = open(__file__).read()\n"},
	{"proc", "read", "x = open('/proc/self/stat').read()\n"},
	{"entropy device", "read", "x = open('/dev/urandom', 'rb').read(4)\n"},
	{"input", "past", "x = input()\nimport sys\ny = sys.stdin.read()\n"},
	{"environment", "past", "import os\nx = os.environ['PATH']\nos.environ['MADE'] = '1'\n"},
	{"logging", "past", "import logging\nlogging.basicConfig(format='%(created)f %(message)s')\nlogging.warning('a')\n"},
	{"recursion", "past", "def f(n):\n    return f(n + 1)\ntry:\n    f(0)\nexcept RecursionError as e:\n    x = 1\n"},
	{"exception", "past", "import random\nx = random.random()\nx.missing\n"},
	{"generator", "past", "import random\ndef g():\n    while True:\n        yield random.random()\nit = g()\nx = [next(it) for _ in range(3)]\n"},
	{"counter", "past", "from collections import Counter\nimport random\nx = Counter(random.choices('abc', k=20))\n"},
	{"lru_cache", "past", "import functools, random\n@functools.lru_cache(None)\ndef f(n): return random.random() + n\nx = [f(1), f(1), f(2)]\n"},
	{"getrusage", "clock", "import resource\nx = resource.getrusage(resource.RUSAGE_SELF).ru_utime\n"},
	{"os.times", "clock", "import os\nx = os.times()\n"},
}

// TestPastOfChance makes the past of programs that depend on chance.
func TestPastOfChance(t *testing.T) {
	for i, c := range chanceful {
		if !longtest.In(t, i, 3) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				path := scriptOf(t, c.source)
				o := trace.Options{Python: python.Path, Script: path, Dir: filepath.Dir(path), Stdin: strings.NewReader("typed\nmore\n"), Reprs: trace.ReprsAsked}
				got, why, _ := holdPast(t, o)
				switch {
				case c.want == "" && got != "WRONG" && got != "start":
				case got != c.want && (c.want != "clock" || got != "thread"):
					t.Errorf("got %s (%s), want %s", got, why, c.want)
				}
			})
		})
	}
}

// TestPastOfExamples makes the past of the examples, from a stop in the middle and from the end.
func TestPastOfExamples(t *testing.T) {
	paths, err := filepath.Glob("../examples/*.py")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%v, %v", paths, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				full, _ := filepath.Abs(path)
				o := trace.Options{Python: python.Path, Script: full, Dir: t.TempDir(), Stdin: strings.NewReader(""), Reprs: trace.ReprsAsked}
				for _, stops := range [][]trace.Stop{nil, {middleOf(t, o)}} {
					if got, why, _ := holdPast(t, o, stops...); got == "differs" || got == "WRONG" {
						t.Errorf("got %s (%s)", got, why)
					}
				}
			})
		})
	}
}

// middleOf returns a stop at the line of a program's event in the middle that ran the least often.
func middleOf(t *testing.T, o trace.Options) trace.Stop {
	t.Helper()
	rec, at, err := trace.Start(t.Context(), o)
	if err != nil {
		return trace.Stop{At: dsl.Location{Line: 1}} // holdPast tells why
	}
	defer func() { _ = rec.Close() }()
	if !at.End {
		if _, err := rec.Advance(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	tree := rec.Tree()
	times := map[dsl.Location]int{}
	for i := range tree.Len() {
		if at := tree.At(i); at.Event == dsl.Line {
			times[dsl.Location{File: at.File, Line: at.Line}]++
		}
	}
	seen := map[dsl.Location]int{}
	for i := range tree.Len() {
		at := tree.At(i)
		place := dsl.Location{File: at.File, Line: at.Line}
		if at.Event != dsl.Line {
			continue
		}
		if seen[place]++; i >= tree.Len()/2 && at.File == 0 {
			return trace.Stop{At: place, Ignore: seen[place] - 1}
		}
	}
	return trace.Stop{At: dsl.Location{Line: 1}}
}

// TestPastOfPublic makes the past of public scripts, from a stop in the middle and for one in three
// from the end, and reports how many have one. testdata/past.txt lists the scripts; NPDB_PUBLIC names a folder
// with a checkout of each repository, OWNER+NAME.
func TestPastOfPublic(t *testing.T) {
	folder := os.Getenv(publicFolder)
	if folder == "" {
		t.Skipf("%s names no folder of checkouts of the repositories in testdata/past.txt", publicFolder)
	}
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			counts := map[string]int{}
			for i, p := range publicPrograms(t, folder, "past.txt") {
				o := trace.Options{
					Python: python.Path, Script: p.path, Dir: t.TempDir(), Stdin: strings.NewReader(strings.Repeat("3\n", 50)), Reprs: trace.ReprsAsked,
					Limits: trace.Limits{Events: 30_000}, Env: append(os.Environ(), "PYTHONPATH="+filepath.Join(folder, p.repository)),
				}
				cases := [][]trace.Stop{{middleOf(t, o)}}
				if i%3 == 0 {
					cases = append(cases, nil)
				}
				for n, stops := range cases {
					o.Stdin = strings.NewReader(strings.Repeat("3\n", 50))
					got, why, events := holdPast(t, o, stops...)
					counts[got]++
					t.Logf("%-10s %7d %d %s %.200s", got, events, n, p.name, why)
				}
			}
			for _, kind := range slices.Sorted(maps.Keys(counts)) {
				t.Logf("%-10s %d", kind, counts[kind])
			}
		})
	}
}
