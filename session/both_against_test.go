package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// against opens a session of two scripted models, in which nothing can run.
func against(t *testing.T, m, other *scripted) *command.Interpreter {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(fakeSource), 0o600); err != nil {
		t.Fatal(err)
	}
	m.t, other.t = t, t
	return open(t, newFakeOf(t, path), func(c *session.Config) {
		c.Options = trace.Options{Script: path}
		c.Mode, c.Neural, c.Against = session.Both, &nav.Neural{Predictor: m}, &nav.Neural{Predictor: other}
		c.Start = func(context.Context, trace.Options) (session.Recording, trace.Landing, error) {
			t.Error("the program is run")
			return nil, trace.Landing{}, errors.New("the program is run")
		}
	})
}

func TestAgainst(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne, saysInF1}}
	other := &scripted{replies: []string{saysLoop, saysCall, saysInF}}
	s := against(t, m, other)
	s.First(context.Background())
	if a := do(s, "s"); a.Err != nil || a.Beside == nil || !a.Beside.Verdicts.Same() || a.State.Line != 5 {
		t.Fatalf("%+v", a)
	}
	a := do(s, "s")
	if a.Err != nil || a.Beside.Verdicts.Same() || a.State.Locals[0].Value != "0" || a.Beside.State.Locals[0].Value != "1" || a.Beside.Referee != "scripted" {
		t.Errorf("%+v %+v", a.State, a.Beside)
	}
	if text := plainText(t, a); !strings.Contains(text, "i = 1, actually 0") {
		t.Error(text)
	}
	do(s, "s")
	if text := m.asked[2].At.Text(); !strings.Contains(text, `{"i": "1"}`) {
		t.Errorf("a free model does not live with its past:\n%s", text)
	}
	if text := other.asked[2].At.Text(); !strings.Contains(text, `{"i": "0"}`) {
		t.Errorf("the other model does not live with its own past:\n%s", text)
	}
	if a := do(s, "divergence first"); a.Err != nil || a.State.Line != 6 {
		t.Errorf("divergence: %+v", a)
	}
	for _, command := range []string{"mode real", "mode neural"} {
		if a := do(s, command); a.Err == nil || a.Err.Kind != session.Refused {
			t.Errorf("%s: %+v", command, a)
		}
	}
	spans := s.Timeline(10)
	if len(spans) != 4 || spans[0].Diverged || spans[1].Diverged || !spans[2].Diverged || !spans[3].Diverged {
		t.Errorf("%+v", spans)
	}
}

func TestAgainstGuided(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne, saysInF}}
	other := &scripted{replies: []string{saysLoop, saysCall, saysInF}}
	s := against(t, m, other)
	s.First(context.Background())
	do(s, "walk guided")
	do(s, "s 3")
	if text := m.asked[2].At.Text(); !strings.Contains(text, `{"i": "0"}`) || strings.Contains(text, `{"i": "1"}`) {
		t.Errorf("a guided model is not put back:\n%s", text)
	}
}

// TestAgainstEdit checks that both models get an edit, and share the first state.
func TestAgainstEdit(t *testing.T) {
	const saysFirst = `<|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>"
	m := &scripted{replies: []string{saysLoop, saysCall, saysInF, saysFirst}}
	other := &scripted{replies: []string{saysLoop, saysCall, saysInF, saysFirst}}
	s := against(t, m, other)
	s.First(context.Background())
	do(s, "s 2")
	if a := do(s, "!i = 7"); a.Err != nil || a.State.Locals[0] != (dsl.Local{Name: "i", Value: "7"}) || a.Beside.State.Locals[0].Value != "7" {
		t.Fatalf("%+v", a)
	}
	do(s, "s")
	for _, asked := range []*scripted{m, other} {
		if text := asked.asked[2].At.Text(); !strings.Contains(text, `<|debug_sep|>set<|frame_sep|>`) {
			t.Errorf("the edit is not told:\n%s", text)
		}
	}
	if a := do(s, "rewind"); a.Err != nil || a.State.Line != 1 || !a.Beside.Verdicts.Same() {
		t.Errorf("%+v", a)
	}
}

// TestAgainstResume checks that a resumed session requests nothing: each model gets its
// own replies from the journal.
func TestAgainstResume(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne, saysInF1}}
	other := &scripted{replies: []string{saysLoop, saysCall, saysInF}}
	s := against(t, m, other)
	s.First(context.Background())
	do(s, "s")
	do(s, "s")
	cfg := s.Configured()
	j, err := journal.Find(cfg.StateDir, cfg.Options)
	if err != nil || j.Header.Against != "scripted" {
		t.Fatalf("%v %v", j, err)
	}
	again, err := interpreted(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	a := again.Resume(context.Background(), j)
	if a.Err != nil || a.State.Locals[0].Value != "0" || a.Beside.State.Locals[0].Value != "1" || len(m.asked) != 2 || len(other.asked) != 2 {
		t.Errorf("%+v %+v", a, a.Beside)
	}
}

// TestAgainstNamed checks that both models are named wherever the session names the
// predictor.
func TestAgainstNamed(t *testing.T) {
	s := against(t, &scripted{replies: []string{saysLoop}}, &scripted{replies: []string{saysLoop}})
	first := s.First(context.Background())
	if notice, _ := first.Text(session.Notice); !strings.Contains(notice, "scripted walks beside scripted, which stands in CPython's place") {
		t.Errorf("the first stop says %q", notice)
	}
	do(s, "s")
	if got := s.Summary(); len(got) == 0 || !strings.HasPrefix(got[0], "scripted beside scripted: 1 move") {
		t.Errorf("the summary is %q", got)
	}
	const each = "Model: scripted at http://models.example/v1\nMeasured: step_into is right in 87.5% of 8 (A)\n"
	if said, _ := do(s, "info program").Text(session.Said); !strings.Contains(said, each+strings.Replace(each, "Model", "Against", 1)) {
		t.Errorf("info program says %q", said)
	}
	if v := s.View(); v.Against != "scripted" {
		t.Errorf("the view has %q", v.Against)
	}
	if got := journal.Recents(s.Configured().StateDir, 1); len(got) != 1 || got[0].Against != "scripted" {
		t.Errorf("%+v", got)
	}
}

// TestAgainstTables checks that loop and blocks show the states of the second model, to which the position
// belongs.
func TestAgainstTables(t *testing.T) {
	s := against(t, &scripted{replies: []string{saysLoop, saysOne}}, &scripted{replies: []string{saysLoop, saysCall}})
	s.First(context.Background())
	do(s, "s")
	do(s, "s")
	if a := do(s, "loop"); a.Err != nil || a.Loop == nil || len(a.Loop.Rows) != 1 || a.Loop.Rows[0].Origin != dsl.Predicted || a.Loop.Rows[0].Values[0].Text != "0" {
		t.Errorf("loop: %v %+v", a.Err, a.Loop)
	}
	if a := do(s, "blocks"); a.Err != nil || a.Blocks == nil || len(a.Blocks.Rows) == 0 || a.Blocks.Rows[0].Origin != dsl.Predicted || a.Blocks.Rows[0].Visit == 0 {
		t.Errorf("blocks: %v %+v", a.Err, a.Blocks)
	}
}
