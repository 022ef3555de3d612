package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
)

// TestNeuralJumpIsOneStop checks that a predicted jump is one stop of the history, also
// beside another model.
func TestNeuralJumpIsOneStop(t *testing.T) {
	m := func() *scripted { return &scripted{replies: []string{saysLoop, saysCall}} }
	for name, s := range map[string]*command.Interpreter{"alone": alone(t, m(), session.Predicted), "beside": against(t, m(), m())} {
		s.First(context.Background())
		do(s, "s 2")
		shown := len(s.History())
		if a := do(s, "jump 5"); a.Err != nil || a.State.Line != 5 || a.Origin != dsl.Edited || len(s.History()) != shown+1 {
			t.Errorf("%s: %d stops of the history were %d: %+v", name, len(s.History()), shown, a)
		}
		if a := do(s, "back"); a.Err != nil || a.State.Line != 6 {
			t.Errorf("%s: back leads to %+v", name, a.State)
		}
	}
}

// TestNeuralJumpForgetsAFailure checks that a request that failed before a jump does not
// count as failed after it.
func TestNeuralJumpForgetsAFailure(t *testing.T) {
	s := neural(t, &scripted{replies: []string{`<|line_sep|>{`}}, trace.Options{})
	s.First(context.Background())
	if a := do(s, "n"); a.Err == nil {
		t.Fatalf("%+v", a)
	}
	do(s, "jump 5")
	if got := run(s, "raw"); !strings.Contains(got, "No model wrote this state: it is edited.") {
		t.Errorf("raw: %s", got)
	}
}

// TestPredictedJumpsAreRefused checks that in neural mode jumps to lines outside the
// function, and from the end, are refused.
func TestPredictedJumpsAreRefused(t *testing.T) {
	s := neural(t, &scripted{replies: []string{atCall, inF, `<|end_sep|>{"code": 0}<|frame_sep|>`}}, trace.Options{})
	s.First(context.Background())
	if a := do(s, "retry"); a.Err == nil || a.Err.Kind != session.NotFound || len(s.History()) != 1 {
		t.Errorf("a retry of nothing: %+v", a)
	}
	do(s, "n")
	do(s, "s")
	for _, line := range []string{"5", "6"} {
		if got := run(s, "jump "+line); got != "*** Jump failed: line "+line+" is not in f\n" {
			t.Errorf("line %s: %q", line, got)
		}
	}
	if a := do(s, "jump 3"); a.Err != nil || a.State.Line != 3 {
		t.Errorf("line 3 of f: %+v", a)
	}
	do(s, "c")
	if a := do(s, "jump 1"); a.Err == nil {
		t.Errorf("from the end: %+v", a)
	}
}

// TestPredictedJumpToABlankLine checks that jumps to a line without a statement, or of
// another function, are refused.
func TestPredictedJumpToABlankLine(t *testing.T) {
	script := scriptOf(t, "def f(x):\n\n    def g():\n        return 1\n    # why\n    y = x + 1\n    return y\n\na = f(2)\n")
	s := neural(t, &scripted{replies: []string{`<|line_sep|>{}<|action_sep|>9|a = f(2)` + "\n<|frame_sep|>", inF}}, trace.Options{Script: script})
	s.First(t.Context())
	answers(t, s,
		"n", "…", "s", "…",
		"jump 2", "*** Jump failed: Blank or comment",
		"jump 5", "*** Jump failed: Blank or comment",
		"jump 4", "*** Jump failed: line 4 is not in f",
		"jump 8", "*** Jump failed: line 8 is not in f",
		"jump 0", "*** Jump failed: line 0 is not in f",
		"jump 7", "> PROG(7)f()  [edited]\n-> return y",
	)
}
