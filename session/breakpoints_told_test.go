package session_test

import (
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// TestBreakpointsAreToldOf checks the messages when breakpoints are set, changed and
// deleted.
func TestBreakpointsAreToldOf(t *testing.T) {
	s := open(t, newFake(t))
	s.First(t.Context())
	const list = "Num Type         Disp Enb   Where\n1   breakpoint   keep yes   at PROG:3\n2   breakpoint   keep yes   at PROG:5\n\tstop only if i == 2\n3   breakpoint   del  yes   at PROG:7"
	answers(t, s,
		"b", "",
		"info breakpoints", "No breakpoints.",
		"b 3", "Breakpoint 1 at PROG:3",
		"b 5, i == 2", "Breakpoint 2 at PROG:5",
		"b 3, x === 1", "*** Invalid condition x === 1: SyntaxError: invalid syntax",
		"b 4", "*** Blank or comment",
		"b 8", "End of file",
		"b 0", "End of file",
		"tbreak 7", "Breakpoint 3 at PROG:7",
		"b", list,
		"info breakpoints", list,
		"ignore 1 2", "Will ignore next 2 crossings of breakpoint 1.",
		"ignore 1 1", "Will ignore next 1 crossing of breakpoint 1.",
		"ignore 1 0", "Will stop next time breakpoint 1 is reached.",
		"ignore 1 -1", "Will stop next time breakpoint 1 is reached.",
		"ignore 9", "*** Breakpoint number 9 out of range",
		"condition 1 i == 1", "New condition set for breakpoint 1.",
		"condition 1 a === 1", "*** Invalid condition a === 1: SyntaxError: invalid syntax",
		"condition 1", "Breakpoint 1 is now unconditional.",
		"condition 9 i", "*** Breakpoint number 9 out of range",
		"enable 1 9 8", "Enabled breakpoint 1 at PROG:3\n*** Breakpoint number 9 out of range\n*** Breakpoint number 8 out of range",
		"disable 9 2", "Disabled breakpoint 2 at PROG:5\n*** Breakpoint number 9 out of range",
		"clear PROG:6", "*** There is no breakpoint at PROG:6",
		"clear nothing.py:6", "*** 'nothing.py' not found from sys.path",
		"clear PROG:3", "Deleted breakpoint 1 at PROG:3",
		"clear 1", "*** Breakpoint 1 already deleted",
		"watch i", "Watchpoint 4: i, no value in <module> now",
		"disable 4", "Disabled watchpoint 4: i",
		"enable 4", "Enabled watchpoint 4: i",
		"clear", "",
		"y", "Deleted breakpoint 2 at PROG:5\nDeleted breakpoint 3 at PROG:7\nDeleted watchpoint 4: i",
		"b", "",
	)
}

// TestAdmittedFilesAreToldOf checks the message when a breakpoint turns library code into
// user code.
func TestAdmittedFilesAreToldOf(t *testing.T) {
	const said = "PROG was passed over so far. It is user code from here on: what runs of it is recorded, and s goes into it."
	f := newFake(t)
	s := open(t, f)
	s.First(t.Context())
	answers(t, s, "b 3", "Breakpoint 1 at PROG:3", "disable 1", "…", "enable 1", "Enabled breakpoint 1 at PROG:3")
	f.said = map[trace.Verb]trace.Answer{trace.VerbUserCode: {Text: "new"}}
	answers(t, s,
		"disable 1", "Disabled breakpoint 1 at PROG:3",
		"enable 1", "Enabled breakpoint 1 at PROG:3\n"+said,
		"watch i", "…",
		"enable 2", "Enabled watchpoint 2: i",
		"cl 2", "…",
		"advance 2", said+"\n> PROG(2)f()\n-> y = x + 1",
	)
}

// TestBreakBetweenStatements checks that a line where no statement starts is refused, with
// the next line where one does; inside a docstring like pdb.
func TestBreakBetweenStatements(t *testing.T) {
	script := scriptOf(t, "\"\"\"What\nit is.\"\"\"\nxs = [\n    1,\n    2,\n]\ndef f():\n    '''Told.'''\n    # why\n    return xs\nf(\n    1\n)\n")
	s := neural(t, &scripted{}, trace.Options{Script: script})
	s.First(t.Context())
	answers(t, s,
		"b 2", "*** Line 2 of prog.py starts no statement; the next one that does is 3",
		"b 4", "Breakpoint 1 at PROG:4",
		"b 6", "*** Line 6 of prog.py starts no statement; the next one that does is 7",
		"b 8", "*** Blank or comment",
		"b 9", "*** Blank or comment",
		"b 10", "Breakpoint 2 at PROG:10",
		"b 13", "*** Line 13 of prog.py starts no statement",
	)
}

// TestBreakpointCommandsAreShown checks what is shown when a condition raises, a command
// fails, and a command resumes.
func TestBreakpointCommandsAreShown(t *testing.T) {
	s := open(t, newFake(t))
	s.First(t.Context())
	answers(t, s,
		"b 3", "Breakpoint 1 at PROG:3",
		"commands 1", "",
		"p nothing", "",
		"p x", "",
		"end", "",
		"c", "*** NameError: name 'nothing' is not defined\n0\n> PROG(3)f()\n-> return y",
		"commands 1", "",
		"silent", "",
		"p x", "",
		"end", "",
		"c", "1",
		"commands 1", "",
		"p x", "",
		"s", "",
		"c", "2\n> PROG(3)f()\n-> return y\n--Return--\n> PROG(3)f()->3\n-> return y",
	)
	if s.Position().Event != 18 {
		t.Errorf("at %+v", s.Position())
	}
}

// TestBreakpointCommandsWithoutALanguage checks that commands of breakpoints do not run if
// nothing can parse them.
func TestBreakpointCommandsWithoutALanguage(t *testing.T) {
	s, err := session.Open(t.Context(), session.Config{Options: trace.Options{Script: fakePath}, Start: newFake(t).start})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.First(t.Context(), nil)
	s.Do(t.Context(), session.SetBreakpoint{At: session.Target{Line: 3}})
	s.Do(t.Context(), session.SetCommands{Number: 1, Lines: []string{"p x", "s"}})
	a := s.Do(t.Context(), session.Continue{})
	if where, _ := a.Text(session.Where); a.Err != nil || a.State.Line != 3 || where == "" {
		t.Errorf("%+v, %q", a, where)
	}
}
