package session_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/trace"
)

// TestProvenanceOfPredictions checks that hops of a name lead through the states that were asked
// for, and end where none was.
func TestProvenanceOfPredictions(t *testing.T) {
	const (
		atReturn = `<|line_sep|>{"x": "..", "y": "3"}<|action_sep|>3|    return y` + "\n<|frame_sep|>"
		returns  = `<|return_sep|>{"x": "..", "y": ".."}<|action_sep|>3|    return y` + "\n<|arg_sep|>\"3\"<|frame_sep|>"
	)
	s := neural(t, &scripted{replies: []string{atCall, inF, atY, atReturn, returns, atB}}, trace.Options{})
	s.First(t.Context())
	run(s, "s 6")
	got := run(s, "provenance a")
	for _, want := range []string{
		"a: 4 hops back to a literal\n",
		"a = 3", "likely assignment", "a = f(2)",
		"f() = 3", "likely return", "return y",
		"y = 3", "likely assignment", "y = x + 1",
		"x = 2", "likely parameter", "a = f(2)", "literal at line 5",
		"among the states that the model was asked for",
	} {
		var ok bool
		if _, got, ok = strings.Cut(got, want); !ok {
			t.Errorf("no %q behind what was found of it", want)
		}
	}
	for command, want := range map[string]string{
		"provenance a.b": "*** Cannot follow a.b: a model tells the values of names as texts",
		"provenance q":   "*** q has no value here",
	} {
		if got := run(s, command); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q", command, got)
		}
	}
}

// TestProvenanceEndsWhereNothingWasAsked checks that a chain ends before the first state, and where
// a move passed over the lines that count.
func TestProvenanceEndsWhereNothingWasAsked(t *testing.T) {
	s := neural(t, &scripted{replies: []string{`<|line_sep|><|stack_sep|>[["f", 3]]{"x": "2", "y": "3"}<|action_sep|>3|    return y` + "\n<|frame_sep|>"}}, trace.Options{Entry: "f(2)"})
	s.First(t.Context())
	run(s, "tbreak 3", "c")
	if got := run(s, "provenance x"); !strings.Contains(got, "the call of f, whose caller is not known") {
		t.Errorf("%s", got)
	}
	if got := run(s, "provenance y"); !strings.Contains(got, "several lines ran between two states") {
		t.Errorf("%s", got)
	}
}
