package cpython

import (
	"context"
	"fmt"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/difference"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// trial follows a run that begins at a past, and looks for an event in the claimed state from which the
// claim's action leads back to that past.
type trial struct {
	r      *run
	now    *dsl.Stop
	action dsl.Action
	base   int      // the number of callers that are not run
	goal   dsl.Goal // the events at which the search ends, besides those of the activation of now
	next   int      // the next event to compare
	lacks  string   // what the module does not define because it failed; "" if it ran to its end

	nearest string // how the event most similar to now differs from it
	wrong   int    // the number of the differences of that event
}

// nobody is the number used for the activation of the state now, because its real number is not known.
const nobody = -2

func newTrial(r *run, c backend.Claim) *trial {
	t := &trial{r: r, now: c.Now, action: r.action(c.Action), base: len(c.Past.Stack) - 1, next: 1}
	t.goal = t.action.Goal(dsl.Moment{
		Event: c.Now.Event, Depth: len(c.Now.Stack) - 1 - t.base, Activation: nobody, Outermost: nobody,
	})
	return t
}

// follow runs the program until the claim is decided.
func (t *trial) follow(ctx context.Context) (backend.Verification, error) {
	const most = 1 << 12
	for n := 1; ; n = min(4*n, most) {
		for ; t.next < t.r.rec.Tree().Len(); t.next++ {
			if got, decided, err := t.look(t.next); decided || err != nil {
				return got, err
			}
		}
		edge := t.r.rec.LiveEdge()
		if edge.End || edge.PostMortem {
			return t.ended(), nil
		}
		l, err := t.r.rec.Pass(ctx, n)
		if err := t.r.landed(l, err); err != nil {
			return backend.Verification{}, err
		}
		if t.r.rec.LiveEdge() == edge && t.r.rec.Tree().Len() == t.next {
			return backend.Verification{}, undetermined("the program does not get past event %d", edge.Event)
		}
	}
}

// look compares an event with the claim. decided is false if only later events can decide.
func (t *trial) look(i int) (v backend.Verification, decided bool, err error) {
	at := t.r.rec.Tree().At(i)
	// A line that continues a block may be in the activation of now.
	straight := t.goal.Block == nobody && at.Depth+t.base == len(t.now.Stack)-1 && t.r.rec.Tree().Straight(i)
	ends := !straight && t.goal.Lands(dsl.Moment{
		Event: at.Event, Kind: at.Kind, Depth: at.Depth, Activation: int(at.Activation), At: dsl.Location{File: at.File, Line: at.Line},
	})
	if !ends && at.Event != dsl.Exception && (at.Event != t.now.Event || at.Line != t.now.Line) {
		return v, false, nil
	}
	got, err := t.r.stop(i)
	if err != nil {
		return v, false, err
	}
	switch {
	case raises(got, trace.UnknownBlock):
		why := fmt.Sprintf("how the statement of line %d goes on is not part of a state", got.Line)
		return backend.Verification{Why: why}, true, nil
	case t.lacks != "" && raises(got, "NameError("):
		return v, false, undetermined("%s: %s", t.lacks, *got.Value)
	}
	if t.isPlace(got) {
		wrong, why := difference.Values(got, t.now)
		if why != "" {
			return backend.Verification{Why: why}, true, nil
		}
		if len(wrong) == 0 && t.leadsBack(i) {
			return backend.Verification{Verdict: backend.LeadsHere}, true, nil
		}
		if len(wrong) > 0 && (t.nearest == "" || len(wrong) < t.wrong) {
			t.nearest, t.wrong = wrong[0], len(wrong)
		}
	}
	if !ends {
		return v, false, nil
	}
	if t.nearest == "" {
		t.nearest = "it leads to " + describe(got)
	}
	return backend.Verification{Verdict: backend.LeadsElsewhere, Difference: t.nearest}, true, nil
}

// raises reports whether a state is an exception whose repr contains words.
func raises(s *dsl.Stop, words string) bool {
	return s.Event == dsl.Exception && s.Value != nil && strings.Contains(*s.Value, words)
}

// leadsBack reports whether the action leads from an event to the beginning of the run.
func (t *trial) leadsBack(i int) bool {
	if t.action.Move == dsl.InvContinue {
		return true
	}
	tree := t.r.rec.Tree()
	if line, blocks := tree.PlaceBefore(0); t.action.Move == dsl.InvStepBlock && tree.At(i).Activation == tree.At(0).Activation && line > 0 && !blocks.Begins(line) {
		return false // the event before it is not known, but it continues the same block
	}
	out := tree.Land(i, t.action)
	return out.Boundary == statetree.NoBoundary && out.Event == 0
}

// isPlace reports whether a state of the run is at the place of the claim's state.
func (t *trial) isPlace(got *dsl.Stop) bool {
	if len(got.Stack)+t.base != len(t.now.Stack) {
		return false
	}
	for i, f := range got.Stack[:len(got.Stack)-1] {
		if g := t.now.Stack[t.base+i]; f.Line != g.Line && f.Line != 0 && g.Line != 0 {
			return false
		}
	}
	return samePlace(got, &dsl.Stop{State: t.now.State, Stack: t.now.Stack[t.base:]})
}

// ended returns the verdict if the run has ended without an event that decides.
func (t *trial) ended() backend.Verification {
	if t.base > 0 && (t.action.Move == dsl.InvBreakpoint || t.action.Move == dsl.InvContinue) {
		return backend.Verification{Why: "the function returns before this state is reached, and its callers are not run"}
	}
	got := backend.Verification{Verdict: backend.LeadsElsewhere, Difference: t.nearest}
	if got.Difference == "" {
		last := t.r.rec.Tree().Len() - 1
		got.Difference = "the function ends before that"
		if s, err := t.r.stop(last); err == nil {
			got.Difference = "it ends with " + describe(s)
		}
	}
	return got
}

// describe describes a state in a few words.
func describe(s *dsl.Stop) string {
	place := fmt.Sprintf("line %d of %s", s.Line, s.Function)
	switch {
	case s.Event == dsl.Call:
		return "the call of " + s.Function
	case s.Event == dsl.Exception && s.Value != nil:
		return *s.Value + " on " + place
	case s.Event == dsl.Return && s.Kind == dsl.Returned && s.Value != nil:
		return "the return of " + *s.Value + " from " + s.Function
	case s.Event == dsl.Return:
		return "the end of " + s.Function + " on line " + fmt.Sprint(s.Line)
	}
	return place
}
