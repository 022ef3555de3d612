//go:build unix

package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// workProgram measures ten kinds of work before the session and after detach, in turn as often as it
// takes to find the shortest time of each. It prints a name and the ratio of both in each line.
const workProgram = `import time

def calls():
    def f(x):
        return x + 1
    n = 0
    for _ in range(60000):
        n = f(n)

def loop():
    n = 0
    for i in range(200000):
        n += i

def recursion():
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)
    fib(19)

def exceptions():
    for i in range(30000):
        try:
            raise ValueError(i)
        except ValueError:
            pass

def generators():
    def g():
        for i in range(60000):
            yield i
    for _ in g():
        pass

def comprehension():
    for _ in range(20):
        [x * x for x in range(4000)]

def classes():
    class C:
        def __init__(self, x):
            self.x = x
    for i in range(20000):
        C(i).x

def strings():
    for i in range(20000):
        ("%d" % i).upper().split("1")

def dicts():
    d = {}
    for i in range(60000):
        d[i % 100] = d.get(i % 100, 0) + 1

def sorting():
    for _ in range(5):
        sorted(range(10000), key=lambda x: -x)

WORK = calls, loop, recursion, exceptions, generators, comprehension, classes, strings, dicts, sorting

def measured(work):
    best = None
    for _ in range(15):
        begun = time.perf_counter()
        work()
        took = time.perf_counter() - begun
        best = took if best is None or took < best else best
    return best

before = [measured(work) for work in WORK]
breakpoint()
calls()
x = 1
after = [measured(work) for work in WORK]
for work, first, second in zip(WORK, before, after):
    print("ratio", work.__name__, round(second / first, 3))
`

// TestDetachSpeed checks that a program runs at its own speed after detach. It measures time, so that it runs
// only on request.
func TestDetachSpeed(t *testing.T) {
	if os.Getenv("NPDB_DETACH_SPEED") == "" {
		t.Skip("skipped: this measures time; NPDB_DETACH_SPEED=1 runs it")
	}
	const most = 1.15 // of the noise; a trace function costs a factor of 2 and more
	for _, p := range pythons.All(t) {
		e := newEntering(t, p.Path)
		e.write("works.py", workProgram)
		out, errs, _ := e.run("works.py", "n", "record off", "n", "detach")
		found := 0
		for line := range strings.Lines(out) {
			words := strings.Fields(line)
			if len(words) != 3 || words[0] != "ratio" {
				continue
			}
			found++
			ratio, err := strconv.ParseFloat(words[2], 64)
			if err != nil || ratio > most {
				t.Errorf("Python %s, %s: %s times as long after detach", p, words[1], words[2])
			}
			t.Logf("Python %s, %s: %s", p, words[1], words[2])
		}
		if found != 10 {
			t.Errorf("the program printed\n%s%s", out, errs)
		}
	}
}
