//go:build unix

package main

import "testing"

// TestJobInATerminal checks that Ctrl-z returns the terminal to the shell, that fg resumes
// npdb, and that kill ends a stopped npdb with its program.
func TestJobInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 100, 30)
	m.write("walk.py", walkProgram)
	m.keys("set -m; npdb walk.py", "Enter")
	m.until("<module>:1 ", "idle")
	m.keys("n", "C-z")
	m.until("Stopped")
	m.whole()
	m.keys("clear; fg", "Enter")
	m.until("<module>:6 ", "idle", "? help")
	m.keys("s")
	m.until("call f:1 ")
	m.keys("C-z")
	m.until("Stopped")
	m.keys("clear; kill %1; kill -CONT %1", "Enter") // bash sends the second signal by itself
	m.until("npdb --resume goes")
	m.keys("Enter") // its message came after the prompt
	m.whole()
}

// TestNoJobInATerminal checks that Ctrl-z does nothing if npdb is the terminal's own
// command, because no shell could resume it.
func TestNoJobInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 100, 30)
	m.write("walk.py", walkProgram)
	m.keys("exec npdb walk.py", "Enter")
	m.until("<module>:1 ", "idle")
	m.keys("C-z")
	m.until("no shell is there")
	m.keys("n")
	m.until("<module>:6 ", "idle")
}

// TestNoScreenInATerminal checks that a terminal of unknown type gets no screen.
func TestNoScreenInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 80, 24)
	m.write("walk.py", walkProgram)
	for _, term := range []string{"TERM=", "-u TERM", "TERM=dumb"} {
		m.keys("clear; env "+term+" npdb walk.py", "Enter")
		m.until("-> def f(x):", "(npdb)")
		m.keys("q", "Enter")
		m.whole()
	}
}

// TestCommandLineInATerminal checks that the history is available in the next session, and
// that Tab completes before Enter runs the line, however fast both are typed.
func TestCommandLineInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 100, 30)
	m.write("walk.py", walkProgram)
	m.keys("npdb walk.py", "Enter")
	m.until("<module>:1 ", "idle")
	m.keys(":", "reverse-adv", "Tab", "6", "Enter")
	m.until("This is the first state")
	m.keys("q")
	m.whole()
	m.keys("clear; npdb walk.py", "Enter")
	m.until("<module>:1 ", "idle")
	m.keys(":", "Up")
	m.until("(npdb) reverse-advance 6")
	m.keys("Escape")
	m.until("? help")
	m.keys("q")
	m.whole()
}
