package visit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// at returns a visit of an event.
func at(event int) Visit {
	return Visit{Position: trace.Position{Event: event}, Kind: dsl.Line, Function: "f", Line: event}
}

// forked returns a tree with three branches below #2: 1 2 3 4, 5 6 and 7. #7 is shown.
func forked() *Tree {
	t := &Tree{}
	for _, event := range []int{10, 11, 12, 13} {
		t.Add(at(event))
	}
	t.Back(2)
	t.Add(at(22))
	t.Add(at(23))
	t.Back(2)
	t.Add(at(32))
	return t
}

// drawn writes the tree, one visit a line.
func drawn(t *Tree) string {
	var b strings.Builder
	for _, r := range Rows(t.List()) {
		fmt.Fprintf(&b, "%s%d\n", r.Prefix, t.List()[r.Index].Number)
	}
	return b.String()
}

func TestRows(t *testing.T) {
	tree := forked()
	if got, want := drawn(tree), "1\n2\n├─5\n│ 6\n├─7\n3\n4\n"; got != want {
		t.Errorf("drawn\n%swant\n%s", got, want)
	}
	tree.GoTo(5)
	tree.Add(at(41))
	tree.Add(at(42))
	if got, want := drawn(tree), "1\n2\n├─5\n│ ├─8\n│ │ 9\n│ 6\n├─7\n3\n4\n"; got != want {
		t.Errorf("a branch of a branch\n%swant\n%s", got, want)
	}
	if got := drawn(&Tree{}); got != "" {
		t.Errorf("nothing: %q", got)
	}
}

// TestBackAndForth checks that Back leads to what was shown before, and that Forth undoes it and
// then goes on along the branch that was shown last.
func TestBackAndForth(t *testing.T) {
	tree := forked()
	for _, step := range []struct {
		move string
		want int
	}{
		{"back", 2},
		{"forth", 7},
		{"forth", 0},
		{"back", 2},
		{"back", 1},
		{"back", 0},
		{"forth", 2},
		{"forth", 7},
		{"goto 6", 6}, // on another branch: from now on along it
		{"back", 5},
		{"back", 2},
		{"forth", 5},
		{"goto 3", 3},
		{"forth", 4},
		{"back", 3},
		{"back", 2},
		{"goto 1", 1}, // among what was shown: the cursor moves there
		{"forth", 2},
		{"forth", 3},
		{"goto 2", 2},
		{"show 1", 1}, // a move back along the line
		{"back", 2},
		{"forth", 1},
		{"forth", 2}, // the child that was shown last
	} {
		was, moved := tree.Shown(), true
		name, number, _ := strings.Cut(step.move, " ")
		to, _ := strconv.Atoi(number)
		switch name {
		case "back":
			moved = tree.Back(1)
		case "forth":
			moved = tree.Forth(1)
		case "goto":
			tree.GoTo(to)
		default:
			tree.Show(to)
		}
		if moved != (step.want > 0) || moved && tree.Shown() != step.want || !moved && tree.Shown() != was {
			t.Fatalf("%s from #%d leads to #%d (%v), want #%d", step.move, was, tree.Shown(), moved, step.want)
		}
	}
}

// TestKnown checks that a position is known if it is that of a child or on the way to the shown
// visit, not if it is on another branch.
func TestKnown(t *testing.T) {
	tree := forked()
	for _, c := range []struct{ shown, event, want int }{
		{2, 12, 3}, {2, 22, 5}, {2, 32, 7}, {2, 10, 1}, {2, 11, 2}, {2, 13, 0}, {4, 10, 1}, {4, 12, 3}, {4, 22, 0}, {6, 22, 5}, {6, 32, 0}, {6, 99, 0},
	} {
		tree.GoTo(c.shown)
		if got := tree.Known(trace.Position{Event: c.event}); got != c.want {
			t.Errorf("event %d at #%d is #%d, want #%d", c.event, c.shown, got, c.want)
		}
	}
	if tree.Known(trace.Position{Event: 22, PostMortem: true}) != 0 {
		t.Error("a post-mortem stop is taken for the event alone")
	}
}

func TestPrune(t *testing.T) {
	tree := forked()
	tree.Mark("good", 6)
	tree.Mark("bad", 4)
	for _, number := range []int{1, 2, 7, 8, 0} {
		if tree.Prune(number) != nil {
			t.Errorf("#%d is pruned", number)
		}
	}
	before := slices.Clone(tree.List())
	list := tree.List()
	if branch := tree.Prune(5); len(branch) != 2 || branch[1].Marks[0] != "good" || tree.Named("good") != 0 {
		t.Errorf("pruned %+v", branch)
	}
	if got, want := drawn(tree), "1\n2\n├─7\n3\n4\n"; got != want {
		t.Errorf("drawn\n%swant\n%s", got, want)
	}
	if tree.Known(trace.Position{Event: 22}) != 0 || tree.Visit(5) != nil {
		t.Error("the pruned visit is known")
	}
	if len(list) != len(before) || list[4].Number != 5 {
		t.Error("a snapshot of the list changed")
	}
	tree.GoTo(2)
	if tree.Prune(7); !tree.Forth(1) || tree.Shown() != 3 {
		t.Errorf("forth to #%d", tree.Shown())
	}
	tree.Mark("good", 3) // the name is taken when the branch comes back
	if n := tree.Add(at(50)); n != 8 {
		t.Errorf("a number is used again: #%d", n)
	}
	if branch := tree.Restore(); len(branch) != 1 || branch[0].Number != 7 {
		t.Errorf("restored %+v", branch)
	}
	if branch := tree.Restore(); len(branch) != 2 || tree.Named("good") != 3 || tree.Named("bad") != 4 {
		t.Errorf("restored %+v", branch)
	}
	if tree.Restore() != nil {
		t.Error("nothing is restored")
	}
	if got, want := drawn(tree), "1\n2\n├─5\n│ 6\n├─7\n3\n├─8\n4\n"; got != want {
		t.Errorf("drawn\n%swant\n%s", got, want)
	}
	tree.GoTo(2)
	if tree.Known(trace.Position{Event: 22}) != 5 {
		t.Error("a restored visit is not known")
	}
}

// TestPruneWhatWasShown checks that Back passes over pruned visits.
func TestPruneWhatWasShown(t *testing.T) {
	tree := forked()
	tree.GoTo(4)
	tree.Show(2) // a move back
	tree.Prune(3)
	if !tree.Back(1) || tree.Shown() != 1 {
		t.Errorf("back to #%d", tree.Shown())
	}
	if !tree.Forth(1) || tree.Shown() != 2 || !tree.Forth(1) || tree.Shown() != 5 {
		t.Errorf("forth to #%d", tree.Shown())
	}
}

func TestMark(t *testing.T) {
	tree := forked()
	if tree.Mark("a", 3) != 0 || tree.Mark("b", 3) != 0 || tree.Mark("a", 6) != 3 {
		t.Error("who had a name is wrong")
	}
	if got := tree.Marks(); !slices.Equal(got, []string{"a", "b"}) || tree.Named("a") != 6 || tree.Named("b") != 3 {
		t.Errorf("marks %v", got)
	}
	list := slices.Clone(tree.List())
	if tree.Mark("b", 0) != 3 || tree.Named("b") != 0 || list[2].Marks[0] != "b" {
		t.Error("a name is not taken away, or also from a snapshot")
	}
}

// TestFold checks that straight runs are folded, but not what is shown, marked, a fork, or the
// beginning or the end of a branch.
func TestFold(t *testing.T) {
	tree := &Tree{}
	for event := range 30 {
		tree.Add(at(event))
	}
	tree.Mark("m", 10)
	tree.GoTo(20)
	for event := range 6 {
		tree.Add(at(100 + event))
	}
	tree.GoTo(15)
	var b strings.Builder
	for _, l := range Fold(tree.List(), Rows(tree.List()), tree.Shown()) {
		if l.Folded > 0 {
			fmt.Fprintf(&b, "%s…%d\n", l.Prefix, l.Folded)
		} else {
			fmt.Fprintf(&b, "%s%d\n", l.Prefix, tree.List()[l.Index].Number)
		}
	}
	if want := "1\n…8\n10\n…4\n15\n…4\n20\n├─31\n│ …4\n│ 36\n…9\n30\n"; b.String() != want {
		t.Errorf("folded\n%swant\n%s", b.String(), want)
	}
}

// TestRenumber checks that a replay can give the shown visit the number that it had.
func TestRenumber(t *testing.T) {
	tree := &Tree{}
	tree.Add(at(1))
	tree.Add(at(2))
	tree.Renumber(2)
	tree.Renumber(5)
	if tree.Add(at(3)) != 6 || tree.Visit(6).Parent != 5 || tree.Visit(2) != nil || tree.Visit(5).Event != 2 {
		t.Errorf("%+v", tree.List())
	}
	if !tree.Back(2) || !tree.Forth(2) || tree.Shown() != 6 || tree.Known(trace.Position{Event: 2}) != 5 {
		t.Errorf("shown #%d", tree.Shown())
	}
	tree.Back(1)
	if tree.Renumber(9); tree.Visit(9) != nil {
		t.Error("a visit that is not the newest one has another number")
	}
}

// TestWith checks that a visit can be shown for a moment without a change to the tree.
func TestWith(t *testing.T) {
	tree := forked()
	was := drawn(tree)
	with := tree.With(at(99))
	if with.Shown() != 8 || with.Before() != 7 || with.Visit(8).Parent != 7 || with.Turn() != tree.Turn()+1 {
		t.Errorf("%+v", with)
	}
	if g := tree.Glance(2); g.Shown() != 2 || g.Before() != 1 {
		t.Errorf("a glance at #2 after #%d", g.Before())
	}
	if g := tree.Glance(6); g.Shown() != 6 || g.Before() != 5 { // not among what Back leads to
		t.Errorf("a glance at #6 after #%d", g.Before())
	}
	if drawn(tree) != was || tree.Shown() != 7 || tree.Before() != 2 {
		t.Error("the tree has changed")
	}
}
