//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// These tests run programs without npdb that call it: with the Python package in shim/npdb.

// entering is a folder with npdb and a program that calls it.
type entering struct {
	t      *testing.T
	python string
	dir    string
	env    []string
	args   []string // of Python, before the program
}

func newEntering(t *testing.T, python string) *entering {
	t.Helper()
	e := &entering{t: t, python: python, dir: t.TempDir()}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(e.dir, "npdb")); err != nil { // TestMain runs npdb if it is called with this name
		t.Fatal(err)
	}
	shim, err := filepath.Abs(filepath.Join("..", "..", "shim", "npdb"))
	if err != nil {
		t.Fatal(err)
	}
	e.env = []string{
		"PATH=" + e.dir + ":/usr/bin:/bin", "HOME=" + e.dir, "PYTHONPATH=" + shim, "PYTHONDONTWRITEBYTECODE=1",
		"PYTHONBREAKPOINT=npdb.set_trace", "GORACE=atexit_sleep_ms=0", "PYTHONHASHSEED=0", "LANG=C.UTF-8",
	}
	return e
}

func (e *entering) write(name, text string) string {
	e.t.Helper()
	path := filepath.Join(e.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		e.t.Fatal(err)
	}
	return path
}

// run runs a program with npdb's commands on its standard input. It returns its standard output and
// error, with the folder as DIR, and its exit code.
func (e *entering) run(program string, commands ...string) (out, errs string, code int) {
	e.t.Helper()
	cmd := exec.CommandContext(e.t.Context(), e.python, append(e.args, program)...)
	cmd.Dir, cmd.Env = e.dir, e.env
	cmd.Stdin = strings.NewReader(strings.Join(append(commands, ""), "\n"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		e.t.Fatal(err)
	}
	here, err := filepath.EvalSymlinks(e.dir)
	if err != nil {
		e.t.Fatal(err)
	}
	shorter := strings.NewReplacer(here, "DIR", e.dir, "DIR")
	return shorter.Replace(stdout.String()), shorter.Replace(stderr.String()), cmd.ProcessState.ExitCode()
}

const calledProgram = `import sys

def f(x):
    y = x * 2
    breakpoint()
    z = y + 1
    print("in f", z, sys.gettrace())
    return z

def main():
    total = 0
    for i in range(2):
        total += f(i)
    print("total", total)
    raise KeyError(total)

main()
`

// TestSetTrace checks that breakpoint() opens a session at the line after it: the frames that were on
// the stack have locals, moves run the program, also after the return to these frames, backward
// moves go back to the start of the recording, a second call stops again, and the end is shown.
func TestSetTrace(t *testing.T) {
	t.Parallel()
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			e := newEntering(t, p.Path)
			e.write("called.py", calledProgram)
			out, errs, code := e.run("called.py", "p x, y", "up", "p i, total", "down", "n", "rn", "rn", "c", "w", "b 14", "c", "p total", "c", "p total", "up", "rc", "p total", "q")
			want := `> DIR/called.py(6)f()
-> z = y + 1
(0, 0)
> DIR/called.py(13)main()
-> total += f(i)
(0, 0)
> DIR/called.py(6)f()
-> z = y + 1
> DIR/called.py(7)f()
-> print("in f", z, sys.gettrace())
> DIR/called.py(6)f()
-> z = y + 1
Recording began here; what came before was not recorded; infer asks the model what came before.
in f 1 None
> DIR/called.py(5)f()
-> breakpoint()
  DIR/called.py(17)<module>()
-> main()
  DIR/called.py(13)main()
-> total += f(i)
> DIR/called.py(5)f()
-> breakpoint()
Breakpoint 1 at DIR/called.py:14
in f 3 None
> DIR/called.py(14)main()
-> print("total", total)
4
total 4
Uncaught exception. Entering post mortem debugging
A forward move goes to the end of the program, a backward move into its past.
KeyError: 4
> DIR/called.py(15)main()
-> raise KeyError(total)
4
> DIR/called.py(17)<module>()
-> main()
> DIR/called.py(14)main()
-> print("total", total)
4
`
			if out != want {
				t.Errorf("the output is\n%s\nwant\n%s", out, want)
			}
			if !strings.HasSuffix(errs, "KeyError: 4\n") || code != 1 {
				t.Errorf("exit code %d, standard error\n%s", code, errs)
			}
		})
	}
}

// TestQuitEndsTheProgram checks that quit ends the program as sys.exit does.
func TestQuitEndsTheProgram(t *testing.T) {
	t.Parallel()
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			e := newEntering(t, p.Path)
			e.write("cleans.py", "try:\n    breakpoint()\n    print('on')\nfinally:\n    print('cleans up')\n    breakpoint()\n")
			out, errs, code := e.run("cleans.py", "q")
			if want := "> DIR/cleans.py(3)<module>()\n-> print('on')\ncleans up\n"; out != want || errs != "" || code != 1 {
				t.Errorf("exit code %d, output\n%s%s\nwant 1 and\n%s", code, out, errs, want)
			}
		})
	}
}

// detachedPrograms do what a debugger could disturb.
var detachedPrograms = map[string]string{
	"loop":       "total = 0\nfor i in range(2000):\n    total += i * i\nprint(total)\n",
	"recursion":  "import sys\ndef f(n):\n    return f(n + 1)\ntry:\n    f(0)\nexcept RecursionError as e:\n    print(type(e).__name__)\nprint(sys.getrecursionlimit())\n",
	"threads":    "import threading\nfound = []\ndef work(n):\n    found.append(n)\nts = [threading.Thread(target=work, args=(i,)) for i in range(5)]\n[t.start() for t in ts]\n[t.join() for t in ts]\nprint(sorted(found), threading.active_count())\n",
	"signals":    "import os, signal\ndef heard(number, frame):\n    print('heard', number == signal.SIGUSR1)\nsignal.signal(signal.SIGUSR1, heard)\nos.kill(os.getpid(), signal.SIGUSR1)\nprint(signal.getsignal(signal.SIGINT) is signal.default_int_handler, signal.getsignal(signal.SIGURG))\n",
	"fork":       "import os, sys\nsys.stdout.flush()\npid = os.fork()\nif pid == 0:\n    print('child', flush=True)\n    os._exit(3)\nprint(os.waitpid(pid, 0)[1] >> 8)\n",
	"tracer":     "import sys\nevents = []\ndef trace(frame, event, arg):\n    events.append(event)\n    return trace\ndef f():\n    return 1\nsys.settrace(trace)\nf()\nsys.settrace(None)\nprint(events, sys.gettrace(), sys._getframe().f_trace)\n",
	"exception":  "def f():\n    raise ValueError('no')\nf()\n",
	"exit":       "import atexit, sys\natexit.register(print, 'at exit')\nsys.exit(7)\n",
	"generators": "def g():\n    try:\n        yield 1\n        yield 2\n    finally:\n        print('closed')\nfor x in g():\n    print(x)\n    break\nprint(list(g()))\n",
	"patches":    "import builtins, sys, signal\nfor f in sys.settrace, sys.gettrace, sys.setrecursionlimit, sys.getrecursionlimit, signal.signal, print:\n    print(type(f).__name__, f.__name__)\nprint(sys.excepthook is sys.__excepthook__, 'write' in vars(sys.stdout), [m for m in sys.modules if '_npdb' in m])\nif hasattr(sys, 'monitoring'):\n    print([sys.monitoring.get_tool(n) for n in range(6)])\n",
}

// TestDetach checks that programs run on after detach as if npdb had never been there: their output and
// exit code are those of a run without npdb.
func TestDetach(t *testing.T) {
	t.Parallel()
	for _, p := range pythons.All(t) {
		for name, text := range detachedPrograms {
			t.Run(p.String()+"/"+name, func(t *testing.T) {
				t.Parallel()
				e := newEntering(t, p.Path)
				e.write("program.py", "breakpoint()\none = 1\ntwo = 2\nthree = 3\n"+text)
				out, errs, code := e.run("program.py", "n", "record off", "n", "detach")
				e.env = append(e.env, "PYTHONBREAKPOINT=0")
				wantOut, wantErrs, wantCode := e.run("program.py")
				if i := strings.Index(out, "Recording is off"); i < 0 {
					t.Fatalf("npdb did not run:\n%s%s", out, errs)
				}
				rest := afterStops(out)
				if rest != wantOut || errs != wantErrs || code != wantCode {
					t.Errorf("exit code %d, output\n%s%s\nwithout npdb %d,\n%s%s", code, rest, errs, wantCode, wantOut, wantErrs)
				}
			})
		}
	}
}

// afterStops returns the lines of a program's output without those that npdb has printed.
func afterStops(out string) string {
	var rest strings.Builder
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, "> ") && !strings.HasPrefix(line, "-> ") && !strings.HasPrefix(line, "Recording is off") {
			rest.WriteString(line)
		}
	}
	return rest.String()
}

const failingTests = `def helper(a, b):
    c = a + b
    assert c == 5, "wrong sum"


def test_bad():
    left, right = 2, 2
    helper(left, right)


def test_break():
    q = 7
    breakpoint()
    q += 1
    print("captured", q)


def test_more():
    print("more")
`

// TestPytest checks pytest --pdbcls=npdb:Pdb: at a failing test, at breakpoint() and with --trace.
func TestPytest(t *testing.T) {
	t.Parallel()
	python := pythonWithPytest(t)
	if python == "" {
		t.Skip("skipped: no Python here has pytest")
	}
	for _, c := range []struct {
		name      string
		args      []string
		commands  string
		want, not []string
	}{
		{"failing", []string{"--pdb", "-k", "bad or more"}, "p c\nup\np left, right\nn\nq\n", []string{
			"> DIR/test_x.py(3)helper()\n-> assert c == 5, \"wrong sum\"\n4\n> DIR/test_x.py(8)test_bad()\n-> helper(left, right)\n(2, 2)\nThe recording ends here; q leaves npdb.",
			"1 failed, 1 passed",
		}, nil},
		{"quit", []string{"--pdb", "-k", "bad or more"}, "q\n", []string{"Exit: Quitting debugger", "1 failed"}, []string{"1 passed"}},
		{"breakpoint", []string{"-k", "break or more"}, "n\np q\ndetach\n", []string{"> DIR/test_x.py(14)test_break()\n-> q += 1\n", "\n8\n", "PDB continue (IO-capturing resumed", "2 passed"}, []string{"captured 8"}},
		{"quit at breakpoint", []string{"-k", "break or more"}, "q\n", []string{"Exit: Quitting debugger"}, []string{"passed", "captured 8"}},
		{"trace", []string{"--trace", "-k", "bad"}, "s\nn\ns\np a\nc\nrc\nq\n", []string{"--Call--\n> DIR/test_x.py(6)test_bad()", "--Call--\n> DIR/test_x.py(1)helper()", "AssertionError: wrong sum", "Exit: Quitting debugger"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newEntering(t, python)
			e.env = append(e.env, "PYTHONBREAKPOINT=")
			e.write("test_x.py", failingTests)
			e.args = append([]string{"-m", "pytest", "-q", "-p", "no:cacheprovider", "--pdbcls=npdb:Pdb"}, c.args...)
			out, errs, _ := e.run("test_x.py", strings.Split(strings.TrimSuffix(c.commands, "\n"), "\n")...)
			for _, want := range c.want {
				if !strings.Contains(out, want) {
					t.Errorf("%q is missing in\n%s%s", want, out, errs)
				}
			}
			for _, not := range c.not {
				if strings.Contains(out, not) {
					t.Errorf("%q is in\n%s%s", not, out, errs)
				}
			}
		})
	}
}

// TestPostMortem checks npdb.post_mortem(), npdb.pm() and npdb.runcall().
func TestPostMortem(t *testing.T) {
	t.Parallel()
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			e := newEntering(t, p.Path)
			e.write("dies.py", `import npdb


def f(x):
    y = x - 1
    return 1 / y

def g():
    try:
        f(1)
    except ZeroDivisionError:
        print("quit", npdb.post_mortem())

g()
`)
			died := `Uncaught exception. Entering post mortem debugging
A forward move goes to the end of the program, a backward move into its past.
ZeroDivisionError: division by zero
> DIR/dies.py(6)f()
-> return 1 / y
`
			out, errs, code := e.run("dies.py", "p x, y", "up", "p y", "up", "w", "rs", "q")
			want := died + `(1, 0)
> DIR/dies.py(10)g()
-> f(1)
*** NameError: name 'y' is not defined
> DIR/dies.py(14)<module>()
-> g()
> DIR/dies.py(14)<module>()
-> g()
  DIR/dies.py(10)g()
-> f(1)
  DIR/dies.py(6)f()
-> return 1 / y
Recording began here; what came before was not recorded; infer asks the model what came before.
quit True
`
			if out != want || errs != "" || code != 0 {
				t.Errorf("exit code %d, output\n%s%s\nwant 0 and\n%s", code, out, errs, want)
			}
			e.write("last.py", "import npdb, sys\ndef f():\n    return 1 / 0\ntry:\n    f()\nexcept ZeroDivisionError as e:\n    sys.last_value = e\nnpdb.pm()\nprint('on')\n")
			out, errs, code = e.run("last.py", "up", "q")
			if !strings.HasSuffix(out, "> DIR/last.py(3)f()\n-> return 1 / 0\n> DIR/last.py(5)<module>()\n-> f()\non\n") || errs != "" || code != 0 {
				t.Errorf("exit code %d, output\n%s%s", code, out, errs)
			}
			e.write("calls.py", "import npdb\ndef h(n):\n    n += 1\n    return n * 2\nprint(npdb.runcall(h, 4))\n")
			out, errs, code = e.run("calls.py", "n", "n", "p n", "c", "rs", "q")
			want = "--Call--\n> DIR/calls.py(2)h()\n-> def h(n):\n> DIR/calls.py(3)h()\n-> n += 1\n> DIR/calls.py(4)h()\n-> return n * 2\n5\nThe recording ends here; q leaves npdb.\n" +
				"Backward moves (rs, rn, rf, rc) still work.\n--Return--\n> DIR/calls.py(4)h()->10\n-> return n * 2\n10\n"
			if out != want || errs != "" || code != 0 {
				t.Errorf("exit code %d, output\n%s%s\nwant 0 and\n%s", code, out, errs, want)
			}
		})
	}
}

// TestCalledElsewhere checks what is said where breakpoint() cannot stop: in another thread, in a fork, and
// after the program has set its own trace function. It also checks that the end of each program is shown.
func TestCalledElsewhere(t *testing.T) {
	t.Parallel()
	const ends = "The recording ends here; q leaves npdb.\nBackward moves (rs, rn, rf, rc) still work.\n"
	for _, p := range pythons.All(t) {
		for _, c := range []struct{ name, program, after, errs string }{
			{
				"thread before", "import threading\nt = threading.Thread(target=breakpoint, name='W')\nt.start()\nt.join()\nbreakpoint()\nx = 1\n",
				ends, "npdb: npdb records the main thread only, and this is thread W\n",
			},
			{
				"thread", "import threading\ndef work():\n    breakpoint()\nbreakpoint()\nt = threading.Thread(target=work, name='W')\nt.start()\nt.join()\n",
				"breakpoint() at called.py:3 was called in thread W, which npdb does not record\n" + ends, "",
			},
			{
				"fork", "import os\nbreakpoint()\nif os.fork() == 0:\n    breakpoint()\n    os._exit(0)\nos.wait()\n",
				ends, "npdb: npdb debugs the process that this one was forked from, and stops only there\n",
			},
			{
				"tracer", "import sys\nbreakpoint()\nsys.settrace(lambda *about: None)\nsys.settrace(None)\nbreakpoint()\nx = 1\n",
				"the program called sys.settrace, as debuggers and coverage do: nothing after that is recorded\n" + ends,
				"npdb: the program called sys.settrace, which ended npdb's recording of this process\n",
			},
			{
				"exit function", "import atexit\ndef bye():\n    breakpoint()\n    x = 1\natexit.register(bye)\n",
				"the process ended here: by a signal, by a crash, by os._exit, or after the last of its exit functions\n" + ends, "",
			},
		} {
			t.Run(p.String()+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				e := newEntering(t, p.Path)
				e.write("called.py", c.program)
				out, errs, code := e.run("called.py", "c", "q")
				if _, after, _ := strings.Cut(out, "\n-> "); !strings.HasSuffix(after, "\n"+c.after) || strings.Count(after, "\n") != strings.Count(c.after, "\n")+1 || errs != c.errs || code != 0 {
					t.Errorf("exit code %d, output\n%s%s\nwant 0 and\n%s%s", code, out, errs, c.after, c.errs)
				}
			})
		}
	}
}
