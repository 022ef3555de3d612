package session_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/trace"
)

// TestPredictedException checks the output when a model predicts an exception that leaves
// the function.
func TestPredictedException(t *testing.T) {
	s := neural(t, &scripted{replies: []string{
		atCall, inF,
		`<|exception_sep|>{}<|action_sep|>2|    y = x + 1` + "\n<|arg_sep|>\"KeyError('no')\"<|frame_sep|>",
		`<|return_sep|>{}<|action_sep|>2|    y = x + 1` + "\n<|arg_sep|>null<|frame_sep|>",
	}}, trace.Options{})
	s.First(t.Context())
	const objects = ": convenience variables are Python's objects"
	answers(t, s,
		"s 2", "--Call--\n> PROG(1)f()  [predicted 0.75]\n-> def f(x):",
		"args", "x = 2",
		"p $_exception", "*** $_exception"+objects,
		"s", "KeyError: 'no'\n> PROG(2)f()  [predicted 0.75]\n-> y = x + 1",
		"args", "x = *** undefined ***",
		"p $_exception", "KeyError('no')",
		"p $_retval", "*** $_retval"+objects,
		"retval", "*** Not yet returned!",
		"s", "--Return--\n> PROG(2)f()  [predicted 0.75]\n-> y = x + 1",
		"retval", "*** Left by an exception: there is no value",
		"p $_retval", "*** $_retval"+objects,
		"exceptions", "Did not find chained exceptions. There is a chain only where the program stopped after an uncaught exception.",
	)
	if v := s.View(); v.Raised != "" || v.Here != 1 {
		t.Errorf("%+v", v)
	}
	do(s, "back")
	if v := s.View(); v.Raised != "KeyError: 'no'" {
		t.Errorf("%q", v.Raised)
	}
}

// TestEndsAreToldOf checks the messages at the end of a program.
func TestEndsAreToldOf(t *testing.T) {
	s := neural(t, &scripted{replies: []string{
		`<|end_sep|>{"code": 3}<|frame_sep|>`, `<|end_sep|>{"code": -9}<|frame_sep|>`, `<|end_sep|>{"code": 1, "exception": "ValueError('bad')"}<|frame_sep|>`,
	}}, trace.Options{})
	s.First(t.Context())
	const back = "\nBackward moves (rs, rn, rf, rc) still work; restart runs it again."
	answers(t, s,
		"c", "The program finished. Exit code: 3"+back,
		"retry", "The program was killed by signal 9"+back,
		"retry", "The program finished. Exit code: 1, after ValueError: bad"+back,
	)
	if got := s.EndText(nil); got != "The program is over." {
		t.Errorf("%q", got)
	}
}

// TestPredictedEntryCameFromNowhere checks that arguments come from no known line.
func TestPredictedEntryCameFromNowhere(t *testing.T) {
	s := neural(t, &scripted{replies: []string{`<|line_sep|>{"x": ".."}<|action_sep|>2|    y = x + 1` + "\n<|frame_sep|>"}}, trace.Options{Entry: "f(2)"})
	s.First(t.Context())
	const among = "\n(among the states that the model was asked for, one after another to this one; what lies between was not predicted)"
	answers(t, s,
		"last x", "x: no value -> 2\nat event 0, before any line of the program"+among,
		"history x", "x has had 1 value\n> 0  2  by nothing that was recorded"+among,
		"s", "> PROG(2)f()  [predicted 0.75]\n-> y = x + 1",
		"last x", "x: no value -> 2\nat event 0, before any line of the program"+among,
		"", "*** x has no change before that"+among,
	)
}

// TestReturnedValueIsCut checks that a location shows the first eighty characters of a
// returned value.
func TestReturnedValueIsCut(t *testing.T) {
	for length, want := range map[int]string{80: strings.Repeat("1", 80) + "  [", 81: strings.Repeat("1", 80) + "… +1 chars  ["} {
		s := neural(t, &scripted{replies: []string{atCall, inF, atY, strings.Replace(returnsY, `"3"<|frame`, `"`+strings.Repeat("1", length)+`"<|frame`, 1)}}, trace.Options{})
		s.First(t.Context())
		run(s, "s 3")
		if got := run(s, "r"); !strings.Contains(got, "()->"+want) {
			t.Errorf("%d: %q", length, got)
		}
	}
}

// TestAskedWithoutACount checks that the request statistics omit unknown counts.
func TestAskedWithoutACount(t *testing.T) {
	s := neural(t, &scripted{replies: []string{atCall}, uncounted: true}, trace.Options{})
	s.First(t.Context())
	answers(t, s, "info program", "Program: PROG\nModel: scripted at http://models.example/v1\nMeasured: step_into is right in 87.5% of 8 (A)\nFrames: the newest Python, as the version is unknown (set python_version)\nHere: state 1 of 1 that were shown, given\nText: 188 bytes\nFiles: prog.py")
	do(s, "n")
	if got := run(s, "info program"); !strings.Contains(got, "\nAsked: 1 prediction\nText: ") {
		t.Errorf("%s", got)
	}
}
