//go:build unix

package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/npdb/npdb/mcp"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/shared"
)

// TestLongMove checks that a call returns while its command still runs, and that later calls can wait for
// the command and interrupt it.
func TestLongMove(t *testing.T) {
	c := connect(t, server(t))
	var d mcp.Diagnosis
	c.must("diagnose", map[string]any{"code": "while True:\n    n = 1\n", "seconds": 0.01}, &d)
	if d.Running == "" || d.Failed {
		t.Fatalf("the diagnosis is %+v", d)
	}
	if got := c.call("state", nil, &struct{}{}); !strings.Contains(got, "still running") {
		t.Errorf("state meanwhile: %q", got)
	}
	var at mcp.Stop
	c.must("move", map[string]any{"action": "wait", "seconds": 0.01}, &at)
	if at.Running == "" {
		t.Errorf("wait: %+v", at)
	}
	c.must("move", map[string]any{"action": "interrupt"}, &at)
	if at.Running != "" || at.Place == nil {
		t.Errorf("after an interrupt: %+v", at)
	}
	c.must("state", nil, &at)
	c.must("move", map[string]any{"action": "inv_continue"}, &at)
	if at.Number != 0 {
		t.Errorf("the first state is event %d", at.Number)
	}
	var m mcp.Managed
	c.must("sessions", map[string]any{"op": "end", "session": d.Session}, &m)
	if len(m.Sessions) != 0 {
		t.Errorf("sessions: %+v", m.Sessions)
	}
}

// TestTogether checks that two agents can work at the same time, each in its own session, and that each
// gets the answers of its own session.
func TestTogether(t *testing.T) {
	s := server(t)
	var done sync.WaitGroup
	for k := range 2 {
		c := connect(t, s)
		done.Go(func() {
			var m mcp.Managed
			var d mcp.Diagnosis
			c.call("diagnose", map[string]any{"code": fmt.Sprintf("who = %d\nfor step in range(20):\n    pass\nwho / 0\n", k)}, &d)
			for range 10 {
				var at mcp.Stop
				c.call("move", map[string]any{"session": d.Session, "action": "inv_step_over"}, &at)
				if want := fmt.Sprintf("{who %d 0}", k); at.Session != d.Session || !strings.Contains(fmt.Sprint(at.Locals), want) {
					t.Errorf("agent %d: %+v", k, at)
				}
			}
			c.call("sessions", map[string]any{"op": "list"}, &m)
			if len(m.Sessions) == 0 {
				t.Errorf("agent %d sees no session", k)
			}
		})
	}
	done.Wait()
}

// TestPersonAndAgent checks two sessions of an agent on one program, which a person uses at the same time:
// each gets the answers of its own commands, and each journal has all commands of its session.
func TestPersonAndAgent(t *testing.T) {
	dir := t.TempDir()
	s := serverIn(t, dir)
	program := filepath.Join(dir, "p.py")
	if err := os.WriteFile(program, []byte("n = 0\nfor step in range(100):\n    n += step\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const turns = 40
	var users sync.WaitGroup
	for k := range 2 {
		c := connect(t, s)
		var d mcp.Diagnosis
		c.must("diagnose", map[string]any{"file": program}, &d)
		of, _, err := s.Shared(d.Session)
		if err != nil {
			t.Fatal(err)
		}
		g := &shared.Guest{
			Calls: session.Config{Interrupted: func() bool { return false }},
			Began: func(string) {}, Done: func([]*session.Answer) {}, Ended: func() {},
		}
		leave, err := of.Join(g)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(leave)
		users.Go(func() {
			for i := range turns {
				var at mcp.Stop
				c.must("move", map[string]any{"session": d.Session, "action": "goto", "event": 10 + i + k}, &at)
				if at.Session != d.Session || at.Number != 10+i+k {
					t.Errorf("agent in %s: event %d, not %d of %s", at.Session, at.Number, 10+i+k, d.Session)
				}
			}
		})
		users.Go(func() {
			for i := range turns {
				_, err := of.Use(t.Context(), g, "goto", func(i2 *command.Interpreter) []*session.Answer {
					a := i2.Do(t.Context(), session.Goto{Event: 100 + i})
					if a.Err != nil || i2.Event() != 100+i {
						t.Errorf("person: event %d, not %d: %v", i2.Event(), 100+i, a.Err)
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	users.Wait()
	journals, err := filepath.Glob(filepath.Join(dir, "state", "journal", "*"))
	if err != nil || len(journals) != 2 {
		t.Fatalf("%d journals, %v", len(journals), err)
	}
	for _, path := range journals {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), `"Goto"`); n != 2*turns {
			t.Errorf("a journal has %d of %d commands:\n%s", n, 2*turns, text)
		}
	}
}

// TestOneAtATime checks that a second command of a session is refused while the first one runs.
func TestOneAtATime(t *testing.T) {
	s := server(t)
	a, b := connect(t, s), connect(t, s)
	var d mcp.Diagnosis
	a.must("diagnose", map[string]any{"code": "while True:\n    n = 1\n", "seconds": 0.01}, &d)
	if got := b.call("move", map[string]any{"session": d.Session, "action": "step_over"}, &struct{}{}); !strings.Contains(got, "still running") {
		t.Errorf("a second command: %q", got)
	}
}

// TestCancelled checks that the end of a call's context interrupts its command.
func TestCancelled(t *testing.T) {
	c := connect(t, server(t))
	var m mcp.Managed
	c.must("sessions", map[string]any{"op": "open", "program": map[string]any{"code": "import sys\nprint(1, flush=True)\nwhile True:\n    n = 1\n"}}, &m)
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() {
		for {
			r, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "move", Arguments: map[string]any{"action": "continue"}})
			if err != nil || !r.IsError { // an error: a call of state, below, is still running
				over <- err
				return
			}
		}
	}()
	for c.call("state", nil, &struct{}{}) == "" { // until the move has begun
		continue
	}
	cancel()
	if err := <-over; !errors.Is(err, context.Canceled) {
		t.Errorf("the call ended with %v", err)
	}
	for strings.Contains(c.call("state", nil, &struct{}{}), "still running") { // until the program was interrupted
		continue
	}
}
