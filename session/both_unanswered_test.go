package session_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

const (
	declines = `<|unknown_sep|><|frame_sep|>`
	saysY    = `<|line_sep|>{"x": ".."}<|action_sep|>2|    y = x + 1` + "\n<|frame_sep|>"
	saysY1   = `<|line_sep|>{"x": "..", "y": "1"}<|action_sep|>3|    return y` + "\n<|frame_sep|>"
	noState  = "The value of i is 0."
)

// TestBothGoesOnAfterNoAnswer checks that a free model without an answer is reset to the
// truth: it has no prediction to continue from, and its earlier ones no longer count.
func TestBothGoesOnAfterNoAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		reply   string
		err     *backend.Error
		failure string
		counted int // in the score: an invalid answer is wrong, a failure of the server is not counted
	}{
		"it declines":       {reply: declines, counted: 1},
		"it writes prose":   {reply: noState, failure: "no state", counted: 1},
		"it is not reached": {err: &backend.Error{Kind: backend.Unreachable, Message: "nobody answers"}, failure: "nobody answers"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &scripted{replies: []string{saysLoop}, errs: map[int]*backend.Error{}}
			if c.err != nil {
				m.errs[1] = c.err
			} else {
				m.replies = append(m.replies, c.reply)
			}
			m.replies = append(m.replies, saysInF, saysY)
			s, _ := bothModes(t, m)
			s.First(context.Background())
			do(s, "s")
			a := do(s, "s")
			if a.Err != nil || a.Beside.State != nil || !strings.Contains(a.Beside.Failure, c.failure) || (c.failure != "") != (a.Beside.Failure != "") {
				t.Errorf("%+v %+v", a, a.Beside)
			}
			if n := a.Beside.Score.Moves(); n != 1+c.counted {
				t.Errorf("%d moves are counted", n)
			}
			for range 2 {
				if a := do(s, "s"); !a.Beside.Verdicts.Same() {
					t.Errorf("after it: %s", a.Beside.Sentence)
				}
			}
			if text := m.asked[2].At.Text(); !strings.Contains(text, `{"i": "0"}`) {
				t.Errorf("the model is not told what happened meanwhile:\n%s", text)
			}
		})
	}
}

// TestBothGivenUp checks that an interrupt cancels a request that takes longer than the
// program's move.
func TestBothGivenUp(t *testing.T) {
	m := &scripted{gate: make(chan struct{})}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	go func() {
		<-m.gate
		s.Interrupt()
	}()
	a := do(s, "s")
	if a.Err != nil || a.State.Line != 5 || a.Beside.Failure != "the question was cancelled" || a.Beside.Score.Moves() != 0 {
		t.Errorf("%+v %+v", a, a.Beside)
	}
	m.gate, m.replies = nil, []string{saysCall}
	if a := do(s, "s"); !a.Beside.Verdicts.Same() {
		t.Errorf("after it: %s", a.Beside.Sentence)
	}
}

// TestBothResumes checks that a session is resumed without a request: score, first
// divergence and positions are those of before.
func TestBothResumes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "prog.py")
	if err := os.WriteFile(path, []byte(fakeSource), 0o600); err != nil {
		t.Fatal(err)
	}
	begin := func(m *scripted) *command.Interpreter {
		m.t = t
		return open(t, newFakeOf(t, path), func(c *session.Config) {
			c.Options, c.StateDir = trace.Options{Script: path}, dir
			c.Mode, c.Neural = session.Both, &nav.Neural{Predictor: m}
		})
	}
	m := &scripted{
		replies: []string{saysLoop, saysOne, noState, declines, saysY1, saysCall},
		errs:    map[int]*backend.Error{4: {Kind: backend.Unreachable, Message: "nobody answers"}},
	}
	s := begin(m)
	s.First(context.Background())
	for _, command := range []string{"s", "s", "s", "s", "walk guided", "rs", "s", "back 5", "resync", "goto 1", "s"} {
		if a := do(s, command); a.Err != nil {
			t.Fatalf("%s: %v", command, a.Err)
		}
	}
	if len(m.replies) > 0 {
		t.Fatalf("%d replies are left", len(m.replies))
	}
	before := do(s, "score")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	j, err := journal.Find(dir, trace.Options{Script: path})
	if err != nil {
		t.Fatal(err)
	}
	again := begin(&scripted{replies: []string{saysInF}})
	again.First(context.Background())
	resumed := again.Resume(context.Background(), j)
	if resumed.Err != nil || resumed.Beside == nil {
		t.Fatalf("%+v", resumed)
	}
	if b, a := before.Beside, resumed.Beside; a.First != b.First || a.Moves != b.Moves || a.Guided != b.Guided || a.Sentence != b.Sentence || asJSON(t, b.Score) != asJSON(t, a.Score) {
		t.Errorf("before:  %+v %s\nresumed: %+v %s", b, asJSON(t, b.Score), a, asJSON(t, a.Score))
	}
	for i, at := range again.History() {
		if was := s.History()[i]; at.Event != was.Event || at.Command != was.Command {
			t.Errorf("place %d: %+v, was %+v", i, at, was)
		}
	}
	if a := do(again, "divergence first"); a.Err != nil || a.Beside.State.Locals[0] != (dsl.Local{Name: "i", Value: "1"}) {
		t.Errorf("the first divergence: %+v", a)
	}
	do(again, "goto 2")
	if a := do(again, "s"); a.Err != nil || !a.Beside.Verdicts.Same() {
		t.Errorf("on from there: %+v", a)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
