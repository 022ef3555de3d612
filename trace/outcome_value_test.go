//go:build unix

package trace_test

import (
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeHostileReprs checks that a __repr__ that raises, prints, hangs or changes its
// object is stopped, and that its class is rendered from attributes from then on. The
// program does not notice.
func TestOutcomeHostileReprs(t *testing.T) {
	const source = `class Odd:
    def __init__(self, n):
        self.n = n
    def __repr__(self):
        BODY
def use(x):
    y = x.n
    return y
x = Odd(1)
use(x)
z = Odd(2)
print(x.n, z.n)
`
	for name, body := range map[string]string{
		"raises":                 "raise ValueError('no')",
		"raises without context": "raise ZeroDivisionError from None",
		"raises SystemExit":      "raise SystemExit(3)",
		"raises an interrupt":    "raise KeyboardInterrupt",
		"raises GeneratorExit":   "raise GeneratorExit",
		"raises BaseException":   "raise BaseException('no')",
		"raises MemoryError":     "raise MemoryError",
		"raises RecursionError":  "raise RecursionError",
		"prints":                 "print('side effect'); return 'x'",
		"writes to stderr":       "import sys; sys.stderr.write('side effect'); return 'x'",
		"prints and catches":     "\n        try:\n            print('side effect')\n        except BaseException:\n            pass\n        return 'x'",
		"returns no text":        "return 7",
		"hangs":                  "\n        while True: pass",
		"sleeps":                 "import time; time.sleep(1000)",
		"catches and hangs":      "\n        while True:\n            try:\n                while True: pass\n            except Exception: pass",
		"changes its object":     "self.n += 1; return 'x'",
		"adds an attribute":      "self.seen = True; return 'x'",
		"recurses for ever":      "return repr(self)",
		"deletes an attribute":   "self.__dict__.clear(); return 'x'",
	} {
		// A __repr__ that returns gets enough time, however busy the machine is.
		patience := time.Minute
		if strings.HasSuffix(name, "hangs") || name == "sleeps" {
			patience = 20 * time.Millisecond
		}
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, strings.Replace(source, "BODY", body, 1), withLimits(trace.Limits{ReprTime: patience}))
				d.upTo("return y")
				want := "Odd(n=1)"
				switch name {
				case "recurses for ever", "raises RecursionError":
					want = "<Odd: too deep to render>"
				case "raises MemoryError":
					want = "<Odd: no memory to render>"
				}
				d.wantLocal("x", want)
				d.wantLocal("y", "1")
				d.upTo("print(x.n")
				d.wantLocal("z", strings.Replace(want, "1", "2", 1))
				d.finish()
				d.wantPrinted("1 2\n")
				if stderr := d.printed("stderr"); stderr != "" {
					t.Errorf("stderr %q", stderr)
				}
			})
		})
	}
}

// TestOutcomeReprBesideThreads checks that a change which another thread makes while a __repr__ runs stays,
// and that a __repr__ which changes its object is not called for ever.
func TestOutcomeReprBesideThreads(t *testing.T) {
	const source = `import threading
asked, changed = threading.Event(), threading.Event()
class Slow:
    n = 0
    def __repr__(self):
        asked.set()
        changed.wait()
        return 'Slow'
class Odd:
    n = 0
    def __repr__(self):
        self.n += 1
        return 'Odd'
def work():
    asked.wait()
    slow.n = 5
    changed.set()
    last.wait()
last = threading.Event()
one = threading.Thread(target=work)
one.start()
slow = Slow()
changed.wait()
odd = Odd()
few = odd.n < 3
last.set()
one.join()
print(slow.n, few)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, withLimits(trace.Limits{ReprTime: time.Minute}))
		d.upTo("few = ")
		d.wantLocal("slow", "Slow")
		d.finish()
		d.wantPrinted("5 True\n")
	})
}

// TestOutcomeHostileAttributes checks a class that overrides attribute access: its
// attributes are read without its own methods.
func TestOutcomeHostileAttributes(t *testing.T) {
	const source = `class Meta(type):
    def __getattribute__(cls, name):
        raise RuntimeError(name)
    def __instancecheck__(cls, x):
        raise RuntimeError
class Odd(metaclass=Meta):
    def __init__(self):
        object.__setattr__(self, 'n', 1)
    def __getattribute__(self, name):
        raise RuntimeError(name)
    def __eq__(self, other):
        raise RuntimeError
    __hash__ = None
    def __bool__(self):
        raise RuntimeError
class Lies:
    @property
    def __class__(self):
        raise RuntimeError
    @property
    def __dict__(self):
        raise KeyboardInterrupt
x = Odd()
y = Lies()
z = [x, {1: y}]
def f(a, b):
    return 1
w = f(x, y)
print('done')
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.upTo("return 1")
		d.wantLocal("a", "Odd(n=1)")
		d.wantLocal("b", "Lies()")
		d.upTo("print('done')")
		d.wantLocal("z", "[Odd(n=1), {1: Lies()}]")
		d.finish()
		d.wantPrinted("done\n")
	})
}

// TestOutcomeOddValues checks the texts of recursive, deep and unhashable values.
func TestOutcomeOddValues(t *testing.T) {
	const source = `a = [1]
a.append(a)
b = {}
b['self'] = b
class Node:
    def __init__(self, next=None):
        self.next = next
c = Node()
c.next = c
d = Node(Node(Node(Node())))
e = None
for _ in range(150):
    e = [e]
f = '\ud800\x1b[2J\u202e'
g = float('nan')
h = 10 ** 5000
i = object()
j = lambda: 0
k = (1,)
l = set()
end = 1
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.upTo("end = 1")
		for name, want := range map[string]string{
			"a": "[1, [...]]",
			"b": "{'self': {...}}",
			"c": "Node(next=Node(...))",
			"d": "Node(next=Node(next=Node(next=Node(...))))",
			"f": `'\ud800\x1b[2J\u202e'`,
			"g": "nan",
			"i": "object()",
			"j": "<function <lambda>>",
			"k": "(1,)",
			"l": "set()",
		} {
			if got := d.local(name); got != want {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
		}
		if got := d.local("e"); !strings.HasPrefix(got, strings.Repeat("[", 100)) || !strings.Contains(got, "… nested deeper") {
			t.Errorf("e, nested 150 deep, is %.200s", got)
		}
		// Since 3.11 (and in earlier security releases) long ints have no decimal text.
		if got := d.local("h"); got[0] != '0' && got != "1"+strings.Repeat("0", 5000) {
			t.Errorf("h, ten to the 5000th, is %.80s", got)
		}
		d.finish()
	})
}

// TestOutcomeLongString checks that values that are too large to store are cut and marked:
// a string of 20 MB at the default of 16 MiB. With a larger limit it is stored completely.
func TestOutcomeLongString(t *testing.T) {
	const source = "s = 'x' * 20_000_000\nn = len(s)\nprint(n)\n"
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.do(dsl.Breakpoint, 3)
		const kept = 16 << 20
		if got, want := d.local("s"), "… +3,222,784 chars not stored"; len(got) != kept+2+len(want) || !strings.HasSuffix(got, "x'"+want) {
			t.Errorf("the string is stored in %d bytes, ends in %q", len(got), got[len(got)-60:])
		}
		d.wantLocal("n", "20000000")
		d.finish()
		d.wantPrinted("20000000\n")

		d = debug(t, python, source, withLimits(trace.Limits{ValueBytes: 32 << 20}))
		d.do(dsl.Breakpoint, 3)
		if got := d.local("s"); got != "'"+strings.Repeat("x", 20_000_000)+"'" {
			t.Errorf("the string is stored in %d bytes", len(got))
		}
		d.finish()
	})
}

// TestOutcomeLargeContainers checks the same for containers, by their items and by their
// text.
func TestOutcomeLargeContainers(t *testing.T) {
	const source = `a = list(range(12))
b = dict.fromkeys(range(12))
c = ['xxxxxxxxxx'] * 10
end = 1
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, withLimits(trace.Limits{Items: 10, ValueBytes: 64}))
		d.upTo("end = 1")
		d.wantLocal("a", "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, … +2 items not stored]")
		if got := d.local("b"); !strings.HasSuffix(got, "not stored") || !strings.HasPrefix(got, "{0: None, 1: None") {
			t.Errorf("b is %s", got)
		}
		if got := d.local("c"); !strings.Contains(got, "not stored") || len(got) > 200 {
			t.Errorf("c is %s", got)
		}
		d.finish()
	})
}
