//go:build unix

package session_test

import (
	"fmt"
	"strings"
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

// What ran unrecorded is told with its place, also where nothing was recorded since.
func TestInfoTellsWhereNothingWasRecorded(t *testing.T) {
	s := written(t, "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n")
	run(s, "b 3", "fc")
	if got := run(s, "info program"); !strings.Contains(got, "Unrecorded: before event 1") {
		t.Errorf("behind a hole: %s", got)
	}
	run(s, "clear 1", "fc")
	if got := run(s, "info program"); !strings.Contains(got, "before event 1, after event 1\n") {
		t.Errorf("at the end of one: %s", got)
	}
}

// Of the globals that a function names those have a value that are bound.
func TestGlobalsThatAreNotBound(t *testing.T) {
	s := written(t, "def f():\n    return limit + missing if later else limit\nlimit = 3\nf.ready = 1\ntry:\n    f()\nexcept NameError:\n    pass\n")
	run(s, "b f", "c")
	var names []string
	for _, g := range s.View().Globals {
		names = append(names, g.Name)
	}
	if len(names) != 1 || names[0] != "limit" {
		t.Errorf("the globals of f are %q, want limit", names)
	}
}
