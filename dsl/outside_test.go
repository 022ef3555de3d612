package dsl_test

import (
	"errors"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestOutside checks that Outside is true exactly for errors about a line that the program does not
// have, wherever the error is found.
func TestOutside(t *testing.T) {
	n, _, err := dsl.ND1.Read("<|trace_context_start|>1|x = 1\n2|y=3\n<|frame_sep|>" +
		`<|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>` + "1|x = 1\n<|frame_sep|>")
	if err != nil {
		t.Fatal(err)
	}
	step := dsl.Action{Move: dsl.StepOver}
	for text, want := range map[string]bool{
		"<|line_sep|>{}<|action_sep|>3|z\n<|frame_sep|>":                                     true,
		"<|line_sep|>{}<|action_sep|>2|y=4\n<|frame_sep|>":                                   true,
		"<|line_sep|><|stack_sep|>[[\"<module>\", 7]]{}<|action_sep|>1|x = 1\n<|frame_sep|>": true,
		"<|line_sep|>{]<|action_sep|>2|y=3\n<|frame_sep|>":                                   false,
		"<|return_sep|>{}<|action_sep|>2|y=3\n<|frame_sep|>":                                 false,
		"<|line_sep|><|stack_sep|>[[\"<module>\", 1]]{}<|action_sep|>2|y=3\n<|frame_sep|>":   false,
	} {
		if err := n.Decode(step).Feed(text); err == nil || dsl.Outside(err) != want {
			t.Errorf("%q: %v is said to be outside: %v", text, err, dsl.Outside(err))
		}
	}
	for name, c := range map[string]struct {
		draft dsl.Draft
		want  bool
	}{
		"its line":   {dsl.Draft{Event: dsl.Line, At: dsl.Location{Line: 9}}, true},
		"its stack":  {dsl.Draft{Event: dsl.Line, At: dsl.Location{Line: 2}, Stack: []dsl.DraftFrame{{Function: "<module>", At: dsl.Location{Line: 9}}, {Function: "f"}}}, true},
		"its return": {dsl.Draft{Event: dsl.Return, Kind: dsl.Returned, At: dsl.Location{Line: 2}}, false},
	} {
		if _, err := n.Compose(dsl.Step{Action: step}, c.draft); err == nil || dsl.Outside(err) != c.want {
			t.Errorf("%s: %v is said to be outside: %v", name, err, dsl.Outside(err))
		}
	}
	stop := func(line int, source string) dsl.Step {
		return dsl.Step{Action: step, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &dsl.Stop{
			State: dsl.State{Event: dsl.Line, Line: line, Source: source, Function: "<module>"}, Stack: []dsl.Frame{{Function: "<module>", Line: line}},
		}}}
	}
	if _, err := n.Append(stop(2, "y=4")); err == nil || !dsl.Outside(err) {
		t.Errorf("%v is not outside", err)
	}
	if dsl.Outside(nil) || dsl.Outside(errors.New("the line 9 is engaged")) {
		t.Error("what is no fault of a state is outside")
	}
}
