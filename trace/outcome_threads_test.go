//go:build unix

package trace_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// threads returns the fields that the tracer tells of each thread.
func (d *debuggee) threads() (all [][]string) {
	d.Helper()
	for _, record := range strings.Split(d.ask(0, trace.VerbThreads, "").Text, "\x1e")[1:] {
		all = append(all, strings.Split(record, "\x1f"))
	}
	return all
}

// wantThreads checks the names of the program's threads, the recorded one first.
func (d *debuggee) wantThreads(names ...string) {
	d.Helper()
	var got []string
	for _, t := range d.threads() {
		got = append(got, t[0])
	}
	if !slices.Equal(got, names) {
		d.Errorf("the threads are %q, not %q", got, names)
	}
}

// TestOutcomeThreadsAreWhereTheyAre checks what is told of threads: the recorded one, where user
// code is, and in which function of a library a thread waits. Also of one that threading does not
// know.
func TestOutcomeThreadsAreWhereTheyAre(t *testing.T) {
	const source = `import threading, _thread
ready, go = threading.Event(), threading.Event()
def work():
    ready.set()
    go.wait()
threading.Thread(target=work, name='worker').start()
ready.wait()
inner = _thread.allocate_lock()
def unknown():
    with inner:
        go.wait()
_thread.start_new_thread(unknown, ())
while not inner.locked():
    pass
here = 1
go.set()
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.upTo("here = 1")
		all := d.threads()
		if len(all) != 3 {
			t.Fatalf("%d threads: %q", len(all), all)
		}
		slices.SortFunc(all[1:], func(a, b []string) int { return strings.Compare(a[5], b[5]) })
		for i, want := range []struct{ name, recorded, line, function string }{
			{"MainThread", "1", "15", "<module>"},
			{"a thread without a name", "", "11", "unknown"},
			{"worker", "", "5", "work"},
		} {
			got := all[i]
			if got[0] != want.name || got[2] != want.recorded || got[3] != d.file() || got[5] != want.function {
				t.Errorf("thread %d: %q, not %+v", i, got, want)
			}
			if i == 0 && got[4] != want.line || i == 2 && (got[4] != want.line || got[8] != "wait") {
				t.Errorf("thread %d is at %q, not %+v", i, got[3:], want)
			}
		}
	})
}

const workers = `import threading
def work(n):
    total = n
    total += 1  # here
    return total
def main():
    for n in range(2):
        t = threading.Thread(target=work, args=(n,), name='Worker-%d' % n)
        t.start()
        t.join()
    print('done')
main()
`

// continues runs to the end with a breakpoint whose number is 7, and returns what was said.
func (d *debuggee) continues(holds, condition string) string {
	d.Helper()
	stop := trace.Stop{At: dsl.Location{Line: d.line(holds)}, Condition: condition, Number: 7}
	l, err := d.rec.Advance(d.Context(), []trace.Stop{stop}, nil)
	if err != nil {
		d.Fatal(err)
	}
	if !l.End {
		d.Fatalf("it stopped at %+v", l)
	}
	return l.Notice
}

// TestOutcomeBreakpointInAnotherThread checks that a breakpoint that another thread hits is reported
// in each of 20 runs, once for each thread, and if its condition holds.
func TestOutcomeBreakpointInAnotherThread(t *testing.T) {
	const said = "breakpoint 7 at prog.py:4 was hit in thread Worker-%, which npdb does not record; 'thread Worker-%' runs the program again and records that thread"
	first, second := strings.ReplaceAll(said, "%", "0"), strings.ReplaceAll(said, "%", "1")
	cases := []struct{ condition, want string }{{"", first + "\n" + second}, {"n == 1", second}, {"n == 2", ""}}
	onEach(t, func(t *testing.T, python pythons.Python) {
		for run := range 20 {
			c := cases[max(run-17, 0)]
			d := debug(t, python, workers)
			if got := d.continues("# here", c.condition); got != c.want {
				t.Errorf("run %d, condition %q: %q, not %q", run, c.condition, got, c.want)
			}
			d.wantPrinted("done\n")
		}
	})
}
