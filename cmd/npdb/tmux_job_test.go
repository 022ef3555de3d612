//go:build unix

package main

import "testing"

// Ctrl-z gives the terminal to the shell, fg takes it again, and kill ends a stopped
// npdb with its program.
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
	m.keys("clear; kill %1; kill -CONT %1", "Enter") // bash does the second by itself
	m.until("npdb --resume goes")
	m.keys("Enter") // it came after the prompt
	m.whole()
}

// Where npdb is a terminal's own command no shell could bring it back.
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

// A terminal of which nothing is known gets no screen.
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

// What was typed is there again in the next session, and Tab completes before Enter
// runs, however fast both come.
func TestCommandLineInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 100, 30)
	m.write("walk.py", walkProgram)
	m.keys("npdb walk.py", "Enter")
	m.until("<module>:1 ", "idle")
	m.keys(":", "reverse-adv", "Tab", "6", "Enter")
	m.until("start: nothing")
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
