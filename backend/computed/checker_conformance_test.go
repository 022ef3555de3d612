//go:build unix

package computed_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
)

// TestCheckerMarks checks that Checker marks no part of a true state as wrong, and that it detects at
// least half of the states with one wrong value.
func TestCheckerMarks(t *testing.T) {
	p := pythons.Between(t, 9, 14)[0]
	paths, err := filepath.Glob("../../trace/testdata/programs/*.py")
	if err != nil {
		t.Fatal(err)
	}
	var m marker
	t.Run("programs", func(t *testing.T) {
		for i, path := range paths {
			if !longtest.In(t, i, 3) {
				continue
			}
			t.Run(filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				m.mark(t, p, path, rand.New(rand.NewPCG(1, uint64(i))))
			})
		}
	})
	followed, asked, caught := m.followed.Load(), m.asked.Load(), m.caught.Load()
	t.Logf("%d parts follow; %d of %d wrong states are caught (%.0f%%)", followed, caught, asked, 100*float64(caught)/float64(asked))
	if asked < 500 || caught*2 < asked {
		t.Errorf("%d of %d wrong states are caught: too few", caught, asked)
	}
}

// mostMarked is the number of states of one program that are checked.
const mostMarked = 40

// marker counts the parts that follow from the source, the wrong states that were checked, and those
// detected.
type marker struct{ followed, asked, caught atomic.Int64 }

// mark checks the first states of one program.
func (m *marker) mark(t *testing.T, p pythons.Python, path string, random *rand.Rand) {
	stops, _ := record(t, p, path, mostMarked)
	if len(stops) == 0 || stops[0].Event != dsl.Line {
		t.Skip("it does not begin with its first line")
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !utf8.Valid(source) {
		t.Skip("nd/1 cannot write it")
	}
	at := beginAt(t, string(source), stops[0])
	var reply *dsl.Stop
	other := &rest{reply: func(backend.Question) dsl.Reply { return dsl.Reply{Outcome: dsl.Landed, Stop: reply} }}
	c := computed.NewChecker(other, python.Version{Major: 3, Minor: p.Minor})
	defer c.Close()
	check := func(stop *dsl.Stop) backend.Checks {
		reply = stop
		made, err := c.Predict(t.Context(), backend.Question{At: at, Action: dsl.Action{Move: dsl.StepInto}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return made.Checks
	}
	for _, stop := range stops[1:] {
		checks := check(stop)
		follow, contradict := checks.Count()
		if m.followed.Add(int64(follow)); contradict > 0 {
			t.Errorf("a true state is marked: %s: %v", text(stop), checks.Contradictions())
		}
		if len(stop.Locals) > 0 {
			wrong := *stop
			wrong.Locals = slices.Clone(stop.Locals)
			wrong.Locals[random.IntN(len(wrong.Locals))].Value = "'another value'"
			m.asked.Add(1)
			if _, contradict := check(&wrong).Count(); contradict > 0 {
				m.caught.Add(1)
			}
		}
		next, err := at.Append(dsl.Step{Action: dsl.Action{Move: dsl.StepInto}, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}})
		if err != nil {
			return
		}
		at = next
	}
}
