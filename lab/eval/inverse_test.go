//go:build unix

package eval

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace/contain"
)

// containment returns the containment in which programs are run to verify pasts.
func containment(t *testing.T) *contain.Containment {
	t.Helper()
	in, err := contain.New(t.Context(), pythons.Any(t), contain.Auto, contain.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	return in
}

// TestPastsAreVerified checks the counts for the pasts of a state. Before `return x` the program
// executes `x = x % 4` with x = 5. 9 leads to the same state, 4 does not. For the call, 1, 5 and 9
// return 1.
func TestPastsAreVerified(t *testing.T) {
	in := containment(t)
	source := &Source{Programs: []Program{{Name: "p", Text: programOf("def f(x):\n    x = x % 4\n    return x\n"), Function: "f", Input: "5"}}}
	for _, verify := range []string{VerifyText, VerifyRun} {
		if verify == VerifyRun && !in.Holds() {
			continue // npdb runs no candidates on this machine
		}
		steps := map[int]int{} // number of samples at each event
		f := &fake{name: "m"}
		sure := 0.5
		f.sure = &sure
		f.answer = func(q backend.Question) (dsl.Reply, error) {
			now := *q.At.Current()
			if !q.Action.Move.Inverse() {
				return dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{}}, nil
			}
			x := []string{"9", "5", "4", "9", "1"}[steps[now.Line*10+int(now.Event)]%5]
			steps[now.Line*10+int(now.Event)]++
			if now.Line == 2 || now.Event == dsl.Return {
				return calledWith(q.At, x), nil // the past of the first line can only be the call with 5
			}
			now.Locals = []dsl.Local{{Name: "x", Value: x}}
			now.Line, now.Source = 2, "    x = x % 4"
			now.Stack = []dsl.Frame{{Function: "f", File: now.File, Line: 2}}
			return dsl.Reply{Outcome: dsl.Landed, Stop: &now}, nil
		}
		c := Config{Predictor: f, Oracle: contained(t), Contained: in, Verify: verify, Samples: 5, Temperature: 1, States: 2}
		r, err := MeasureInverse(t.Context(), c, source)
		if err != nil {
			t.Fatal(err)
		}
		into, back := r.Inverse.Moves[0], r.Inverse.Moves[1]
		// Line 2 has one right past among five answers, line 3 has four: the shares are 1/5 and 4/5.
		if into.N != 2 || into.Answers != 10 || into.Undecided != 0 {
			t.Errorf("%+v", into)
		}
		near(t, "step_into leads", *into.Consistency1, 0.5)
		near(t, "one of five leads", *into.Consistency5, 1)
		near(t, "step_into exact", *into.Exact, 0.2)
		near(t, "first", *into.First, 0.5) // right for line 2, where 5 is first; wrong for line 3, where 9 is, although it leads there too
		near(t, "distinct", *into.Distinct, 4)
		near(t, "coverage", *into.Coverage, 2) // one for line 2, and three for line 3: 5, 9 and 1
		if back.N != 1 || back.Action != "inv_step_return" {
			t.Errorf("%+v", back)
		}
		near(t, "step_return leads", *back.Consistency1, 0.8)
		near(t, "step_return exact", *back.Exact, 0.2)
		near(t, "first call", *back.First, 0)
		near(t, "coverage", *back.Coverage, 3)
		if n := r.Inverse.Leads.N(); n != 12 {
			t.Errorf("%d probabilities", n)
		}
		near(t, "ECE of leading here", r.Inverse.Leads.ECE(), 7./12-0.5)
		near(t, "ECE of exact", r.Inverse.Exact.ECE(), 0.5-3./12)
		if n := r.Inverse.Forward.N(); n != 2 {
			t.Errorf("%d confidences forwards", n)
		}
		want := "[]"
		if verify == VerifyRun {
			want = "[{text leads_here 7 0 0 3} {text leads_elsewhere 0 5 0 0}]"
		}
		if got := fmt.Sprint(r.Inverse.Verdicts); got != want || r.Settings.Verify != verify {
			t.Errorf("verdicts %s, want %s", got, want)
		}
	}
}

// TestVerdictsBesideARun checks that the model is asked forward if the source does not decide, and that
// its verdicts are counted beside those of a run, which have precedence.
func TestVerdictsBesideARun(t *testing.T) {
	in := containment(t)
	if !in.Holds() {
		t.Skip("programs cannot be contained here")
	}
	const text = "import operator\ndef f(x):\n    x = operator.mod(x, 4)\n    return x\n"
	source := &Source{Programs: []Program{{Name: "p", Text: programOf(text), Function: "f", Input: "5"}}}
	drawn := 0
	f := &fake{name: "m"}
	f.answer = func(q backend.Question) (dsl.Reply, error) {
		switch {
		case q.Action.Move == dsl.InvStepReturn && q.At.Current().Event == dsl.Return:
			drawn++
			call := calledWith(q.At, []string{"5", "9", "6"}[drawn-1])
			call.Stop.Line, call.Stop.Stack[0].Line = 2, 2
			return call, nil
		case q.Action.Move == dsl.StepReturn: // 5 and 6 return 1, 9 does not
			value := map[string]string{"5": "1", "9": "0", "6": "1"}[q.At.Current().Locals[0].Value]
			reply := returns(q.At, value)
			reply.Stop.Line, reply.Stop.Source, reply.Stop.Locals = 4, "    return x", []dsl.Local{{Name: "x", Value: value}}
			reply.Stop.Stack = []dsl.Frame{{Function: "f", File: reply.Stop.File, Line: 4}}
			return reply, nil
		}
		return dsl.Reply{Outcome: dsl.Unknown}, nil
	}
	c := Config{Predictor: f, Oracle: contained(t), Contained: in, Verify: VerifyRun, Samples: 3, Temperature: 1, States: 1}
	r, err := MeasureInverse(t.Context(), c, source)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(r.Inverse.Verdicts), "[{text undecided 2 1 0 1} {model leads_here 1 1 0 1} {model leads_elsewhere 1 0 0 0}]"; got != want {
		t.Errorf("verdicts %s, want %s", got, want)
	}
	back := r.Inverse.Moves[1]
	near(t, "leads", *back.Consistency1, 2./3)
	near(t, "coverage", *back.Coverage, 2)
	if back.Undecided != 0 || back.Answers != 3 {
		t.Errorf("%+v", back)
	}
	c.Verify, drawn = VerifyText, 0
	if r, err = MeasureInverse(t.Context(), c, source); err != nil {
		t.Fatal(err)
	}
	if back = r.Inverse.Moves[1]; back.Undecided != 2 || *back.Coverage != 1 || r.Inverse.Verdicts != nil {
		t.Errorf("by the text: %+v %v", back, r.Inverse.Verdicts) // the real past leads here, although nothing decides that
	}
}

// TestPastsNeedAContainment checks that pasts are not run if programs cannot be contained.
func TestPastsNeedAContainment(t *testing.T) {
	weak, err := contain.New(t.Context(), pythons.Any(t), contain.LimitsOnly, contain.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer weak.Close()
	_, err = MeasureInverse(t.Context(), Config{Predictor: &fake{}, Contained: weak, Verify: VerifyRun}, repeated(1))
	if err == nil || !strings.Contains(err.Error(), "pasts cannot be run here: ") || !strings.Contains(err.Error(), "--verify text") {
		t.Error(err)
	}
}
