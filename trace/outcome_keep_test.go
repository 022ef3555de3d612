//go:build unix

package trace_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// longRun has what a checkpoint must hold: frames that outlive many events, suspended generators,
// closures, objects that change in place, globals that functions and other modules set, and
// classes. N is the number of its rounds.
const longRun = `import collections, sys

class Account:
    kind = 'plain'
    def __init__(self, owner):
        self.owner, self.history = owner, []
    def add(self, n):
        self.history.append(n)
        if len(self.history) > 9:
            del self.history[:4]

class Slotted:
    __slots__ = ('x', 'next')

def numbers(first):
    seen = set()
    while True:
        first = (first * 7 + 3) % 101
        seen.add(first % 13)
        yield first

def counter():
    count = 0
    def up():
        nonlocal count
        count += 1
        return count
    return up

def depth(n):
    return 1 + depth(n - 1) if n else 0

def failing(n):
    try:
        if n % 3 == 0:
            raise ValueError('no ' + str(n))
    except ValueError as e:
        return str(e)
    finally:
        totals['tried'] += 1

totals = collections.defaultdict(int)
accounts = {name: Account(name) for name in ('ann', 'bob')}
last = None
LONG = 'long text ' * 300

def serve(rounds):
    global last
    mine = {'rounds': rounds, 'nested': [[1], {'a': (1, 2)}]}
    source, up, queue = numbers(5), counter(), collections.deque(maxlen=5)
    local = Slotted()
    local.x, local.next = 0, None
    for n in range(rounds):
        value = next(source)
        accounts['ann' if value % 2 else 'bob'].add(value)
        queue.append([value, n])
        short = [[n], {n: [value]}, Account(str(n))]
        last = failing(n)
        mine['nested'][0].append(n) if n % 5 else mine['nested'][0].clear()
        local.x = LONG + str(n % 3)
        totals[value % 4] += depth(n % 4) + up()
        if n % 50 == 0:
            print('round', n)
    return mine

done = serve(N)
`

// program returns longRun with a number of rounds, and code after it.
func longRunOf(rounds, after string) string {
	return strings.Replace(longRun, "serve(N)", "serve("+rounds+")", 1) + after
}

// recordAll records a program to its end and opens the file.
func recordAll(t *testing.T, python pythons.Python, source string, keep int) (rec *trace.Recording, landing trace.Landing) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.npdb")
	o := trace.Options{Python: python.Path, Code: source, Stdin: strings.NewReader(""), Reprs: trace.ReprsAsked, Keep: keep}
	o.ForgetFrom(30)
	o.Limits.Events = 1 << 19 // small chunks of memory, so that the tracer often forgets objects
	record(t, o, path)
	rec, landing, err := trace.OpenFile(path, trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rec.Close() })
	return rec, landing
}

func record(t *testing.T, o trace.Options, path string) {
	t.Helper()
	rec, l, err := trace.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	rec.IndexFrom(1)
	if err := rec.Save(file, "of the test"); err != nil {
		t.Fatal(err)
	}
	for l.Reason != trace.Ended && err == nil {
		l, err = rec.Advance(t.Context(), nil, nil)
	}
	if err := errors.Join(err, rec.Close()); err != nil {
		t.Fatal(err)
	}
}

// wantTail checks that a recording has the last events of another one: states, stack, the names of
// all frames and modules, and the output.
func wantTail(t *testing.T, whole, tail *trace.Recording) {
	t.Helper()
	a, b := whole.Tree(), tail.Tree()
	dropped := a.Len() - b.Len()
	for i := range b.Len() {
		want, state := a.State(i+dropped), b.State(i)
		if err := b.Err(); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(want, state) {
			t.Fatalf("event %d of the end is\n%+v\nwant\n%+v", i, state, want)
		}
		above, below := a.Stack(i+dropped), b.Stack(i)
		for k := range below {
			if above[k].Frame != below[k].Frame {
				t.Fatalf("event %d has the frame %+v, want %+v", i, below[k].Frame, above[k].Frame)
			}
			x, y := a.LocalsOf(above[k].Activation, i+dropped), b.LocalsOf(below[k].Activation, i)
			if !reflect.DeepEqual(x, y) {
				t.Fatalf("event %d: frame %d has the locals\n%v\nwant\n%v", i, k, y, x)
			}
		}
		if len(above) != len(below) {
			t.Fatalf("event %d has %d frames, want %d", i, len(below), len(above))
		}
		m, ok := a.GlobalsOf(above[len(above)-1].Activation)
		n, known := b.GlobalsOf(below[len(below)-1].Activation)
		if ok != known || ok && !reflect.DeepEqual(a.LocalsOf(m, i+dropped), b.LocalsOf(n, i)) {
			t.Fatalf("event %d has the globals %v\n%v\nwant %v\n%v", i, known, b.LocalsOf(n, i), ok, a.LocalsOf(m, i+dropped))
		}
	}
	want := whole.Output(dropped, -1)
	for i := range want {
		want[i].Event -= dropped
	}
	got := slices.DeleteFunc(tail.Output(-1, -1), func(o trace.Output) bool { return o.Event < 0 })
	if !reflect.DeepEqual(want, got) && len(want)+len(got) > 0 {
		t.Errorf("the output of the end is %v, want %v", got, want)
	}
}

// TestOutcomeKept checks that a file with the newest events of a long run has them whole: as in a
// recording of everything.
func TestOutcomeKept(t *testing.T) {
	for _, python := range pythons.All(t) {
		source := longRunOf("300", "")
		whole, _ := recordAll(t, python, source, 0)
		for _, keep := range []int{100, 1200} {
			tail, landing := recordAll(t, python, source, keep)
			n := tail.Tree().Len()
			if n < keep || n > max(2*keep, keep+600) {
				t.Errorf("%s: %d events of %d are kept, want %d", python, n, whole.Tree().Len(), keep)
			}
			if a, b := whole.Tree().Objects(), tail.Tree().Objects(); b > a/2 {
				t.Errorf("%s: %d objects of %d have numbers: none was forgotten", python, b, a)
			}
			wantTail(t, whole, tail)
			if err := tail.Tree().Err(); err != nil {
				t.Error(err)
			}
			if !strings.Contains(landing.Notice, "were not kept") || !tail.Indexed() {
				t.Errorf("%s: indexed %v, %q", python, tail.Indexed(), landing.Notice)
			}
		}
	}
}

// TestOutcomeKeptMemory checks that the memory of a run of many times the events to keep does not grow.
func TestOutcomeKeptMemory(t *testing.T) {
	const keep, times = 1000, 50
	o := trace.Options{
		Python: pythons.Any(t), Code: longRunOf("10000", ""), Stdin: strings.NewReader(""), Reprs: trace.ReprsAsked, Keep: keep,
	}
	o.ForgetFrom(500)
	o.Limits.Events = 1 << 19 // small chunks of memory, so that the tracer often forgets objects
	rec, _, err := trace.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rec.Close() }()
	var early, late int64 // the most memory of the first and of the last fifth
	for n := range times {
		if _, err := rec.Pass(t.Context(), keep); err != nil {
			t.Fatal(err)
		}
		switch held := rec.HeldBytes(); {
		case n < times/5:
			early = max(early, held)
		case n >= times-times/5:
			late = max(late, held)
		}
		if _, kept := rec.Events(); n > 1 && (kept < keep || kept > 2*keep) {
			t.Errorf("%d events are kept", kept)
		}
	}
	if all, _ := rec.Events(); all < keep*times || late > early+early/4 {
		t.Errorf("%d events, %d bytes early and %d bytes late", all, early, late)
	}
}
