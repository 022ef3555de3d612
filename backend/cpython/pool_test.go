//go:build unix

package cpython_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// watched is a predictor that records the scratch directories of its recordings.
type watched struct {
	*cpython.Predictor
	mu   sync.Mutex
	dirs []string
}

func watch(t testing.TB, c cpython.Config) *watched {
	t.Helper()
	w := &watched{}
	c.Prepare = func(o *trace.Options) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.dirs = append(w.dirs, o.Dir)
	}
	w.Predictor = predictor(t, c)
	return w
}

func (w *watched) started() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.dirs)
}

// alive returns the number of recordings whose scratch directory still exists.
func (w *watched) alive() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, dir := range w.dirs {
		if _, err := os.Stat(dir); err == nil {
			n++
		}
	}
	return n
}

// left returns the processes that still run in a scratch directory. It waits for them to end, as
// processes that a program has started were killed with it but may take a moment to disappear.
func (w *watched) left(t *testing.T) []string {
	t.Helper()
	deadline, tick := time.After(time.Minute), time.NewTicker(5*time.Millisecond)
	defer tick.Stop()
	for {
		found := w.processes(t)
		if len(found) == 0 {
			return nil
		}
		select {
		case <-tick.C:
		case <-deadline:
			return found
		}
	}
}

// processes returns the processes whose working directory is a scratch directory, also a removed one.
func (w *watched) processes(t *testing.T) []string {
	t.Helper()
	if runtime.GOOS != "linux" {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var found []string
	cwds, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	for _, cwd := range cwds {
		at, err := os.Readlink(cwd)
		if err != nil {
			continue // another user's process, or one that has ended
		}
		for _, dir := range w.dirs {
			if strings.HasPrefix(at, dir) {
				found = append(found, cwd)
			}
		}
	}
	return found
}

func counting(i int) string { return fmt.Sprintf("x = %d\ny = x + 1\nz = y + 1\n", i) }

func TestRecordingsAreKept(t *testing.T) {
	w := watch(t, cpython.Config{Recordings: 2})
	nodes := map[int]*dsl.Node{}
	for i := range 3 {
		nodes[i] = start(t, counting(i))
	}
	for _, test := range []struct {
		program         int
		started, living int
	}{
		{0, 1, 1},
		{0, 1, 1},
		{1, 2, 2},
		{0, 2, 2},
		{2, 3, 2}, // closes 1
		{0, 3, 2},
		{1, 4, 2}, // closes 2
		{2, 5, 2}, // closes 0
	} {
		nodes[test.program] = walk(t, w.Predictor, nodes[test.program], "step_over")
		if got := [2]int{w.started(), w.alive()}; got != [2]int{test.started, test.living} {
			t.Fatalf("after %v: %d were started and %d live", test, got[0], got[1])
		}
	}
	shows(t, nodes[0], "end")
	if err, left := w.Close(), w.left(t); err != nil || w.alive() != 0 || len(left) > 0 {
		t.Errorf("%v; %d are left, and %v", err, w.alive(), left)
	}
	if _, err := w.Predict(t.Context(), question(t, nodes[0], "inv_step_into"), nil); !isKind(err, backend.Unreachable) {
		t.Errorf("a closed predictor says %v", err)
	}
}

// TestConcurrency checks concurrent questions about few and many programs, with edits that require
// further recordings: all are answered, and the limit of recordings holds.
func TestConcurrency(t *testing.T) {
	w := watch(t, cpython.Config{Recordings: 2, Timeout: time.Minute})
	var asking sync.WaitGroup
	for i := range 12 {
		asking.Go(func() {
			n := start(t, counting(i%4))
			for _, action := range []string{"step_over", "", "step_over", "inv_step_over", "continue"} {
				if action == "" {
					n = appended(t, n, dsl.Step{Edit: true, Reply: changed(n, "x", fmt.Sprint(i))})
					continue
				}
				made, err := w.Predict(t.Context(), question(t, n, action), nil)
				if err != nil {
					t.Error(err)
					return
				}
				if n, err = n.Append(made.Step); err != nil {
					t.Error(err)
					return
				}
				if step, _ := n.Step(); step.Reply.Stop != nil && n.Current().Line > 2 && n.Current().Locals[1].Value != fmt.Sprint(i+1) {
					t.Errorf("%d: %s", i, shown(n))
				}
			}
			if shown(n) != "end" {
				t.Errorf("%d: %s", i, shown(n))
			}
		})
	}
	asking.Wait()
	if n := w.alive(); n > 2 {
		t.Errorf("%d recordings live", n)
	}
}

const endless = "x = 0\nwhile True:\n    x += 1\n"

// TestTimeout checks that a question that takes too long fails, and that its program is killed.
func TestTimeout(t *testing.T) {
	for name, source := range map[string]string{
		"a loop":        endless,
		"C code":        "x = 0\ny = sum(iter(int, 1))\n",
		"sleeps":        "import time\ntime.sleep(600)\n",
		"stubborn":      "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass\n",
		"has a child":   "import subprocess\nsubprocess.run(['sleep', '600'])\n",
		"when it loads": "def f():\n    return 1\nwhile True: pass\n",
		"at its end":    "import atexit, time\natexit.register(time.sleep, 600)\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := watch(t, cpython.Config{Timeout: 700 * time.Millisecond})
			n := start(t, source)
			if name == "when it loads" {
				n = begin(t, program(source), called(program(source), "f", 1))
			}
			_, err := w.Predict(t.Context(), question(t, n, "continue"), nil)
			if !isKind(err, backend.TimedOut) || !strings.Contains(err.Error(), "700ms") {
				t.Errorf("%v", err)
			}
			if left := w.left(t); len(left) > 0 || w.alive() > 0 {
				t.Errorf("%v are left, %d alive", left, w.alive())
			}
		})
	}
}

func TestLimit(t *testing.T) {
	w := watch(t, cpython.Config{Limits: trace.Limits{Events: 5000}})
	_, err := w.Predict(t.Context(), question(t, start(t, endless), "continue"), nil)
	if !isKind(err, backend.TimedOut) || !strings.Contains(err.Error(), "5000 events") {
		t.Errorf("%v", err)
	}
	if w.alive() > 0 {
		t.Errorf("%d alive", w.alive())
	}
}

// TestCancelled checks that a question ends if its context ends or the predictor is closed.
func TestCancelled(t *testing.T) {
	for name, test := range map[string]struct {
		end  func(*watched, context.CancelFunc)
		want func(error) bool
	}{
		"cancelled": {func(_ *watched, cancel context.CancelFunc) { cancel() }, func(err error) bool { return errors.Is(err, context.Canceled) }},
		"closed":    {func(w *watched, _ context.CancelFunc) { w.Close() }, func(err error) bool { return isKind(err, backend.Unreachable) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := watch(t, cpython.Config{Timeout: time.Minute})
			n := walk(t, w.Predictor, start(t, endless), "step_over")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			failed := make(chan error)
			for range 2 { // one runs, the other waits for the subject
				go func() {
					_, err := w.Predict(ctx, question(t, n, "continue"), nil)
					failed <- err
				}()
			}
			test.end(w, cancel)
			for range 2 {
				if err := <-failed; !test.want(err) {
					t.Errorf("%v", err)
				}
			}
			if left := w.left(t); len(left) > 0 || w.alive() > 0 {
				t.Errorf("%v are left, %d alive", left, w.alive())
			}
		})
	}
}

func TestNoPython(t *testing.T) {
	none := filepath.Join(t.TempDir(), "python")
	p := predictor(t, cpython.Config{Python: none})
	_, err := p.Predict(t.Context(), question(t, start(t, "x = 1\n"), "step_into"), nil)
	if !isKind(err, backend.NoModel) || !strings.Contains(err.Error(), none) {
		t.Errorf("%v", err)
	}
}

func TestModelAndFill(t *testing.T) {
	for drift, want := range map[bool]string{false: "oracle", true: "drift"} {
		p := cpython.New(cpython.Config{Drift: drift})
		if m := p.Model(); m.Name != want || m.Away {
			t.Errorf("%+v", m)
		}
		if _, err := p.Fill(t.Context(), nil, nil, nil, backend.Options{}); !isKind(err, backend.NoState) {
			t.Errorf("%v", err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestShow checks that Predict shows the reply once, complete.
func TestShow(t *testing.T) {
	p := predictor(t, cpython.Config{})
	var shown []backend.Update
	made, err := p.Predict(t.Context(), question(t, start(t, "x = 1\ny = 2\n"), "step_over"), func(u backend.Update) { shown = append(shown, u) })
	if err != nil || len(shown) != 1 || shown[0].Raw != made.Raw || shown[0].Reply.Stop == nil || shown[0].Known != 1<<5-1 {
		t.Errorf("%v, %+v", err, shown)
	}
	if made.Usage != (backend.Usage{Prompt: -1, Cached: -1, Completion: -1}) || made.Took <= 0 || len(made.Warnings) > 0 {
		t.Errorf("%+v", made)
	}
}

// TestFailedStartsTakeNoPlace checks that a recording that could not be started frees its slot, also if
// npdb panicked.
func TestFailedStartsTakeNoPlace(t *testing.T) {
	dir := t.TempDir()
	python := filepath.Join(dir, "python")
	script := func(runs string) {
		t.Helper()
		if err := os.WriteFile(python, []byte("#!"+runs+"\nexec '"+anyPython(t)+"' \"$@\"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	none := filepath.Join(dir, "sh")
	script(none)
	fails := true
	p := predictor(t, cpython.Config{Python: python, Recordings: 2, Prepare: func(*trace.Options) {
		if fails {
			fails = false
			panic("a fault of npdb's own")
		}
	}})
	n := start(t, "x = 1\ny = 2\n")
	func() {
		defer func() { _ = recover() }() // as net/http recovers from panics
		_, _ = p.Predict(t.Context(), question(t, n, "step_over"), nil)
	}()
	for range 3 {
		if _, err := p.Predict(t.Context(), question(t, n, "step_over"), nil); !isKind(err, backend.ServerFailed) || !strings.Contains(err.Error(), none) {
			t.Fatalf("%v", err)
		}
	}
	script("/bin/sh")
	shows(t, walk(t, p, n, "step_over"), "line <module> y = 2 {x: 1}")
}

// TestProgramWritesGarbage checks programs that write to their tracer's channel. The question fails or
// is answered with "unknown", and the slot is freed.
func TestProgramWritesGarbage(t *testing.T) {
	w := watch(t, cpython.Config{Recordings: 1})
	for _, statement := range []string{
		"channel.chunks[0][:] = b'\\xff' * len(channel.chunks[0])",
		"channel.write(b'\\x01\\x00')",           // line 0
		"channel.write(b'\\x01\\xff\\xff\\x03')", // a line that the file does not have
		"import os; os.write(channel.events_fd, b'S\\0\\0\\0\\0' * 3 + b'\\xff' * 99)",
	} {
		n := walk(t, w.Predictor, start(t, "import sys\nchannel = sys.modules['_npdb.channel']\n"+statement+"\nx = 1\ny = 2\n"), "step_over", "step_over")
		for _, action := range []string{"step_over", "step_into", "continue"} {
			made, err := w.Predict(t.Context(), question(t, n, action), nil)
			if err != nil && !isKind(err, backend.ServerFailed) {
				t.Errorf("%s: %v", statement, err)
			}
			if err == nil && made.Step.Reply.Stop != nil && made.Step.Reply.Stop.Source == "" {
				t.Errorf("%s: %+v", statement, made.Step.Reply.Stop)
			}
		}
	}
	shows(t, walk(t, w.Predictor, start(t, "x = 1\ny = 2\n"), "step_over"), "line <module> y = 2 {x: 1}")
}
