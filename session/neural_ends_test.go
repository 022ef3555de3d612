package session_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/trace"
)

// Replies according to which neuralSource dies in f.
const (
	raisesInF = `<|exception_sep|><|stack_sep|>[["<module>", 5], ["f", 2]]{"x": "2"}<|action_sep|>2|    y = x + 1` + "\n<|arg_sep|>\"TypeError('no')\"<|frame_sep|>"
	dies      = `<|end_sep|>{"code": 1, "exception": "TypeError('no')"}<|frame_sep|>`
)

// TestNeuralPostMortem checks that an uncaught exception stops every move to the end once,
// as in real mode.
func TestNeuralPostMortem(t *testing.T) {
	raises := `<|exception_sep|>{"x": ".."}<|action_sep|>2|    y = x + 1` + "\n<|arg_sep|>\"TypeError('no')\"<|frame_sep|>"
	unwinds := `<|return_sep|>{"x": ".."}<|action_sep|>2|    y = x + 1` + "\n<|arg_sep|>null<|frame_sep|>"
	raisesOut := `<|exception_sep|>{}<|action_sep|>5|a = f(2)` + "\n<|arg_sep|>\"TypeError('no')\"<|frame_sep|>"
	unwindsOut := `<|return_sep|>{}<|action_sep|>5|a = f(2)` + "\n<|arg_sep|>null<|frame_sep|>"
	for _, tt := range []struct {
		name, commands string
		replies        []string
		stops          bool // the last command stops post mortem
	}{
		{"continue", "c", []string{raisesInF}, true},
		{"a counted continue", "c 2", []string{raisesInF}, true},
		{"a breakpoint", "b 6|c", []string{raisesInF}, true},
		{"step over", "n|n", []string{atCall, raisesInF}, true},
		{"a counted step over", "n 3", []string{atCall, raisesInF}, true},
		{"return", "n|r", []string{atCall, raisesInF}, true},
		{"out of the last frame", "n|n|n|n", []string{atCall, raisesOut, unwindsOut, raisesInF}, true},
		{"into the end", "n|n|n|s", []string{atCall, raisesOut, unwindsOut, raisesInF}, true},
		{"an exception on the way", "n|s|s|s", []string{atCall, inF, atY, raises}, false},
		{"a frame that is left", "n|s|s|n", []string{atCall, inF, atY, raises}, false},
		{"returned to", "n|s|s|s|s|s", []string{atCall, inF, atY, raises, unwinds, raisesOut}, false},
		{"returned to by return", "n|s|s|r|r", []string{atCall, inF, atY, unwinds, raisesOut}, false},
		{"over what raises, past a breakpoint that is not come to", "n|b 3|n", []string{atCall, raisesInF, raisesOut}, false},
		{"over what raises", "n|n", []string{atCall, raisesOut}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &scripted{replies: tt.replies}
			s := neural(t, m, trace.Options{})
			s.First(context.Background())
			var a *session.Answer
			for command := range strings.SplitSeq(tt.commands, "|") {
				a = do(s, command)
				if a.Err != nil {
					t.Fatalf("%s: %v", command, a.Err)
				}
			}
			if a.PostMortem != tt.stops || a.Done || a.State.Event != dsl.Exception || len(m.replies) > 0 {
				t.Errorf("post mortem %v, at %+v", a.PostMortem, a.State)
			}
			if said := plainText(t, a); strings.Contains(said, "Entering post mortem") != tt.stops {
				t.Errorf("said: %s", said)
			}
			if tt.stops {
				m.replies = []string{dies}
				if got := run(s, "exceptions"); !strings.Contains(got, "a model tells the exception alone") {
					t.Errorf("exceptions: %s", got)
				}
				if a := do(s, "c 2"); !a.Done || a.Exit.Exception == nil || a.PostMortem {
					t.Errorf("c: %+v", a)
				}
				if a := do(s, "back"); !a.PostMortem {
					t.Error("shown again it is post mortem no more")
				}
			}
		})
	}
}

// TestNeuralReverseUntilStopsAtTheCall checks that reverse-until stops at the call of the
// function in which it began.
func TestNeuralReverseUntilStopsAtTheCall(t *testing.T) {
	back := func(n string) string { return `<|line_sep|>{"x": ".."}<|action_sep|>` + n + "\n<|frame_sep|>" }
	m := &scripted{replies: []string{
		`<|line_sep|><|stack_sep|>[["<module>", 5], ["f", 3]]{"x": "2", "y": "3"}<|action_sep|>3|    return y` + "\n<|frame_sep|>",
		back("2|    y = x + 1"),
		`<|call_sep|>{"x": ".."}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>",
	}}
	s := neural(t, m, trace.Options{})
	s.First(context.Background())
	do(s, "b 3")
	do(s, "c")
	if a := do(s, "reverse-until 1"); a.Err != nil || a.State.Event != dsl.Call || a.State.Line != 1 || len(m.asked) != 3 {
		t.Errorf("after %d questions: %+v, %v", len(m.asked), a.State, a.Err)
	}
}

// TestNeuralDelete checks that a deleted name is gone, from the screen and from the text.
func TestNeuralDelete(t *testing.T) {
	m := &scripted{replies: []string{atCall, inF, atB}}
	s := neural(t, m, trace.Options{})
	s.First(context.Background())
	do(s, "n")
	do(s, "s")
	a := do(s, "!del x")
	if a.Err != nil || len(a.State.Locals) != 0 || a.Origin != dsl.Edited {
		t.Fatalf("%+v, %v", a.State, a.Err)
	}
	if line := string(frontend.EncodeAnswer(a)); !strings.Contains(line, `"locals": {}`) || !json.Valid([]byte(line)) {
		t.Errorf("%s", line)
	}
	if got := run(s, "p x"); !strings.Contains(got, "NameError") {
		t.Errorf("p x: %s", got)
	}
	if a := do(s, "!del x"); a.Err == nil || !strings.Contains(a.Err.Message, "NameError") {
		t.Errorf("twice: %v", a.Err)
	}
	do(s, "r")
	if text := m.asked[len(m.asked)-1].At.Text(); strings.Contains(text[strings.Index(text, "set<|frame_sep|>"):], `"x"`) {
		t.Errorf("the model is asked on\n%s", text)
	}
}

// TestNeuralRawAfterFailure checks that raw shows the text of the shown state once the
// failure is over.
func TestNeuralRawAfterFailure(t *testing.T) {
	failed := &backend.Error{Kind: backend.NoState, Message: "no state", Raw: "Sure! It is 2."}
	for _, tt := range []struct{ away, want string }{
		{"raw", failed.Raw},
		{"p 1", failed.Raw},
		{"w", failed.Raw},
		{"back", atCall},
		{"rewind", "No model wrote this state: it is given."},
		{"!x = 7", "No model wrote this state: it is edited."},
		{"jump 1", "No model wrote this state: it is edited."},
		{"n", atY},
	} {
		m := &scripted{replies: []string{atCall, inF, atY}, errs: map[int]*backend.Error{2: failed}}
		s := neural(t, m, trace.Options{})
		s.First(context.Background())
		do(s, "n")
		do(s, "s")
		if a := do(s, "n"); a.Err == nil {
			t.Fatal("nothing failed")
		}
		if a := do(s, tt.away); a.Err != nil {
			t.Fatalf("%s: %v", tt.away, a.Err)
		}
		if got := run(s, "raw"); !strings.Contains(got, tt.want) {
			t.Errorf("after %s: %s", tt.away, got)
		}
	}
}

// TestNeuralUnmet checks that a move ends after a number of answers if the model always leads to a breakpoint
// whose condition is false.
func TestNeuralUnmet(t *testing.T) {
	const inF = `<|line_sep|><|stack_sep|>[["<module>", 5], ["f", 2]]{"x": "2"}<|action_sep|>2|    y = x + 1` + "\n<|frame_sep|>"
	m := &scripted{replies: slices.Repeat([]string{inF}, 30)}
	s := neural(t, m, trace.Options{})
	run(s, "b 2, x > 9")
	const want = "The model was asked 25 times, and no breakpoint has stopped the move; a further move asks as many times again."
	if said := run(s, "c"); !strings.Contains(said, want) || len(m.asked) != 25 {
		t.Errorf("after %d requests: %s", len(m.asked), said)
	}
}
