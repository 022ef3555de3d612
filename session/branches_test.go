package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

const (
	returnsSix = `<|return_sep|>{"x": "..", "y": "6"}<|action_sep|>3|    return y` + "\n<|arg_sep|>\"6\"<|frame_sep|>"
	endsWell   = `<|end_sep|>{"code": 0}<|frame_sep|>`
)

// branching makes a walk in neural mode with a branch by another move, in it one by an edit, and one
// by a jump.
func branching(t *testing.T, dir string) (*command.Interpreter, trace.Options) {
	t.Helper()
	o := trace.Options{Script: scriptOf(t, neuralSource)}
	s := neuralIn(t, &scripted{replies: []string{atCall, atB, endsWell, inF, atY, returnsY, returnsSix}}, o, dir, journal.Filled{})
	s.First(t.Context())
	for _, line := range []string{
		"n", "n", "mark top", "n", // #2 to #4
		"goto #2", "s", "s", "s", // #5 to #7
		"back", "x = 5", "s", "mark five", // #8 and #9
		"goto top", "jump 5", // #10
	} {
		if a := do(s, line); a.Err != nil {
			t.Fatalf("%s: %v", line, a.Err)
		}
	}
	return s, o
}

const branched = `  #1 <module>:1  given
  #2 <module>:5  next  predicted
  ├─#5 call f:1  step  x = 2  predicted
  │ #6 f:2  step  predicted
  │ ├─#8 f:2  x = 5  edited
  │ │ #9 return f:3  step  -> 6  predicted  [five]
  │ #7 return f:3  step  -> 3  predicted
  #3 <module>:6  next  a = 3  predicted  [top]
> ├─#10 <module>:5  jump 5  edited
  #4 the end  next  exit code 0  predicted
`

// TestBranches checks the tree of a session in neural mode: moves, edits and jumps at an earlier
// state begin branches, which can be visited, marked and compared.
func TestBranches(t *testing.T) {
	s, _ := branching(t, "")
	if got := run(s, "branches"); got != branched {
		t.Errorf("branches:\n%swant\n%s", got, branched)
	}
	for _, c := range []struct{ line, want string }{
		{"mark", "five  #9 return f:3  step  -> 6  predicted\ntop  #3 <module>:6  next  a = 3  predicted\n"},
		{"mark five #7", "five is #7, return f:3 (it was #9)\n"},
		{"mark five #7 the wrong  way: n < 0", "five is #7, return f:3\n"},
		{"mark #3 top a note", "top is #3, <module>:6\n"},
		{"mark", "five  #7 return f:3  step  -> 3  predicted\n    the wrong  way: n < 0\ntop  #3 <module>:6  next  a = 3  predicted\n    a note\n"},
		{"mark five #7", "five is #7, return f:3\n"}, // keeps its note
		{"mark top other words", "top is #10, <module>:5 (it was #3)\n"},
		{"mark top #3", "top is #3, <module>:6 (it was #10)\n"},
		{"mark", "five  #7 return f:3  step  -> 3  predicted\n    the wrong  way: n < 0\ntop  #3 <module>:6  next  a = 3  predicted\n    other words\n"},
		{"mark 5x", "*** 5x: a mark is a word of letters, digits, _ and - that does not begin with a digit\n"},
		{"mark a #77", "*** The history has no state #77 (branches lists them)\n"},
		{"mark -d nobody", "*** No state is marked nobody (mark lists the names, branches all states)\n"},
		{"goto nobody", "*** No state is marked nobody (mark lists the names, branches all states)\n"},
		{"diff top", "There: top #3, <module>:6. Here: #10, <module>:5. 1 part differs.\n  line: 6 there, 5 here\n"},
		{"diff #10", "There: #10, <module>:5. Here: #10, <module>:5. The states are the same.\n"},
		{"diff five", "There: five #7, return f:3. Here: #10, <module>:5. 8 parts differ.\n  event: return there, line here\n  line: 3 there, 5 here\n  function: f there, <module> here\n  stack: <module>:5 > f:3 there, <module>:5 here\n  x: only there, 2\n  y: only there, 3\n  a: only here, 3\n  value: only there, 3\n"},
		{"diff 4", "There: #4, the end. Here: #10, <module>:5. 1 part differs.\n  outcome: the end of the program there, a state here\n"},
		{"mark -d five", ""},
		{"prune 3", "*** #3 leads to the shown state #10: go to another branch first (goto #N), then prune\n"},
		{"prune #5", "Pruned #5 and 4 states after it. (prune -u brings the branch back.)\n"},
		{"goto #9", "*** The history has no state #9 (branches lists them)\n"},
		{"prune top", "*** #3 leads to the shown state #10: go to another branch first (goto #N), then prune\n"},
		{"prune -u", "#5 and 4 states after it back: call f:1\n"},
		{"prune -u", "*** No branch was pruned that could be brought back\n"},
	} {
		if got := run(s, c.line); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.line, got, c.want)
		}
	}
}

// TestBackOverBranches checks that back and forth follow the branch, and the numbers in answers.
func TestBackOverBranches(t *testing.T) {
	s, _ := branching(t, "")
	for _, c := range []struct {
		line          string
		visit, parent int
	}{
		{"goto #9", 9, 8},
		{"back", 8, 6},
		{"back 2", 5, 2},
		{"forth 2", 8, 6}, // the branch that was shown last
		{"back", 6, 5},
		{"s", 7, 6},  // a child that is there already
		{"rs", 6, 5}, // back along the branch: no new visit
		{"back", 7, 6},
		{"back", 6, 5},
		{"forth 3", 7, 6}, // 7, 6 and the child of it
		{"goto top", 3, 2},
		{"rewind", 1, 0},
		{"n", 2, 1},
		{"p 1", 2, 1},
	} {
		if a := do(s, c.line); a.Err != nil || a.Visit != c.visit || a.Parent != c.parent {
			t.Errorf("%s: #%d after #%d, %v; want #%d after #%d", c.line, a.Visit, a.Parent, a.Err, c.visit, c.parent)
		}
	}
	if n := len(s.History()); n != 10 {
		t.Errorf("%d visits", n)
	}
}

// TestRetryBeginsBranch checks that another answer to the same move begins a branch.
func TestRetryBeginsBranch(t *testing.T) {
	s := neural(t, &scripted{replies: []string{atCall, `<|line_sep|>{}<|action_sep|>6|b = a * 2` + "\n<|frame_sep|>"}}, trace.Options{})
	s.First(t.Context())
	if a := do(s, "n"); a.Visit != 2 {
		t.Fatalf("#%d", a.Visit)
	}
	if a := do(s, "retry"); a.Err != nil || a.Visit != 3 || a.Parent != 1 {
		t.Errorf("#%d after #%d, %v", a.Visit, a.Parent, a.Err)
	}
	do(s, "goto #2")
	if a := do(s, "prune 3"); a.Err != nil {
		t.Error(a.Err)
	}
}

// TestResumeBranches checks that a session whose npdb was killed resumes with the same branches,
// marks and pruned branches, in neural mode.
func TestResumeBranches(t *testing.T) {
	dir := t.TempDir()
	s, o := branching(t, dir)
	run(s, "prune #4", "prune #8", "prune -u", "goto five", "mark five is 6")
	want := run(s, "branches", "mark")
	j, err := journal.Find(dir, o) // the journal of a session that was not closed
	if err != nil {
		t.Fatal(err)
	}
	again, err := interpreted(context.Background(), session.Config{Options: j.Options(o), StateDir: t.TempDir(), Neural: &nav.Neural{Predictor: &scripted{t: t}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if a := again.Resume(t.Context(), j); a.Err != nil || a.Visit != 9 || a.State.Line != 3 {
		t.Fatalf("resumed at %+v", a)
	}
	if got := run(again, "branches", "mark"); got != want {
		t.Errorf("resumed:\n%swant\n%s", got, want)
	}
	if got := run(again, "prune -u", "branches"); !strings.Contains(got, "#4 the end") {
		t.Errorf("the pruned branch: %s", got)
	}
}

const loops = `total = 0
for i in range(3):
    total += i
print(total)
`

// TestRealBranches checks the tree in real mode: recorded events that are visited again along a line
// stay the same visits.
func TestRealBranches(t *testing.T) {
	dir := t.TempDir()
	o := trace.Options{Python: pythons.Any(t), Script: scriptOf(t, loops)}
	keep := func(c *session.Config) { c.StateDir = dir }
	s := opened(t, o, keep)
	s.First(t.Context())
	run(s, "s", "s", "s") // #2 to #4
	for range 3 {
		run(s, "rs", "rs", "s", "s", "rewind", "n", "n", "n")
	}
	if n := len(s.History()); n != 4 {
		t.Errorf("%d visits: %s", n, run(s, "branches"))
	}
	run(s, "mark loop", "rewind", "b 4", "c", "rs", "goto #2", "goto 4", "back", "n")
	want := run(s, "branches")
	const drawn = `  #1 <module>:1  given
  ├─#5 <module>:4  continue  total = 3, i = 2
  │ #6 <module>:2  reverse-step
  #2 <module>:2  step  total = 0
  ├─#7 <module>:3  goto 4  i = 1
> #3 <module>:3  step  i = 0
  #4 <module>:2  step  [loop]
`
	if want != drawn {
		t.Errorf("branches:\n%swant\n%s", want, drawn)
	}
	j, err := journal.Find(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	again := opened(t, j.Options(o), keep)
	if a := again.Resume(t.Context(), j); a.Err != nil || a.Visit != 3 {
		t.Fatalf("resumed at %+v", a)
	}
	if got := run(again, "branches"); got != want {
		t.Errorf("resumed:\n%swant\n%s", got, want)
	}
}
