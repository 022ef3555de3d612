//go:build unix

package trace_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

func ofThread(name string) func(*trace.Options) {
	return func(o *trace.Options) { o.Thread = name }
}

// come runs to the first event of the recorded thread.
func (d *debuggee) come() {
	d.Helper()
	if d.at.Reason != trace.Begun {
		d.Fatalf("start landed at %+v", d.at)
	}
	var err error
	if d.at, err = d.rec.Resume(d.Context()); err != nil {
		d.Fatal(err)
	}
}

// TestOutcomeThreadIsRecorded checks that the thread with a name, or the first that a glob matches,
// is recorded from its first event to its last, and no other thread.
func TestOutcomeThreadIsRecorded(t *testing.T) {
	want := []string{"call 2 work", "line 3 work", "line 4 work", "line 5 work", "return 5 work return"}
	onEach(t, func(t *testing.T, python pythons.Python) {
		for name, n := range map[string]string{"Worker-1": "1", "Work*": "0"} {
			d := debug(t, python, workers, ofThread(name))
			d.come()
			d.wantHere("call 2 work", trace.Landed)
			d.wantLocal("n", n)
			d.wantThreads(map[string]string{"1": "Worker-1", "0": "Worker-0"}[n], "MainThread")
			d.do(dsl.StepInto)
			d.wantHere("line 3 work", trace.Landed)
			d.upTo("return total")
			d.wantAnswer(0, trace.VerbPrint, "total + n", map[string]string{"1": "3", "0": "1"}[n])
			d.do(dsl.InvStepInto)
			d.wantHere("line 4 work", trace.Landed)
			d.do(dsl.Continue)
			d.wantEnd(0, "")
			if got := d.events(); !slices.Equal(got, want) {
				t.Errorf("%s: %q", name, got)
			}
			d.wantPrinted("done\n")
		}
	})
}

// TestOutcomeThreadsBeginTogether checks that threads which begin at the same time see nothing of npdb
// while it looks for the name of the wanted one.
func TestOutcomeThreadsBeginTogether(t *testing.T) {
	const source = `import sys, threading
sys.setswitchinterval(1e-6)
all_here = threading.Barrier(20)
done = []
def work():
    all_here.wait(100)
    done.append(1)
threads = [threading.Thread(target=work, name='Worker-%d' % n) for n in range(20)]
for one in threads:
    one.start()
for one in threads:
    one.join()
print(len(done))
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, ofThread("*-7"))
		d.come()
		d.wantHere("call 5 work", trace.Landed)
		d.do(dsl.Continue)
		d.wantEnd(0, "")
		d.wantPrinted("20\n")
	})
}

// TestOutcomeThreadsImport checks that npdb, when it loads a module of its own, leaves the module of the same
// name that the program imports meanwhile. An audit hook makes the program import it at that moment.
func TestOutcomeThreadsImport(t *testing.T) {
	const source = `import sys, threading
found = []
def hook(event, args):
    if event == 'exec' and args[0].co_filename.endswith('fnmatch.py') and not found:
        found.append(threading.current_thread().name)
        import fnmatch
        found.append(fnmatch)
sys.addaudithook(hook)
def work():
    pass
one = threading.Thread(target=work, name='Worker-7')
one.start()
one.join()
print(found[0], sys.modules.get('fnmatch') is found[1])
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, ofThread("*-7"))
		d.come()
		d.do(dsl.Continue)
		d.wantEnd(0, "")
		d.wantPrinted("Worker-7 True\n")
	})
}

// TestOutcomeThreadNeverBegins checks what is said if no thread has the name.
func TestOutcomeThreadNeverBegins(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		for source, want := range map[string]string{
			workers:     "no thread named other began, so that nothing is recorded. The program's other threads: Worker-0, Worker-1",
			"x = 1 / 0": "no thread named other began, so that nothing is recorded: the program started no other thread with threading.Thread",
		} {
			rec, landing, err := trace.Start(t.Context(), trace.Options{Python: python.Path, Script: scriptOf(t, source), Stdin: strings.NewReader(""), Thread: "other"})
			if err != nil {
				t.Fatal(err)
			}
			if landing.Reason == trace.Begun {
				landing, err = rec.Resume(t.Context())
			}
			if err != nil || !landing.End || landing.Notice != want {
				t.Errorf("%v, %+v", err, landing)
			}
			if exit := rec.Exit(); strings.Contains(source, "/ 0") && (exit.Code != 1 || exit.Exception == nil || !strings.Contains(*exit.Exception, "division")) {
				t.Errorf("exit %s", exitText(exit))
			}
			if err := rec.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestOutcomeMainThreadIsNotRecorded checks that a breakpoint in the main thread is reported if
// another thread is recorded, and that breakpoint() stops in the recorded thread only.
func TestOutcomeMainThreadIsNotRecorded(t *testing.T) {
	const source = `import threading
go, done = threading.Event(), threading.Event()
def work():
    go.set()
    done.wait()
    breakpoint()
def main():
    t = threading.Thread(target=work, name='w', daemon=True)
    t.start()
    go.wait()
    breakpoint()
    x = 1  # main
    done.set()
    t.join()
main()
`
	const call = "breakpoint() at prog.py:11 was called in thread MainThread, which npdb does not record; 'thread MainThread' runs the program again and records that thread"
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, ofThread("w"))
		d.come()
		stop := trace.Stop{At: dsl.Location{Line: d.line("# main")}, Number: 3}
		l, err := d.rec.Advance(t.Context(), []trace.Stop{stop}, nil)
		if err != nil {
			t.Fatal(err)
		}
		d.at = l
		d.wantHere("line 6 work", trace.ProgramBreak)
		said := l.Notice
		d.do(dsl.Continue)
		d.wantEnd(0, "")
		said = strings.TrimSpace(said + "\n" + d.at.Notice)
		if !strings.Contains(said, call) || python.Minor >= 12 && !strings.Contains(said, "breakpoint 3 at prog.py:12 was hit in thread MainThread") {
			t.Errorf("%q", said)
		}
	})
}

// TestOutcomeInterruptOfAThread checks that an interrupt stops a recorded thread that runs, one that
// waits, and the program after the thread has ended.
func TestOutcomeInterruptOfAThread(t *testing.T) {
	const source = `import threading
go, end = threading.Lock(), threading.Lock()  # an Event holds a lock for a moment, which a statement would wait for
go.acquire(); end.acquire()
looping = True
def work():
    while looping:
        pass
    go.acquire()
    last = 1
t = threading.Thread(target=work, name='w')
t.start()
t.join()
end.acquire()
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, ofThread("w"))
		d.come()
		interrupted := func() {
			t.Helper()
			ctx, cancel := context.WithCancel(t.Context())
			landing := d.run(ctx, dsl.Continue)
			cancel() // interrupts the move, also if it has not begun
			if d.at = landing(); d.at.Reason != trace.Interrupted {
				t.Fatalf("%+v", d.at)
			}
		}
		interrupted()
		if s := d.state(); s.Function != "work" {
			t.Errorf("stopped at %s", short(s))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		if _, err := d.rec.Ask(ctx, 0, trace.VerbExec, "while True: pass"); err == nil || !strings.Contains(err.Error(), "KeyboardInterrupt") {
			t.Errorf("an endless statement: %v", err)
		}
		cancel()
		d.ask(0, trace.VerbExec, "global looping; looping = False")
		d.upTo("    go.acquire()")
		interrupted()
		if s := d.state(); s.Line != 8 {
			t.Errorf("stopped at %s", short(s))
		}
		d.ask(0, trace.VerbExec, "go.release()")
		d.upTo("last = 1")
		interrupted()
		d.ask(0, trace.VerbExec, "end.release()")
		d.do(dsl.Continue)
		d.wantEnd(0, "")
	})
}
