package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// TestNeuralAsksOnce checks that a move back to the state just shown makes no request, and
// neither does any question that was answered before. retry requests again.
func TestNeuralAsksOnce(t *testing.T) {
	otherwise := `<|line_sep|>{}<|action_sep|>6|b = a * 2` + "\n<|frame_sep|>"
	m := &scripted{replies: []string{atCall, atB, otherwise, inF}}
	s := neural(t, m, trace.Options{})
	s.First(context.Background())
	for _, step := range []struct {
		command, action string
		line, asked     int
		origin          dsl.Origin
	}{
		{"n", "step_over", 5, 1, dsl.Predicted},
		{"rn", "inv_step_over", 1, 1, dsl.Given},
		{"n", "step_over", 5, 1, dsl.Predicted},
		{"n", "step_over", 6, 2, dsl.Predicted},
		{"rn", "inv_step_over", 5, 2, dsl.Predicted},
		{"rewind", "", 1, 2, dsl.Given},
		{"n 2", "step_over", 6, 2, dsl.Predicted},
		{"back 2", "", 5, 2, dsl.Predicted}, // the first n
		{"n", "step_over", 6, 2, dsl.Predicted},
		{"restart", "", 1, 2, dsl.Given},
		{"n", "step_over", 5, 2, dsl.Predicted},
		{"retry", "step_over", 6, 3, dsl.Predicted},
		{"rewind", "", 1, 3, dsl.Given},
		{"n", "step_over", 6, 3, dsl.Predicted}, // the latest answer
		{"rewind", "", 1, 3, dsl.Given},
		{"s", "step_into", 1, 4, dsl.Predicted}, // another action is another question
	} {
		a := do(s, step.command)
		if a.Err != nil {
			t.Fatalf("%s: %v", step.command, a.Err)
		}
		action := ""
		if a.Action != nil {
			action = *a.Action
		}
		if action != step.action || a.State.Line != step.line || a.Origin != step.origin || len(m.asked) != step.asked {
			t.Errorf("%s: %s to line %d, %v, after %d questions; want %+v", step.command, action, a.State.Line, a.Origin, len(m.asked), step)
		}
	}
	if o := m.asked[2].Options; o.Temperature == nil || o.Seed == nil {
		t.Errorf("the retry is drawn with %+v", o)
	}
	if n := s.Asked(); n != 4 {
		t.Errorf("%d questions are counted", n)
	}
	if got := run(s, "info prog"); !strings.Contains(got, "Asked: 2 predictions") { // since restart
		t.Errorf("info: %s", got)
	}
}

// TestNeuralMirrors checks which moves lead back for certain, and which need a request.
func TestNeuralMirrors(t *testing.T) {
	const generator = `def g(n):
    yield n
    yield n + 1

x = list(g(2))
`
	const (
		inG   = `<|call_sep|><|stack_sep|>[["<module>", 5], ["g", 1]]{"n": "2"}<|action_sep|>1|def g(n):` + "\n<|frame_sep|>"
		inG2  = `<|line_sep|>{"n": ".."}<|action_sep|>2|    yield n` + "\n<|frame_sep|>"
		inG3  = `<|line_sep|>{"n": ".."}<|action_sep|>3|    yield n + 1` + "\n<|frame_sep|>"
		toG5  = `<|line_sep|>{}<|action_sep|>5|x = list(g(2))` + "\n<|frame_sep|>"
		leave = `<|line_sep|>{}<|action_sep|>6|b = a * 2` + "\n<|frame_sep|>"
		// The model answers unknown to everything, which shows that it was asked.
		declined = `<|unknown_sep|><|frame_sep|>`
	)
	for _, tt := range []struct {
		name, source, commands string
		replies                []string
		asks                   bool // for the last command
	}{
		{"over", neuralSource, "n|rn", []string{atCall}, false},
		{"into", neuralSource, "s|rs", []string{atCall}, false},
		{"into, over back", neuralSource, "s|rn", []string{atCall}, false},
		{"over, into back", neuralSource, "n|rs", []string{atCall}, true},
		{"into a call", neuralSource, "n|s|rs", []string{atCall, inF}, false},
		{"over, back from a call", neuralSource, "n|s|rn", []string{atCall, inF}, false},
		{"out of it", neuralSource, "n|s|r|s|rs", []string{atCall, inF, returnsY, leave}, false},
		{"out of it, over back", neuralSource, "n|s|r|s|rn", []string{atCall, inF, returnsY, leave}, true},
		{"over out of it, over back", neuralSource, "n|s|r|n|rn", []string{atCall, inF, returnsY, leave}, true},
		{"return", neuralSource, "n|s|r|rf", []string{atCall, inF, returnsY}, true},
		{"to a breakpoint", neuralSource, "b 2|c|rn", []string{jumpToY}, true},
		{"and forwards again", neuralSource, "b 2|c|rn|n", []string{jumpToY, `<|call_sep|>{"x": ".."}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>"}, false},
		{"an edit", neuralSource, "n|!a = 3|rn", []string{atCall}, true},
		{"to the end", neuralSource, "n|s|rs", []string{atCall, itEnds}, true},
		{"post mortem", neuralSource, "n|n|rn", []string{atCall, raisesInF}, true},
		{"a compacted text", neuralSource, "n|jump 6|rn", []string{atCall}, true},
		{"in a generator", generator, "n|s|n|n|rn", []string{toG5, inG, inG2, inG3}, true},
		{"a step in a generator", generator, "n|s|n|s|rs", []string{toG5, inG, inG2, inG3}, false},
		{"a step in a generator, over back", generator, "n|s|n|s|rn", []string{toG5, inG, inG2, inG3}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "prog.py")
			if err := os.WriteFile(path, []byte(tt.source), 0o600); err != nil {
				t.Fatal(err)
			}
			m := &scripted{replies: append(tt.replies[:len(tt.replies):len(tt.replies)], declined)}
			s := neural(t, m, trace.Options{Script: path})
			s.First(context.Background())
			commands := strings.Split(tt.commands, "|")
			for _, command := range commands[:len(commands)-1] {
				if a := do(s, command); a.Err != nil {
					t.Fatalf("%s: %v", command, a.Err)
				}
			}
			before := len(m.asked)
			a := do(s, commands[len(commands)-1])
			if asks := len(m.asked) > before; asks != tt.asks || asks != (a.Err != nil) {
				t.Errorf("the model is asked: %v; %v", asks, a.Err)
			}
		})
	}
}

// TestNeuralFailuresAreNotKept checks that a failed request is repeated.
func TestNeuralFailuresAreNotKept(t *testing.T) {
	m := &scripted{
		replies: []string{"rubbish", `<|unknown_sep|><|frame_sep|>`, atCall, inF},
		errs:    map[int]*backend.Error{1: {Kind: backend.Unreachable, Message: "nobody answers"}},
	}
	s := neural(t, m, trace.Options{})
	s.First(context.Background())
	for i := range 3 {
		if a := do(s, "n"); a.Err == nil || len(m.asked) != i+1 {
			t.Fatalf("%d questions: %v", len(m.asked), a.Err)
		}
	}
	if a := do(s, "n"); a.Err != nil || len(m.asked) != 4 {
		t.Errorf("%d questions: %v", len(m.asked), a.Err)
	}
}

// TestNeuralRemembersOverResume checks that a resumed session has the cached answers of
// the first one.
func TestNeuralRemembersOverResume(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "prog.py")
	if err := os.WriteFile(path, []byte(neuralSource), 0o600); err != nil {
		t.Fatal(err)
	}
	first := &scripted{replies: []string{atCall, atB, atCall, inF}}
	s := neuralIn(t, first, trace.Options{Script: path}, dir, journal.Filled{})
	s.First(context.Background())
	for _, command := range []string{"n", "n", "rn", "back", "rewind", "n 2", "rn", "restart", "n", "retry", "s"} {
		if a := do(s, command); a.Err != nil {
			t.Fatalf("%s: %v", command, a.Err)
		}
	}
	if len(first.asked) != 4 {
		t.Fatalf("%d questions", len(first.asked))
	}
	s.CloseJournal()
	for range 2 { // a resumed session has a journal too
		j, err := journal.Find(dir, trace.Options{Script: path})
		if err != nil {
			t.Fatal(err)
		}
		m := &scripted{t: t}
		again, err := interpreted(context.Background(), session.Config{
			Options: trace.Options{Script: path}, StateDir: dir, Neural: &nav.Neural{Predictor: m},
		})
		if err != nil {
			t.Fatal(err)
		}
		a := again.Resume(context.Background(), j)
		if a.Err != nil || a.State == nil || a.State.Function != "f" || a.State.Line != 1 {
			t.Fatalf("resumed at %+v, %v", a.State, a.Err)
		}
		for _, command := range []string{"rs", "s", "rewind", "n", "n", "rn"} {
			if a := do(again, command); a.Err != nil {
				t.Fatalf("%s: %v", command, a.Err)
			}
		}
		if len(m.asked) != 0 {
			t.Errorf("what was answered is asked for %d times", len(m.asked))
		}
		if n := again.Asked(); n != 4 {
			t.Errorf("%d questions are counted", n)
		}
		for _, command := range []string{"back", "back"} { // to the end of the first session
			do(again, command)
		}
		do(again, "rewind")
		do(again, "n")
		do(again, "s")
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBothAsksOnce checks that in the mode both a cached answer is compared again, and
// counts once.
func TestBothAsksOnce(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne, saysCall}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	do(s, "s")
	before := do(s, "s")
	do(s, "back")
	again := do(s, "s")
	if len(m.asked) != 2 || again.Err != nil {
		t.Fatalf("%d questions, %v", len(m.asked), again.Err)
	}
	if b, a := before.Beside, again.Beside; a.Sentence != b.Sentence || a.State == nil || a.State.Locals[0].Value != "1" || a.Score.Moves() != 2 || a.Moves != 2 {
		t.Errorf("again: %+v\nbefore: %+v", a, b)
	}
	if n := s.Asked(); n != 2 {
		t.Errorf("%d questions are counted", n)
	}
	anew := do(s, "retry")
	if anew.Err != nil || len(m.asked) != 3 || anew.Beside.Sentence != "prediction matches" || anew.Beside.Score.Moves() != 3 {
		t.Errorf("retry: %+v, %v after %d questions", anew.Beside, anew.Err, len(m.asked))
	}
	if o := m.asked[2].Options; o.Temperature == nil {
		t.Errorf("the retry is drawn with %+v", o)
	}
}

// TestBothRetryNeedsThePlace checks that retry makes no request if the place of the last
// move is no longer shown.
func TestBothRetryNeedsThePlace(t *testing.T) {
	s, _ := bothModes(t, &scripted{replies: []string{saysLoop, saysOne, saysCall}})
	s.First(t.Context())
	if a := do(s, "retry"); a.Err == nil || a.Err.Message != "Nothing was asked yet that could be asked again" {
		t.Errorf("%+v", a.Err)
	}
	run(s, "s", "s", "back 2")
	if a := do(s, "retry"); a.Err == nil || a.Err.Message != "The place where the last move was given is shown no more" || s.Position().Event != 0 {
		t.Errorf("%+v", a.Err)
	}
	run(s, "forth 2")
	if a := do(s, "retry"); a.Err != nil || !a.Beside.Verdicts.Same() || s.Position().Event != 2 {
		t.Errorf("%+v", a)
	}
}
