//go:build unix

package trace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeEndlessLoop checks that an endless loop pauses at the recording's limit with
// a notice, and that the next move records the same amount again.
func TestOutcomeEndlessLoop(t *testing.T) {
	const limit = 20000
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "n = 0\nwhile True:\n    n += 1\n", withLimits(trace.Limits{Events: limit}))
		for round := 1; round <= 3; round++ {
			d.do(dsl.Continue)
			if d.at.Reason != trace.LimitReached || !strings.Contains(d.at.Notice, "20000 events") {
				t.Fatalf("round %d: reason %d, notice %q", round, d.at.Reason, d.at.Notice)
			}
			// The tracer checks for a pause when a chunk is full, so it stops a little
			// later.
			got, before := d.rec.Tree().Len(), limit*round
			if d.at.Event != got-1 || got < before || got > before+before/2+4*16<<10 {
				t.Errorf("round %d stops at event %d of %d", round, d.at.Event, got)
			}
			d.wantAnswer(0, trace.VerbPrint, "n > 1", "True")
		}
		d.do(dsl.InvBreakpoint, 3)
		d.do(dsl.InvContinue)
		d.wantHere("line 1 <module>", trace.Landed)
	})
}

// TestOutcomeMemoryLimit checks that the limit on memory pauses too.
func TestOutcomeMemoryLimit(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "n = 0\nwhile True:\n    n += 1\n    s = 'text %d' % n * 100\n", withLimits(trace.Limits{Bytes: 4 << 20}))
		d.do(dsl.Continue)
		if d.at.Reason != trace.LimitReached || !strings.Contains(d.at.Notice, "4 MiB") || d.rec.Tree().Bytes() < 4<<20 {
			t.Fatalf("reason %d, notice %q at %d bytes", d.at.Reason, d.at.Notice, d.rec.Tree().Bytes())
		}
	})
}

// TestOutcomeManyEvents checks that many events are all recorded completely. (Ten million
// are a benchmark.)
func TestOutcomeManyEvents(t *testing.T) {
	const rounds = 20000
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "def f(i):\n    return i * 2\nn = 0\nfor i in range(20000):\n    n += f(i)\nprint(n)\n")
		d.finish()
		d.wantPrinted("399980000\n")
		// The events: def, n, the print and the module's return; the loop's line once more
		// than its iterations; and a line, call, line and return for each iteration.
		if got, want := d.rec.Tree().Len(), 4+1+rounds*5; got != want {
			t.Errorf("%d events, want %d", got, want)
		}
		d.do(dsl.InvBreakpoint, 2)
		d.wantLocal("i", "19999")
		d.do(dsl.InvStepReturn)
		d.wantHere("call 1 f", trace.Landed)
	})
}

// TestOutcomeMemoryExhausted checks that exhausted memory raises MemoryError in the
// program, which may catch it.
func TestOutcomeMemoryExhausted(t *testing.T) {
	const source = `import resource
def fill():
    room = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, room[1]))
    try:
        return bytearray(4 << 30)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, room)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source+"try:\n    fill()\nexcept MemoryError:\n    print('caught')\nlast = 1\n")
		d.do(dsl.Breakpoint, 13)
		d.wantPrinted("caught\n")
		d.finish()

		d = debug(t, python, source+"fill()\n")
		d.do(dsl.Continue)
		if !d.at.PostMortem || d.state().Function != "fill" {
			t.Fatalf("stands at %s, reason %d, want a post-mortem stop in fill", d.here(), d.at.Reason)
		}
		d.do(dsl.Continue)
		d.wantEnd(1, "MemoryError()")
	})
}

// TestOutcomeMemoryUsedUp checks memory that is used up gradually, so that the tracer
// itself may find none.
func TestOutcomeMemoryUsedUp(t *testing.T) {
	const source = `import resource
room = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (256 << 20, room[1]))
def fill():
    held = []
    while True:
        held.append([0] * 16384)
try:
    fill()
except MemoryError:
    resource.setrlimit(resource.RLIMIT_AS, room)
    print('caught')
last = 1
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, withLimits(trace.Limits{Items: 8}))
		d.do(dsl.Breakpoint, d.line("last = 1"))
		d.wantHere("line 13 <module>", trace.HitBreakpoint)
		d.wantPrinted("caught\n")
		d.finish()
	})
}

// TestOutcomeOutputLimit checks that output is stored up to its limit, and that the rest
// is reported missing once.
func TestOutcomeOutputLimit(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "for i in range(100):\n    print('x' * 99)\n", withLimits(trace.Limits{OutputBytes: 1000}))
		d.finish()
		got := d.printed("stdout")
		if !strings.HasPrefix(got, strings.Repeat(strings.Repeat("x", 99)+"\n", 10)) || len(got) > 1200 ||
			strings.Count(got, "keeps no more") != 1 {
			t.Errorf("%d bytes are kept: %q", len(got), got)
		}
	})
}

// TestOutcomeSlowdown checks that the time for very many objects is limited as requested,
// or unlimited.
func TestOutcomeSlowdown(t *testing.T) {
	const source = `held = [{"n": n, "x": [n]} for n in range(20000)]
for n in range(%d):
    exec("held[n]['x'].append(n)")
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		for _, tt := range []struct {
			slowdown float64
			looks    int // at all of them
			tired    bool
		}{{0.01, 30, true}, {trace.Unbounded, 5, false}} {
			d := debug(t, python, fmt.Sprintf(source, tt.looks), withLimits(trace.Limits{Slowdown: tt.slowdown}))
			d.do(dsl.Continue)
			if tired := strings.Contains(d.at.Notice, "--slowdown"); tired != tt.tired {
				t.Errorf("with a slowdown of %v the notice is %q", tt.slowdown, d.at.Notice)
			}
		}
	})
}
