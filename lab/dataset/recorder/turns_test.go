//go:build unix

package recorder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/npdb/npdb/internal/pythons"
)

// TestWaiting checks that a caller stops waiting for its turn when its context ends, and that About does
// not wait.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &Worker{turn: make(chan struct{}, 1), version: "3.14.0 (x)", makes: true}
		if err := w.begin(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error)
		go func() {
			_, err := w.Record(ctx, Job{})
			failed <- err
		}()
		go func() {
			_, err := w.overhear(ctx, map[string]any{})
			failed <- err
		}()
		synctest.Wait()
		if w.About().Python != "3.14.0" || w.CanMake() != nil {
			t.Error("what the worker is has to wait: ", w.About(), w.CanMake())
		}
		cancel()
		for range 2 {
			if err := <-failed; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		w.done()
		for range 20 { // the turn is free, but the context has ended, so Record must fail
			if _, err := w.Record(ctx, Job{}); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
	})
}

// TestClosed checks that a closed worker starts no process.
func TestClosed(t *testing.T) {
	w := begin(t, Config{Python: pythons.Any(t)})
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	if _, err := w.Record(t.Context(), Job{Program: &Program{Source: "x = 1\n"}}); !errors.Is(err, os.ErrClosed) || w.proc != nil {
		t.Error(err, w.proc)
	}
	if _, err := w.overhear(t.Context(), map[string]any{}); !errors.Is(err, os.ErrClosed) || w.proc != nil {
		t.Error(err, w.proc)
	}
}

// TestKilledLate checks that a process is not killed after it has been waited for, because another
// process may have its number by then.
func TestKilledLate(t *testing.T) {
	for _, over := range []bool{true, false} {
		other := exec.Command("cat")
		setApart(other)
		input, err := other.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Start(); err != nil {
			t.Skip(err)
		}
		(&process{cmd: other, over: over}).kill()
		if over { // it exits by itself
			err = input.Close()
		}
		if err := errors.Join(err, other.Wait()); (err == nil) != over {
			t.Errorf("over: %v: it ends with %v", over, err)
		}
	}
	w := begin(t, Config{Python: pythons.Any(t)})
	p := w.proc
	if err := w.Close(); err != nil || !p.over {
		t.Error(err, p.over)
	}
}

// TestTurns checks that concurrent callers take turns.
func TestTurns(t *testing.T) {
	w := begin(t, Config{Python: pythons.Any(t)})
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			r, err := w.Record(t.Context(), Job{Program: &Program{Source: fmt.Sprintf("x = %d\ny = x\n", n)}})
			if err != nil || r.Tree.State(1).Locals[0].Value != fmt.Sprint(n) {
				t.Error(n, err)
			}
		})
	}
	all.Wait()
}
