package trace

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace/statetree"
)

// madeUp is a random run: a State Tree, and the same events for testdata/landings.py.
type madeUp struct {
	*rand.Rand
	tree   *statetree.Tree
	silent bool // some calls and returns are not events
	stack  []uint32
	paused []uint32 // generators that wait to be resumed
	events []any
}

// madeUpSource has blocks of several statements, and of statements over several lines.
const madeUpSource = `a = 1
b = [i for i in a]
c = (b +
     2)
d = 3
while d:
    e = 1
    f = 2
g = 3
`

const (
	madeUpFunction = iota
	madeUpGenerator
)

func makeUp(seed uint64, events int) *madeUp {
	r := &madeUp{Rand: rand.New(rand.NewPCG(seed, 0)), tree: statetree.New(), silent: seed%2 == 0}
	r.tree.AddFile(statetree.File{Name: "main.py", Source: []byte(madeUpSource)})
	r.tree.AddCode(statetree.Code{Name: "f", Fast: true})
	r.tree.AddCode(statetree.Code{Name: "g", Fast: true, Generator: true})
	r.stack = append(r.stack, r.tree.Enter(int(seed/2%2))) // the module; its own call is not an event
	r.event(dsl.Line, dsl.NoReturn)
	for len(r.events) < events && len(r.stack) > 0 {
		r.step()
	}
	r.tree.Finish()
	return r
}

// step adds an event, or enters or leaves an activation without one.
func (r *madeUp) step() {
	top := r.stack[len(r.stack)-1]
	generator := r.tree.CodeOf(top) == madeUpGenerator
	switch choice := r.IntN(16); {
	case choice < 4:
		r.stack = append(r.stack, r.tree.Enter(r.IntN(2)))
		r.seldomSilent(dsl.Call, dsl.NoReturn)
	case choice < 6 && len(r.paused) > 0:
		i := r.IntN(len(r.paused))
		r.tree.Resume(r.paused[i])
		r.stack, r.paused = append(r.stack, r.paused[i]), slices.Delete(r.paused, i, i+1)
		r.seldomSilent(dsl.Call, dsl.NoReturn)
	case choice < 9 && generator:
		r.seldomSilent(dsl.Return, dsl.Yielded)
		r.paused = append(r.paused, top)
		r.stack = r.stack[:len(r.stack)-1]
	case choice < 11 && (len(r.stack) > 1 || r.IntN(8) == 0):
		r.seldomSilent(dsl.Return, []dsl.ReturnKind{dsl.Returned, dsl.Unwound}[r.IntN(2)])
		r.stack = r.stack[:len(r.stack)-1]
	case choice < 12:
		r.event(dsl.Exception, dsl.NoReturn)
	default:
		r.event(dsl.Line, dsl.NoReturn)
	}
}

// seldomSilent adds a call or return, which in a silent run may be no event.
func (r *madeUp) seldomSilent(e dsl.Event, kind dsl.ReturnKind) {
	switch {
	case !r.silent || r.IntN(8) > 0:
		r.event(e, kind)
	case e == dsl.Return:
		r.tree.Leave()
	}
}

func (r *madeUp) event(e dsl.Event, kind dsl.ReturnKind) {
	// The numbers of tracer/codes.py: ON_CALL, ON_LINE and so on.
	what := map[dsl.Event]int{dsl.Call: 0, dsl.Line: 1, dsl.Exception: 5}[e]
	if e == dsl.Return {
		what = map[dsl.ReturnKind]int{dsl.Returned: 2, dsl.Yielded: 3, dsl.Unwound: 4}[kind]
	}
	line := 1 + r.IntN(9)
	r.tree.Event(e, line, kind, nil)
	r.events = append(r.events, []any{what, r.stack[len(r.stack)-1], line, slices.Clone(r.stack)})
}

// asked is a move from an event of a run.
type asked struct {
	question []any // for testdata/landings.py
	landing  int   // in the tree, -1 for none
	skips    bool  // it may run unrecorded, and the run is one that is watched without its stack
}

// questions returns the forward moves from every event.
func (r *madeUp) questions() (all []asked) {
	for i := range r.events {
		for _, m := range []dsl.Move{dsl.StepInto, dsl.StepOver, dsl.StepReturn, dsl.StepBlock, dsl.StepFunction, dsl.Continue} {
			a := dsl.Action{Move: m}
			question := []any{i}
			for n, field := range request(r.tree, i, a)[1:] {
				if n == 0 {
					question = append(question, field)
				} else {
					question = append(question, json.Number(field))
				}
			}
			out := r.tree.Land(i, a)
			if out.Boundary != statetree.NoBoundary {
				out.Event = -1
			}
			all = append(all, asked{question, out.Event, !r.silent && !nextEvent(a, r.tree.At(i))})
		}
	}
	return all
}

// TestTracerFollowsTheGoals compares where the tracer's tests of a move land in random runs with
// where the move lands in the State Tree, from every event. In runs without silent calls and
// returns it does so too for the tests of unrecorded moves. Breakpoints are left out: the tracer
// looks for them by line, like pdb.
func TestTracerFollowsTheGoals(t *testing.T) {
	type run struct {
		Events []any   `json:"events"`
		Asked  [][]any `json:"asked"`
	}
	var runs []run
	var want [][]asked
	for seed := range uint64(100) {
		r := makeUp(seed, 60)
		of, all := run{Events: r.events}, r.questions()
		for _, one := range all {
			of.Asked = append(of.Asked, one.question)
		}
		runs, want = append(runs, of), append(want, all)
	}
	input, err := json.Marshal(runs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), pythons.Any(t), "-B", "testdata/landings.py", "tracer")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers [][]struct{ Recorded, Unrecorded *int }
	if err := json.Unmarshal(output, &answers); err != nil {
		t.Fatal(err)
	}
	found, unrecorded := 0, 0
	for k, of := range runs {
		for n, one := range want[k] {
			got := answers[k][n]
			if *got.Recorded != one.landing {
				t.Fatalf("%v: the tracer lands on event %d, want %d of\n%v", one.question, *got.Recorded, one.landing, of.Events)
			}
			if one.skips && got.Unrecorded != nil {
				unrecorded++
				if *got.Unrecorded != one.landing {
					t.Fatalf("%v: unrecorded, the tracer lands on event %d, want %d of\n%v", one.question, *got.Unrecorded, one.landing, of.Events)
				}
			}
			found += min(1, one.landing+1)
		}
	}
	if found < 4_000 || unrecorded < 2_000 {
		t.Errorf("only %d moves land, and %d are unrecorded", found, unrecorded)
	}
	t.Logf("%d moves land; %d ran unrecorded too", found, unrecorded)
}
