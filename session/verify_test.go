package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// gcdReturns returns the reply of a model that says what a call of gcd returns.
func gcdReturns(value string) string {
	return `<|return_sep|>{"a": "..", "b": "..", "r": "0"}<|action_sep|>6|    return a` + "\n<|arg_sep|>\"" + value + "\"<|frame_sep|>"
}

// undecidedVerdicts decides for 12, and against 6.
func undecidedVerdicts() *verifier {
	v := verdicts()
	for _, a := range []string{"1", "2", "3"} {
		v.verdicts[a] = backend.Verification{Verdict: backend.Undecided, Why: a + " is special"}
	}
	v.verdicts["4"] = backend.Verification{Verdict: backend.CannotRun, Why: "4 is no state"}
	return v
}

// openForward opens a session at the return of gcd, whose model gives three answers to a backward move
// and is asked forward too.
func openForward(t *testing.T, dir string, v *verifier, replies ...string) (session.Config, *scripted) {
	t.Helper()
	cfg, m := pastsSession(t, dir, v, replies...)
	cfg.Neural.Verify.Model = true
	return cfg, m
}

// TestVerifiedByModel checks that the model is asked forward from those candidates that the text does
// not decide, once each, that its verdicts are marked, and that they rank below those of the text.
func TestVerifiedByModel(t *testing.T) {
	v := undecidedVerdicts()
	cfg, m := openForward(t, "", v, gcdCall("1"), gcdCall("2"), gcdCall("3"))
	m.replies = append(m.replies, gcdReturns("5"), gcdReturns("4"), "nonsense")
	s := opens(t, cfg)
	s.First(t.Context())
	a := do(s, "rf")
	if a.Err != nil || locals(a.State) != "a=2 b=8" || len(m.asked) != 6 {
		t.Fatalf("rf leads to %v after %d questions: %v", a.State, len(m.asked), a.Err)
	}
	for _, q := range m.asked[3:] {
		if q.Action.String() != "step_return" || q.Answers != 1 || len(q.At.Current().Stack) != 1 {
			t.Errorf("asked for %s from %+v, %d answers", q.Action, q.At.Current(), q.Answers)
		}
	}
	answers(t, s, "candidates", `3 answers gave 3 different pasts:
> 1  1 of 3  may lead here, as the model predicts
     call of gcd  a = 2, b = 8
  2  1 of 3  undecided: 3 is special; the model gives no usable answer
     a = 3
  3  1 of 3  may lead elsewhere, as the model predicts: returns 5 instead of 4
     a = 1`)
	line := string(frontend.EncodeAnswer(a))
	for _, want := range []string{
		`"verdict": "leads_here", "by": "model", "difference": null, "why": "2 is special"}`,
		`"verdict": "undecided", "by": "model", "difference": null, "why": "3 is special; the model gives no usable answer"}`,
		`"verdict": "leads_elsewhere", "by": "model", "difference": "returns 5 instead of 4", "why": "1 is special"}`,
	} {
		if !strings.Contains(line, want) {
			t.Errorf("no %s in\n%s", want, line)
		}
	}
	m.replies = []string{gcdCall("12"), gcdCall("4"), gcdCall("6")}
	answers(t, s, "candidates +3", `3 answers more: 3 new candidates.
6 answers gave 6 different pasts:
  1  1 of 6  leads here, by the text
     a = 12
> 2  1 of 6  may lead here, as the model predicts
     call of gcd  a = 2, b = 8
  3  1 of 6  undecided: 3 is special; the model gives no usable answer
     a = 3
  4  1 of 6  cannot be run: 4 is no state
     a = 4
  5  1 of 6  may lead elsewhere, as the model predicts: returns 5 instead of 4
     a = 1
  6  1 of 6  leads elsewhere, by the text: returns 2 instead of 4
     a = 6`)
	if v.asked != 6 {
		t.Errorf("%d claims were verified by the text, want each of six candidates once", v.asked)
	}
}

// TestVerifyByModel checks that the command turns the model's verdicts on, that a run replaces them
// where it decides, and that the model is asked no second time.
func TestVerifyByModel(t *testing.T) {
	cfg, m := openForward(t, "", undecidedVerdicts(), gcdCall("1"), gcdCall("2"), gcdCall("2"))
	cfg.Neural.Verify.Model = false
	ran := &verifier{verdicts: map[string]backend.Verification{
		"1": {Verdict: backend.LeadsHere}, "2": {Verdict: backend.CannotRun, Why: "2 has no literal"},
	}}
	cfg.Contain = func(context.Context) (*nav.Method, error) { return &nav.Method{Verifier: runs{ran}}, nil }
	s := opens(t, cfg)
	s.First(t.Context())
	answers(t, s, "verify", "Pasts are verified by the program's text; nothing is run.")
	do(s, "rf")
	m.replies = []string{gcdReturns("4"), gcdReturns("5")}
	answers(t, s, "verify model", "Pasts are verified by the program's text; nothing is run. Where that does not decide, the model predicts where a past leads.")
	answers(t, s, "candidates", `3 answers gave 2 different pasts:
> 1  2 of 3  may lead here, as the model predicts
     call of gcd  a = 2, b = 8
  2  1 of 3  may lead elsewhere, as the model predicts: returns 5 instead of 4
     a = 1`)
	run(s, "verify run", "y")
	answers(t, s, "verify", "Pasts are verified by the program's text, and else by running it in a sandbox. Where that does not decide, the model predicts where a past leads.")
	answers(t, s, "candidates", `3 answers gave 2 different pasts:
  1  1 of 3  leads here, by running it
     a = 1
> 2  2 of 3  may lead here, as the model predicts
     call of gcd  a = 2, b = 8`)
	run(s, "verify run", "y")
	if ran.asked != 2 || len(m.asked) != 5 {
		t.Errorf("%d pasts were run, the model was asked %d times", ran.asked, len(m.asked))
	}
	answers(t, s, "verify off", "Pasts are not verified.", "verify text", "Pasts are verified by the program's text; nothing is run.")
}

// runs gives the verdicts of a verifier as those of a run.
type runs struct{ *verifier }

func (r runs) Verify(ctx context.Context, c backend.Claim) (backend.Verification, error) {
	got, err := r.verifier.Verify(ctx, c)
	got.By = backend.ByRun
	return got, err
}

// TestVerifiedByModelIsResumed checks that a resumed session has the model's verdicts and asks nothing.
func TestVerifiedByModelIsResumed(t *testing.T) {
	dir := t.TempDir()
	cfg, m := openForward(t, dir, undecidedVerdicts(), gcdCall("1"), gcdCall("2"), gcdCall("2"))
	m.replies = append(m.replies, gcdReturns("4"), gcdReturns("5"))
	s := opens(t, cfg)
	s.First(t.Context())
	do(s, "rf")
	want := run(s, "candidates")
	j, err := journal.Find(dir, trace.Options{Script: cfg.Options.Script})
	if err != nil {
		t.Fatal(err)
	}
	again, other := openForward(t, "", undecidedVerdicts())
	again.Options = cfg.Options
	r := opens(t, again)
	if a := r.Resume(t.Context(), j); a.Err != nil || run(r, "candidates") != want || len(other.asked) > 0 {
		t.Errorf("%v, %d questions\n%s\nwant\n%s", a.Err, len(other.asked), run(r, "candidates"), want)
	}
	other.replies = []string{gcdCall("1"), gcdCall("2")}
	if do(r, "candidates +2"); len(other.asked) != 2 {
		t.Errorf("%d questions for two more answers: it asks forward again", len(other.asked))
	}
}
