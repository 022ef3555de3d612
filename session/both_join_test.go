package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// alone opens a session on the fake's program with one source of states; the other one can
// join.
func alone(t *testing.T, m *scripted, mode session.Mode) *command.Interpreter {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(fakeSource), 0o600); err != nil {
		t.Fatal(err)
	}
	m.t = t
	s := open(t, newFakeOf(t, path), func(c *session.Config) {
		c.Options = trace.Options{Script: path}
		c.Mode, c.Neural = mode, &nav.Neural{Predictor: m}
	})
	s.First(context.Background())
	return s
}

// TestBothJoinsWithThePast checks that a model that joins gets the text of the moves made
// so far, from the first state on, as if it had been there all the time.
func TestBothJoinsWithThePast(t *testing.T) {
	there := &scripted{replies: []string{saysLoop, saysCall, saysInF}}
	s, _ := bothModes(t, there)
	s.First(context.Background())
	do(s, "s 3")
	want := strings.ReplaceAll(there.asked[2].At.Text(), "\r", "")
	for name, commands := range map[string][]string{
		"straight":        {"s", "s"},
		"there and back":  {"s", "rs", "s", "s", "s", "rs"},
		"after a look":    {"s", "s", "s", "back"},
		"it left between": {"mode both", "mode real", "s 2"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &scripted{replies: []string{saysInF}}
			s := alone(t, m, session.Real)
			for _, command := range append(commands, "mode both") {
				if a := do(s, command); a.Err != nil {
					t.Fatalf("%s: %v", command, a.Err)
				}
			}
			if a := do(s, "s"); a.Err != nil || !a.Beside.Verdicts.Same() {
				t.Errorf("%+v", a)
			}
			if got := m.asked[0].At.Text(); got != want {
				t.Errorf("it is asked on\n%s\nnot on\n%s", got, want)
			}
		})
	}
}

// TestBothJoinsElsewhere checks that there is no such text at a place that no action led
// to.
func TestBothJoinsElsewhere(t *testing.T) {
	m := &scripted{replies: []string{`<|line_sep|>{"x": ".."}<|action_sep|>2|    y = x + 1` + "\n<|frame_sep|>"}}
	s := alone(t, m, session.Real)
	do(s, "goto 3")
	do(s, "mode both")
	do(s, "s")
	if text := m.asked[0].At.Text(); !strings.Contains(text, `<|compact_sep|>`) {
		t.Errorf("%s", text)
	}
}

// TestBothJoinsAgain checks that the score and the first divergence continue when a model
// joins again, and that a stop from before is not a prediction.
func TestBothJoinsAgain(t *testing.T) {
	m := &scripted{replies: []string{saysOne, saysInF}}
	s := alone(t, m, session.Real)
	do(s, "s")
	do(s, "mode both")
	do(s, "s") // the model predicts 1 for i
	do(s, "mode real")
	do(s, "mode both")
	a := do(s, "s")
	if got := run(s, "score"); !strings.Contains(got, "2 moves: whole state 50%") || !strings.Contains(got, "First divergence: line 6 of prog.py") {
		t.Errorf("score: %s", got)
	}
	if a.Beside.Moves != 2 || !strings.Contains(a.Beside.First, "line 6") {
		t.Errorf("%+v", a.Beside)
	}
	if spans := s.Timeline(100); !spans[2].FirstDiverged {
		t.Errorf("%+v", spans)
	}
	if a := do(s, "divergence first"); a.Err != nil || a.State.Line != 6 {
		t.Errorf("%+v", a)
	}
	if a := do(s, "back"); a.Beside.Compared || a.Beside.State == nil || a.Beside.State.Line != a.State.Line {
		t.Errorf("a stop from before: %+v", a.Beside)
	}
}

// TestBothCannotJoin checks that a model that cannot join changes nothing: recording stays
// off.
func TestBothCannotJoin(t *testing.T) {
	s := alone(t, &scripted{}, session.Real)
	do(s, "record off")
	if err := os.Remove(s.Configured().Options.Script); err != nil {
		t.Fatal(err)
	}
	if a := do(s, "mode both"); a.Err == nil || s.Mode() != session.Real {
		t.Fatalf("%+v", a)
	}
	if got := run(s, "record"); !strings.Contains(got, "Recording is off") {
		t.Errorf("record: %s", got)
	}
}
