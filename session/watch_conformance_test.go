//go:build unix

package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

const watchedSource = `class Own(KeyError):
    pass

def work(n, xs):
    k = 0
    for i in range(n):
        k += i
        if i == 2:
            xs.append(i)
        try:
            if i == 3:
                raise Own(i)
            int('x')
        except LookupError:
            k = 100
        except ValueError:
            pass
    return k

def bump():
    global total
    total += 10

total = 0
xs = [1, 2]
for j in range(3):
    total = total + j
    bump()
r = work(5, xs)
print(r, xs, total)
`

// stops repeats a command until the program ends or it finds no more, and returns the
// events and messages of the stops.
func (d *debugged) stops(command string) (events []int, said []string) {
	d.t.Helper()
	for range 100 {
		before := d.s.Position()
		d.say(command)
		if d.last.Err != nil {
			d.t.Fatal(d.last.Err)
		}
		if d.last.Done || d.s.Position() == before {
			return events, said
		}
		notice, _ := d.last.Text(session.Notice)
		events, said = append(events, d.s.Position().Event), append(said, notice)
	}
	d.t.Fatalf("%s does not end", command)
	return nil, nil
}

// TestWatchStopsAtEachChange checks that a watchpoint stops at each change and nowhere
// else: live, in the recording, and backwards before the lines that make the changes.
func TestWatchStopsAtEachChange(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			script := write(t, t.TempDir(), "watched.py", watchedSource)
			for _, c := range []struct {
				before []string
				expr   string
				want   []string // the values, in order
			}{
				{nil, "total", []string{"no value -> 0", "0 -> 10", "10 -> 11", "11 -> 21", "21 -> 23", "23 -> 33"}},
				{nil, "len(xs)", []string{"no value -> 2", "2 -> 3"}},
				{nil, "total, total > 20", []string{"11 -> 21", "21 -> 23", "23 -> 33"}},
				{[]string{"advance 6"}, "k", []string{"0 -> 1", "1 -> 3", "3 -> 6", "6 -> 100", "100 -> 104", "work returns here"}},
				{[]string{"advance 6"}, "k > 5 if i > 2", []string{"False -> True", "work returns here"}},
			} {
				d := debug(t, python, trace.Options{Script: script})
				d.say(c.before...)
				d.say("watch " + c.expr)
				from := d.s.Position().Event
				live, said := d.stops("c")
				check := func(what string, said, want []string) {
					t.Helper()
					if len(said) != len(want) {
						t.Errorf("%s %s: %q, want %q", what, c.expr, said, want)
						return
					}
					for i := range want {
						if !strings.Contains(said[i], want[i]) {
							t.Errorf("%s %s: %q, want %q", what, c.expr, said[i], want[i])
						}
					}
				}
				check("live", said, c.want)
				back, said := d.stops("rc")
				slices.Reverse(said)
				changes := c.want
				if strings.Contains(changes[len(changes)-1], "returns") {
					changes = changes[:len(changes)-1]
					if strings.Contains(c.expr, " if ") {
						changes = append([]string{"begins here", "i > 2"}, changes...) // i has no value yet
					} else {
						changes = append([]string{"begins here"}, append([]string{"no value -> 0"}, changes...)...)
					}
				}
				check("back", said, changes)
				d.say(fmt.Sprintf("goto %d", from))
				again, said := d.stops("c")
				check("recorded", said, c.want)
				if !slices.Equal(live, again) {
					t.Errorf("%s stops at %v while it runs, at %v in the recording", c.expr, live, again)
				}
				if len(back) > 0 && !slices.ContainsFunc(live, func(e int) bool { return e-1 == back[0] }) {
					t.Errorf("%s: back at %v, forward at %v", c.expr, back, live)
				}
			}
		})
	}
}

// TestCatchStopsWhereItIsRaised checks that a catchpoint stops where an exception of its
// type is raised, caught or not, and not where it passes. n stops at one in what it passes
// over.
func TestCatchStopsWhereItIsRaised(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			script := write(t, t.TempDir(), "watched.py", watchedSource)
			for catch, want := range map[string][]string{
				"catch LookupError":              {"Own(3)"},
				"catch Own":                      {"Own(3)"},
				"catch ValueError":               {"ValueError", "ValueError", "ValueError", "ValueError"},
				"catch":                          {"ValueError", "ValueError", "ValueError", "Own(3)", "ValueError"},
				"catch ValueError, i > 1":        {"ValueError", "ValueError"},
				"catch Exception if k == 6":      {"Own(3)"},
				"catch ZeroDivisionError":        nil,
				"catch OSError ;; tbreak work":   {""},
				"catch ValueError ;; ignore 1 3": {"ValueError"},
			} {
				d := debug(t, python, trace.Options{Script: script})
				d.say(catch)
				live, _ := d.stops("c")
				values := func(events []int) (out []string) {
					for _, e := range events {
						d.say(fmt.Sprintf("goto %d", e))
						if v := d.last.State.Value; v != nil {
							out = append(out, *v)
						} else {
							out = append(out, "")
						}
					}
					return out
				}
				got := values(live)
				if len(got) != len(want) {
					t.Errorf("%s: %q, want %q", catch, got, want)
					continue
				}
				for i := range want {
					if !strings.HasPrefix(got[i], want[i]) {
						t.Errorf("%s: %q, want %q", catch, got, want)
					}
				}
				if strings.Contains(catch, ";;") {
					continue
				}
				d.say("goto 100%")
				back, _ := d.stops("rc")
				slices.Reverse(back)
				if !slices.Equal(back, live) {
					t.Errorf("%s: back at %v, forward at %v", catch, back, live)
				}
			}
			d := debug(t, python, trace.Options{Script: script})
			d.say("advance 29", "catch Own")
			d.wantAt(12, "work", "n")
		})
	}
}

// TestCatchPassesEndsOfLoops checks that the exceptions that only end a loop or a
// generator stop no catchpoint, unless it names them or they end the program.
func TestCatchPassesEndsOfLoops(t *testing.T) {
	const source = `class Upto:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        self.n -= 1
        if self.n < 0:
            raise StopIteration
        return self.n
    def __aiter__(self): return self
    async def __anext__(self):
        self.n -= 1
        if self.n < 0:
            raise Over
        return self.n
class Over(StopAsyncIteration): pass
def gen():
    yield 1
    yield 2
async def over():
    async for x in Upto(2): pass
print(sum(x for x in Upto(2)), max(Upto(2)))
for x in Upto(1): pass
g = gen()
next(g)
g.close()
try:
    over().send(None)
except StopIteration: pass
try:
    int('x')
except ValueError: pass
try:
    next(iter([]))
except StopIteration: pass
def last():
    raise StopAsyncIteration
last()
`
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			script := write(t, t.TempDir(), "loops.py", source)
			for catch, want := range map[string][]int{
				"catch":                    {30, 36},
				"catch Exception":          {30, 36},
				"catch BaseException":      {30, 36},
				"catch StopIteration":      {7, 7, 7, 27, 33},
				"catch StopAsyncIteration": {13, 36},
				"catch Over":               {13},
				"catch GeneratorExit":      {17},
			} {
				d := debug(t, python, trace.Options{Script: script})
				lines := func(events []int) (out []int) {
					for _, e := range events {
						d.say(fmt.Sprintf("goto %d", e))
						out = append(out, d.last.State.Line)
					}
					return out
				}
				d.say(catch)
				live, _ := d.stops("c")
				died := live[len(live)-1] // the stop after the program's end by the exception on line 36
				live = slices.Compact(live)
				back, _ := d.stops("rc")
				slices.Reverse(back)
				if got := lines(back); !slices.Equal(got, want) {
					t.Errorf("%s stops on lines %v, want %v", catch, got, want)
				}
				if !slices.Contains(back, died) {
					live = live[:len(live)-1]
				}
				if !slices.Equal(back, live) {
					t.Errorf("%s: back at %v, forward at %v", catch, back, live)
				}
			}
		})
	}
}

// TestFindRunsOn checks that find runs the program to a line where a condition is true.
func TestFindRunsOn(t *testing.T) {
	for _, python := range pythons.All(t) {
		script := write(t, t.TempDir(), "watched.py", watchedSource)
		d := debug(t, python, trace.Options{Script: script})
		d.wantAt(6, "work", "find k == 100")
		d.wantAt(7, "work", "find -r i == 1 and k == 0")
		d.wantAt(6, "work", "find k == 100")
		d.say("find k == 1000")
		if d.last.Done || d.last.Boundary != trace.AtEnd || d.last.State.Line != 6 {
			t.Errorf("%s: find of what never holds: %+v", python, d.last)
		}
	}
}
