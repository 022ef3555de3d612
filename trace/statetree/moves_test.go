package statetree

import (
	"testing"

	"github.com/npdb/npdb/dsl"
	"pgregory.net/rapid"
)

// everyAction returns each move, the breakpoint moves with lines of both files, with
// one that never was and with none.
func everyAction() []dsl.Action {
	var actions []dsl.Action
	for m := range dsl.Moves() {
		if !m.TakesLines() {
			actions = append(actions, dsl.Action{Move: m})
			continue
		}
		actions = append(
			actions,
			dsl.Action{Move: m},
			dsl.Action{Move: m, Lines: []dsl.Location{{Line: 2}}},
			dsl.Action{Move: m, Lines: []dsl.Location{{Line: 1 << 24}, {File: 1, Line: 3}, {Line: 5}, {File: 7, Line: 1}}},
		)
	}
	return actions
}

// TestMovesFollowTheTable compares every move from every event, while the tree
// grows and when it is finished, with the table read literally; so are the goals.
func TestMovesFollowTheTable(t *testing.T) {
	actions := everyAction()
	rapid.Check(t, func(t *rapid.T) {
		p := newProgram(t)
		// landed[k] holds the landings on the first k events.
		type asked struct{ i, action int }
		var landed []map[asked]Outcome
		for range 30 + p.upTo(60, "steps") {
			p.step()
			for len(landed) < len(p.events) {
				landed = append(landed, nil)
			}
			if n := len(p.events); n > 0 {
				now := map[asked]Outcome{}
				for i := range n {
					for k, a := range actions {
						now[asked{i, k}] = p.tree.Land(i, a)
					}
				}
				landed[n-1] = now
			}
		}
		n := len(p.events)
		p.finish()
		for i := range n + 1 {
			for k, a := range actions {
				j := land(p.events, i, a)
				if got := lands(p.events, i, a); got != j {
					t.Fatalf("%v at %d of %d: its goal is met at %d, want %d", a, i, n, got, j)
				}
				want := Outcome{Event: j}
				switch {
				case j < 0 && a.Move.Inverse():
					want = Outcome{i, AtStart}
				case j < 0:
					want = Outcome{n, AtEnd}
				}
				if a.Move.Inverse() {
					across := want
					if edge, ok := p.upToHole(i-1, j, true); ok && j >= 0 {
						across = Outcome{edge, AtHole}
					}
					if got := p.tree.LandAcross(i, a); got != across {
						t.Fatalf("%v at %d of %d, across a hole there, lands on %+v, want %+v", a, i, n, got, across)
					}
				}
				if edge, ok := p.upToHole(i, j, a.Move.Inverse()); ok {
					want = Outcome{edge, AtHole}
				}
				if got := p.tree.Land(i, a); got != want {
					t.Fatalf("%v at %d of %d lands on %+v, want %+v", a, i, n, got, want)
				}
				for short := i + 1; short <= n; short++ {
					if landed[short-1] == nil {
						continue
					}
					want := want
					if !a.Move.Inverse() && (want.Boundary == AtEnd || want.Event >= short) {
						want = Outcome{short, Beyond}
					}
					if got := landed[short-1][asked{i, k}]; got != want {
						t.Fatalf("%v at %d, of %d events %d recorded, lands on %+v, want %+v", a, i, n, short, got, want)
					}
				}
			}
		}
	})
}

func TestEmptyTree(t *testing.T) {
	tree := New()
	for _, finished := range []bool{false, true} {
		for _, a := range everyAction() {
			want := Outcome{0, AtStart}
			if !a.Move.Inverse() {
				want.Boundary = Beyond
				if finished {
					want.Boundary = AtEnd
				}
			}
			if got := tree.Land(0, a); got != want {
				t.Errorf("%v, finished %v: %+v, want %+v", a, finished, got, want)
			}
		}
		tree.Finish()
	}
}
