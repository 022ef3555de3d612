//go:build unix

package trace_test

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// onTerminal gives the program a terminal, with input from Recording.Input.
func onTerminal(o *trace.Options) {
	o.Stdin = nil
	o.Terminal = &trace.Terminal{Columns: 100, Rows: 30}
	o.Env = environ("PYTHONUNBUFFERED=", "COLUMNS=", "LINES=", "TERM=xterm-256color")
}

// TestOutcomeTerminal checks that standard input and output are one terminal, the
// program's controlling terminal, and that standard error is not.
func TestOutcomeTerminal(t *testing.T) {
	const source = `import os, shutil, sys
print(sys.stdin.isatty(), sys.stdout.isatty(), sys.stderr.isatty(), sys.stdout.line_buffering)
print(*os.get_terminal_size(), *shutil.get_terminal_size())
print(os.ttyname(0) == os.ttyname(1), os.tcgetpgrp(0) == os.getpgrp(), os.isatty(os.open('/dev/tty', os.O_RDWR)))
print('stderr', file=sys.stderr)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, onTerminal)
		d.finish()
		d.wantPrinted("True True False True\n100 30 100 30\nTrue True True\n")
		if got := d.printed("stderr"); got != "stderr\n" {
			t.Errorf("stderr is %q", got)
		}
	})
}

// TestOutcomeTerminalUsualSize checks that an unset size is replaced by the usual one.
func TestOutcomeTerminalUsualSize(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "import os\nprint(*os.get_terminal_size())\n", func(o *trace.Options) { o.Terminal = &trace.Terminal{} })
		d.finish()
		d.wantPrinted("80 24\n")
	})
}

// TestOutcomeTerminalResize checks that a new size reaches the program's handler, at a
// stop and while it runs.
func TestOutcomeTerminalResize(t *testing.T) {
	// The program polls: a pause() that begins after the signal came, and before Python
	// calls its handler, would never end.
	const source = `import os, signal, time
sizes = []
def resized(number, frame):
    sizes.append(tuple(os.get_terminal_size()))
signal.signal(signal.SIGWINCH, resized)
here = 1
while len(sizes) < 1:
    time.sleep(0.001)
while len(sizes) < 2:
    os.write(2, b'')
print(sizes)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, onTerminal)
		d.upTo("here = 1")
		d.rec.Resize(60, 20)
		d.upTo("os.write")
		landing := d.run(t.Context(), dsl.Continue)
		d.rec.Resize(61, 21)
		landing()
		d.wantEnd(0, "")
		d.wantPrinted("[(60, 20), (61, 21)]\n")
		d.rec.Resize(62, 22) // it has ended: nothing happens
	})
}

// TestOutcomeTerminalWithStdin checks that with --stdin only the output is the terminal's.
func TestOutcomeTerminalWithStdin(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "import sys\nprint(input('? '), sys.stdin.isatty(), sys.stdout.isatty())\n", onTerminal, func(o *trace.Options) {
			o.Stdin = strings.NewReader("given\n")
		})
		d.finish()
		d.wantPrinted("? given False True\n")
	})
}

// TestOutcomeTerminalOutput checks that the output of Python code and of others arrives
// unchanged: a line ends with \n, and typed input is not echoed.
func TestOutcomeTerminalOutput(t *testing.T) {
	const source = `import os, subprocess, sys
print('python')
os.write(1, b'os\n')
subprocess.run(['/bin/sh', '-c', 'echo out; echo tty >/dev/tty; echo err >&2'])
a = input()
print(a)
os.system('stty -a')
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, onTerminal)
		d.upTo("subprocess.run")
		d.wantPrinted("python\nos\n")
		d.do(dsl.StepOver)
		d.wantPrinted("python\nos\nout\ntty\n")
		if got := d.printed("stderr"); got != "err\n" {
			t.Errorf("stderr is %q", got)
		}
		d.do(dsl.StepOver)
		d.wantHere("line 5 <module>", trace.NeedsInput)
		d.give("typed\n", false)
		d.upTo("os.system")
		d.wantPrinted("python\nos\nout\ntty\ntyped\n")
		d.finish()
		mode, _ := strings.CutPrefix(d.printed("stdout"), "python\nos\nout\ntty\ntyped\n")
		if !strings.Contains(mode, "rows 30") || !strings.Contains(mode, " icanon") || strings.Contains(mode, "\r") {
			t.Errorf("stty -a says %q", mode)
		}
	})
}

// TestOutcomeTerminalOutputAtTheEnd checks that output just before the end arrives, even
// if there is much of it.
func TestOutcomeTerminalOutputAtTheEnd(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "import os\nfor i in range(200):\n    os.write(1, b'x' * 999 + b'\\n')\nos._exit(3)\n", onTerminal)
		d.do(dsl.Continue)
		d.wantEnd(3, "")
		d.wantPrinted(strings.Repeat(strings.Repeat("x", 999)+"\n", 200))
	})
}

// TestOutcomeTerminalKeptOpen checks that a child that keeps the terminal open delays
// nothing, and ends with the recording.
func TestOutcomeTerminalKeptOpen(t *testing.T) {
	const source = signHere + `import signal, time
os.set_inheritable(fd, True)
pid = os.fork()
if pid == 0:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    sign()
    while True:
        time.sleep(1000)
import select
print('over')
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		sign := newFifo(t)
		d := debug(t, python, source, onTerminal, withArgs(sign.path))
		d.upTo("import select")
		sign.wait()
		d.finish()
		d.wantPrinted("over\n")
		if err := d.rec.Close(); err != nil {
			t.Error(err)
		}
		sign.released()
	})
}

// TestOutcomeTerminalClosed checks that nothing is left of a program that is ended while
// it waits for input.
func TestOutcomeTerminalClosed(t *testing.T) {
	for name, end := range map[string]func(rec *trace.Recording){
		"Close": func(rec *trace.Recording) { _ = rec.Close() },
		"Kill":  func(rec *trace.Recording) { rec.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				sign := newFifo(t)
				d := debug(t, python, signHere+"os.set_inheritable(fd, True)\nimport subprocess\nchild = subprocess.Popen(['cat', '/dev/tty'], close_fds=False)\ninput()\n", onTerminal, withArgs(sign.path))
				d.do(dsl.Continue)
				d.wantHere(d.here(), trace.NeedsInput)
				end(d.rec)
				sign.released()
				var gone *trace.GoneError
				landing, err := d.rec.Resume(t.Context())
				if err != nil || !landing.End {
					t.Errorf("resumed: %+v, %v", landing, err)
				}
				if err := d.rec.Input("x\n", false); !errors.As(err, &gone) {
					t.Errorf("input to a program that is over: %v, want a GoneError", err)
				}
			})
		})
	}
}

// TestOutcomeTerminalInterrupt checks that a program that waits for input can be
// interrupted, walked back from, and continued.
func TestOutcomeTerminalInterrupt(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "a = 1\nb = input()\nc = b\n", onTerminal)
		d.do(dsl.Continue)
		d.wantHere("line 2 <module>", trace.NeedsInput)
		d.rec.Interrupt()
		landing, err := d.rec.Resume(t.Context())
		if err != nil || landing.Reason != trace.Interrupted {
			t.Fatalf("interrupted: %+v, %v", landing, err)
		}
		d.at = landing
		d.wantAnswer(0, trace.VerbPrint, "a", "1")
		d.do(dsl.Breakpoint, 3)
		d.wantHere("line 2 <module>", trace.NeedsInput)
		d.give("x\n", false)
		d.wantHere("line 3 <module>", trace.HitBreakpoint)
		d.wantLocal("b", "'x'")
		d.finish()
	})
}

// TestOutcomeTerminalControlC checks that a typed ^C goes to the program and to every
// process in the foreground.
func TestOutcomeTerminalControlC(t *testing.T) {
	const source = `try:
    input('? ')
except KeyboardInterrupt:
    print('interrupted')
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, onTerminal)
		d.do(dsl.Continue)
		d.wantHere("line 2 <module>", trace.NeedsInput)
		d.give("\x03", false)
		d.wantEnd(0, "")
		d.wantPrinted("? interrupted\n")
	})
}

// TestOutcomeTerminalPytest checks that pytest -s leaves the terminal to a test.
func TestOutcomeTerminalPytest(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		if err := exec.CommandContext(t.Context(), python.Path, "-c", "import pytest").Run(); err != nil {
			t.Skip("this Python has no pytest")
		}
		dir := t.TempDir()
		path := writeIn(t, dir, "test_it.py", "import sys\ndef test_it():\n    assert sys.stdin.isatty()\n    name = input('name? ')\n    print('hello', name)\n    assert name == 'ann'\n")
		d := debugAs(t, python, trace.Options{
			Module: "pytest", Args: []string{"-s", "-q", "-p", "no:cacheprovider", "--color=no", path}, Dir: dir,
			Terminal: &trace.Terminal{Columns: 60, Rows: 20},
		})
		d.do(dsl.Continue)
		d.wantHere("line 4 test_it", trace.NeedsInput)
		if got := d.printed("stdout"); !strings.HasSuffix(got, "name? ") {
			t.Errorf("before the input: %q", got)
		}
		d.give("ann\n", false)
		d.wantEnd(0, "")
		if got := d.printed("stdout"); !strings.Contains(got, "hello ann\n") || !strings.Contains(got, "1 passed") {
			t.Errorf("printed %q", got)
		}
	})
}

// TestTerminalLeavesNothingOpen checks that a closed recording leaves no descriptor of its
// terminal open in npdb, and neither does a program that does not start. No other test
// runs meanwhile.
func TestTerminalLeavesNothingOpen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("descriptors of a process are listed under /proc on Linux only")
	}
	python := pythons.All(t)[0]
	terminals := func() (n int) {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if path, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && (strings.HasPrefix(path, "/dev/pts/") || strings.HasPrefix(path, "/dev/ptmx")) {
				n++
			}
		}
		return n
	}
	before := terminals()
	ignored := goleak.IgnoreCurrent()
	rec, _, err := trace.Start(t.Context(), trace.Options{Python: python.Path, Code: "input()", Terminal: &trace.Terminal{}})
	if err != nil {
		t.Fatal(err)
	}
	if during := terminals(); during <= before {
		t.Errorf("%d terminals are open before, %d during the recording", before, during)
	}
	if err := rec.Close(); err != nil {
		t.Error(err)
	}
	for _, code := range []string{"no python(", "\x00"} {
		if rec, _, err := trace.Start(t.Context(), trace.Options{Python: python.Path, Code: code, Terminal: &trace.Terminal{}}); err == nil {
			_ = rec.Close()
			t.Errorf("%q was started", code)
		}
	}
	if after := terminals(); after != before {
		t.Errorf("%d terminals are open before, %d after", before, after)
	}
	goleak.VerifyNone(t, ignored)
}

// TestOutcomeTerminalEvaluated checks that expressions that npdb evaluates do not read the
// terminal: input() raises EOFError there.
func TestOutcomeTerminalEvaluated(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "a = 1\nb = 2\n", onTerminal)
		d.wantError(trace.VerbPrint, "input('? ')", "EOFError: EOF when reading a line")
		d.do(dsl.StepOver)
		d.wantHere("line 2 <module>", trace.Landed)
		d.finish()
		d.wantPrinted("")
	})
}
