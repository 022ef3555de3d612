//go:build unix

package session_test

import (
	"fmt"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// The timeline marks where an exception is raised, though not the frames that it passes,
// where something ran unrecorded, and what was shown.
func TestTimelineOfARecording(t *testing.T) {
	s := written(t, "def f():\n    raise KeyError\ntry:\n    f()\nexcept KeyError:\n    pass\na = 1\nb = 2\n")
	run(s, "b 7", "c")
	raised := 0
	for _, span := range s.Timeline(1000) {
		if span.Exception {
			raised++
			if span.Depth != 1 {
				t.Errorf("%+v", span)
			}
		}
		if span.Hole {
			t.Errorf("nothing is left out: %+v", span)
		}
	}
	if raised != 1 {
		t.Errorf("%d exceptions are marked", raised)
	}
	if all := s.Timeline(1); len(all) != 1 || !all[0].Exception || !all[0].Shown || !all[0].Breakpoint {
		t.Errorf("%+v", all)
	}
	edge := s.Position().Event
	run(s, "fc")
	spans := s.Timeline(1000)
	for i, span := range spans {
		if span.Hole != (i == len(spans)-1) || span.Shown != (i == 0 || i == edge) {
			t.Errorf("%d: %+v", i, span)
		}
	}
}

// The globals of a module are those of its code while that is on the stack; of one that
// was imported before, the program alone knows them.
func TestGlobalsOfAnImportedModule(t *testing.T) {
	o := programOf(t, pythons.Any(t), "import shapes\nprint(shapes.area(2))\n", "shapes.py", "unit = 3\ndef area(n):\n    side = n * unit\n    return side\n")
	s := opened(t, o)
	run(s, "b shapes.area", "c", "s")
	if v := s.View(); len(v.Globals) != 0 || v.GlobalsAt != 0 {
		t.Errorf("%+v at %d", v.Globals, v.GlobalsAt)
	}
	const none = "*** NameError: name 'unit' was not recorded here (from recorded text)"
	answers(t, s,
		"p unit", "3",
		"rs", "…",
		"p unit", none,
		"p n * unit", none,
		"p n", "2",
		"last unit", "*** unit has no value here, and had none before in area",
	)
}

// The frames of a recursion are told apart by their values here; those that an exception
// has left have none any more.
func TestFramesOfARecursion(t *testing.T) {
	s := written(t, "def f(n):\n    if n == 0:\n        raise KeyError\n    f(n - 1)\nf(2)\n")
	run(s, "b 3", "c")
	for _, want := range []string{"- 2 1 0 at 3", "- 2 1 - at 2"} {
		v := s.View()
		got := ""
		for _, f := range v.Frames {
			tells := "-"
			if f.Tells != nil {
				tells = f.Tells.Value
			}
			got += tells + " "
		}
		if got += fmt.Sprint("at ", v.Here); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		run(s, "r", "s")
	}
}

// A catchpoint and a watchpoint say why they stop a move.
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
