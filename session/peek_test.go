package session_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
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

// TestPeekEdited checks that a guess made before an edit is not compared with a move after it.
func TestPeekEdited(t *testing.T) {
	m := &scripted{replies: []string{saysLoop}}
	s, _ := peeking(t, m, session.Real)
	run(s, "peek s", "restart")
	if a := do(s, "s"); len(a.Peeked) != 0 {
		t.Errorf("a guess of the run before is compared: %+v", a)
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
	do(s, "peek s")
	_ = slices.Contains([]string{""}, cfg.StateDir)
}
