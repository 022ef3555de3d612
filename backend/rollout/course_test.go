package rollout_test

import (
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestStepOverAYieldThatIsResumedDeeper checks a step over a yield. It lands on the generator's next
// line, even if a deeper call resumes the generator.
func TestStepOverAYieldThatIsResumedDeeper(t *testing.T) {
	lines := []string{
		"def g():", "    yield 1", "    x = 2", "    yield x", // 1-4
		"def h(it):", "    next(it)", "it = g()", "next(it)", "h(it)", // 5-9
	}
	const it = `{"it": "<generator object g>"}`
	_, at := walked(
		t, begins(t, lines), dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{Line: 2}}},
		wrote("line", "{}", lines[4])+wrote("line", "{}", lines[6])+wrote("line", it, lines[7])+
			wrote("call", "{}", lines[0])+wrote("line", "{}", lines[1]),
	)
	_, at = walked(
		t, at, dsl.Action{Move: dsl.StepOver},
		"<|return_sep|>"+left(lines[1], `"1"`), wrote("line", it, lines[8]),
		wrote("call", it, lines[4]), wrote("line", it, lines[5]),
		wrote("call", "{}", lines[1]), wrote("line", "{}", lines[2]),
	)
	if got := at.State(); got.Line != 3 || got.Depth != 2 {
		t.Errorf("lands on line %d at depth %d, want 3 and 2", got.Line, got.Depth)
	}
}
