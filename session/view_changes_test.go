package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// localsOf are the names of a view's selected frame, and what became of them.
func localsOf(v *session.View) string {
	var all []string
	for _, l := range v.Locals {
		text := l.Name + "=" + l.Value
		if l.Was != nil {
			text += " was " + *l.Was
		}
		if l.New {
			text += " new"
		}
		all = append(all, text)
	}
	return fmt.Sprintf("%s %v", strings.Join(all, ", "), v.Entered)
}

// A view tells what changed in the selected frame since the stop shown before, and not
// since one that this frame was not in.
func TestViewOfChanges(t *testing.T) {
	s := open(t, newFake(t))
	s.First(t.Context())
	for _, c := range []struct {
		line, locals string
		live         int
		ran          []int
	}{
		{"n", " false", 1, []int{5, 1}},
		{"n", "i=0 new false", 2, []int{6, 5, 1}},
		{"s", "x=0 true", 3, nil},
		{"s", "x=0 false", 4, nil},
		{"s", "x=0, y=1 new false", 5, []int{3, 2, 1}},
		{"s", "x=0, y=1 false", 6, []int{3, 2, 1}},
		{"s", "i=0 false", 7, []int{5, 6, 1}},
		{"n", "i=1 was 0 false", 8, nil},
		{"back", "i=0 false", 8, nil},
		{"forth", "i=1 was 0 false", 8, nil},
		{"goto 5", "x=0, y=1 true", 8, nil},
		{"up", "i=0 was 1 false", 8, nil},
		{"c", " false", -1, nil},
		{"rs", "i=2 true", -1, nil},
	} {
		run(s, c.line)
		v := s.View()
		if v.State == nil && v.Selected != -1 || v.Place.Live != c.live || v.Origin != dsl.Real {
			t.Errorf("%s: %+v", c.line, v)
		}
		if got := localsOf(v); got != c.locals {
			t.Errorf("%s: %s, want %s", c.line, got, c.locals)
		}
		if c.ran != nil && !slices.Equal(v.Ran, c.ran) {
			t.Errorf("%s: %v have run, want %v", c.line, v.Ran, c.ran)
		}
	}
}

// A name can go on as those begin that are known; at the live edge the program tells.
func TestNamesAndPlaces(t *testing.T) {
	f := newFake(t)
	f.said = map[trace.Verb]trace.Answer{trace.VerbComplete: {Text: "xs xt\nxu"}}
	s := open(t, f)
	s.First(t.Context())
	run(s, "s 15")
	if got := s.Names(t.Context(), "x"); !slices.Equal(got, []string{"xs", "xt", "xu"}) {
		t.Errorf("live: %q", got)
	}
	run(s, "goto 11")
	for prefix, want := range map[string][]string{"": {"i", "x", "y"}, "x": {"x"}, "z": nil, "x.": nil} {
		if got := s.Names(t.Context(), prefix); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", prefix, got, want)
		}
	}
	run(s, "up")
	if got := s.Names(t.Context(), ""); !slices.Equal(got, []string{"i"}) {
		t.Errorf("in the module: %q", got)
	}
	if got := s.Places(t.Context()); !slices.Equal(got, []string{"f", "prog.py:"}) {
		t.Errorf("%q", got)
	}
	run(s, "c")
	if got := s.Names(t.Context(), ""); got != nil {
		t.Errorf("at the end: %q", got)
	}
}

// What the program has written up to here is told; at the live edge all of it.
func TestOutputUpToHere(t *testing.T) {
	f := newFake(t)
	f.writes = map[int]string{1: "one\n", 4: "four\n", 8: "eight"}
	s := open(t, f)
	s.First(t.Context())
	answers(t, s,
		"output", "",
		"s 9", "one\nfour\neight\n--Call--\n> PROG(1)f()\n-> def f(x):",
		"output", "one\nfour\neight",
		"goto 4", "> PROG(2)f()\n-> y = x + 1",
		"output", "one",
		"goto 5", "> PROG(3)f()\n-> return y",
		"output", "one\nfour",
		"goto 0", "> PROG(1)<module>()\n-> def f(x):",
		"output", "",
		"c", "The program finished. Exit code: 0\nBackward moves (rs, rn, rf, rc) still work; restart runs it again.",
		"output", "one\nfour\neight",
	)
}

// On a face that shows views what is displayed stays in all frames; in both modes, where
// the two sides stand in its place, a change is said.
func TestDisplayedInAllFrames(t *testing.T) {
	s, _ := bothModes(t, &scripted{replies: []string{saysLoop, saysCall, saysInF}})
	s.SetWatches()
	s.First(t.Context())
	answers(t, s,
		"display", "No expression is being displayed",
		"display i ===", "*** Unable to display i ===: SyntaxError: invalid syntax",
		"display i", "display i: no value here",
		"display i", "display i: no value here",
		"n", "…",
		"n", "…",
		"display", "Currently displaying:\ni: 0",
		"undisplay x", "*** not displaying x",
		"undisplay i", "",
		"display", "No expression is being displayed",
	)
}

// In neural mode the timeline is of what was shown; where an enabled breakpoint's line was
// reached it says so, and the end has no depth.
func TestTimelineOfPredictions(t *testing.T) {
	s := neural(t, &scripted{replies: []string{atCall, inF, atY, itEnds}}, trace.Options{})
	s.First(t.Context())
	run(s, "s", "s", "s", "b 2", "b 5", "disable 2", "c")
	spans := s.Timeline(10)
	if len(spans) != 5 {
		t.Fatalf("%+v", spans)
	}
	for i, depth := range []int{0, 0, 1, 1, 0} {
		if at := spans[i]; at.Depth != depth || !at.Shown || at.Breakpoint != (i == 3) || at.Exception || at.Hole {
			t.Errorf("%d: %+v", i, at)
		}
	}
	if two := s.Timeline(2); len(two) != 2 || !two[0].Breakpoint || two[1].Breakpoint || two[0].Depth != 0 {
		t.Errorf("%+v", two)
	}
}

// A line that is no statement is none to jump to, nor one of another function.
func TestPredictedJumpToABlankLine(t *testing.T) {
	script := scriptOf(t, "def f(x):\n\n    def g():\n        return 1\n    # why\n    y = x + 1\n    return y\n\na = f(2)\n")
	s := neural(t, &scripted{replies: []string{`<|line_sep|>{}<|action_sep|>9|a = f(2)` + "\n<|frame_sep|>", inF}}, trace.Options{Script: script})
	s.First(t.Context())
	answers(t, s,
		"n", "…", "s", "…",
		"jump 2", "*** Jump failed: Blank or comment",
		"jump 5", "*** Jump failed: Blank or comment",
		"jump 4", "*** Jump failed: line 4 is not in f",
		"jump 8", "*** Jump failed: line 8 is not in f",
		"jump 0", "*** Jump failed: line 0 is not in f",
		"jump 7", "> PROG(7)f()  [edited]\n-> return y",
	)
}
