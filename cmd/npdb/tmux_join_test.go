//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestJoinInATerminal lets a person join the session of an agent from another terminal.
func TestJoinInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 100, 30)
	join := "XDG_RUNTIME_DIR='" + m.dir + "/run' npdb join "
	m.keys(join, "Enter")
	m.until("no agent has a session open")
	m.write("walk.py", walkProgram)
	a := startAgent(t, m.dir)
	a.call("sessions", map[string]any{"op": "open", "program": map[string]any{"file": "walk.py"}})
	m.keys("clear; "+join, "Enter")
	m.until("s1 walk.py", "<module>:1 ", "idle")
	a.call("move", map[string]any{"action": "step_over", "hypothesis": "f is defined"})
	m.until("agent: step_over (f is defined)", "<module>:6 ")
	m.tmux("resize-window", "-x", "80", "-y", "24")
	m.keys("s")
	m.until("call f:1 ")
	if said := a.call("state", nil); !strings.Contains(said, `"person":["step"]`) {
		t.Errorf("the agent is not told what the person did: %s", said)
	}
	m.keys("q")
	m.until("npdb: s1 goes on.")
	m.whole()

	m.keys("clear; "+join+"--take-over s1", "Enter")
	m.until("call f:1 ", "idle")
	if said := a.call("move", map[string]any{"action": "step_into"}); !strings.Contains(said, "a person has taken s1 over") {
		t.Errorf("the person has taken over: %s", said)
	}
	a.call("sessions", map[string]any{"op": "end", "session": "s1"})
	m.until("this session has ended")
	m.whole()

	// An npdb mcp that is killed cannot restore the terminal.
	a.call("sessions", map[string]any{"op": "open", "program": map[string]any{"file": "walk.py"}})
	a.call("sessions", map[string]any{"op": "open", "program": map[string]any{"file": "walk.py"}})
	m.keys("clear; "+join, "Enter")
	m.until("several sessions are open", ":s2 ", ":s3 ")
	m.keys("clear; "+join+"s3", "Enter")
	m.until("<module>:1 ", "idle")
	if err := a.npdb.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	m.until("has ended")
	m.whole()
	sockets := filepath.Join(m.dir, "run", "npdb", "*")
	if left, err := filepath.Glob(sockets); err != nil || len(left) != 1 {
		t.Errorf("the killed npdb left %q, %v", left, err)
	}
	_ = a.Close() // it waits for the killed process
	m.keys("clear; "+join, "Enter")
	m.until("no agent has a session open")
	if left, err := filepath.Glob(sockets); err != nil || len(left) > 0 {
		t.Errorf("sockets that are left: %q, %v", left, err)
	}
}
