package recorded

import (
	"bufio"
	"context"
	"errors"
	"io"
	"testing"
)

// A reply that comes as the context ends is not taken: the worker is being killed,
// and must not be kept for the next question.
func TestReplyAsTheContextEnds(t *testing.T) {
	e := newEvaluator(t, anyPython(t))
	if _, err := e.Eval(patient(t), "1", nil); err != nil {
		t.Fatal(err)
	}
	first := e.worker
	ctx, cancel := context.WithCancel(patient(t))
	first.reader = bufio.NewReader(&readThen{first.out, cancel})
	if got, err := e.Eval(ctx, "1 + 1", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := e.Eval(patient(t), "1 + 1", nil); err != nil || got != "2" || e.worker == first {
		t.Errorf("got %q, %v", got, err)
	}
}

// readThen does something when something was read.
type readThen struct {
	io.Reader
	then func()
}

func (r *readThen) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.then()
	return n, err
}
