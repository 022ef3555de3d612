package recorded

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/python/evaltest"
)

func TestNothingRunsBeforeTheFirstQuestion(t *testing.T) {
	e := New(filepath.Join(t.TempDir(), "no-python"))
	if e.worker != nil {
		t.Error("a worker runs")
	}
	if err := e.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Errorf("a second Close: %v", err)
	}
	if _, err := e.Eval(t.Context(), "1", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestNoPython(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("#!/bin/sh\necho 'is Python 2.7; 3.9 or newer is needed' >&2\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	silent := filepath.Join(t.TempDir(), "silent")
	if err := os.WriteFile(silent, []byte("#!/bin/sh\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for python, want := range map[string]string{
		filepath.Join(t.TempDir(), "none"): "cannot be started",
		broken:                             "is Python 2.7; 3.9 or newer is needed",
		silent:                             "exit status 3",
	} {
		e := New(python)
		_, err := e.Eval(patient(t), "1", nil)
		var worker *WorkerError
		if !errors.As(err, &worker) || worker.Python != python || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want: %s", python, err, want)
		}
		if err := e.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
}

func TestWorkerIsKeptAndRestarted(t *testing.T) {
	e := newEvaluator(t, anyPython(t))
	ask := func() *worker {
		t.Helper()
		if got, err := e.Eval(patient(t), "1 + 1", nil); err != nil || got != "2" {
			t.Fatalf("got %s, %v", got, err)
		}
		return e.worker
	}
	first := ask()
	if again := ask(); again != first {
		t.Error("a second question started a second worker")
	}
	first.kill()
	<-first.exited
	if again := ask(); again == first || again.gone() {
		t.Error("the worker that was killed was not replaced")
	}
}

func TestNoProcessIsLeft(t *testing.T) {
	p := anyPython(t)
	tests := []struct {
		name   string
		end    func(t *testing.T, e *Evaluator)
		closed error // of Close, afterwards
	}{
		{"Close", func(t *testing.T, e *Evaluator) {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}, nil},
		{"a context that is cancelled", func(t *testing.T, e *Evaluator) {
			ctx, cancel := context.WithCancel(t.Context())
			w := e.worker
			go func() {
				// The question has its turn before it is given up.
				defer cancel()
				for len(e.turn) != 0 {
					if w.gone() {
						return
					}
					runtime.Gosched()
				}
			}()
			_, err := e.Eval(ctx, "sum(range(10**13))", nil)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		}, nil},
		{"a deadline", func(t *testing.T, e *Evaluator) {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, err := e.Eval(ctx, "sum(range(10**13))", nil)
			var limit *python.LimitError
			if !errors.As(err, &limit) || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		}, nil},
		{"the limit of processor time", func(t *testing.T, e *Evaluator) {
			// One second of it and a deadline far away.
			_, err := e.worker.exchange(patient(t), []string{"eval", "0", "sum(range(10**13))"})
			var limit *python.LimitError
			if err = e.worker.died(err); !errors.As(err, &limit) {
				t.Errorf("got %v", err)
			}
		}, nil},
		{"standard input that closes", func(t *testing.T, e *Evaluator) {
			if err := e.worker.in.Close(); err != nil {
				t.Error(err)
			}
		}, os.ErrClosed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := New(p.Path)
			if _, err := e.Eval(patient(t), "1", nil); err != nil {
				t.Fatal(err)
			}
			w := e.worker
			test.end(t, e)
			// Closed when the process is reaped; the test's own deadline is the only other way out.
			<-w.exited
			if err := e.Close(); !errors.Is(err, test.closed) {
				t.Errorf("Close: %v, want %v", err, test.closed)
			}
		})
	}
}

func TestCloseGivesUpTheQuestionUnderWay(t *testing.T) {
	e := New(anyPython(t).Path)
	if _, err := e.Eval(patient(t), "1", nil); err != nil {
		t.Fatal(err)
	}
	w := e.worker
	answered := make(chan error, 1)
	go func() {
		_, err := e.Eval(patient(t), "sum(range(10**13))", nil)
		answered <- err
	}()
	if err := e.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	<-w.exited
	if err := <-answered; !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
}

func TestQuestionsFromManyGoroutines(t *testing.T) {
	e := newEvaluator(t, anyPython(t))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 20 {
				want := strings.Repeat("a", i)
				if got, err := e.Eval(patient(t), "x * 1", evaltest.Locals("x", "'"+want+"'")); err != nil || got != "'"+want+"'" {
					t.Errorf("got %s, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}

// The worker takes no module from the folder it runs in, and no setting from
// the environment but the hash seed.
func TestWorkerIsIsolated(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"ast", "pprint", "literals", "evaluate", "sitecustomize", "encodings", "re"} {
		if err := os.WriteFile(filepath.Join(dir, name+".py"), []byte("raise SystemExit('taken from the folder')\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("PYTHONPATH", dir)
	t.Setenv("PYTHONHOME", dir)
	t.Setenv("PYTHONSTARTUP", filepath.Join(dir, "ast.py"))
	t.Setenv("PYTHONINSPECT", "1")
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		if got, err := newEvaluator(t, p).Eval(patient(t), "1 + 1", nil); err != nil || got != "2" {
			t.Errorf("got %s, %v", got, err)
		}
	})
}

func TestWorkerEnvironment(t *testing.T) {
	tests := []struct{ environ, want []string }{
		{[]string{"PATH=/bin", "PYTHONPATH=x", "PYTHONHOME=y"}, []string{"PATH=/bin", "PYTHONHASHSEED=0"}},
		{[]string{"PYTHONHASHSEED=7", "A=b"}, []string{"A=b", "PYTHONHASHSEED=7"}},
		{[]string{"PYTHONHASHSEED="}, []string{"PYTHONHASHSEED=0"}},
	}
	for _, test := range tests {
		if got := workerEnvironment(test.environ); !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.environ, got, test.want)
		}
	}
}

func TestTail(t *testing.T) {
	var words tail
	for _, text := range []string{strings.Repeat("x", 2*stderrKept), "\nfirst\n", "last", " words\n \n"} {
		if n, err := words.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("wrote %d, %v", n, err)
		}
	}
	if got := words.last(); got != "last words" || len(words.kept) != stderrKept {
		t.Errorf("kept %d bytes, the last line %q", len(words.kept), got)
	}
}
