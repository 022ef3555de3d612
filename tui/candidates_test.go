package tui

import (
	"context"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// guesser answers the first backward move with the candidates of its list, and later ones with those
// of more. It also verifies them, by the value of their first local.
type guesser struct {
	scripted
	list, more []guess
	asks       int
}

// guess is a candidate: a reply, how often it was drawn, and its verification.
type guess struct {
	reply string
	drawn int
	backend.Verification
}

func (g *guesser) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	if !q.Action.Move.Inverse() {
		return g.scripted.Predict(ctx, q, show)
	}
	list := g.list
	if g.asks++; g.asks > 1 {
		list = g.more
	}
	of := &backend.Candidates{}
	for _, one := range list {
		of.Answers += one.drawn
	}
	var first dsl.Step
	for i, one := range list {
		d := q.At.Decode(q.Action)
		if err := d.Feed(one.reply); err != nil {
			return nil, err
		}
		step, _ := d.Step()
		if i == 0 {
			first = step
		}
		share := float64(one.drawn) / float64(of.Answers)
		of.List = append(of.List, backend.Candidate{Reply: step.Reply, Drawn: one.drawn, Probability: &share})
	}
	return &backend.Prediction{Step: first, Raw: list[0].reply, Candidates: of}, nil
}

func (g *guesser) Verify(_ context.Context, c backend.Claim) (backend.Verification, error) {
	for _, one := range append(g.list, g.more...) {
		if strings.Contains(one.reply, `"`+c.Past.Locals[0].Name+`": "`+strings.ReplaceAll(c.Past.Locals[0].Value, `"`, `\"`)+`"`) {
			return one.Verification, nil
		}
	}
	return backend.Verification{}, nil
}

// calledWith returns the reply that f was called with a value.
func calledWith(x string) string {
	return `<|call_sep|>{"x": "` + x + `"}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>"
}

func verdict(v backend.Verdict, difference, why string) backend.Verification {
	return backend.Verification{Verdict: v, By: backend.ByText, Difference: difference, Why: why}
}

// guessing opens a session at the return of f in neural mode, in which backward moves have several
// candidates.
func guessing(t *testing.T, w, h int) (*driver, *guesser) {
	t.Helper()
	cfg, g := guessingConfig(t)
	return drive(t, w, h, cfg), g
}

// guessingConfig returns the configuration of that session.
func guessingConfig(t *testing.T) (session.Config, *guesser) {
	t.Helper()
	three := "3"
	long := "[" + strings.Repeat("10, ", 12)
	g := &guesser{list: []guess{
		{calledWith("2"), 3, verdict(backend.LeadsHere, "", "")},
		{calledWith(long + "1]"), 1, verdict(backend.Undecided, "", "the text alone does not tell what a list and an int add up to")},
		{calledWith(long + "2]"), 1, verdict(backend.CannotRun, "", "TypeError: can only concatenate list to list")},
		{calledWith("3"), 2, verdict(backend.LeadsElsewhere, "value: 4 instead of 3", "")},
		{`<|line_sep|>{"x": "5", "y": "3"}<|action_sep|>2|    y = x + 1` + "\n<|frame_sep|>", 1, backend.Verification{}},
	}, more: []guess{{calledWith("True"), 1, verdict(backend.LeadsHere, "", "")}}}
	g.replies = []string{`<|line_sep|>{"x": "..", "y": "3"}<|action_sep|>3|    return y` + "\n<|frame_sep|>"}
	cfg := session.Config{
		Options: trace.Options{
			Script: programPath("double.py"), Entry: "f(_)",
			Begin: &trace.Beginning{Returned: &three, Frames: []trace.BeginningFrame{{}}},
		},
		StateDir: t.TempDir(), Neural: &nav.Neural{Predictor: g, Verify: nav.Verifying{Text: &nav.Method{Verifier: g}}},
	}
	return cfg, g
}

// TestCandidatesScene checks how the candidates of a backward move are drawn at every size: with the
// shown one marked, with another one selected, and while their pane has the focus.
func TestCandidatesScene(t *testing.T) {
	d, _ := guessing(t, 120, 36)
	d.press("R")
	t.Run("appear", d.everySize)
	d.press(")", ")")
	t.Run("third", d.everySize)
	d.press("7", "l", "l", "j")
	t.Run("selected", d.everySize)
}

// TestCandidatesKeys checks the keys of the candidates: they walk through them, draw more, and open
// and close the pane, which goes when one moves on.
func TestCandidatesKeys(t *testing.T) {
	d, _ := guessing(t, 80, 24)
	d.press(")")
	d.shows("This state has no candidates")
	d.press("|")
	d.shows("This state has no candidates")
	d.press("R")
	d.shows("inferred · 1 of 5, leads here")
	d.shows("candidates 1 of 5")
	d.press("(")
	d.shows("There is no candidate before this one: it is number 1 of 5 (; draws more)")
	d.press(")")
	d.shows("2 of 5, undecided")
	d.press("|")
	d.showsNot("candidates 2 of 5")
	d.press(")")
	d.showsNot("candidates 3 of 5") // it stays closed
	d.press("|", "(", "(")
	d.shows("candidates 1 of 5")
	d.press(";")
	d.shows("1 of 6, leads here")
	d.shows("5 answers more: 1 new candidate.")
	d.shows("candidates 1 of 6")
	d.press("7")
	if d.m.shape.focus != candidatesPane {
		t.Fatalf("the focus is at %d", d.m.shape.focus)
	}
	d.press("l", "enter")
	d.shows("2 of 6, leads here")
	d.shows("candidates 2 of 6")
	d.press("n")
	d.showsNot("candidates 2")
	if d.m.shape.focus != sourcePane {
		t.Errorf("the focus is at %d", d.m.shape.focus)
	}
	d.press("z")
	d.shows("candidates 2 of 6") // the same state has the same candidates
}

// TestCandidatesMoveNothing checks that the panes that stay visible keep their places and columns as
// the candidates come and go, and as one walks through them.
func TestCandidatesMoveNothing(t *testing.T) {
	for _, size := range sizes {
		d, _ := guessing(t, size[0], size[1])
		before := d.m.layout
		d.press("R")
		with := d.m.layout
		for id, r := range with.panes {
			if was := before.panes[id]; paneID(id) != candidatesPane && !r.Empty() && (r.X != was.X || r.Y != was.Y || r.W != was.W) {
				t.Errorf("%v: pane %d is at %+v, was at %+v", size, id, r, was)
			}
		}
		if with.panes[candidatesPane].Empty() {
			t.Errorf("%v: no candidates", size)
		}
		for range 4 {
			if d.press(")"); d.m.layout != with {
				t.Errorf("%v: the layout becomes %+v, was %+v", size, d.m.layout, with)
			}
		}
		d.press("n")
		for id, r := range d.m.layout.panes {
			if was := before.panes[id]; r.Empty() != was.Empty() {
				t.Errorf("%v: pane %d is at %+v afterwards, was at %+v", size, id, r, was)
			}
		}
	}
}

// TestCandidatesYield checks that a focused pane is visible in place of the candidates.
func TestCandidatesYield(t *testing.T) {
	d, _ := guessing(t, 80, 24)
	d.press("R", "2")
	d.showsNot("candidates 1 of 5")
	d.shows("locals")
	d.press("1")
	d.shows("candidates 1 of 5")
	d.press("2", "|")
	d.shows("candidates 1 of 5")
	if d.m.shape.focus != candidatesPane {
		t.Errorf("the focus is at %d", d.m.shape.focus)
	}
}

// TestCandidatesMouse checks that clicks select and show a candidate.
func TestCandidatesMouse(t *testing.T) {
	d, _ := guessing(t, 120, 36)
	d.press("R")
	d.shows("1: 3 of 8")
	r := d.m.layout.panes[candidatesPane]
	d.click(r.X+40, r.Y+1)
	d.shows("2: 1 of 8")
	d.click(r.X+40, r.Y+1)
	d.shows("2 of 5, undecided")
}
