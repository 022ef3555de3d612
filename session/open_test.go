package session_test

import (
	"context"
	"errors"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

var errDied = errors.New("the tracer died")

// dies returns a start of a program that reads before its first state, and dies of it.
func (f *fake) dies(context.Context, trace.Options) (session.Recording, trace.Landing, error) {
	f.resume = func() (trace.Landing, error) { return trace.Landing{}, errDied }
	f.edge = trace.Position{Event: -1}
	return f, trace.Landing{Position: f.edge, Reason: trace.NeedsInput}, nil
}

// TestOpenClosesWhatItStarted checks that a program that dies before its first state
// leaves no run behind.
func TestOpenClosesWhatItStarted(t *testing.T) {
	f := newFake(t)
	_, err := interpreted(context.Background(), session.Config{Options: trace.Options{Script: fakePath}, Start: f.dies})
	if !errors.Is(err, errDied) || !f.closed {
		t.Errorf("%v, closed: %v", err, f.closed)
	}
}
