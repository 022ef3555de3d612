//go:build unix

package trace_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeThreads checks that threads run untraced while the main one is debugged, and
// that they are listed.
func TestOutcomeThreads(t *testing.T) {
	const source = `import threading
go, ready = threading.Event(), threading.Event()
done = []
def work(n):
    ready.set()
    go.wait()
    done.append(n)
t = threading.Thread(target=work, args=(7,), name='worker-7')
t.start()
ready.wait()
here = 1
go.set()
t.join()
print(done)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.wantThreads("MainThread")
		d.upTo("here = 1")
		d.wantThreads("MainThread", "worker-7")
		d.upTo("print(done)")
		d.wantLocal("done", "[7]")
		d.wantThreads("MainThread")
		d.finish()
		for i := range d.rec.Tree().Len() {
			if s := d.rec.Tree().State(i); s.Function != "<module>" {
				t.Errorf("event %d is of a thread: %s", i, short(s))
			}
		}
	})
}

// TestOutcomeThreadsRunOn checks that other threads run while the main one waits at a
// stop.
func TestOutcomeThreadsRunOn(t *testing.T) {
	const source = `import threading
def work():
    sign('thread')
t = threading.Thread(target=work)
go = threading.Event()
def later():
    go.wait()
    sign('later')
u = threading.Thread(target=later, daemon=True)
u.start()
go.set(); here = 1
there = 2
u.join()
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		sign := newFifo(t)
		d := debug(t, python, signHere+source, withArgs(sign.path))
		d.upTo("there = 2")
		if got := sign.wait(); got != "later" {
			t.Errorf("sign %q", got)
		}
		d.finish()
	})
}

// TestOutcomeFork checks that a forked child runs freely and untraced, that its
// breakpoint() stops nothing, and that its output is shown.
func TestOutcomeFork(t *testing.T) {
	const source = `import os, sys
def child(n):
    breakpoint()
    print('child', n, sys.gettrace())
    return n
pid = os.fork()
if pid == 0:
    child(3)
    sys.stdout.flush()
    os._exit(4)
code = os.waitpid(pid, 0)[1] >> 8
print('parent', code)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.upTo("print('parent'")
		d.wantLocal("code", "4")
		if printed := d.printed("stdout"); printed != "child 3 None\n" {
			t.Errorf("by now it printed %q", printed)
		}
		d.finish()
		d.wantPrinted("child 3 None\nparent 4\n")
		for _, event := range d.events() {
			if strings.Contains(event, "child") {
				t.Errorf("an event of the child is recorded: %s", event)
			}
		}
	})
}

// TestOutcomeForkUnseen checks that npdb says once that breakpoints in child processes are not seen, and only if
// there are some.
func TestOutcomeForkUnseen(t *testing.T) {
	const source = "import os\nfor i in range(2):\n    if os.fork() == 0:\n        os._exit(0)  # here\n    os.wait()\n"
	const want = "breakpoints in child processes are not seen: npdb --children records child processes"
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		if l, err := d.rec.Advance(t.Context(), []trace.Stop{d.stopAt("# here")}, nil); err != nil || l.Notice != want || !l.End {
			t.Errorf("with a breakpoint: %+v, %v", l, err)
		}
		d = debug(t, python, source)
		if l, err := d.rec.Advance(t.Context(), nil, nil); err != nil || l.Notice != "" || !l.End {
			t.Errorf("without a breakpoint: %+v, %v", l, err)
		}
	})
}

// TestOutcomeForkRaises checks that a child that dies of an exception prints its own
// traceback and exits as usual.
func TestOutcomeForkRaises(t *testing.T) {
	const source = `import os
pid = os.fork()
if pid == 0:
    raise KeyError('in the child')
code = os.waitpid(pid, 0)[1] >> 8
print('parent', code)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.finish()
		d.wantPrinted("parent 1\n")
		if got := d.printed("stderr"); !strings.HasSuffix(got, "KeyError: 'in the child'\n") || strings.Count(got, "  File ") != 1 {
			t.Errorf("the child's traceback is %q", got)
		}
	})
}

// TestOutcomeMultiprocessing checks that the workers of multiprocessing run freely,
// however they are started.
func TestOutcomeMultiprocessing(t *testing.T) {
	const source = `import multiprocessing, sys
def square(n):
    print('worker', sys.gettrace(), flush=True)
    return n * n
def run(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        return pool.map(square, [2, 3])
if __name__ == '__main__':
    print(run(sys.argv[1]))
`
	for _, method := range []string{"fork", "spawn"} {
		t.Run(method, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, source, withArgs(method))
				d.finish()
				d.wantPrinted("worker None\nworker None\n[4, 9]\n")
				if stderr := d.printed("stderr"); stderr != "" {
					t.Errorf("stderr %q", stderr)
				}
				if slices.Contains(d.events(), "call 2 square") {
					t.Error("the worker's call is recorded")
				}
			})
		})
	}
}

// TestOutcomeSubprocess checks that the output of a child process belongs to the next
// stop, and that the child does not inherit npdb's channels.
func TestOutcomeSubprocess(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "import subprocess, sys\nprint('before')\nsubprocess.run(['/bin/sh', '-c', 'echo out; echo err >&2'])\nprint('after')\n")
		d.do(dsl.Breakpoint, 3)
		d.wantPrinted("before\n")
		d.do(dsl.StepOver)
		d.wantHere("line 4 <module>", trace.Landed)
		if out := d.rec.Output(d.at.Event-1, d.at.Event); len(out) != 2 || out[0].Text != "out\n" || out[1].Text != "err\n" || out[1].Stream != "stderr" {
			t.Errorf("the child's output is %v", out)
		}
		d.finish()
		d.wantPrinted("before\nout\nafter\n")
	})
}

func TestOutcomeChannelsAreNotInherited(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("descriptors of a process are listed under /proc on Linux only")
	}
	const source = `import os, subprocess, sys
look = """
import os
left = []
for fd in os.listdir('/proc/self/fd'):
    try:
        left += [os.readlink('/proc/self/fd/' + fd)] if int(fd) > 2 else []
    except OSError:  # the listing's own
        pass
print(sorted(left), flush=True)
"""
for close in (True, False):
    subprocess.run([sys.executable, '-c', look], close_fds=close)
pid = os.fork()
if pid == 0:
    exec(look)
    os._exit(0)
os.waitpid(pid, 0)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.finish()
		// Plain Python also inherits the descriptors that the test's process was started
		// with.
		d.wantPrinted(plain(t, python, scriptOf(t, source)))
	})
}

// holder is a program with a child in its group; both have the fifo open.
const holder = signHere + `import subprocess, time
os.set_inheritable(fd, True)
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'], close_fds=False)
pid = os.fork()
if pid == 0:
    while True:
        time.sleep(1000)
sign()
time.sleep(1000)
`

// TestOutcomeNoOrphans checks that nothing of the program is left after npdb ends it, in
// every way.
func TestOutcomeNoOrphans(t *testing.T) {
	for name, end := range map[string]func(d *debuggee, cancel func(), landing func() trace.Landing){
		"Close at a stop": func(d *debuggee, _ func(), landing func() trace.Landing) {
			d.rec.Interrupt()
			landing()
			_ = d.rec.Close()
		},
		"Close during a move": func(d *debuggee, _ func(), landing func() trace.Landing) {
			_ = d.rec.Close()
			landing()
			if err := d.rec.Close(); err != nil {
				d.Errorf("closed again: %v", err)
			}
		},
		"Kill": func(d *debuggee, _ func(), landing func() trace.Landing) {
			d.rec.Kill()
			landing()
			d.wantEnd(-9, "")
		},
		"context, then Close": func(d *debuggee, cancel func(), landing func() trace.Landing) {
			cancel()
			landing()
			_ = d.rec.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				sign := newFifo(t)
				d := debug(t, python, holder, withArgs(sign.path))
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				landing := d.run(ctx, dsl.Continue)
				sign.wait()
				end(d, cancel, landing)
				sign.released()
			})
		})
	}
}

// TestOutcomeChildrenOutliveProgram checks the same if the program ends before npdb: Close
// ends its children.
func TestOutcomeChildrenOutliveProgram(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		sign := newFifo(t)
		d := debug(t, python, strings.TrimSuffix(holder, "time.sleep(1000)\n"), withArgs(sign.path))
		landing := d.run(t.Context(), dsl.Continue)
		sign.wait()
		landing()
		d.wantEnd(0, "")
		if err := d.rec.Close(); err != nil {
			t.Error(err)
		}
		sign.released()
	})
}

const parentOf = "NPDB_TEST_PARENT_OF"

// TestOutcomeParentKilled checks that nothing is left if npdb itself is killed. The parent
// is this test in a separate process.
func TestOutcomeParentKilled(t *testing.T) {
	if job := os.Getenv(parentOf); job != "" {
		python, rest, _ := strings.Cut(job, "\n")
		script, sign, _ := strings.Cut(rest, "\n")
		rec, landing, err := trace.Start(t.Context(), trace.Options{Python: python, Script: script, Args: []string{sign}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = rec.Move(t.Context(), landing.Position, dsl.Action{Move: dsl.Continue})
		t.Fatalf("the parent outlived its program: %v", err)
	}
	onEach(t, func(t *testing.T, python pythons.Python) {
		sign := newFifo(t)
		parent := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOutcomeParentKilled$", "-test.count=1")
		parent.Env = environ(fmt.Sprintf("%s=%s\n%s\n%s", parentOf, python.Path, scriptOf(t, holder), sign.path))
		if err := parent.Start(); err != nil {
			t.Fatal(err)
		}
		sign.wait()
		if err := parent.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = parent.Wait()
		sign.released()
	})
}
