//go:build unix

package trace_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestHolesConform makes the same moves twice, recorded and unrecorded. They must land on
// the same states with the same stacks. It uses a share of the programs that are difficult
// to debug, or with NPDB_WALKS all.
func TestHolesConform(t *testing.T) {
	const moves, share = 25, 6
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			for _, p := range shareOf(t, readPrograms(t, "programs"), python.Minor, share) { // two runs of each program take long
				if python.Minor < p.from || p.has(tagRecursion) || p.has(tagEndless) || p.has(tagHangs) || p.has(tagLifetimes) {
					continue
				}
				t.Run(p.name, func(t *testing.T) {
					t.Parallel()
					for seed := range longtest.Walks(t) {
						twins(t, python, p, uint64(seed*100+python.Minor), moves)
					}
				})
			}
		})
	}
}

// twins walks two runs of a program in step, one of them unrecorded.
func twins(t *testing.T, python pythons.Python, p program, seed uint64, moves int) {
	t.Helper()
	whole, at := start(t, python, p, p.user)
	holed, there := start(t, python, p, p.user)
	holed.Record(false)
	random := rand.New(rand.NewPCG(seed, 1))
	taken := ""
	for range moves {
		if a, b := standing(whole, at, p), standing(holed, there, p); a != b {
			t.Fatalf("%s: seed %d, after%s: unrecorded it is at\n%s\nrecorded at\n%s", p.name, seed, taken, b, a)
		}
		if at.End {
			return
		}
		a := dsl.Action{Move: []dsl.Move{dsl.StepInto, dsl.StepInto, dsl.StepOver, dsl.StepOver, dsl.StepReturn, dsl.Breakpoint, dsl.Continue, dsl.StepBlock, dsl.StepFunction}[random.IntN(9)]}
		var until *int
		switch {
		case a.Move == dsl.Breakpoint:
			lines := whole.Tree().LineCount(0)
			for range 3 {
				a.Lines = append(a.Lines, dsl.Location{Line: 1 + random.IntN(lines)})
			}
		case a.Move == dsl.Continue && at.Event >= 0 && random.IntN(4) > 0:
			line := whole.Tree().At(at.Event).Line + random.IntN(3)
			until = &line
		}
		taken += " " + a.String()
		at, there = goOn(t, whole, at, a, until), goOn(t, holed, there, a, until)
	}
}

func goOn(t *testing.T, rec *trace.Recording, from trace.Landing, a dsl.Action, until *int) (l trace.Landing) {
	t.Helper()
	var err error
	if until != nil {
		l, err = rec.Advance(t.Context(), nil, until)
	} else {
		l, err = rec.Move(t.Context(), from.Position, a)
	}
	if err != nil {
		t.Fatalf("%v: %v", a, err)
	}
	return l
}

// standing returns everything that is reported about a landing, except its event number.
func standing(rec *trace.Recording, at trace.Landing, p program) string {
	tree := rec.Tree()
	if at.End {
		return fmt.Sprintf("end %s", masked(exitText(rec.Exit()), p))
	}
	s := tree.State(at.Event)
	text := fmt.Sprintf("%s, reason %d, post mortem %v, value %s", short(s), at.Reason, at.PostMortem, masked(text(s.Value), p))
	if !p.has(tagNoLocals) && !at.PostMortem { // frames that were left have lost names: see DELETE_NAME of except … as e
		text += "\n\t" + masked(strings.Join(listed(s.Locals), "\n\t"), p)
	}
	for _, f := range tree.Stack(at.Event) {
		text += fmt.Sprintf("\n%s %s:%d", f.Function, f.File, f.Line)
	}
	return text
}
