package forward_test

import (
	"context"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/forward"
	"github.com/npdb/npdb/dsl"
)

const source = `def double(n):
    m = n + n
    return m

a = double(2)
`

// at returns a state in a call of double from line 5, or in the module if line is at least 4.
func at(event dsl.Event, line int, value string, locals ...string) *dsl.Stop {
	s := &dsl.Stop{State: dsl.State{Event: event, File: "prog.py", Line: line, Source: strings.Split(source, "\n")[line-1], Function: "<module>"}}
	s.Stack = []dsl.Frame{{Function: "<module>", File: "prog.py", Line: 5}}
	if line < 4 {
		s.Function, s.Depth = "double", 1
		s.Stack = append(s.Stack, dsl.Frame{Function: "double", File: "prog.py", Line: line})
	}
	if event == dsl.Return {
		s.Kind = dsl.Returned
	}
	if value != "" {
		s.Value = &value
	}
	for i := 0; i < len(locals); i += 2 {
		s.Locals = append(s.Locals, dsl.Local{Name: locals[i], Value: locals[i+1]})
	}
	return s
}

// TestVerifier checks which move the model is asked for, from which state, and what its answer means.
func TestVerifier(t *testing.T) {
	call, returned := at(dsl.Call, 1, "", "n", "2"), at(dsl.Return, 3, "4", "n", "2", "m", "4")
	at2, at3 := at(dsl.Line, 2, "", "n", "2"), at(dsl.Line, 3, "", "n", "2", "m", "4")
	for _, c := range []struct {
		name        string
		past        *dsl.Stop
		action      string
		now, answer *dsl.Stop
		asked, want string
	}{
		{"a call", call, "inv_step_return", returned, returned, "step_return", "leads_here"},
		{"another call", call, "inv_step_return", returned, at(dsl.Return, 3, "5", "n", "2", "m", "4"), "step_return", "leads_elsewhere: returns 5 instead of 4"},
		{"a line", at2, "inv_step_into", at3, at3, "step_into", "leads_here"},
		{"the line before", at2, "inv_step_over", at3, at3, "step_over", "leads_here"},
		{"the line that calls", at(dsl.Line, 5, ""), "inv_step_over", call, call, "step_into", "leads_here"},
		{"the call's line", at(dsl.Line, 5, ""), "inv_step_return", call, at3, "step_into", "undecided: the model predicts another state first: line 3 instead of a call of double"},
		{"the call of a line", call, "inv_step_return", at3, at3, "breakpoint 3", "leads_here"},
		{"an earlier round", call, "inv_step_return", at3, at(dsl.Line, 3, "", "n", "2", "m", "9"), "breakpoint 3", "undecided: the model predicts another state first: m: 9 instead of 4"},
		{"a breakpoint", at2, "inv_breakpoint 2", returned, returned, "step_return", "leads_here"},
		{"the end", call, "inv_step_return", returned, nil, "step_return", "leads_elsewhere: the program ends"},
		{"an exception", call, "inv_step_return", at(dsl.Exception, 2, "TypeError()", "n", "2"), nil, "", "undecided: no single move leads back from such a past"},
	} {
		asked := ""
		action, err := dsl.ParseAction(c.action)
		if err != nil {
			t.Fatal(err)
		}
		v := forward.Verifier{Format: dsl.ND1, Ask: func(_ context.Context, at *dsl.Node, a dsl.Action) (*backend.Prediction, error) {
			asked = a.String()
			if now := at.Current(); now.Line != c.past.Line || now.Event != c.past.Event || len(now.Stack) != len(c.past.Stack) {
				t.Errorf("%s: asked from %+v", c.name, now)
			}
			reply := dsl.Reply{Outcome: dsl.Landed, Stop: c.answer}
			if c.answer == nil {
				reply = dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{}}
			}
			return &backend.Prediction{Step: dsl.Step{Action: a, Reply: reply}}, nil
		}}
		program := &dsl.Program{Files: []dsl.SourceFile{{Name: "prog.py", Lines: dsl.SplitLines(source)}}}
		got, err := v.Verify(t.Context(), backend.Claim{Program: program, Past: c.past, Action: action, Now: c.now})
		if err != nil {
			t.Fatal(err)
		}
		text := got.Verdict.String()
		if more := got.Difference + got.Why; more != "" {
			text += ": " + more
		}
		if text != c.want || asked != c.asked || got.By != backend.ByModel || got.Verified() || got.Decided() {
			t.Errorf("%s: asked for %q: %s\nwant %q: %s", c.name, asked, text, c.asked, c.want)
		}
	}
}

// TestWithoutAnswer checks that a claim stays undecided if the model's answer cannot be used.
func TestWithoutAnswer(t *testing.T) {
	returned := at(dsl.Return, 3, "4", "n", "2", "m", "4")
	made := &backend.Prediction{Step: dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: returned}}}
	declined, blind := &backend.Prediction{Step: dsl.Step{Reply: dsl.Reply{Outcome: dsl.Unknown}}}, *made
	blind.NoLocals = true
	for want, answer := range map[string]struct {
		made *backend.Prediction
		err  error
	}{
		"the model gives no usable answer":      {nil, &backend.Error{Kind: backend.NoState}},
		"the model does not say where it leads": {declined, nil},
		"the model's answers have no locals":    {&blind, nil},
	} {
		v := forward.Verifier{Format: dsl.ND1, Ask: func(context.Context, *dsl.Node, dsl.Action) (*backend.Prediction, error) {
			return answer.made, answer.err
		}}
		program := &dsl.Program{Files: []dsl.SourceFile{{Name: "prog.py", Lines: dsl.SplitLines(source)}}}
		got, err := v.Verify(t.Context(), backend.Claim{
			Program: program, Past: at(dsl.Call, 1, "", "n", "2"), Action: dsl.Action{Move: dsl.InvStepReturn}, Now: returned,
		})
		if err != nil || got.Verdict != backend.Undecided || got.Why != want {
			t.Errorf("%+v, %v; want undecided: %s", got, err, want)
		}
	}
}
