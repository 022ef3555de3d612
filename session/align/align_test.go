//go:build unix

package align_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session/align"
)

const orders = `import sys

class Order:
    def __init__(self, name, total):
        self.name = name
        self.total = total

def load(n):
    orders = []
    for i in range(n):
        orders.append(Order("o%d" % i, i * 2.5))
    return orders

def tax(order):
    order.total = order.total * 1.1

count = 0

def note():
    global count
    count += 1

def main():
    orders = load(6)
    for order in orders:
        tax(order)
        note()
    seen = {o.name: o for o in orders}
    while len(orders) > 2:
        orders.pop()
    try:
        orders[5]
    except IndexError:
        pass
    return sum(o.total for o in seen.values())

main()
`

// TestFirstDivergence checks what the first divergence is after a change of a program.
func TestFirstDivergence(t *testing.T) {
	p := pythons.Usual(t)
	for name, c := range map[string]struct {
		old, new string   // the change
		want     []string // in the report
		same     bool
	}{
		"nothing":             {"", "", []string{"The runs are the same."}, true},
		"a comment":           {"count = 0\n", "# counts\n\ncount = 0\n", []string{"The runs are the same."}, true},
		"an argument":         {"load(6)", "load(7)", []string{"prog.py(24)main", "n: 6 / 7", "stack <module>:37 > main:24 > load:8"}, false},
		"an attribute":        {"* 1.1", "* 1.2", []string{"prog.py(15)tax", "order.total: 2.75 / 3.0"}, false},
		"a value":             {"i * 2.5", "i * 3", []string{"prog.py(11)load, iteration 1 of the loop at line 10", "total: 0.0 / 0"}, false},
		"a container":         {"orders.pop()", "orders.pop(0)", []string{"prog.py(30)main, iteration 1 of the loop at line 29", "orders[0].name: 'o0' / 'o1'"}, false},
		"a global":            {"count += 1", "count += 2", []string{"prog.py(21)note", "count of <module>: 1 / 2"}, false},
		"a branch":            {"> 2:", "> 3:", []string{"prog.py(29)main, iteration 4 of the loop at line 29", "A goes on with line 30: orders.pop()", "B goes on with line 31: try:"}, false},
		"an exception":        {"orders[5]", "orders[1]", []string{"prog.py(32)main", "A goes on with an exception at line 32", "B goes on with"}, false},
		"a result":            {"sum(o.total", "max(o.total", []string{"prog.py(35)main", "value: "}, false},
		"a dict":              {"{o.name: o ", "{o.name: 1 ", []string{"seen = {o.name: 1 for o in orders}", "['o0']: Order(name='o0', total=0.0) / 1"}, false},
		"a line before it":    {"    order.total = order.total * 1.1", "    rate = 1\n    order.total = order.total + rate", []string{"prog.py(15)tax / prog.py(16)tax", "order.total: 0.0 / 1.0"}, false},
		"another function":    {"        tax(order)\n", "        note()\n", []string{"prog.py(26)main, iteration 1 of the loop at line 25", "A goes on with a call of tax", "B goes on with a call of note"}, false},
		"functions exchanged": {"def tax(order):\n    order.total = order.total * 1.1\n\ncount = 0\n", "count = 0\n\ndef tax(order):\n    order.total = order.total * 1.1\n", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Count(orders, c.old) != 1 && c.old != "" {
				t.Fatalf("%q is not once in the program", c.old)
			}
			al := aligned(t, recordText(t, p, orders), recordText(t, p, strings.Replace(orders, c.old, c.new, 1)))
			text := strings.Join(al.Report([2]align.About{}).Lines(), "\n")
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			if al.Same() != c.same && c.want != nil {
				t.Errorf("same is %v\n%s", al.Same(), text)
			}
		})
	}
}

// TestRunToRun checks that what differs from run to run is not a divergence.
func TestRunToRun(t *testing.T) {
	p := pythons.Usual(t)
	const program = `import os, tempfile, time, uuid
class Thing: pass
thing = Thing()
numbers = [id(thing), id(numbers) if "numbers" in dir() else id(Thing)]
started = time.time()
where = tempfile.mkdtemp()
process = os.getpid()
os.rmdir(where)
elapsed = time.perf_counter() - started
key = str(uuid.uuid4())
text = repr(object())
found = __file__
names = {text[:3], "b", "c"}
def f(x, at=started):
    return x + 1
total = sum(f(i) for i in range(3))
`
	al := aligned(t, recordText(t, p, program), recordText(t, p, program))
	if !al.Same() || al.Count > 0 {
		t.Error(strings.Join(al.Report([2]align.About{}).Lines(), "\n"))
	}
}

// TestArguments checks that a run that fails is aligned with one that passes up to what the argument
// changes, and which functions ran in one only.
func TestArguments(t *testing.T) {
	p := pythons.Usual(t)
	const program = `import sys
def check(n):
    if n > 3:
        raise ValueError(n)
    return ok(n)
def ok(n):
    return n
def main(n):
    for i in range(n):
        check(i)
    return n
main(int(sys.argv[1]))
`
	al := aligned(t, recordText(t, p, program, "3"), recordText(t, p, program, "6"))
	r := al.Report([2]align.About{})
	if r.First == nil || r.First.Name != "n" || *r.First.Sides[1].Value != "6" {
		t.Errorf("%+v", r.First)
	}
	var paths []string
	for _, d := range r.List {
		if d.Kind == "path" {
			paths = append(paths, d.Sentence()+fmt.Sprint(d.Sides[0].Loops))
		}
	}
	if len(paths) == 0 || !strings.Contains(paths[0], "line 11: return n / line 10: check(i)[{main 9 4}]") {
		t.Errorf("%q", paths)
	}
	if r.Rejoined || r.Runs[1].Exit.Code != 1 {
		t.Errorf("rejoined %v, exit %+v", r.Rejoined, r.Runs[1].Exit)
	}
}

// TestRejoined checks that runs that become the same again are reported so, and that what only one ran is
// counted.
func TestRejoined(t *testing.T) {
	p := pythons.Usual(t)
	const program = `def extra():
    return 1
def f(x):
    if x > FROM:
        extra()
    return 0
FROM = 2
del FROM
FROM = %s
total = 0
for i in range(5):
    total += f(i)
FROM = 0
`
	al := aligned(t, recordText(t, p, fmt.Sprintf(program, "2")), recordText(t, p, fmt.Sprintf(program, "9")))
	if r := al.Report([2]align.About{}); !r.Rejoined || al.Only != [2]int{8, 0} || len(r.Runs[0].Functions) != 1 || r.Runs[0].Functions[0] != "extra" {
		t.Errorf("rejoined %v, only %v %v\n%s", r.Rejoined, al.Only, r.Runs[0].Functions, strings.Join(r.Lines(), "\n"))
	}
}
