//go:build unix

package session_test

import (
	"strings"
	"testing"
)

// TestCatchDoubtsATypo checks that an unknown exception name is accepted with a
// suggestion, and a known one without.
func TestCatchDoubtsATypo(t *testing.T) {
	s := written(t, "class Own(Exception): pass\nraise Own(3)\n")
	for line, doubted := range map[string]bool{"catch ValueEror": true, "catch ValueError": false, "catch Own": false, "catch": false} {
		if got := run(s, line); strings.Contains(got, "Is ValueError meant?") != doubted || !strings.HasPrefix(got, "Catchpoint ") {
			t.Errorf("%s: %q", line, got)
		}
	}
}

// TestWatchTellsOfTheFirstLine checks that a change by the first line, event 0, is
// reported like any other.
func TestWatchTellsOfTheFirstLine(t *testing.T) {
	s := written(t, "x = 1\ny = 2\nx = 3\n")
	run(s, "watch x")
	if got := run(s, "c"); !strings.Contains(got, "by prog.py:1") {
		t.Errorf("%q", got)
	}
	if got := run(s, "c"); !strings.Contains(got, "by prog.py:3") {
		t.Errorf("%q", got)
	}
}

// TestStopsSayWhy checks that catchpoints and watchpoints report why they stop a move.
func TestStopsSayWhy(t *testing.T) {
	s := written(t, "def f():\n    x = 1\n    raise ValueError('bad')\ntry:\n    f()\nexcept ValueError:\n    pass\n")
	answers(t, s,
		"catch ValueError", "Catchpoint 1: ValueError",
		"b 2", "Breakpoint 2 at PROG:2",
		"c", "> PROG(2)f()\n-> x = 1",
		"watch x", "Watchpoint 3: x in f, no value now",
		"c", "Watchpoint 3: x: no value -> 1, by prog.py:2 in f\n> PROG(3)f()\n-> raise ValueError('bad')",
		"c", "Catchpoint 1: ValueError: bad is raised here\nValueError: bad\n> PROG(3)f()\n-> raise ValueError('bad')",
		"c", "Watchpoint 3: x: f returns here, and its names end\n--Return--\n> PROG(3)f()\n-> raise ValueError('bad')",
		"rc", "Catchpoint 1: ValueError: bad is raised here\nValueError: bad\n> PROG(3)f()\n-> raise ValueError('bad')",
		"clear 1 2", "…",
		"rc", "Watchpoint 3: x: no value -> 1, by prog.py:2 in f\n> PROG(2)f()\n-> x = 1",
		"rc", "Watchpoint 3: x: f begins here, before that its names have no values\n--Call--\n> PROG(1)f()\n-> def f():",
	)
}
