//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// withShim makes the shell of the terminal run a Python by the name py, with the package npdb.
func (m *tmux) withShim(python string) {
	m.t.Helper()
	shim, err := filepath.Abs(filepath.Join("..", "..", "shim", "npdb"))
	if err != nil {
		m.t.Fatal(err)
	}
	m.write("py", "#!/bin/sh\nexec '"+python+"' \"$@\"\n")
	m.keys("chmod +x py; export PYTHONPATH='"+shim+"' PYTHONBREAKPOINT=npdb.set_trace PYTHONDONTWRITEBYTECODE=1; clear", "Enter")
	m.untilTrue("a clear screen", func(screen string) bool { return strings.TrimSpace(screen) == "$" })
}

const terminalProgram = `def f(x):
    y = x + 1
    breakpoint()
    z = y * 2
    print("f gives", z)
    return z


for i in range(2):
    f(i)
print("over")
`

// TestSetTraceInATerminal checks that breakpoint() under plain Python opens the screen, that its moves run the
// program and go back, and that detach and the end give the terminal back, with the output of the program.
func TestSetTraceInATerminal(t *testing.T) {
	t.Parallel()
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			m := newTmux(t, 110, 30)
			m.withShim(p.Path)
			m.write("shown.py", terminalProgram)
			m.keys("./py shown.py; echo ended $?", "Enter")
			m.until("f:4 ", "stack 2 frames", "x  0", "y  1", "idle")
			m.keys("n", "n")
			m.until("f:6 ", "z  2", "f gives 2", "idle")
			m.keys("N", "N")
			m.until("f:4 ")
			m.keys("c")
			m.until("f:3 ", "x  1", "idle")
			m.keys("n", ":")
			m.until("(npdb)")
			m.keys("detach", "Enter")
			m.until("f gives 2", "f gives 4", "over", "ended 0")
			m.whole()
			m.keys("clear; ./py shown.py; echo ended $?", "Enter")
			m.until("f:4 ", "idle")
			m.keys("c", "c")
			m.until("end of 15")
			m.keys("S")
			m.until("<module>:11 ")
			m.keys("q")
			m.until("f gives 4", "over", "ended 0")
			m.whole()
			m.keys("clear; ./py shown.py; echo ended $?", "Enter")
			m.until("f:4 ", "idle")
			m.keys("q")
			m.until("ended 1")
			m.whole()
		})
	}
}

// TestAttachInATerminal checks npdb attach on the screen: a move, a move back, the copied output, and that
// the program runs on after q.
func TestAttachInATerminal(t *testing.T) {
	t.Parallel()
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			m := newTmux(t, 110, 30)
			m.withShim(p.Path)
			m.write("running.py", runningProgram)
			listen := ""
			if p.Minor < 14 {
				listen = " listen"
			}
			m.keys("./py running.py"+listen+" > printed & while ! test -s printed; do :; done; npdb attach $!", "Enter")
			m.untilTrue("the screen, or a refusal", func(screen string) bool {
				return strings.Contains(screen, "idle") || strings.Contains(screen, "the kernel does not allow it")
			})
			if strings.Contains(m.screen(), "the kernel does not allow it") {
				t.Skip("this machine lets no process into another")
			}
			m.keys(":")
			m.until("(npdb)")
			m.keys("b work", "Enter", "c")
			m.until("work:7 ", "stack 2 frames", "idle")
			m.keys("n", "n")
			m.until("work:9 ", "total=", "idle")
			m.keys("N")
			m.until("work:8 ")
			m.keys("q")
			m.until("npdb: detached from process")
			m.keys("clear; touch stop; wait; cat printed", "Enter")
			m.until("begins", "as before None")
			m.whole()
		})
	}
}

// TestPytestInATerminal checks pytest --pdb --pdbcls=npdb:Pdb: the screen opens at the failing test.
func TestPytestInATerminal(t *testing.T) {
	t.Parallel()
	python := pythonWithPytest(t)
	if python == "" {
		t.Skip("skipped: no Python here has pytest")
	}
	m := newTmux(t, 110, 30)
	m.withShim(python)
	m.write("test_x.py", failingTests)
	m.keys("./py -m pytest -q -p no:cacheprovider --pdb --pdbcls=npdb:Pdb -k 'bad or more' test_x.py", "Enter")
	m.until("helper:3 ", "stack 2 frames", "AssertionError: wrong sum", "-m pytest", "idle")
	m.keys(":")
	m.until("(npdb)")
	m.keys("detach", "Enter")
	m.until("1 failed, 1 passed")
	m.whole()
}

// TestQuitWhileRunningInATerminal checks that q ends a program that runs in a move and does not stop by itself.
func TestQuitWhileRunningInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 110, 30)
	m.withShim(pythons.Any(t))
	m.write("busy.py", "breakpoint()\nn = 0\nwhile n >= 0:\n    n += 1\n")
	m.keys("./py busy.py; echo ended $?", "Enter")
	m.until("<module>:2 ", "idle")
	m.keys("c")
	m.untilTrue("a running move", func(screen string) bool { return !strings.Contains(screen, "idle") })
	m.keys("q")
	m.until("ended 1")
	m.whole()
}
