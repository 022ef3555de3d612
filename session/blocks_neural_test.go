package session_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

// TestBlocksPredicted checks the runs of blocks in predicted states: their origin, how goto reaches them, and
// verdicts that contradict a prediction.
func TestBlocksPredicted(t *testing.T) {
	const source = "def f(x: int):\n    y = x + 1\n    if y:\n        y = -y\n    assert y < 0\n    return y\n\na = f(2)\n"
	line := func(event, locals string, n int, text, after string) string {
		return fmt.Sprintf("<|%s_sep|>%s<|action_sep|>%d|%s\n%s<|frame_sep|>", event, locals, n, text, after)
	}
	m := &scripted{replies: []string{
		line("line", `{}`, 8, "a = f(2)", ""),
		line("call", `<|stack_sep|>"f"{"x": "2"}`, 1, "def f(x: int):", ""),
		line("line", `{"x": ".."}`, 2, "    y = x + 1", ""),
		line("line", `{"x": "..", "y": "3"}`, 3, "    if y:", ""),
		line("line", `{"x": "..", "y": ".."}`, 4, "        y = -y", ""),
		line("line", `{"x": "'2'", "y": "4"}`, 5, "    assert y < 0", ""),
	}}
	o := trace.Options{Script: scriptOf(t, source)}
	s := neuralIn(t, m, o, "", journal.Filled{})
	s.First(t.Context())
	run(s, "s", "s", "s", "s", "s", "s")
	if got, want := rowsOf(t, s, "blocks"), []string{
		"1 2-3 x=2 > y=3", "1 4-4 y=3 > x='2' y=4 ! line 5: assert y < 0 fails; x is '2', which is not of type int", "1 5-6 y=4 > ! line 5: assert y < 0 fails",
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	a := answered(s, "blocks f")
	for i, r := range a.Blocks.Rows {
		if r.Origin != dsl.Predicted || r.Visit == 0 || !a.Blocks.Predicted {
			t.Errorf("%+v", r)
		}
		if to := answered(s, fmt.Sprintf("goto #%d", r.Visit)); to.State == nil || to.State.Line != r.Lines[0] {
			t.Errorf("run %d: %+v", i, to.State)
		}
	}
	if got := run(s, "blocks -a f"); !strings.Contains(got, "state  lines") || strings.Contains(got, "goto 2 ") {
		t.Error(got)
	}
	if got := run(s, "blocks g"); !strings.Contains(got, "*** blocks: no call of g is among the states of this branch of the history") {
		t.Error(got)
	}
}
