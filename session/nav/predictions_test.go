package nav

import (
	"slices"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestActivationsOfSteps checks which activations stay the same after a move: those below the
// current frame if their lines are the same. The current frame may have reached another line.
func TestActivationsOfSteps(t *testing.T) {
	context := "<|trace_context_start|>1|def f():\n2|    a = 1\n3|    g()\n4|f()\n5|f()\n<|frame_sep|>"
	state := func(event, stack, line string) string {
		return event + stack + "{}<|action_sep|>" + line + "\n<|frame_sep|>"
	}
	for name, c := range map[string]struct {
		stack, action, reply string
		want                 []uint32
	}{
		"a call from a later line": {
			`["<module>", 4], ["f", 2]`, "step_function", state("<|call_sep|>", `<|stack_sep|>[["<module>", 4], ["f", 3], ["g", 1]]`, "1|def f():"), []uint32{0, 1, 2},
		},
		"a call from the same line": {
			`["<module>", 4], ["f", 2]`, "step_function", state("<|call_sep|>", `<|stack_sep|>"g"`, "1|def f():"), []uint32{0, 1, 2},
		},
		"a stack without need": {
			`["<module>", 4], ["f", 2]`, "step_over", state("<|line_sep|>", `<|stack_sep|>[["<module>", 4], ["f", 3]]`, "3|    g()"), []uint32{0, 1},
		},
		"another line below the current frame": {
			`["<module>", 4], ["f", 3], ["f", 2]`, "step_over", state("<|line_sep|>", `<|stack_sep|>[["<module>", 4], ["f", 2], ["f", 3]]`, "3|    g()"), []uint32{0, 3, 4},
		},
	} {
		first := state("<|line_sep|>", "<|stack_sep|>["+c.stack+"]", "2|    a = 1")
		last, _, err := dsl.ND1.Read(context + first + "<|debug_sep|>" + c.action + "<|frame_sep|>" + c.reply)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var p predictions
		p.add(prediction{node: last.Parent(), stop: last.Parent().Current(), before: -1})
		p.add(prediction{node: last, stop: last.Current(), before: 0})
		if got := p.list[1].stop.Activations; !slices.Equal(got, c.want) {
			t.Errorf("%s: activations %v, want %v", name, got, c.want)
		}
	}
}
