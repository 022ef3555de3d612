package tui

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
)

// heedless is a run whose moves end when the run is killed. They ignore the end of their
// context.
type heedless struct {
	*run
	once   sync.Once
	killed chan struct{}
	began  func() // if not nil, it is called when a move begins
}

func (h *heedless) Kill() { h.once.Do(func() { close(h.killed) }) }

func (h *heedless) Move(ctx context.Context, from trace.Position, a dsl.Action, stops ...trace.Stop) (trace.Landing, error) {
	if h.began != nil {
		h.began()
	}
	<-h.killed
	return h.run.Move(ctx, from, a, stops...)
}

// TestCloseWhileTheProgramStarts checks that the engine can be closed while the program
// starts, and that the program can be run again at once.
func TestCloseWhileTheProgramStarts(t *testing.T) {
	h := &heedless{run: oddRun(), killed: make(chan struct{})}
	starting := make(chan struct{})
	config := replayed(t, h.run)
	rc := []command.RC{{Path: "/home/me/.pdbrc", Commands: []string{"s"}}}
	config.Start = func(ctx context.Context, _ trace.Options) (session.Recording, trace.Landing, error) {
		close(starting)
		<-ctx.Done()
		return h, trace.Landing{}, nil
	}
	e := newEngine(t.Context(), Config{Session: config, Commands: command.Config{RC: rc}})
	opened, closed := make(chan struct{}), make(chan error, 1)
	open := e.open(80)
	go func() {
		defer close(opened)
		open()
	}()
	<-starting
	go func() { closed <- e.close() }()
	select {
	case err := <-closed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Error("the program was not killed")
		h.Kill()
	}
	<-opened
}
