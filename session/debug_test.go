//go:build unix

package session_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestDebug checks that debug runs a statement with its events: moves go through its
// calls, forwards and backwards, and then the program is where it was.
func TestDebug(t *testing.T) {
	const source = `def double(n):
    m = n * 2
    return m
def outer(k):
    here = 1
    there = k
    return there
outer(5)
print('over')
`
	const line = "> prog.py(6)outer()\n-> there = k"
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			wantSaid(t, programOf(t, python.Path, source),
				"debug double(1)", "ENTERING RECURSIVE DEBUGGER\n*** NameError: name 'double' is not defined\nLEAVING RECURSIVE DEBUGGER\n> prog.py(1)<module>()\n-> def double(n):",
				"b 6", "Breakpoint 1 at prog.py:6",
				"c", line,
				"debug here = double(k)", "ENTERING RECURSIVE DEBUGGER\n--Call--\n> prog.py(1)double()\n-> def double(n):",
				"n 2", "> prog.py(3)double()\n-> return m",
				"w", "  prog.py(8)<module>()\n-> outer(5)\n  prog.py(6)outer()\n-> there = k\n> prog.py(3)double()\n-> return m",
				"p m", "10",
				"!m = 70", "",
				"r", "--Return--\n> prog.py(3)double()->70\n-> return m",
				"n", "LEAVING RECURSIVE DEBUGGER\n"+line,
				"p here", "70",
				"rs 2", "> prog.py(3)double()\n-> return m",
				"goto 100%", line,
				"debug (lambda: double(here))()", "ENTERING RECURSIVE DEBUGGER\n--Call--\n> prog.py(1)double()\n-> def double(n):",
				"q", "*** quit: debug (lambda: double(here))() has not ended: continue goes to its end and leaves it, quit again ends the program and npdb",
				"debug double(4)", "*** debug: only where the program stands at a line: step to one first\n--Call--\n> prog.py(1)double()\n-> def double(n):",
				"c", "140\nLEAVING RECURSIVE DEBUGGER\n"+line,
				"debug 1 / 0", "ENTERING RECURSIVE DEBUGGER\n*** ZeroDivisionError: division by zero\nLEAVING RECURSIVE DEBUGGER\n"+line,
				"n", "> prog.py(7)outer()\n-> return there",
				"c", "over\nThe program finished. Exit code: 0\nBackward moves (rs, rn, rf, rc) still work; restart runs it again.",
			)
		})
	}
}

// TestSetTraceWithCommands checks that the commands of pdb.set_trace run at the stop, with
// its header shown before the place.
func TestSetTraceWithCommands(t *testing.T) {
	const source = `import pdb
def helper():
    pdb.Pdb().set_trace(frame, commands=['p x', 'up', 'nosuch'])
import sys
frame = sys._getframe()
x = 5
helper()
pdb.set_trace(header='look here')
y = 6
`
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			wantSaid(t, programOf(t, python.Path, source),
				"c", "> prog.py(7)<module>()\n-> helper()\n5\n*** Oldest frame\n*** NameError: name 'nosuch' is not defined",
				"c", "look here\n> prog.py(8)<module>()\n-> pdb.set_trace(header='look here')",
				"n", "> prog.py(9)<module>()\n-> y = 6",
			)
		})
	}
}

// TestBreakpointBeforeEntry checks that breakpoint() and pdb.set_trace() do not open pdb while the module of
// --entry is loaded, that npdb says so once for each place, and that they stop in the call.
func TestBreakpointBeforeEntry(t *testing.T) {
	const source = `import pdb
for i in range(2):
    breakpoint()
pdb.set_trace()
def f(x):
    breakpoint()
    return x
`
	const passed = "breakpoint() at prog.py:%d did not stop: with --entry recording begins at the call, after the module\n"
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			o := programOf(t, python.Path, source)
			o.Entry = "f(3)"
			answers := played(t, o, nil, "c")
			want := fmt.Sprintf(passed+passed, 3, 4) + "--Call--\n> prog.py(5)f()\n-> def f(x):\n> prog.py(6)f()\n-> breakpoint()\n"
			if got := strings.ReplaceAll(strings.Join(answers, ""), o.Dir+string(filepath.Separator), ""); got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
		})
	}
}
