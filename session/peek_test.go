package session_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// peeking opens a session on the fake's program in a mode, with a scripted model.
func peeking(t *testing.T, m *scripted, mode session.Mode) (*command.Interpreter, session.Config) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(fakeSource), 0o600); err != nil {
		t.Fatal(err)
	}
	m.t = t
	var cfg session.Config
	s := open(t, newFakeOf(t, path), func(c *session.Config) {
		c.Options = trace.Options{Script: path}
		c.Mode, c.Neural = mode, &nav.Neural{Predictor: m}
		cfg = *c
	})
	s.First(context.Background())
	return s, cfg
}

// TestPeekReal checks a guess in real mode: the position stays, and the move compares the guess
// with the truth once.
func TestPeekReal(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne}}
	s, _ := peeking(t, m, session.Real)
	a := do(s, "peek s")
	g := a.Peek
	if a.Err != nil || g == nil || g.State.Line != 5 || g.Origin != dsl.Predicted || *g.Confidence != 0.75 || g.Recorded {
		t.Fatalf("%+v %+v", a, g)
	}
	if a.State.Line != 1 || a.Action != nil || len(s.History()) != 1 || s.Mode() != session.Real {
		t.Errorf("peek moved: %+v", a)
	}
	if a := do(s, "peek s"); a.Err != nil || a.Peek.State.Line != 5 || len(m.asked) != 1 {
		t.Errorf("again: %+v, asked %d times", a, len(m.asked))
	}
	if a := do(s, "s"); a.State.Line != 5 || len(a.Peeked) != 1 || a.Peeked[0].Diverges() || len(m.asked) != 1 {
		t.Errorf("the move: %+v", a)
	}
	got := run(s, "peek step")
	if !strings.Contains(got, "step is predicted to lead to:") || !strings.Contains(got, "* i = 1") || !strings.Contains(got, "(6)<module>()  [predicted 0.75]") {
		t.Errorf("%s", got)
	}
	if got := run(s, "s"); !strings.Contains(got, "peek: mispredicted: i = 1, actually 0") {
		t.Errorf("%s", got)
	}
	if got := run(s, "score"); !strings.Contains(got, "First divergence: line 6 of prog.py") {
		t.Errorf("score: %s", got)
	}
	do(s, "rs")
	if a := do(s, "s"); len(a.Peeked) != 0 {
		t.Errorf("the guess is compared twice: %+v", a.Peeked)
	}
	if a := do(s, "mode both"); a.Err != nil || a.Beside.Score.Moves() != 2 {
		t.Errorf("both: %+v", a)
	}
}

// TestPeekMoves checks which moves peek asks for, and from which states.
func TestPeekMoves(t *testing.T) {
	unknown := `<|unknown_sep|><|frame_sep|>`
	for _, tt := range []struct{ before, move, want string }{
		{"s 3", "n", "step_over"},
		{"s 3", "next", "step_over"},
		{"s 3", "r", "step_return"},
		{"s 3", "c", "continue"},
		{"s 3", "rs", "inv_step_into"},
		{"s 3", "rn", "inv_step_over"},
		{"s 3", "rf", "inv_step_return"},
		{"s 3", "reverse-continue", "inv_continue"},
		{"b 7 ;; s 3", "n", "step_over"},
		{"b 7 ;; s 3", "rf", "inv_step_return"},
		{"b 7 ;; s 3", "c", "breakpoint 7"},
		{"b 7 ;; s 3", "rc", "inv_breakpoint 7"},
		{"s 3", "fc", ""},
		{"s 3", "goto", ""},
		{"s 3", "x", ""},
		{"s 3", "", ""},
		{"s 3", "n 2", ""},
		{"s 3 ;; up", "n", ""},
		{"s", "rewind", ""},
		{"p 1", "rs", ""}, // the first state
		{"c", "n", ""},    // the end
	} {
		m := &scripted{replies: []string{unknown}}
		s, _ := peeking(t, m, session.Real)
		run(s, tt.before)
		a := do(s, "peek "+tt.move)
		if a.Err == nil || a.Peek != nil {
			t.Errorf("peek %s: %+v", tt.move, a)
		}
		switch {
		case tt.want == "" && len(m.asked) > 0:
			t.Errorf("%s; peek %s asks for %s", tt.before, tt.move, m.asked[0].Action)
		case tt.want != "" && (len(m.asked) != 1 || m.asked[0].Action.String() != tt.want):
			t.Errorf("%s; peek %s: %+v", tt.before, tt.move, a.Err)
		}
	}
}

// TestPeekRecorded checks that npdb says where the true state is recorded.
func TestPeekRecorded(t *testing.T) {
	m := &scripted{replies: []string{saysInF}}
	s, _ := peeking(t, m, session.Real)
	run(s, "s 3", "rs")
	if got := run(s, "peek s"); !strings.Contains(got, "--Call--") || !strings.Contains(got, "The recording has the true state: step shows it.") {
		t.Errorf("%s", got)
	}
	if got := run(s, "s 2"); !strings.Contains(got, "peek: prediction matches") { // by the first of two moves
		t.Errorf("%s", got)
	}
}

// TestPeekWithoutModel checks that peek says what to do if there is no model.
func TestPeekWithoutModel(t *testing.T) {
	s := open(t, newFake(t))
	s.First(context.Background())
	if a := do(s, "peek n"); a.Err == nil || !strings.Contains(a.Err.Message, "--base-url") {
		t.Errorf("%+v", a)
	}
}

// TestPeekForgotten checks that a guess is not compared with the move after an edit or a restart.
func TestPeekForgotten(t *testing.T) {
	for _, between := range []string{"!i = 5", "restart ;; s 2"} {
		m := &scripted{replies: []string{saysInF}}
		s, _ := peeking(t, m, session.Real)
		if got := run(s, "s 2", "peek s", between); strings.Contains(got, "***") {
			t.Fatal(got)
		}
		if a := do(s, "s"); a.Err != nil || a.State.Function != "f" || len(a.Peeked) != 0 {
			t.Errorf("after %s: %+v", between, a)
		}
	}
}

// TestPeekBoth checks that in side-by-side mode the move uses the guess, and counts it once.
func TestPeekBoth(t *testing.T) {
	m := &scripted{replies: []string{saysLoop}}
	s, _ := peeking(t, m, session.Both)
	if a := do(s, "peek s"); a.Err != nil || a.Peek.State.Line != 5 || a.Beside.Score.Moves() != 0 {
		t.Fatalf("%+v", a)
	}
	if a := do(s, "s"); a.Err != nil || !a.Beside.Compared || !a.Beside.Verdicts.Same() || a.Beside.Score.Moves() != 1 || len(m.asked) != 1 {
		t.Errorf("%+v", a)
	}
}

// TestPeekNeural checks that in neural mode the move uses the guess, and that a resumed session
// asks nothing again.
func TestPeekNeural(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne}}
	s, cfg := peeking(t, m, session.Predicted)
	if a := do(s, "peek s"); a.Err != nil || a.Peek.State.Line != 5 || a.State.Line != 1 || len(s.History()) != 1 {
		t.Fatalf("%+v", a)
	}
	if a := do(s, "s"); a.Err != nil || a.State.Line != 5 || len(m.asked) != 1 {
		t.Errorf("%+v", a)
	}
	if a := do(s, "peek rs"); a.Err != nil || a.Peek.State.Line != 1 || a.Peek.Origin != dsl.Given || len(m.asked) != 1 {
		t.Errorf("back to where it came from: %+v", a)
	}
	if a := do(s, "peek s"); a.Err != nil || a.Peek.State.Line != 6 || !slices.Equal(a.Peek.Changed, []string{"i"}) {
		t.Errorf("%+v", a)
	}
	if a := resumed(t, cfg, &scripted{}); a.Err != nil || a.State.Line != 5 || a.Origin != dsl.Predicted {
		t.Errorf("resumed: %+v", a)
	}
}

// TestPeekResumed checks that a resumed session in real mode compares the guesses again, without
// asking the model.
func TestPeekResumed(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne}}
	s, cfg := peeking(t, m, session.Real)
	run(s, "peek s", "s", "peek s")
	again := &scripted{t: t}
	a := resumed(t, cfg, again)
	if a.Err != nil || a.State.Line != 5 || len(again.asked) != 0 {
		t.Errorf("%+v", a)
	}
}

// resumed replays the newest journal of a session with another model.
func resumed(t *testing.T, cfg session.Config, m *scripted) *session.Answer {
	t.Helper()
	j, err := journal.Find(cfg.StateDir, cfg.Options)
	if err != nil {
		t.Fatal(err)
	}
	m.t = t
	f := newFakeOf(t, cfg.Options.Script)
	s := open(t, f, func(c *session.Config) {
		c.Options, c.Mode, c.Neural = cfg.Options, cfg.Mode, &nav.Neural{Predictor: m}
	})
	return s.Resume(t.Context(), j)
}

// consent is the user's consent, which is not given yet.
type consent struct{ given, answered bool }

func (c *consent) Given() bool { return c.given }

func (c *consent) Question() string {
	if c.answered {
		return ""
	}
	return "Send it?"
}

func (c *consent) Answer(yes bool) error {
	c.given, c.answered = yes, true
	return nil
}

func (*consent) Refusal() string { return "nothing is sent" }

// TestPeekConsent checks that peek sends nothing before the user has agreed.
func TestPeekConsent(t *testing.T) {
	for answer, want := range map[string]int{"y": 1, "n": 0} {
		m := &scripted{replies: []string{saysLoop}}
		path := filepath.Join(t.TempDir(), "prog.py")
		if err := os.WriteFile(path, []byte(fakeSource), 0o600); err != nil {
			t.Fatal(err)
		}
		m.t = t
		s := open(t, newFakeOf(t, path), func(c *session.Config) {
			c.Options, c.Mode, c.Neural = trace.Options{Script: path}, session.Real, &nav.Neural{Predictor: m, Consent: &consent{}}
		})
		s.First(t.Context())
		if a := do(s, "peek s"); a.Waiting != session.ForConfirmation || !strings.Contains(a.Prompt, "Send it?") || len(m.asked) != 0 {
			t.Fatalf("%+v", a)
		}
		if a := do(s, answer); len(m.asked) != want || (a.Peek != nil) != (want > 0) {
			t.Errorf("%s: %+v", answer, a)
		}
		if a := do(s, "peek s"); want == 0 && (a.Err == nil || !strings.Contains(a.Err.Message, "nothing is sent")) {
			t.Errorf("after no: %+v", a)
		}
	}
}

const peekSource = `def add(a, b):
    total = a + b
    if total > 5:
        raise ValueError(total)
    return total

def numbers():
    yield 1
    yield 2

seen = []
for n in numbers():
    try:
        seen.append(add(n, 3))
        seen.append(add(n, n * 3))
    except ValueError as e:
        seen.append(str(e))
print(seen)
`

// TestPeekOracle checks that a perfect model's guesses in real mode match the moves that are made
// then, at the live edge and in the recording, and that the score counts them.
func TestPeekOracle(t *testing.T) {
	interpreter := pythons.Any(t)
	oracle := cpython.New(cpython.Config{Python: interpreter, Timeout: time.Minute})
	o := programOf(t, interpreter, peekSource)
	o.Stdin = strings.NewReader("")
	s := started(t, session.Config{Options: o, Start: session.StartTrace, Mode: session.Real, Neural: &nav.Neural{Predictor: oracle}})
	t.Cleanup(func() {
		if err := oracle.Close(); err != nil {
			t.Error(err)
		}
	})
	s.First(t.Context())
	run(s, "b 3")
	random := rand.New(rand.NewPCG(3, 4))
	moves := []string{"s", "s", "s", "n", "n", "r", "c", "rs", "rn", "rf", "rc"}
	past := 0
	compared := map[string]bool{} // by position and action
	for i := range 300 {
		if i >= 50 && i%4 == 0 {
			run(s, fmt.Sprint("goto ", random.IntN(45)))
		}
		m, at := moves[random.IntN(len(moves))], s.Position()
		g := do(s, "peek "+m)
		a := do(s, m)
		for i := range a.Peeked {
			if p := &a.Peeked[i]; p.Diverges() {
				t.Errorf("%s at %+v: %s", m, g.State, p.Sentence())
			}
		}
		if g.Peek == nil || a.Action == nil || *a.Action != g.Peek.Action.String() || a.Boundary != trace.NoBoundary {
			continue // a breakpoint stopped the move, or there is nothing to compare
		}
		key := fmt.Sprint(at, *a.Action)
		if (len(a.Peeked) == 1) == compared[key] {
			t.Errorf("%s at %+v: %d guesses compared, before: %v", m, g.State, len(a.Peeked), compared[key])
		}
		compared[key] = true
		if g.Peek.Recorded {
			past++
		}
	}
	t.Logf("%d guesses compared, %d of them in the recording", len(compared), past)
	if len(compared) < 50 || past < 10 {
		t.Errorf("only %d guesses were compared, %d in the recording", len(compared), past)
	}
	if got := run(s, "score"); !strings.Contains(got, "No divergence yet.") {
		t.Errorf("%s", got)
	}
}

// TestPeekInterrupted checks that an interrupt gives the question up in each mode.
func TestPeekInterrupted(t *testing.T) {
	for _, mode := range []session.Mode{session.Real, session.Both, session.Predicted} {
		m := &scripted{gate: make(chan struct{})}
		s, _ := peeking(t, m, mode)
		came := make(chan *session.Answer)
		go func() { s.Line(t.Context(), "peek s", func(a *session.Answer) { came <- a }) }()
		<-m.gate
		s.Interrupt()
		if a := <-came; !a.Interrupted || a.Err != nil || a.Peek != nil {
			t.Errorf("%s: %+v", mode, a)
		}
	}
}

// TestPeekJSON checks the fields of a guess and of its comparison.
func TestPeekJSON(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne, `<|end_sep|>{"code": 0}<|frame_sep|>`}}
	s, _ := peeking(t, m, session.Real)
	for _, tt := range []struct{ line, want string }{
		{"peek s", `"peek": {"action": "step_into", "state": {"event": "line", "kind": null, "file": "prog.py", "line": 5, "source": "for i in range(3):", "function": "<module>", "depth": 0, "locals": {}, "value": null}, "stack": [{"function": "<module>", "file": "prog.py", "line": 5}], "origin": "predicted", "changed": [], "recorded": false, "confidence": 0.75}`},
		{"s", `"peeked": [{"action": "step_into", "verdicts": [{"field": "outcome", "verdict": "same"}, `},
		{"peek s", `"changed": ["i"]`},
		{"s", `{"field": "local", "name": "i", "verdict": "differs", "predicted": "1", "real": "0"`},
		{"peek c", `"peek": {"action": "continue", "state": null, "stack": [], "origin": "predicted", "changed": [], "recorded": false, "exit": {"code": 0, "exception": null}, "confidence": 0.75}`},
	} {
		if got := string(frontend.EncodeAnswer(do(s, tt.line))); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.line, got, tt.want)
		}
	}
}
