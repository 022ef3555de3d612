package htmlpage

import (
	"fmt"
	"slices"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/vectors"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// moves are the moves of the page, forwards and backwards.
var moves = []struct {
	name string
	to   [2]dsl.Move
}{
	{"step", [2]dsl.Move{dsl.StepInto, dsl.InvStepInto}},
	{"next", [2]dsl.Move{dsl.StepOver, dsl.InvStepOver}},
	{"return", [2]dsl.Move{dsl.StepReturn, dsl.InvStepReturn}},
	{"continue", [2]dsl.Move{dsl.Continue, dsl.InvContinue}},
}

// landing returns where the State Tree says that a move leads from an event, or from the end, and why.
func landing(t *statetree.Tree, i int, cross bool, a dsl.Action) string {
	out := t.Land(i, a)
	if cross {
		out = t.LandAcross(i, a)
	}
	switch {
	case i == t.Len() && !a.Move.Inverse():
		return "end end"
	case out.Boundary == statetree.AtEnd && a.Move == dsl.Continue:
		return "end "
	case out.Boundary == statetree.AtEnd:
		return "end end"
	case out.Boundary == statetree.AtStart && i == t.Len():
		return "end start"
	case out.Boundary == statetree.AtStart:
		return fmt.Sprint(i, " start")
	case out.Boundary == statetree.AtHole && out.Event == t.Len():
		return "end hole"
	case out.Boundary == statetree.AtHole || cross:
		return fmt.Sprint(out.Event, " hole")
	}
	return fmt.Sprint(out.Event, " ")
}

// compareMoves makes every move of the page from every event and from the end. breaks are lines with
// breakpoints.
func compareMoves(t *testing.T, rec *trace.Recording) {
	tree := rec.Tree()
	d := collect(rec, Options{})
	ask := shown(t, d)
	for i := range tree.Len() + 1 {
		for _, m := range moves {
			for back, move := range m.to {
				for _, cross := range []bool{false, true} {
					if cross && (back == 0 || !slices.Contains(d.Holes, i)) {
						continue
					}
					got := ask("lead", i, i == tree.Len(), cross, m.name, back == 1, []string{})
					if want := landing(tree, i, cross, dsl.Action{Move: move}); got != want {
						t.Fatalf("%v from %d (across: %v) leads to %q, want %q", move, i, cross, got, want)
					}
				}
			}
		}
	}
}

// TestMoves checks that each move of the script leads where the State Tree says.
func TestMoves(t *testing.T) {
	for name, text := range programs {
		t.Run(name, func(t *testing.T) { compareMoves(t, record(t, text)) })
	}
}

// TestMovesOfVectors makes all moves from all events of the programs of the vectors of nd/1, or of a share of
// them.
func TestMovesOfVectors(t *testing.T) {
	for i, v := range vectors.All() {
		if !longtest.In(t, i, 9) {
			continue
		}
		t.Run(v.Name, func(t *testing.T) { compareMoves(t, record(t, v.Program)) })
	}
}

// TestMovesAtHoles makes all moves in a recording with parts that ran unrecorded.
func TestMovesAtHoles(t *testing.T) {
	rec, l := begin(t, "def f(x):\n    y = x\n    return y\n\nfor i in range(4):\n    f(i)\n    f(-i)\nprint(i)\nfor i in range(9):\n    f(i)\nf(1)\n")
	for n := range 6 {
		rec.Record(n%2 == 0)
		var err error
		if l, err = rec.Move(t.Context(), l.Position, dsl.Action{Move: dsl.StepOver}); err != nil {
			t.Fatal(err)
		}
	}
	finish(t, rec, l)
	if rec.Tree().Holes() < 2 {
		t.Fatal("no holes")
	}
	compareMoves(t, rec)
}

// TestBreakpoints checks that moves stop at breakpoints.
func TestBreakpoints(t *testing.T) {
	rec := record(t, programs["raises"])
	tree := rec.Tree()
	ask := shown(t, collect(rec, Options{}))
	lines := []dsl.Location{{Line: 9}, {Line: 13}}
	keys := []string{"0:9", "0:13"}
	for i := range tree.Len() {
		for _, m := range moves {
			for back, move := range m.to {
				want := landing(tree, i, false, dsl.Action{Move: move})
				out := tree.Land(i, dsl.Action{Move: move})
				stop, found := tree.NextLine(i, lines)
				ahead := stop < out.Event || out.Boundary == statetree.AtEnd
				if back == 1 {
					stop, found = tree.PrevLine(i, lines)
					ahead = stop > out.Event || out.Boundary == statetree.AtStart
				}
				switch {
				case found && (ahead || m.name == "continue"):
					want = fmt.Sprint(stop, " ")
				case m.name == "continue" && back == 0:
					want = "end end"
				case m.name == "continue":
					want = fmt.Sprint(i, " start")
				}
				if got := ask("lead", i, false, false, m.name, back == 1, keys); got != want {
					t.Fatalf("%v from %d leads to %q, want %q", move, i, got, want)
				}
			}
		}
	}
}
