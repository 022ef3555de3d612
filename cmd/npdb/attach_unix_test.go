//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/npdb/npdb/internal/pythons"
)

// runningProgram runs until the file stop appears, and then prints what npdb could have left in it. Meanwhile
// it opens the named pipe runs, if there is one, and removes it.
const runningProgram = `import os, signal, sys, time
if len(sys.argv) > 1:
    import npdb
    npdb.listen()

def work(n):
    total = n
    for i in range(3):
        total += i
    return total - 3

def state():
    names = [sys.settrace, sys.gettrace, sys.setrecursionlimit, sys.getrecursionlimit, signal.signal, sys.excepthook, sys.breakpointhook]
    tools = [sys.monitoring.get_tool(i) for i in range(6)] if hasattr(sys, "monitoring") else []
    handlers = [signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGURG), signal.getsignal(signal.SIGUSR2)]
    modules = [name for name in sys.modules if "_npdb" in name]
    return names, tools, handlers, modules, sys.gettrace(), sys.getrecursionlimit(), "write" in vars(sys.stdout), sorted(globals())

n = 0
before = ()
before = state()
print("begins", flush=True)
while os.path.exists("running.py") and not os.path.exists("stop"):
    n += 1
    time.sleep(0.01)
    if os.path.exists("runs"):
        open("runs", "w").close()
        os.remove("runs")
    if work(n) != n:
        print("wrong", flush=True)
print("as before" if state() == before else (state(), before), sys._getframe().f_trace)
sys.exit(5)
`

// running is a program that runs without npdb.
type running struct {
	*entering
	cmd    *exec.Cmd
	out    *bufio.Reader
	errs   bytes.Buffer
	listen bool // it has called npdb.listen()
}

// start starts a program that must print a line first. On Pythons before 3.14 it gets an argument, so that it
// calls npdb.listen().
func (e *entering) start(p pythons.Python, text string) *running {
	e.t.Helper()
	r := &running{entering: e, listen: p.Minor < 14}
	args := []string{e.write("running.py", text)}
	if r.listen {
		args = append(args, "listen")
	}
	r.cmd = exec.CommandContext(e.t.Context(), e.python, args...)
	r.cmd.Dir, r.cmd.Env, r.cmd.Stderr = e.dir, e.env, &r.errs
	pipe, err := r.cmd.StdoutPipe()
	if err != nil {
		e.t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		e.t.Fatal(err)
	}
	r.out = bufio.NewReader(pipe)
	if line, err := r.out.ReadString('\n'); err != nil || line != "begins\n" {
		e.t.Fatalf("the program printed %q: %v", line, err)
	}
	return r
}

// attach runs npdb attach. The commands are its standard input.
func (r *running) attach(input io.Reader) (out, errs string, failed error) {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), filepath.Join(r.dir, "npdb"), "attach", "--plain", strconv.Itoa(r.cmd.Process.Pid))
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, r.env, input
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	failed = cmd.Run()
	if strings.Contains(stderr.String(), "the kernel does not allow it") {
		r.stop()
		r.t.Skipf("this machine lets no process into another: %s", stderr.String())
	}
	here, err := filepath.EvalSymlinks(r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.NewReplacer(here, "DIR", r.dir, "DIR").Replace(stdout.String()), stderr.String(), failed
}

// stop lets the program end, and returns the rest of its output and its exit code.
func (r *running) stop() (out string, code int) {
	r.t.Helper()
	r.write("stop", "")
	rest, err := io.ReadAll(r.out)
	if err != nil {
		r.t.Fatal(err)
	}
	_ = r.cmd.Wait() // the exit code is checked
	return string(rest), r.cmd.ProcessState.ExitCode()
}

// TestAttach checks that npdb attach stops a running program, twice, moves in it, and that the program is
// afterwards as it was: by sys.remote_exec on Python 3.14, and by npdb.listen() on older ones.
func TestAttach(t *testing.T) {
	t.Parallel()
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			r := newEntering(t, p.Path).start(p, runningProgram)
			for _, leave := range []string{"quit", "detach"} {
				out, errs, err := r.attach(strings.NewReader("w\nb work\nc\np total\nn\nn\nr\np n\nup\nrc\nrewind\nrs\ngoto 100%\nrecord off\nn\nn\n" + leave + "\n"))
				if err != nil {
					t.Fatalf("%v: %s", err, errs)
				}
				for _, want := range []string{"> DIR/running.py(", "<module>()", "Breakpoint 1 at DIR/running.py:7", "> DIR/running.py(7)work()", "--Return--", "Recording began here"} {
					if !strings.Contains(out, want) {
						t.Errorf("%q is missing in\n%s", want, out)
					}
				}
				if !strings.Contains(errs, "npdb: detached from process") {
					t.Errorf("standard error is %q", errs)
				}
			}
			out, code := r.stop()
			if out != "as before None\n" || code != 5 || r.errs.String() != "" {
				t.Errorf("the program ended with %d and printed\n%s%s", code, out, r.errs.String())
			}
		})
	}
}

// TestAttachTogether checks that one of several npdbs attaches at a time, and that the others say why they
// cannot.
func TestAttachTogether(t *testing.T) {
	t.Parallel()
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			r := newEntering(t, p.Path).start(p, runningProgram)
			if out, errs, err := r.attach(strings.NewReader("q\n")); err != nil { // skips the test where nothing can attach
				t.Errorf("%v, output\n%s%s", err, out, errs)
			}
			var together sync.WaitGroup
			for range 4 {
				together.Go(func() {
					out, errs, err := r.attach(strings.NewReader("n\nn\nq\n"))
					switch {
					case err == nil && strings.HasPrefix(out, "> DIR/running.py(") && strings.Contains(errs, "npdb: detached from process"):
					case err != nil && out == "" && strings.Contains(errs, "another npdb is attaching to it"):
					case err != nil && out == "" && strings.Contains(errs, "npdb records or debugs this process already"):
					default:
						t.Errorf("%v, output\n%s%s", err, out, errs)
					}
				})
			}
			together.Wait()
			if out, errs, err := r.attach(strings.NewReader("q\n")); err != nil {
				t.Errorf("%v, output\n%s%s", err, out, errs)
			}
			if out, code := r.stop(); out != "as before None\n" || code != 5 || r.errs.String() != "" {
				t.Errorf("the program ended with %d and printed\n%s%s", code, out, r.errs.String())
			}
		})
	}
}

// TestAttachKilled checks that the program runs on if npdb is killed, also while it stands, and that another
// npdb can attach then.
func TestAttachKilled(t *testing.T) {
	t.Parallel()
	for _, p := range pythons.All(t) {
		for _, runs := range []bool{false, true} {
			t.Run(fmt.Sprint(p, " runs ", runs), func(t *testing.T) {
				t.Parallel()
				r := newEntering(t, p.Path).start(p, runningProgram)
				cmd := exec.CommandContext(t.Context(), filepath.Join(r.dir, "npdb"), "attach", "--plain", strconv.Itoa(r.cmd.Process.Pid))
				cmd.Dir, cmd.Env = r.dir, r.env
				var errs bytes.Buffer
				cmd.Stderr = &errs
				in, err := cmd.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				first, err := bufio.NewReader(out).ReadString('\n')
				if err != nil {
					if said, _ := r.stop(); strings.Contains(errs.String(), "the kernel does not allow it") {
						t.Skipf("this machine lets no process into another: %s%s", errs.String(), said)
					}
					t.Fatalf("npdb printed %q: %v", first, err)
				}
				if runs {
					pipe := filepath.Join(r.dir, "runs")
					if err := unix.Mkfifo(pipe, 0o600); err != nil {
						t.Fatal(err)
					}
					if _, err := io.WriteString(in, "c\n"); err != nil {
						t.Fatal(err)
					}
					if _, err := os.ReadFile(pipe); err != nil { // waits for the program
						t.Fatal(err)
					}
				}
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				_ = cmd.Wait() // it was killed
				_ = in.Close() // Wait has closed it
				if out, errs, err := r.attach(strings.NewReader("q\n")); err != nil {
					t.Errorf("%v, output\n%s%s", err, out, errs)
				}
				if out, code := r.stop(); out != "as before None\n" || code != 5 || r.errs.String() != "" {
					t.Errorf("the program ended with %d and printed\n%s%s", code, out, r.errs.String())
				}
			})
		}
	}
}

// TestAttachRefused checks what npdb attach says if it cannot attach.
func TestAttachRefused(t *testing.T) {
	t.Parallel()
	p := pythons.Usual(t)
	e := newEntering(t, p.Path)
	sleep := exec.CommandContext(t.Context(), "sleep", "1000")
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	gone := exec.CommandContext(t.Context(), "true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ pid, want string }{
		{"x", `"x" is not the number of a process`},
		{strconv.Itoa(gone.Process.Pid), "there is no such process"},
		{strconv.Itoa(sleep.Process.Pid), "sleep, which is not a Python interpreter"},
	} {
		cmd := exec.CommandContext(t.Context(), filepath.Join(e.dir, "npdb"), "attach", c.pid)
		cmd.Dir, cmd.Env = e.dir, e.env
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.want) {
			t.Errorf("attach %s: %v, %s\nwant %s", c.pid, err, out, c.want)
		}
	}
	if err := sleep.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = sleep.Wait() // it was killed
	if p.Minor < 14 {
		r := e.start(pythons.Python{Path: p.Path, Minor: 14}, runningProgram) // it does not listen
		_, errs, err := r.attach(strings.NewReader(""))
		if err == nil || !strings.Contains(errs, "lets no debugger in before 3.14: call npdb.listen() in the program") {
			t.Errorf("%v: %s", err, errs)
		}
		r.stop()
	}
}
