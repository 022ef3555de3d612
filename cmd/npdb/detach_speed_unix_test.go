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
    for _ in range(3000):
        n = f(n)

def loop():
    n = 0
    for i in range(10000):
        n += i

def recursion():
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)
    fib(13)

def exceptions():
    for i in range(1500):
        try:
            raise ValueError(i)
        except ValueError:
            pass

def generators():
    def g():
        for i in range(3000):
            yield i
    for _ in g():
        pass

def comprehension():
    for _ in range(2):
        [x * x for x in range(2000)]

def classes():
    class C:
        def __init__(self, x):
            self.x = x
    for i in range(1000):
        C(i).x

def strings():
    for i in range(1000):
        ("%d" % i).upper().split("1")

def dicts():
    d = {}
    for i in range(3000):
        d[i % 100] = d.get(i % 100, 0) + 1

def sorting():
    for _ in range(1):
        sorted(range(3000), key=lambda x: -x)

WORK = calls, loop, recursion, exceptions, generators, comprehension, classes, strings, dicts, sorting

def measured():
    best = [1e9] * len(WORK)
    for _ in range(300):  # in turn, because the processor's speed changes
        for n, work in enumerate(WORK):
            begun = time.process_time()
            work()
            best[n] = min(best[n], time.process_time() - begun)
    return best

before = measured()
breakpoint()
calls()
x = 1
after = measured()
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
