//go:build unix

package trace_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeSignalHandler checks that the program's signal handlers are traced like other
// code, at the event at which the signal arrived.
func TestOutcomeSignalHandler(t *testing.T) {
	const source = `import signal
got = []
def handler(number, frame):
    got.append(number)
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.001)
while not got:
    pass
print(got == [signal.SIGALRM])
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.upTo("got.append")
		d.wantHere("line 4 handler", trace.HitBreakpoint)
		d.wantLocal("number", localNumber(t, python, "signal.SIGALRM"))
		if above := d.rec.Tree().Stack(d.at.Event)[0].Function; above != "<module>" {
			t.Errorf("the handler was called from %s", above)
		}
		d.finish()
		d.wantPrinted("True\n")
	})
}

// TestOutcomeSignalWithinTracer checks a signal that arrives while the tracer works, here
// while it renders a value. Its handler runs after that event, traced, and its exception
// reaches the program: a timeout ends the call that it should end.
func TestOutcomeSignalWithinTracer(t *testing.T) {
	const source = `import signal, time
class Timeout(Exception):
    pass
def handler(number, frame):
    raise Timeout(frame.f_code.co_name)
signal.signal(signal.SIGALRM, handler)
armed = []
class Rings:
    def __repr__(self):
        if armed:
            armed.clear()
            signal.raise_signal(signal.SIGALRM)
        return 'Rings()'
def f(x):
    try:
        armed.append(1)
        time.sleep(1000)
    except Timeout as e:
        return str(e)
print(f(Rings()), signal.getsignal(signal.SIGALRM) is handler)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.run(t.Context(), dsl.Continue)()
		d.wantEnd(0, "")
		d.wantPrinted("f True\n")
		events := d.events()
		if at := slices.Index(events, "call 4 handler"); at < 1 || events[at-1] != "line 17 f" {
			t.Errorf("the events are\n%s\nwant the handler's call after line 17 of f", strings.Join(events, "\n"))
		}
	})
}

// localNumber returns the repr of an expression with the signal module.
func localNumber(t *testing.T, python pythons.Python, expression string) string {
	t.Helper()
	return strings.TrimSpace(plain(t, python, "-c", "import signal; print(repr(int("+expression+")))"))
}

// TestOutcomeSigint checks that SIGINT goes to the program: its handler runs, and without
// one KeyboardInterrupt is raised, uncaught with Python's own exit code.
func TestOutcomeSigint(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "import os, signal\ndef handler(n, f):\n    print('handled', n)\nsignal.signal(signal.SIGINT, handler)\nos.kill(os.getpid(), signal.SIGINT)\nb = 1\n")
		d.upTo("print('handled'")
		d.finish()
		d.wantPrinted("handled 2\n")

		d = debug(t, python, "import os, signal\ntry:\n    os.kill(os.getpid(), signal.SIGINT)\n    signal.pause()\nexcept KeyboardInterrupt:\n    print('caught')\n")
		d.finish()
		d.wantPrinted("caught\n")

		d = debug(t, python, "import os, signal\ndef f():\n    os.kill(os.getpid(), signal.SIGINT)\n    signal.pause()\nf()\n")
		d.do(dsl.Continue)
		if !d.at.PostMortem || d.state().Function != "f" {
			t.Fatalf("stands at %s, reason %d, want a post-mortem stop in f", d.here(), d.at.Reason)
		}
		if !strings.HasSuffix(d.printed("stderr"), "KeyboardInterrupt\n") {
			t.Errorf("the traceback is %q", d.printed("stderr"))
		}
		d.do(dsl.Continue)
		d.wantEnd(130, "KeyboardInterrupt()")
	})
}

// TestOutcomeKilledBySignal checks that the exit code of a program killed by a signal is
// the signal's negative number.
func TestOutcomeKilledBySignal(t *testing.T) {
	for name, c := range map[string]struct {
		code   int
		source string
	}{
		"SIGTERM":  {-15, "import os, signal\na = 1\nos.kill(os.getpid(), signal.SIGTERM)\nsignal.pause()\n"},
		"SIGKILL":  {-9, "import os, signal\na = 1\nos.kill(os.getpid(), signal.SIGKILL)\nsignal.pause()\n"},
		"abort":    {-6, "import os\na = 1\nos.abort()\n"},
		"segfault": {-11, "import ctypes\na = 1\nctypes.string_at(0)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, c.source)
				d.do(dsl.Continue)
				d.wantEnd(c.code, "")
				d.do(dsl.InvBreakpoint, 3) // earlier events are recorded
				d.wantHere("line 3 <module>", trace.Landed)
				d.wantLocal("a", "1")
				if _, err := d.rec.Ask(t.Context(), 0, trace.VerbPrint, "a"); !errors.As(err, new(*trace.GoneError)) {
					t.Errorf("asking a program that is over: %v, want a GoneError", err)
				}
			})
		})
	}
}

// TestOutcomeInterrupt checks that an interrupt stops a move at the next event or signal
// check. The position is the last event, and the program can be inspected and continues
// from there.
func TestOutcomeInterrupt(t *testing.T) {
	for _, c := range []struct {
		name, source, holds string
		open                bool // the program may be on one of several lines
	}{
		{"a Python loop", "n = 0\nsign()\nwhile n >= 0:\n    n += 1\n", "", true},
		{"time.sleep", "import time\nsign(); time.sleep(1000)\n", "time.sleep", false},
		{"in a function", "import time\ndef wait(x):\n    sign(); time.sleep(x)\nwait(1000)\n", "time.sleep(x)", false},
		{"a library's Python", "import queue\nq = queue.Queue()\nsign(); q.get()\n", "q.get", false},
		{"a library's loop", "import types\nlibrary = types.ModuleType('library')\nexec('def spin():\\n    while True: pass', library.__dict__)\nsign(); library.spin()\n", "library.spin()", false},
		{"C code that checks", "import re\nsign(); re.match('(a+)+$', 'a' * 64 + 'b')\n", "re.match", false},
		{"a read", "r, w = os.pipe()\nsign(); os.read(r, 1)\n", "os.read", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				sign := newFifo(t)
				d := debug(t, python, signHere+c.source, withArgs(sign.path), withLimits(trace.Limits{Events: 1 << 19}))
				landing := d.run(t.Context(), dsl.Continue)
				sign.wait()
				d.rec.Interrupt()
				landing()
				if d.at.Reason == trace.LimitReached { // a fast machine and a slow test
					d.at, _ = d.rec.Advance(t.Context(), nil, nil)
				}
				if d.at.Reason != trace.Interrupted || d.at.Event != d.rec.Tree().Len()-1 {
					t.Fatalf("stands at %+v of %d events, want the last one", d.at, d.rec.Tree().Len())
				}
				if got := d.state(); !c.open && got.Line != d.line(c.holds) && got.Function != "sign" {
					t.Errorf("stands at %s, want line %d", d.here(), d.line(c.holds))
				}
				d.wantAnswer(0, trace.VerbPrint, "1 + 1", "2")
				d.rec.Kill()
				d.do(dsl.Continue)
				d.wantEnd(-9, "")
			})
		})
	}
}

// TestOutcomeInterruptedGoesOn checks that the program continues normally after an
// interrupt.
func TestOutcomeInterruptedGoesOn(t *testing.T) {
	const source = "import time\nr, w = os.pipe()\nsign(); got = os.read(r, 1)\nprint(got)\n"
	onEach(t, func(t *testing.T, python pythons.Python) {
		sign := newFifo(t)
		d := debug(t, python, signHere+source, withArgs(sign.path))
		landing := d.run(t.Context(), dsl.Continue)
		sign.wait()
		d.rec.Interrupt()
		landing()
		d.ask(0, trace.VerbExec, "os.write(w, b'x')")
		d.finish()
		d.wantPrinted("b'x'\n")
	})
}

// TestOutcomeContextEnds checks that the end of a context interrupts a move, and an
// endless evaluation.
func TestOutcomeContextEnds(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		sign := newFifo(t)
		d := debug(t, python, signHere+"import time\nsign(); time.sleep(1000)\n", withArgs(sign.path))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		landing := d.run(ctx, dsl.Continue)
		sign.wait()
		cancel()
		if landing().Reason != trace.Interrupted {
			t.Errorf("reason %d, want Interrupted", d.at.Reason)
		}

		ctx, cancel = context.WithCancel(t.Context())
		defer cancel()
		failed := make(chan error, 1)
		go func() {
			_, err := d.rec.Ask(ctx, 0, trace.VerbPrint, "[sign(), [i for i in iter(int, 1)]]")
			failed <- err
		}()
		sign.wait()
		cancel()
		var raised *trace.EvalError
		if err := <-failed; !errors.As(err, &raised) || raised.Type != "KeyboardInterrupt" {
			t.Errorf("an evaluation whose context ends: %v, want KeyboardInterrupt", err)
		}
		d.wantAnswer(0, trace.VerbPrint, "1 + 1", "2") // and the frame still exists
	})
}

// TestOutcomeKill checks that Kill ends a running program at once: the current move lands
// on its end.
func TestOutcomeKill(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		sign := newFifo(t)
		d := debug(t, python, signHere+"sign()\nwhile True:\n    pass\n", withArgs(sign.path))
		landing := d.run(t.Context(), dsl.Continue)
		sign.wait()
		d.rec.Kill()
		landing()
		d.wantEnd(-9, "")
		d.do(dsl.InvContinue)
		d.wantHere("line 1 <module>", trace.Landed)
		sign.released()
	})
}

// TestOutcomeOwnSession checks that SIGINT from a terminal goes to npdb, not to the
// program, which has its own session.
func TestOutcomeOwnSession(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "import os\nprint(os.getsid(0) == os.getpid(), os.getpgid(0) == os.getpid())\n")
		d.finish()
		d.wantPrinted("True True\n")
	})
}
