//go:build unix

package session_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/trace"
)

// loopsSource prints the values at the end of the iterations of its loops: the line of the loop, and the
// values of names in the order of the columns that the test asks for.
const loopsSource = `import asyncio

def say(loop, *values):
    print("LOOP", loop, *map(repr, values))

def plain(prices):
    result = 0
    for price in prices:  # plain
        if price < 10:
            result += price
        say("plain", price, result)

def leaves(n):
    while True:  # endless
        n -= 1
        if n < 5:
            say("endless", n)
            break
        if n == 6:
            say("endless", n)
            continue
        n -= 1
        say("endless", n)
    while n > 0:  # returns
        n -= 1
        say("returns", n)
        if n == 2:
            return n

def nested(size):
    seen = []
    for i in range(size):  # outer
        for j in range(i):  # inner
            seen.append(j)
            say("inner", j, list(seen))
        else:
            k = i
        say("outer", i, j if i else None, k)

def factorial(n, show):
    product = 1
    for i in range(1, n):  # recursive
        if i == 2 and n > 2:
            factorial(n - 1, False)
        product *= i
        if show:
            say("recursive", i, product)
    return product

def numbers(n, show):
    for i in range(n):  # generator
        yield i
        if show:
            say("generator", i)

def raises(items):
    try:
        for item in items:  # raises
            share = 12 // item
            say("raises", item, share)
    except ZeroDivisionError:
        share = None

class Account:
    def __init__(self):
        self.total = 0

    def add(self, values):
        for value in values:  # method
            self.total += value
            say("method", value, self.total)

async def ticks(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i

async def coroutine(n):
    total = 0
    async for tick in ticks(n):  # async
        total += tick
        say("async", tick, total)

def header(n):
    while (n > 0 and  # header
           n != 2):
        n -= 1
        say("header", n)
    for x in [  # list
        n,
        n + 1,
    ]:
        y = x
        say("list", x, y)

def twice():
    while True:  # first
        for i in range(3):  # second
            j = i
            say("second", i, j)
        say("first", i, j)
        if say:
            return

plain([3, 20, 4])
leaves(12)
nested(4)
factorial(4, True)
for a, b in zip(numbers(5, False), numbers(3, True)):  # module
    say("module", a, b)
raises([4, 3, 0, 2])
Account().add([5, 6])
asyncio.run(coroutine(3))
header(4)
twice()
for empty in []:  # empty
    pass
x = 5
while x: x -= 2 if x > 1 else 1  # one
for x in "ab": y = x  # two
print("done")
`

// loopsWanted are the loops whose values loopsSource prints, with the names to compare.
var loopsWanted = map[string][]string{
	"plain": {"price", "result"}, "endless": {"n"}, "returns": {"n"}, "inner": {"j", "seen"}, "outer": {"i", "j", "k"},
	"recursive": {"i", "product"}, "generator": {"i"}, "raises": {"item", "share"}, "method": {"value", "self.total"},
	"async": {"tick", "total"}, "module": {"a", "b"}, "header": {"n"}, "list": {"x", "y"}, "first": {"i", "j"}, "second": {"i", "j"},
}

// loopLine returns the line of loopsSource with the comment that names a loop.
func loopLine(loop string) int {
	before, _, _ := strings.Cut(loopsSource, "  # "+loop+"\n")
	return strings.Count(before, "\n") + 1
}

// printedLoop returns the values that the program printed for a loop.
func printedLoop(output, loop string) (rows []string) {
	for text := range strings.Lines(output) {
		if values, ok := strings.CutPrefix(strings.TrimSpace(text), "LOOP "+loop+" "); ok {
			rows = append(rows, values)
		}
	}
	return rows
}

// shownLoop returns the values of columns of the table that was shown last.
func shownLoop(p *session.LoopPage, names []string) (rows []string) {
	for _, r := range p.Rows {
		var values []string
		for _, name := range names {
			text := "None"
			for i, c := range p.Columns {
				if c.Name == name && r.Values[i].OK {
					text = r.Values[i].Text
				}
			}
			values = append(values, text)
		}
		rows = append(rows, strings.Join(values, " "))
	}
	return rows
}

// TestLoop compares the tables of loops with what the program prints in them: while it runs, and in a file
// of its recording.
func TestLoop(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			o := trace.Options{Script: write(t, t.TempDir(), "loops.py", loopsSource)}
			path := filepath.Join(t.TempDir(), "loops.npdb")
			t.Run("live", func(t *testing.T) {
				d := debug(t, python, o)
				d.say("save " + path)
				d.showsLoops()
				d.say("c")
			})
			t.Run("file", func(t *testing.T) {
				debug(t, python, o, func(c *session.Config) {
					c.File, c.Start = path, func(_ context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
						return trace.OpenFile(path, o.Limits)
					}
				}).showsLoops()
			})
		})
	}
}

// showsLoops compares all tables at the end of loopsSource.
func (d *debugged) showsLoops() {
	d.t.Helper()
	d.say(fmt.Sprintf("tbreak %d", strings.Count(loopsSource, "\n")), "c")
	output := d.say("output")
	for loop, names := range loopsWanted {
		d.say(fmt.Sprintf("loop -a -n 100 %d", loopLine(loop)))
		if d.last.Loop == nil {
			d.t.Errorf("%s: no table: %v", loop, d.last.Err)
			continue
		}
		got, want := shownLoop(d.last.Loop, names), printedLoop(output, loop)
		if loop == "raises" {
			want = append(want, "0 4") // the iteration that raised
		}
		if len(got) == 0 || strings.Join(got, "\n") != strings.Join(want, "\n") {
			d.t.Errorf("%s: %v:\ngot  %q\nwant %q", loop, names, got, want)
		}
	}
}

// TestLoopText checks which run of which call a table shows, its pages, its filters, and what is refused.
func TestLoopText(t *testing.T) {
	const source = `def f(n):
    total = 0
    for i in range(n):
        for j in range(3):
            total += i * j
            text = "v%d" % total
    return total

f(2)
f(30)
for k in range(3): last = k
print("end")
`
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			d := debug(t, python, trace.Options{Script: write(t, t.TempDir(), "text.py", source)})
			check := func(command string, parts ...string) {
				t.Helper()
				said := d.say(command)
				rest := said
				for _, part := range parts {
					var ok bool
					if _, rest, ok = strings.Cut(rest, part); !ok {
						t.Errorf("%s: no %q in\n%s", command, part, said)
					}
				}
			}
			check("loop", "*** loop: line 1 of text.py is in no for or while loop; loop LINE shows one of those at 3, 4")
			check("loop 4", "*** loop: no iteration of the loop at line 4 is recorded")
			d.say("b 5, total == 1", "c")
			check("loop", "for loop at text.py:4 in f, 3 iterations of run 2 of 2\n", "   #  event  j  total  text", "\n   1 ", "  0      0  'v0'\n", "\n> 3… ", "  2      1  'v1'\n")
			d.say("tbreak 12", "clear 1", "c")
			check("loop 3", "for loop at text.py:3 in f, 30 iterations\n", "\n   1", "\n  20", "… 10 later: loop with the same arguments, or an empty line, shows some")
			check("", "\n  … 20 earlier\n", "\n  21", "\n  30")
			check("", "*** loop: there are no later iterations")
			check("loop -n 2 3", "\n  1", "\n  2", "… 28 later")
			check("loop 4", "3 iterations of run 30 of 30\n", "  0   1218  'v1218'", "  1   1247  'v1247'", "  2   1305  'v1305'")
			check("loop -a 4", "90 iterations of 30 runs\n", "\n  1.1 ", "\n  7.2 ", "… 70 later")
			check("loop -a 4 j == 2 and total > 1200", "90 iterations of 30 runs; j == 2 and total > 1200: 2\n", "  29.3 ", "1218", "  30.3 ", "1305")
			check(`loop -a 4 "v126"`, "; \"v126\": 0\n")
			check(`loop -a 4 'v124'`, ": 1\n", "  30.2 ")
			check("loop -a 4 nope > 3", "; nope > 3: 0")
			check("loop 4 j >", "*** loop: j >: ", "in quotes")
			check("loop -n 0 4", "Usage: loop")
			check("loop 11", "for loop at text.py:11 in <module>, 3 iterations\n", "k", "last", "  2     2\n")
			check("loop 100", "*** loop: line 100 of text.py is in no for or while loop")
			d.say("loop 3")
			d.say(fmt.Sprintf("goto %d", d.last.Loop.Rows[4].Event))
			if s := d.last.State; s == nil || s.Line != 4 || s.Locals[1].Value != "4" && s.Locals[2].Value != "4" {
				t.Errorf("the fifth iteration begins at %+v", s)
			}
			check("loop 3", "\n>  5 ")
		})
	}
}

// TestLoopJSON checks a table in JSON.
func TestLoopJSON(t *testing.T) {
	d := debug(t, pythons.Usual(t), trace.Options{Script: write(t, t.TempDir(), "loops.py", loopsSource)})
	d.say(fmt.Sprintf("tbreak %d", strings.Count(loopsSource, "\n")), "c", fmt.Sprintf("loop %d price > 3", loopLine("plain")))
	var b strings.Builder
	if err := frontend.NewJSON(&b).Show(d.last); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"loop": {"kind": "for", "file": "loops.py", "line": 8, "function": "plain", "run": 1, "runs": 1, "iterations": 3, `,
		`"filter": {"text": "price > 3", "searched": 3, "found": 2, "unknown": 0}`, `{"name": "price", "numeric": true}`, `"first": 0, "rows": [{"run": 1, "iteration": 2, `,
		`"over": true, "here": false, "origin": "real", "values": ["20", "3"]}`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
}

// TestLoopOfTheCaller checks that loop in a function without loops leads to the caller's.
func TestLoopOfTheCaller(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			wantSaid(t, programOf(t, python.Path, "def f(n):\n    return n\n\nfor i in range(2):\n    f(i)\n"),
				"b 2", "Breakpoint 1 at prog.py:2",
				"c", "> prog.py(2)f()\n-> return n",
				"loop", "*** loop: line 2 of prog.py is in no for or while loop, and its function has none: loop LINE shows one of another function, up selects the caller",
				"up", "> prog.py(5)<module>()\n-> f(i)",
				"loop", "for loop at prog.py:4 in <module>, 1 iteration\n   #  event  i\n  1…      2  0\ngoto 2 goes to the beginning of an iteration, by its event; the values are those at its end",
			)
		})
	}
}
