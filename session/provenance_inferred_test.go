package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/sampled"
	"github.com/npdb/npdb/trace"
)

const halfSource = `def half(n):
    m = n // 2
    return m
def check():
    k = half(3)
    rows = [k]
    rows.append(k)
    return rows
`

// Replies of a model that is asked backwards in halfSource.
const (
	halfCall    = `<|call_sep|>{"n": "3"}<|action_sep|>1|def half(n):` + "\n<|frame_sep|>"
	halfDivides = `<|line_sep|>{"n": "3"}<|action_sep|>2|    m = n // 2` + "\n<|frame_sep|>"
	halfReturn  = `<|line_sep|>{"n": "3", "m": "1"}<|action_sep|>3|    return m` + "\n<|frame_sep|>"
	halfReturns = `<|return_sep|><|stack_sep|>"half"{"n": "3", "m": "1"}<|action_sep|>3|    return m` + "\n<|arg_sep|>\"1\"<|frame_sep|>"
	checkCalls  = `<|line_sep|>{}<|action_sep|>5|    k = half(3)` + "\n<|frame_sep|>"
)

// lineVerifier gives the verdict of the past's line, else that it leads here.
type lineVerifier map[int]backend.Verification

func (v lineVerifier) Verify(_ context.Context, c backend.Claim) (backend.Verification, error) {
	got, ok := v[c.Past.Line]
	if !ok {
		got.Verdict = backend.LeadsHere
	}
	got.By = backend.ByText
	return got, nil
}

// beginAt returns the configuration of a neural session that begins at a line of halfSource, whose model
// gives one answer to each backward move.
func beginAt(t *testing.T, v lineVerifier, frames []trace.BeginningFrame, replies ...string) (session.Config, *scripted) {
	t.Helper()
	m := &scripted{t: t, replies: replies}
	script := scriptOf(t, halfSource)
	for i := range frames {
		frames[i].File = script
	}
	cfg := neuralConfig(m, trace.Options{Script: script, Begin: &trace.Beginning{Frames: frames}})
	cfg.Neural.Predictor = &sampled.Predictor{Predictor: m, Pasts: 1}
	cfg.Neural.Verify = nav.Verifying{Text: &nav.Method{Verifier: v}}
	return cfg, m
}

// inHalf returns the frames of a session that begins at line 3 of half.
func inHalf() []trace.BeginningFrame {
	return []trace.BeginningFrame{
		{Function: "check", Line: 5},
		{Function: "half", Line: 3, Complete: true, Locals: []trace.BeginningLocal{{Name: "n", Value: "3"}, {Name: "m", Value: "1"}}},
	}
}

// TestProvenanceInfers checks that a chain goes on by inferred states where the session begins, that a
// parameter is followed to its call at once, and that the states are a branch that is not shown.
func TestProvenanceInfers(t *testing.T) {
	dir := t.TempDir()
	cfg, m := beginAt(t, nil, inHalf(), halfDivides, halfCall, checkCalls)
	cfg.StateDir = dir
	s := opens(t, cfg)
	s.First(t.Context())
	a := do(s, "provenance m")
	var asked []string
	for _, q := range m.asked {
		asked = append(asked, q.Action.String())
	}
	if got := strings.Join(asked, " "); got != "inv_step_over inv_step_return inv_step_return" {
		t.Errorf("asked for %s", got)
	}
	if a.Visit != 1 || a.State.Line != 3 || a.Action != nil || a.Err != nil {
		t.Errorf("it stands at %+v, visit %d, action %v: %v", a.State, a.Visit, a.Action, a.Err)
	}
	if got, want := plainText(t, a), `m: 2 hops back to a literal
  1  #2  m = 1  likely assignment  prog.py:2 in half   m = n // 2
         inferred by 1 backward move, probability 0.75, leads here, by the text
  2  #4  n = 3  likely parameter   prog.py:5 in check  k = half(3)
         literal at line 5
         inferred by 2 backward moves, probability 0.56, leads here, by the text
goto #2 goes to the line of a hop, by the number of its state
`; !strings.HasPrefix(got, want) {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
	for _, want := range []string{
		`"line": 2, "source": "    m = n // 2", "function": "half", "visit": 2, "certain": false`,
		`"note": "literal at line 5", "inferred": {"steps": 2, "probability": 0.5625, "verdict": "leads_here", "by": "text", "difference": null, "why": null}}]`,
	} {
		if line := string(frontend.EncodeAnswer(a)); !strings.Contains(line, want) {
			t.Errorf("no %s in\n%s", want, line)
		}
	}
	history := run(s, "branches")
	if !strings.Contains(history, "> #1 half:3") || !strings.Contains(history, "#4 check:5  provenance m  inferred") {
		t.Errorf("the history is\n%s", history)
	}
	if a = do(s, "goto #4"); a.State == nil || a.State.Function != "check" || a.State.Line != 5 {
		t.Errorf("goto #4 leads to %+v: %v", a.State, a.Err)
	}
	do(s, "goto #1")
	if got := do(s, "provenance m"); len(m.asked) != 3 || len(got.Provenance) != 2 {
		t.Errorf("given again, it asks %d questions and finds %d hops", len(m.asked), len(got.Provenance))
	}
	if a = do(s, "rn"); a.Visit != 2 || len(m.asked) != 3 {
		t.Errorf("rn leads to visit %d, after %d questions", a.Visit, len(m.asked))
	}
	want, history := run(s, "provenance n"), run(s, "branches")
	j, err := journal.Find(dir, trace.Options{Script: cfg.Options.Script})
	if err != nil {
		t.Fatal(err)
	}
	again, other := beginAt(t, nil, inHalf())
	again.Options = cfg.Options
	r := opens(t, again)
	if a := r.Resume(t.Context(), j); a.Err != nil || a.Visit != 2 || run(r, "branches") != history || run(r, "provenance n") != want || len(other.asked) > 0 {
		t.Errorf("resumed at visit %d: %v\n%s\n%s", a.Visit, a.Err, run(r, "branches"), run(r, "provenance n"))
	}
}

// TestProvenanceInfersCalls checks that a chain goes on in the function whose call gave the value.
func TestProvenanceInfersCalls(t *testing.T) {
	frames := []trace.BeginningFrame{{Function: "check", Line: 6, Complete: true, Locals: []trace.BeginningLocal{{Name: "k", Value: "1"}}}}
	cfg, m := beginAt(t, nil, frames, checkCalls, halfReturns, halfReturn, halfDivides, halfCall, checkCalls)
	s := opens(t, cfg)
	s.First(t.Context())
	got := run(s, "provenance k")
	for _, want := range []string{
		"k: 4 hops back to a literal\n", "k = 1", "likely assignment", "k = half(3)", "inferred by 2 backward moves",
		"half() = 1", "likely return", "return m", "m = 1", "likely assignment", "m = n // 2", "inferred by 2 backward moves",
		"n = 3", "likely parameter", "prog.py:5 in check", "literal at line 5",
	} {
		var ok bool
		if _, got, ok = strings.Cut(got, want); !ok {
			t.Errorf("no %q behind what was found of it", want)
		}
	}
	if len(m.replies) > 0 {
		t.Errorf("%d replies are left", len(m.replies))
	}
}

// TestProvenanceOfEqualValues checks that a line that assigns the value again is a hop, and that the
// header of a loop is none where the loop ends.
func TestProvenanceOfEqualValues(t *testing.T) {
	const source = `def count(rows):
    n = 0
    for r in rows:
        n += r
    return n
`
	at := func(n, r, line, text string) string {
		return fmt.Sprintf(`<|line_sep|>{"rows": "..", "n": "%s"%s}<|action_sep|>%s|%s`, n, r, line, text) + "\n<|frame_sep|>"
	}
	const zero = `, "r": "0"`
	const header, body = "    for r in rows:", "        n += r"
	m := &scripted{t: t, replies: []string{
		at("0", zero, "3", header), at("0", zero, "4", body), at("0", "", "3", header),
		strings.Replace(at("0", "", "2", "    n = 0"), `, "n": "0"`, "", 1),
	}}
	given := []trace.BeginningLocal{{Name: "rows", Value: "[0]"}, {Name: "n", Value: "0"}, {Name: "r", Value: "0"}}
	cfg := neuralConfig(m, trace.Options{
		Script: scriptOf(t, source), Begin: &trace.Beginning{Frames: []trace.BeginningFrame{{Line: 5, Complete: true, Locals: given}}},
	})
	s := opens(t, cfg)
	s.First(t.Context())
	got := run(s, "provenance n")
	for _, want := range []string{
		"n: 2 hops back to a literal\n", "likely augmented   prog.py:4 in count  n += r\n", "from n = 0, r = 0", "by 2 backward moves",
		"likely assignment  prog.py:2 in count  n = 0\n", "by 2 backward moves",
	} {
		var ok bool
		if _, got, ok = strings.Cut(got, want); !ok {
			t.Errorf("no %q behind what was found of it", want)
		}
	}
	m.replies = []string{"nonsense"} // to the question for the call, which has rows
	if got := run(s, "provenance r"); !strings.Contains(got, "1  #4  r = 0       likely element") || !strings.Contains(got, "rows = [0]") || len(m.asked) != 5 {
		t.Errorf("%d questions\n%s", len(m.asked), got)
	}
}

// TestProvenanceEnds checks that a chain of inferred states ends with a reason: where the model has no
// usable answer, where nothing decides, where the frame begins, where a line is not followed, and after
// as many moves as one command makes.
func TestProvenanceEnds(t *testing.T) {
	alone := inHalf()[1:]
	rows := []trace.BeginningFrame{{Function: "check", Line: 8, Complete: true, Locals: []trace.BeginningLocal{
		{Name: "k", Value: "1"}, {Name: "rows", Value: "[1, 1]"},
	}}}
	appended := `<|line_sep|>{"k": "1", "rows": "[1]"}<|action_sep|>7|    rows.append(k)` + "\n<|frame_sep|>"
	unknown := inHalf()
	unknown[1].Complete, unknown[1].Locals = false, unknown[1].Locals[1:]
	for name, c := range map[string]struct {
		command  string
		frames   []trace.BeginningFrame
		verdicts lineVerifier
		replies  []string
		want     string
	}{
		"no state":         {"m", inHalf(), nil, []string{"nonsense"}, "the model gives no usable answer: "},
		"no state later":   {"m", inHalf(), nil, []string{halfDivides, "nonsense"}, "the model gives no usable answer: "},
		"elsewhere":        {"m", inHalf(), lineVerifier{2: {Verdict: backend.LeadsElsewhere, Difference: "m: 2 instead of 1"}}, []string{halfDivides}, "the model gives no state that leads here: leads elsewhere, by the text: m: 2 instead of 1"},
		"undecided":        {"m", inHalf(), lineVerifier{2: {Verdict: backend.Undecided, Why: "of the loop"}}, []string{halfDivides}, "the inferred state is not verified: undecided: of the loop"},
		"no caller":        {"n", alone, nil, []string{halfCall}, "the call of half, whose caller is not known"},
		"the start":        {"m", inHalf(), nil, []string{`<|start_sep|><|frame_sep|>`}, "nothing comes before: the session begins here, or the model infers so"},
		"not followed":     {"rows", rows, nil, []string{appended}, "the line changed it in a way that is not followed"},
		"call undecided":   {"n", inHalf(), lineVerifier{1: {Verdict: backend.Undecided}, 2: {Verdict: backend.CannotRun, Why: "no"}}, []string{halfCall, halfDivides}, "the inferred state is not verified: cannot be run: no"},
		"another argument": {"n", inHalf(), lineVerifier{2: {Verdict: backend.Undecided, Why: "it"}}, []string{strings.Replace(halfCall, "3", "4", 1), halfDivides}, "the inferred state is not verified: undecided: it"},
		"call not entered": {"k", rows, nil, []string{
			strings.Replace(appended, "[1]", "[1, 2]", 1), checkCalls, halfReturn,
		}, "what the call of half did was not asked for"},
		"unknown": {"m", unknown, nil, []string{`<|line_sep|>{}<|action_sep|>2|    m = n // 2` + "\n<|frame_sep|>"}, "n: the state does not tell its value"},
	} {
		cfg, m := beginAt(t, c.verdicts, c.frames, c.replies...)
		s := opens(t, cfg)
		s.First(t.Context())
		if got := run(s, "provenance "+c.command); !strings.Contains(got, c.want) || len(m.replies) > 0 {
			t.Errorf("%s: %d replies left\n%s\nwant %s", name, len(m.replies), got, c.want)
		}
		if got := run(s, "raw"); s.Position().Event != 0 || strings.Contains(got, "nonsense") {
			t.Errorf("%s: it stands at %+v, whose reply is %s", name, s.Position(), got)
		}
	}
}

// TestProvenanceBudget checks that one command asks for so many states, fewer of a model on another
// machine, and that the next one goes on.
func TestProvenanceBudget(t *testing.T) {
	for away, most := range map[bool]int{false: 20, true: 5} {
		var replies []string
		for range most {
			replies = append(replies, halfReturn)
		}
		cfg, m := beginAt(t, nil, inHalf(), replies...)
		m.away = away
		s := opens(t, cfg)
		s.First(t.Context())
		const limit = "the limit of inferred states for one command is reached: repeat the command to continue"
		if got := run(s, "provenance m"); !strings.Contains(got, limit) || len(m.asked) != most {
			t.Errorf("away %v: %d questions\n%s", away, len(m.asked), got)
		}
		m.replies = []string{halfDivides, halfCall, checkCalls}
		want := fmt.Sprintf("inferred by %d backward moves", most+1)
		if got := run(s, "provenance m"); !strings.Contains(got, want) || !strings.Contains(got, "2 hops back to a literal\n  1") || len(m.asked) != most+3 {
			t.Errorf("away %v: %d questions\n%s", away, len(m.asked), got)
		}
	}
}

// TestProvenanceInterrupted checks that an interrupt ends the questions of a chain.
func TestProvenanceInterrupted(t *testing.T) {
	cfg, m := beginAt(t, nil, inHalf())
	m.gate = make(chan struct{})
	s := opens(t, cfg)
	s.First(t.Context())
	came := make(chan *session.Answer)
	go func() { s.Line(t.Context(), "provenance m", func(a *session.Answer) { came <- a }) }()
	<-m.gate
	s.Interrupt()
	a := <-came
	if got := plainText(t, a); a.Err != nil || !a.Interrupted || !strings.Contains(got, "the question was cancelled") || len(m.asked) != 1 {
		t.Errorf("%d questions: %v\n%s", len(m.asked), a.Err, got)
	}
}
