//go:build unix

package session_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/sampled"
	"github.com/npdb/npdb/trace"
)

const settleSource = `def settle(amount, fee):
    rest = amount - fee
    fee = 0
    return rest
def pay(n):
    return settle(n, n // 10)
before = 1
paid = pay(100)
print(paid)
`

// feeWas returns the reply of a model that says which fee line 4 of settleSource has forgotten.
func feeWas(fee string) string {
	return `<|line_sep|>{"amount": "..", "fee": "` + fee + `", "rest": ".."}<|action_sep|>3|    fee = 0` + "\n<|frame_sep|>"
}

// feeVerifier verifies claims by the value of fee.
type feeVerifier struct{ asked int }

func (v *feeVerifier) Verify(_ context.Context, c backend.Claim) (backend.Verification, error) {
	v.asked++
	for _, l := range c.Past.Locals {
		if l.Name == "fee" && l.Value == "10" {
			return backend.Verification{Verdict: backend.LeadsHere, By: backend.ByText}, nil
		}
	}
	return backend.Verification{Verdict: backend.LeadsElsewhere, By: backend.ByText, Difference: "rest is another"}, nil
}

// inferring returns the configuration of a session in real mode on settleSource, whose model gives the
// answers, three to each backward move.
func inferring(t *testing.T, answers ...string) (session.Config, *scripted) {
	t.Helper()
	needsRecording(t)
	m := &scripted{t: t, replies: answers, unsure: true}
	return session.Config{
		Options: trace.Options{Script: scriptOf(t, settleSource), Python: pythons.Any(t)},
		Start:   session.StartTrace, Mode: session.Real, StateDir: t.TempDir(),
		Neural: &nav.Neural{
			Predictor: &sampled.Predictor{Predictor: m, Pasts: 3},
			Verify:    nav.Verifying{Text: &nav.Method{Verifier: &feeVerifier{}}},
		},
	}, m
}

// atHole opens such a session and goes to the edge of a hole, in front of line 4.
func atHole(t *testing.T, cfg session.Config) *command.Interpreter {
	t.Helper()
	s := started(t, cfg)
	s.First(t.Context())
	run(s, "b 4")
	if a := do(s, "fc"); a.Err != nil || locals(a.State) != "amount=100 fee=0 rest=90" {
		t.Fatalf("fc leads to %v: %v", a.State, a.Err)
	}
	return s
}

// TestInfer checks that the edge of a hole offers to infer, that the inferred states are a branch, and
// that a forward move and goto return to the recording.
func TestInfer(t *testing.T) {
	cfg, m := inferring(t, feeWas("7"), feeWas("10"), feeWas("7"))
	s := atHole(t, cfg)
	if got := run(s, "rs"); !strings.Contains(got, "(event 0 and earlier); infer asks the model what came before.") {
		t.Errorf("the edge says\n%s", got)
	}
	edge := s.Position()
	a := do(s, "infer rs")
	if a.Err != nil || a.Origin != dsl.Inferred || locals(a.State) != "amount=100 fee=10 rest=90" ||
		a.Boundary != trace.NoBoundary || *a.Action != "inv_step_into" {
		t.Fatalf("infer rs leads to %+v: %v", a.State, a.Err)
	}
	if line := string(frontend.EncodeAnswer(a)); !strings.Contains(line, `"origin": "inferred"`) ||
		!strings.Contains(line, `"boundary": null`) || !strings.Contains(line, `"verdict": "leads_here"`) ||
		!strings.Contains(line, `"candidate": 1, "candidates": [{"state": {"event": "line"`) {
		t.Errorf("programs read\n%s", line)
	}
	if got := plainText(t, a); !strings.Contains(got, "candidates lists 2 pasts, goto #2 returns to the recording.") ||
		!strings.Contains(got, "[inferred") {
		t.Errorf("it says\n%s", got)
	}
	answers(t, s, "p amount - fee", "90 (from predicted text)", "candidates", `3 answers gave 2 different pasts:
> 1  1 of 3  leads here, by the text
     line 3  amount = 100, fee = 10, rest = 90
  2  2 of 3  leads elsewhere, by the text: rest is another
     fee = 7`)
	if a = do(s, "candidates 2"); locals(a.State) != "amount=100 fee=7 rest=90" || a.Parent != 2 {
		t.Errorf("candidate 2 is %+v, after visit %d", a.State, a.Parent)
	}
	a = do(s, "s")
	if s.Position() != edge || a.Origin != dsl.Real || s.Mode() != session.Real || a.Visit != 2 || len(m.asked) != 3 {
		t.Errorf("s leads to %+v, visit %d: %v", s.Position(), a.Visit, a.Err)
	}
	if got := run(s, "s"); !strings.Contains(got, "--Return--") {
		t.Errorf("the program does not go on:\n%s", got)
	}
	do(s, "goto #3")
	if a = do(s, "goto 0"); a.Origin != dsl.Given || a.State.Line != 1 {
		t.Errorf("goto 0 leads to %+v", a.State)
	}
	if got := run(s, "branches"); !strings.Contains(got, "infer reverse-step  fee = 10  inferred") ||
		!strings.Contains(got, "fee = 7") {
		t.Errorf("the history is\n%s", got)
	}
	if got := run(s, "diff #3"); !strings.Contains(got, "differ") {
		t.Errorf("diff says\n%s", got)
	}
}

// TestInferOn checks that further moves go on from an inferred state.
func TestInferOn(t *testing.T) {
	call := `<|call_sep|>{"amount": "100", "fee": "10"}<|action_sep|>1|def settle(amount, fee):` + "\n<|frame_sep|>"
	second := `<|line_sep|>{"amount": "..", "fee": ".."}<|action_sep|>2|    rest = amount - fee` + "\n<|frame_sep|>"
	cfg, m := inferring(t, feeWas("10"), feeWas("10"), feeWas("10"), call, call, call, second)
	s := atHole(t, cfg)
	do(s, "rn")
	if a := do(s, "infer"); *a.Action != "inv_step_over" || a.Origin != dsl.Inferred {
		t.Errorf("infer leads to %+v: %v", a.State, a.Err)
	}
	if a := do(s, "rf"); a.Err != nil || a.Origin != dsl.Inferred || locals(a.State) != "amount=100 fee=10" ||
		a.State.Event != dsl.Call {
		t.Fatalf("rf leads to %+v: %v", a.State, a.Err)
	}
	if a := do(s, "n"); a.Err != nil || a.Origin != dsl.Predicted || a.State.Line != 2 || len(m.replies) > 0 {
		t.Errorf("n leads to %+v: %v", a.State, a.Err)
	}
	for _, tt := range []struct{ line, want string }{
		{"w", "settle"},
		{"find fee == 3", "*** find: this state is inferred"},
		{"fc", "*** fast-continue: this state is inferred"},
		{"mode both", "*** mode both: the shown state is inferred"},
		{"debug pay(1)", "*** debug pay(1): this state is inferred"},
		{"watch rest", "*** watch rest: this state is inferred"},
		{"score", "***"},
		{"info program", "prog.py"},
		{"output", ""},
		{"last fee", ""},
		{"provenance rest", ""},
	} {
		if got := run(s, tt.line); !strings.Contains(got, tt.want) || strings.Contains(got, "neural mode") {
			t.Errorf("%s: %s", tt.line, got)
		}
	}
	if a := do(s, "goto 100%"); a.Err != nil || a.Origin != dsl.Real || a.State.Line != 4 {
		t.Errorf("goto 100%% leads to %+v: %v", a.State, a.Err)
	}
	if a := do(s, "c"); a.Err != nil || !a.Done {
		t.Errorf("c leads to %+v: %v", a.State, a.Err)
	}
}

// TestInferBreakpoint checks that a breakpoint stops on the branch, and that this is not a hit of it.
func TestInferBreakpoint(t *testing.T) {
	atFour := `<|line_sep|><|stack_sep|>[["<module>", 8], ["pay", 6], ["settle", 4]]` +
		`{"amount": "100", "fee": "0", "rest": "90"}<|action_sep|>4|    return rest` + "\n<|frame_sep|>"
	cfg, _ := inferring(t, feeWas("10"), feeWas("10"), feeWas("10"), atFour)
	s := started(t, cfg)
	s.First(t.Context())
	run(s, "b 4", "s 4", "fc") // the edge has a higher number than the states of the branch
	hits := run(s, "b")
	do(s, "infer rs")
	if a := do(s, "c"); a.Err != nil || *a.Action != "breakpoint 4" || a.Origin != dsl.Predicted || a.State.Line != 4 {
		t.Errorf("c leads to %+v: %v", a.State, a.Err)
	}
	do(s, "goto 100%")
	if got := run(s, "b"); !strings.Contains(got, "already hit 1 time") || got != hits {
		t.Errorf("the hits are\n%s\nwere\n%s", got, hits)
	}
}

// TestInferSettled checks that a later run compares what was inferred with the truth.
func TestInferSettled(t *testing.T) {
	cfg, m := inferring(t, feeWas("7"), feeWas("10"), feeWas("7"))
	cfg.Neural.Verify = nav.Verifying{}
	s := atHole(t, cfg)
	do(s, "infer rs")
	if a := do(s, "restart"); a.Err != nil || a.Origin != dsl.Given || len(a.Peeked) > 0 {
		t.Fatalf("restart leads to %+v: %v", a.State, a.Err)
	}
	a := do(s, "c")
	if len(a.Peeked) != 1 || a.Peeked[0].Verdicts.Count() != 1 || a.State.Line != 4 {
		t.Fatalf("c leads to %+v: %v %v", a.State, a.Peeked, a.Err)
	}
	if got := plainText(t, a); !strings.Contains(got, "fee = 7, actually 10; candidate 2 of 2 is the truth.") {
		t.Errorf("it says\n%s", got)
	}
	want := `"peeked": [{"action": "inv_step_into", "inferred": true, "candidate": 2, "verdicts": [`
	if line := string(frontend.EncodeAnswer(a)); !strings.Contains(line, want) {
		t.Errorf("programs read\n%s", line)
	}
	if got := run(s, "score"); !strings.Contains(got, "First divergence: line 3 of prog.py, fee = 7, actually 10") {
		t.Errorf("score: %s", got)
	}
	if a = do(s, "rs"); len(a.Peeked) > 0 || a.Origin != dsl.Real || len(m.asked) != 3 {
		t.Errorf("rs: %+v", a.Peeked)
	}
	do(s, "restart")
	if a = do(s, "c"); len(a.Peeked) > 0 {
		t.Errorf("it is compared again: %+v", a.Peeked)
	}
}

// TestInferStaysOpen checks that an inference is not compared as long as the hole is there.
func TestInferStaysOpen(t *testing.T) {
	cfg, _ := inferring(t, feeWas("10"), feeWas("10"), feeWas("10"))
	s := atHole(t, cfg)
	do(s, "infer rs")
	do(s, "restart")
	if a := do(s, "fc"); len(a.Peeked) > 0 {
		t.Errorf("compared across the hole: %+v", a.Peeked)
	}
	do(s, "restart")
	if a := do(s, "c"); len(a.Peeked) != 1 || a.Peeked[0].Diverges() {
		t.Errorf("%+v", a.Peeked)
	}
}

// TestInferResumed checks that a resumed session has the same branches, and asks nothing again.
func TestInferResumed(t *testing.T) {
	cfg, _ := inferring(t, feeWas("7"), feeWas("10"), feeWas("7"))
	s := atHole(t, cfg)
	run(s, "infer rs", "candidates 2", "s", "infer rs")
	want, history := run(s, "candidates"), run(s, "branches")
	j, err := journal.Find(cfg.StateDir, cfg.Options)
	if err != nil {
		t.Fatal(err)
	}
	again, m := inferring(t)
	again.Options = cfg.Options
	r := started(t, again)
	a := r.Resume(t.Context(), j)
	if got := run(r, "candidates"); a.Err != nil || got != want || a.Origin != dsl.Inferred || len(m.asked) > 0 {
		t.Errorf("%+v: %v\n%s\nwant\n%s", a.State, a.Err, got, want)
	}
	if got := run(r, "branches"); got != history {
		t.Errorf("the history is\n%s\nwant\n%s", got, history)
	}
	if a := do(r, "s"); a.Origin != dsl.Real || a.State.Line != 4 {
		t.Errorf("s leads to %+v: %v", a.State, a.Err)
	}
}

// TestInferRefused checks where nothing is inferred, and what npdb says there.
func TestInferRefused(t *testing.T) {
	cfg, m := inferring(t)
	s := atHole(t, cfg)
	for _, tt := range []struct{ line, want string }{
		{"infer s", "*** Invalid argument: s"},
		{"up ;; infer rn", "*** infer reverse-next: only moves of the newest frame"},
		{"down ;; goto 0 ;; infer rs", "*** infer reverse-step: the recording has what came before this state, reverse-step shows it"},
	} {
		if got := run(s, tt.line); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s", tt.line, got)
		}
	}
	if len(m.asked) > 0 {
		t.Errorf("the model was asked: %v", m.asked)
	}
	cfg.Neural = nil
	s = atHole(t, cfg)
	if got := run(s, "rs", "infer rs"); strings.Contains(got, "infer asks") ||
		!strings.Contains(got, "*** infer reverse-step: there is no model to ask: give the address of its server with --base-url") {
		t.Errorf("without a model: %s", got)
	}
}

// TestInferFailed checks that raw and retry work where the model's answer was not a state, and that the
// position stays.
func TestInferFailed(t *testing.T) {
	cfg, m := inferring(t, "nonsense", "nonsense", "nonsense")
	cfg.Neural.Predictor = m
	s := atHole(t, cfg)
	a := do(s, "infer rs")
	if a.Err == nil || a.Err.Kind != session.NoPrediction || a.State.Line != 4 || a.Origin != dsl.Real {
		t.Fatalf("%+v: %v", a.State, a.Err)
	}
	if got := run(s, "raw"); !strings.Contains(got, "nonsense") {
		t.Errorf("raw: %s", got)
	}
	m.replies = []string{feeWas("10")}
	if a = do(s, "retry"); a.Err != nil || locals(a.State) != "amount=100 fee=10 rest=90" {
		t.Errorf("retry leads to %+v: %v", a.State, a.Err)
	}
	m.replies = []string{feeWas("9")}
	if a = do(s, "retry"); a.Err != nil || locals(a.State) != "amount=100 fee=9 rest=90" || a.Parent != 2 {
		t.Errorf("retry leads to %+v, after %d: %v", a.State, a.Parent, a.Err)
	}
}

// TestInferFrom checks that a recording that began late has such an edge too, and that a perfect model
// infers the truth there.
func TestInferFrom(t *testing.T) {
	cfg, _ := inferring(t)
	oracle := cpython.New(cpython.Config{Python: cfg.Options.Python, Timeout: time.Minute})
	t.Cleanup(func() {
		if err := oracle.Close(); err != nil {
			t.Error(err)
		}
	})
	cfg.Neural = &nav.Neural{Predictor: oracle}
	cfg.Options.From = "settle"
	s := started(t, cfg)
	a := s.First(t.Context())
	if a.Err != nil || a.State.Function != "settle" || a.State.Line != 2 {
		t.Fatalf("%+v: %v", a.State, a.Err)
	}
	if got := run(s, "rs"); !strings.Contains(got, "what came before was not recorded; infer asks the model what came before.") {
		t.Errorf("the edge says\n%s", got)
	}
	a = do(s, "infer rs")
	if a.Err != nil || a.Origin != dsl.Inferred || a.State.Event != dsl.Call || locals(a.State) != "amount=100 fee=10" {
		t.Fatalf("infer rs leads to %+v: %v", a.State, a.Err)
	}
	if a = do(s, "rs"); a.Err != nil || a.State.Function != "pay" || a.State.Line != 6 || locals(a.State) != "n=100" {
		t.Errorf("rs leads to %+v: %v", a.State, a.Err)
	}
	do(s, "s")
	if a = do(s, "s"); a.Err != nil || a.State.Function != "settle" || a.Origin == dsl.Inferred || s.Mode() != session.Real {
		t.Errorf("s leads back to %+v, %s: %v", a.State, a.Origin, a.Err)
	}
}
