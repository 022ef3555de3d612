package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/sampled"
	"github.com/npdb/npdb/trace"
)

// verifier decides by the value of a, and counts its claims.
type verifier struct {
	verdicts map[string]backend.Verification
	asked    int
}

func (v *verifier) Verify(_ context.Context, c backend.Claim) (backend.Verification, error) {
	v.asked++
	got := v.verdicts[c.Past.Locals[0].Value]
	got.By = backend.ByText
	return got, nil
}

// gcdCall returns the reply of a model that says with which a gcd was called.
func gcdCall(a string) string {
	return `<|call_sep|>{"a": "` + a + `", "b": "8"}<|action_sep|>1|def gcd(a, b):` + "\n<|frame_sep|>"
}

// pastsSession opens a session at the return of gcd, whose model gives answers, three to each backward
// move.
func pastsSession(t *testing.T, dir string, v *verifier, answers ...string) (session.Config, *scripted) {
	t.Helper()
	m := &scripted{t: t, replies: answers, unsure: true}
	o := trace.Options{
		Script: scriptOf(t, gcdSource), Entry: "gcd(_, 8)",
		Begin: &trace.Beginning{Returned: text("4"), Frames: []trace.BeginningFrame{{}}},
	}
	cfg := neuralConfig(m, o)
	cfg.StateDir = dir
	cfg.Neural.Predictor = &sampled.Predictor{Predictor: m, Pasts: 3}
	cfg.Neural.Verify = nav.Verifying{Text: &nav.Method{Verifier: v}}
	return cfg, m
}

func verdicts() *verifier {
	return &verifier{verdicts: map[string]backend.Verification{
		"12": {Verdict: backend.LeadsHere},
		"6":  {Verdict: backend.LeadsElsewhere, Difference: "returns 2 instead of 4"},
		"x":  {Verdict: backend.Undecided, Why: "x is no literal"},
	}}
}

// TestCandidates checks that a backward move merges equal answers and shows the verified one first, that
// another candidate is a branch, and that more can be drawn.
func TestCandidates(t *testing.T) {
	v := verdicts()
	cfg, m := pastsSession(t, "", v, gcdCall("6"), gcdCall("12"), gcdCall("6"))
	s := opens(t, cfg)
	s.First(t.Context())
	a := do(s, "rf")
	if a.Err != nil || locals(a.State) != "a=12 b=8" {
		t.Fatalf("rf leads to %v: %v", a.State, a.Err)
	}
	if line := string(frontend.EncodeAnswer(a)); !strings.Contains(line, `"candidate": 1, "candidates": [{"state": {"event": "call"`) ||
		!strings.Contains(line, `"probability": 0.3333333333333333, "drawn": 1, "verdict": "leads_here", "by": "text", "difference": null, "why": null}`) ||
		!strings.Contains(line, `"drawn": 2, "verdict": "leads_elsewhere", "by": "text", "difference": "returns 2 instead of 4", "why": null}]`) {
		t.Errorf("programs read\n%s", line)
	}
	answers(t, s, "candidates", `3 answers gave 2 different pasts:
> 1  1 of 3  leads here, by the text
     call of gcd  a = 12, b = 8
  2  2 of 3  leads elsewhere, by the text: returns 2 instead of 4
     a = 6`)
	answers(t, s, "candidates 3", "*** There is no candidate 3; there are 2 (candidates lists them)", "candidates 1", "*** Candidate 1 is the one shown",
		"candidates previous", "*** There is no candidate before this one: it is number 1 of 2 (candidates +5 draws more)")
	if a = do(s, "candidates next"); a.Err != nil || locals(a.State) != "a=6 b=8" || a.Candidate != 1 {
		t.Fatalf("the next candidate is %v: %v", a.State, a.Err)
	}
	first, second := a.Visit, a
	if back := do(s, "candidates previous"); locals(back.State) != "a=12 b=8" || back.Visit == first {
		t.Errorf("the previous candidate is %v, visit %d after %d", back.State, back.Visit, second.Visit)
	}
	if got := run(s, "branches"); !strings.Contains(got, "a = 6") || !strings.Contains(got, "a = 12") {
		t.Errorf("the history is\n%s", got)
	}
	m.replies = []string{gcdCall("x"), gcdCall("12")}
	answers(t, s, "candidates +2", `2 answers more: 1 new candidate.
5 answers gave 3 different pasts:
> 1  2 of 5  leads here, by the text
     call of gcd  a = 12, b = 8
  2  1 of 5  undecided: x is no literal
     a = x
  3  2 of 5  leads elsewhere, by the text: returns 2 instead of 4
     a = 6`)
	if v.asked != 3 {
		t.Errorf("%d claims were verified, want each of three candidates once", v.asked)
	}
	m.replies = []string{`<|line_sep|>{"a": "..", "b": ".."}<|action_sep|>2|    while b:` + "\n<|frame_sep|>"}
	do(s, "n")
	answers(t, s, "candidates", "*** This state has no candidates: only a backward move that asks the model has them (reverse-step, reverse-next or reverse-finish)")
}

// TestCandidatesOnOneLine checks that a value with a line end, such as a table's repr, is listed on one
// line.
func TestCandidatesOnOneLine(t *testing.T) {
	cfg, _ := pastsSession(t, "", verdicts(), gcdCall(`x\ny`), gcdCall("12"), gcdCall("12"))
	s := opens(t, cfg)
	s.First(t.Context())
	do(s, "rf")
	answers(t, s, "candidates", `3 answers gave 2 different pasts:
> 1  2 of 3  leads here, by the text
     call of gcd  a = 12, b = 8
  2  1 of 3  undecided: 
     a = x\x0ay`)
}

// TestCandidatesAreResumed checks that a resumed session has the same candidates and the same shown
// one, and that nothing is verified again.
func TestCandidatesAreResumed(t *testing.T) {
	dir := t.TempDir()
	cfg, m := pastsSession(t, dir, verdicts(), gcdCall("6"), gcdCall("12"), gcdCall("6"))
	s := opens(t, cfg)
	s.First(t.Context())
	do(s, "rf")
	m.replies = []string{gcdCall("x"), gcdCall("12")}
	do(s, "candidates +2")
	do(s, "candidates 3")
	want := run(s, "candidates")
	j, err := journal.Find(dir, trace.Options{Script: cfg.Options.Script})
	if err != nil {
		t.Fatal(err)
	}
	v := verdicts()
	again, _ := pastsSession(t, dir, v)
	again.Options = cfg.Options
	r := opens(t, again)
	a := r.Resume(t.Context(), j)
	if got := run(r, "candidates"); a.Err != nil || locals(a.State) != "a=6 b=8" || got != want || v.asked > 0 {
		t.Errorf("%v, %d verified: %v\n%s\nwant\n%s", a.State, v.asked, a.Err, got, want)
	}
	if list := fmt.Sprint(len(a.Candidates.List)); list != "3" {
		t.Errorf("there are %s candidates", list)
	}
}

// searcher finds one call, and counts its searches.
type searcher struct{ searches int }

func (s *searcher) Search(_ context.Context, q backend.CallSearch) (backend.FoundCalls, error) {
	s.searches++
	stop := *q.Now
	stop.Event, stop.Kind, stop.Value, stop.Line, stop.Source = dsl.Call, dsl.NoReturn, nil, 1, "def gcd(a, b):"
	stop.Stack = []dsl.Frame{{Function: stop.Function, File: stop.File, Line: 1}}
	stop.Locals = []dsl.Local{{Name: "a", Value: "12"}, {Name: "b", Value: q.Known["b"]}}
	here := backend.Verification{Verdict: backend.LeadsHere, By: backend.ByText}
	return backend.FoundCalls{List: []backend.Candidate{{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &stop}, Verification: here}}, Said: "a search tried 1 call"}, nil
}

// TestSearchAlone checks that a search finds the call where the model's reply is not a state, with the known
// argument, and that the model's error stays where the search finds none.
func TestSearchAlone(t *testing.T) {
	for _, found := range []bool{true, false} {
		v := verdicts()
		cfg, m := pastsSession(t, "", v)
		m.errs = map[int]*backend.Error{0: {Kind: backend.Endless, Message: "It does not end."}}
		by := &searcher{}
		cfg.Neural.Verify.Text.Searcher = by
		if !found {
			v.verdicts["12"] = backend.Verification{Verdict: backend.LeadsElsewhere, Difference: "returns 3 instead of 4"}
		}
		s := opens(t, cfg)
		s.First(t.Context())
		a := do(s, "rf")
		if by.searches != 1 || (a.Err == nil) != found || found && locals(a.State) != "a=12 b=8" {
			t.Errorf("found %v: %v after %d searches: %v", found, a.State, by.searches, a.Err)
		}
	}
}

// TestFoundIsResumed checks that a resumed session lists the calls of a search as the session did, also
// after more answers were drawn: the search's order is journalled.
func TestFoundIsResumed(t *testing.T) {
	dir := t.TempDir()
	cfg, m := pastsSession(t, dir, verdicts(), gcdCall("x"), gcdCall("x"), gcdCall("x"))
	cfg.Neural.Verify.Text.Searcher = &searcher{}
	s := opens(t, cfg)
	s.First(t.Context())
	do(s, "rf")
	j, err := journal.Find(dir, trace.Options{Script: cfg.Options.Script})
	if err != nil {
		t.Fatal(err)
	}
	again, other := pastsSession(t, "", verdicts())
	again.Options = cfg.Options
	r := opens(t, again)
	r.Resume(t.Context(), j)
	m.replies, other.replies = []string{gcdCall("6"), gcdCall("6")}, []string{gcdCall("6"), gcdCall("6")}
	want := do(s, "candidates +2").Candidates.List
	got := do(r, "candidates +2").Candidates.List
	if fmt.Sprint(len(got), got[0].Found) != fmt.Sprint(len(want), 1) || want[0].Found != 1 {
		t.Errorf("%d candidates, the first was found as number %d; want %d and %d", len(got), got[0].Found, len(want), want[0].Found)
	}
}
