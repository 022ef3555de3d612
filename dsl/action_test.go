package dsl_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

func TestActionText(t *testing.T) {
	for _, c := range []struct {
		action dsl.Action
		want   string
	}{
		{dsl.Action{Move: dsl.StepInto}, "step_into"},
		{dsl.Action{Move: dsl.InvStepReturn}, "inv_step_return"},
		{dsl.Action{Move: dsl.Continue, Lines: []dsl.Location{{Line: 3}}}, "continue"},
		{dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{Line: 4}, {Line: 9}}}, "breakpoint 4,9"},
		{dsl.Action{Move: dsl.InvBreakpoint, Lines: []dsl.Location{{File: 1, Line: 4}, {File: 27, Line: 1}}}, "inv_breakpoint b:4,ab:1"},
		{dsl.Action{Move: dsl.Breakpoint}, "breakpoint"},
	} {
		if got := c.action.String(); got != c.want {
			t.Errorf("%+v is written %q, want %q", c.action, got, c.want)
		}
	}
}

func TestParseAction(t *testing.T) {
	for text, want := range map[string]dsl.Action{
		"step_into":                 {Move: dsl.StepInto},
		"inv_continue":              {Move: dsl.InvContinue},
		"step_block":                {Move: dsl.StepBlock},
		"inv_step_function":         {Move: dsl.InvStepFunction},
		"breakpoint":                {Move: dsl.Breakpoint},
		"breakpoint 4,9":            {Move: dsl.Breakpoint, Lines: []dsl.Location{{Line: 4}, {Line: 9}}},
		"breakpoint a:4":            {Move: dsl.Breakpoint, Lines: []dsl.Location{{Line: 4}}},
		"inv_breakpoint b:4,3,ab:1": {Move: dsl.InvBreakpoint, Lines: []dsl.Location{{File: 1, Line: 4}, {Line: 3}, {File: 27, Line: 1}}},
	} {
		if got, err := dsl.ParseAction(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"": "is no move", "step": "is no move", "Step_over": "is no move", " step_over": "is no move", "step_over ": "takes no lines", "step_block 3": "takes no lines", "step_blocks": "is no move", "continue 3": "takes no lines",
		"breakpoint ": "is no line", "breakpoint 0": "is no line", "breakpoint -1": "is no line", "breakpoint +1": "is no line", "breakpoint 01": "is no line",
		"breakpoint 3,": "is no line", "breakpoint 3, 4": "is no line", "breakpoint A:3": "is no line", "breakpoint :3": "is no line",
		"breakpoint a:": "is no line", "breakpoint zzzzzzzzzzzzzzzzzz:3": "is no line", "breakpoint 99999999999999999999": "is no line",
	} {
		if got, err := dsl.ParseAction(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is read as %+v, %v; want an error with %q", text, got, err, want)
		}
	}
}

// TestMoves checks that every move has a unique name and a unique inverse, and that only the
// breakpoint moves take lines.
func TestMoves(t *testing.T) {
	seen := map[string]bool{}
	for m := range dsl.Moves() {
		if seen[m.String()] {
			t.Errorf("two moves are named %s", m)
		}
		seen[m.String()] = true
		if inverse := m >= dsl.InvStepInto; m.Inverse() != inverse {
			t.Errorf("%s: Inverse() is %v", m, m.Inverse())
		}
		if lines := m == dsl.Breakpoint || m == dsl.InvBreakpoint; m.TakesLines() != lines {
			t.Errorf("%s: TakesLines() is %v", m, m.TakesLines())
		}
	}
	for m := range dsl.Moves() {
		if inverse := m.Inverted(); inverse.Inverse() == m.Inverse() || inverse.Inverted() != m || strings.TrimPrefix(inverse.String(), "inv_") != strings.TrimPrefix(m.String(), "inv_") {
			t.Errorf("the inverse of %s is %s", m, inverse)
		}
	}
	if len(seen) != 14 {
		t.Errorf("there are %d moves", len(seen))
	}
}

func TestFileLetter(t *testing.T) {
	for i, want := range map[int]string{0: "a", 1: "b", 25: "z", 26: "aa", 27: "ab", 51: "az", 52: "ba", 701: "zz", 702: "aaa"} {
		if got := dsl.FileLetter(i); got != want {
			t.Errorf("file %d is %q, want %q", i, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for got, want := range map[string]string{
		dsl.Call.String(): "call", dsl.Line.String(): "line", dsl.Return.String(): "return", dsl.Exception.String(): "exception",
		dsl.NoReturn.String(): "", dsl.Returned.String(): "return", dsl.Yielded.String(): "yield", dsl.Unwound.String(): "unwind",
		dsl.ReturnKind(4).String(): "ReturnKind(4)",
		dsl.Given.String():         "given", dsl.Real.String(): "real", dsl.Predicted.String(): "predicted",
		dsl.Inferred.String(): "inferred", dsl.Edited.String(): "edited", dsl.Origin(0).String(): "",
		dsl.Event(0).String(): "Event(0)", dsl.Event(5).String(): "Event(5)", dsl.Move(0).String(): "Move(0)", dsl.Move(15).String(): "Move(15)",
		dsl.Computed.String(): "computed", dsl.Origin(7).String(): "", dsl.Landed.String(): "state", dsl.Ended.String(): "end", dsl.AtStart.String(): "start",
		dsl.Unknown.String(): "unknown", dsl.Outcome(5).String(): "", dsl.DebugSep.String(): "debug_sep", dsl.CompactSep.String(): "compact_sep",
		dsl.Token(15).String(): "Token(15)",
		(&dsl.DecodeError{Kind: dsl.Truncated, Offset: 7, Message: "no"}).Error(): "cut off at byte 7: no",
		(&dsl.DecodeError{Kind: dsl.Malformed, Message: "no"}).Error():            "malformed at byte 0: no",
		(&dsl.DecodeError{Kind: dsl.Impossible, Message: "no"}).Error():           "impossible at byte 0: no",
	} {
		if got != want {
			t.Errorf("name %q, want %q", got, want)
		}
	}
}
