package session_test

import (
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestMovesOfASelectedFrame checks that with a selected frame above the newest, moves
// belong to that frame: next leads to its next line, return to its end, and repeated moves
// continue from there.
func TestMovesOfASelectedFrame(t *testing.T) {
	s := open(t, newFake(t))
	s.First(t.Context())
	run(s, "s 30")
	for _, c := range []struct {
		move  string
		event int
	}{
		{"n", 13},
		{"n 2", 14},
		{"n 3", 19},
		{"r", 21},
		{"r 2", 22},
		{"rn", 8},
		{"rn 2", 7},
		{"rf", 8}, // the module has no call to go back to
		{"rf 2", 8},
		{"s", 11},
		{"rs", 9},
		{"until", 20},
		{"until 7", 20},
		{"reverse-until", 7},
	} {
		run(s, "goto 10", "up")
		said := run(s, c.move)
		at := s.Position().Event
		if s.Position().End {
			at = 22
		}
		if at != c.event {
			t.Errorf("%s: event %d, want %d: %s", c.move, at, c.event, said)
		}
	}
}

// TestUntilWantsALineAhead checks that the line of until must be after the current one,
// and that of reverse-until before it.
func TestUntilWantsALineAhead(t *testing.T) {
	s := open(t, newFake(t))
	s.First(t.Context())
	run(s, "s 30", "goto 7")
	const small, large = `*** "until" line number is smaller than current line number`, `*** "reverse-until" line number is larger than current line number`
	answers(t, s,
		"until 5", small,
		"reverse-until 5", large,
		"reverse-until 6", large,
		"until 6", "> PROG(6)<module>()\n-> f(i)",
		"reverse-until 5", "> PROG(5)<module>()\n-> for i in range(3):",
		"until", "> PROG(6)<module>()\n-> f(i)",
		"reverse-until", "> PROG(5)<module>()\n-> for i in range(3):",
	)
}

// TestSelectFrames checks the messages at both ends of the stack, and counts for up and
// down.
func TestSelectFrames(t *testing.T) {
	s := open(t, newFake(t))
	s.First(t.Context())
	answers(t, s,
		"u", "*** Oldest frame",
		"s 3", "--Call--\n> PROG(1)f()\n-> def f(x):",
		"args", "x = 0",
		"d", "*** Newest frame",
		"u", "> PROG(6)<module>()\n-> f(i)",
		"w", "> PROG(6)<module>()\n-> f(i)\n  PROG(1)f()\n-> def f(x):",
		"args", "",
		"d 7", "> PROG(1)f()\n-> def f(x):",
		"u 7", "> PROG(6)<module>()\n-> f(i)",
		"l 6, 6", "  6  ->\t    f(i)",
		"d", "> PROG(1)f()\n-> def f(x):",
		"ll", "  1  ->\tdef f(x):\n  2  \t    y = x + 1\n  3  \t    return y",
	)
	if a := do(s, "s"); len(a.Stack) != 2 || a.State.Event != dsl.Line {
		t.Errorf("%+v", a)
	}
}

// TestUntilAtAReturn checks that until at a return, where no line of the function follows,
// goes to the caller.
func TestUntilAtAReturn(t *testing.T) {
	s := written(t, "def f():\n    for i in range(2):\n        pass\n    return 1\nfor k in range(2):\n    f()\nend = 1\n")
	run(s, "b 4", "c", "s")
	if a := do(s, "until"); a.Err != nil || a.State.Function != "<module>" || a.State.Line != 5 {
		t.Errorf("from a return until leads to %+v", a.State)
	}
	run(s, "c", "s")
	if a := do(s, "until 3"); a.Err == nil || a.State.Line != 4 {
		t.Errorf("a line before the return: %+v", a.State)
	}
	if a := do(s, "until 5"); a.Err != nil || a.State.Function != "<module>" {
		t.Errorf("a line behind it: %+v", a.State)
	}
}
