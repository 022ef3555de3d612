package nav

import (
	"testing"

	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// TestWatchedStop checks in which frame the tracer is to evaluate a watchpoint: the one that it
// was set in, while that is on the stack, or else that which has its names.
func TestWatchedStop(t *testing.T) {
	const module, f, g = 0, 1, 2
	stackOf := func(acts ...uint32) (stack []statetree.StackFrame) {
		for _, act := range acts {
			stack = append(stack, statetree.StackFrame{Activation: act})
		}
		return stack
	}
	b := &breakpoint.Breakpoint{Watch: "x", Condition: "x > 1", Ignore: 2}
	for name, test := range map[string]struct {
		act, frame uint32
		local      bool
		stack      []statetree.StackFrame
		up         int // -1: no stop
	}{
		"a global of a function's frame":  {module, f, false, stackOf(module, f, g), 1},
		"in the top frame":                {module, f, false, stackOf(module, f), 0},
		"that has ended":                  {module, f, false, stackOf(module, g), 1},
		"a global of the module's frame":  {module, module, false, stackOf(module, f, g), 2},
		"a local":                         {f, f, true, stackOf(module, f, g), 1},
		"a local of a frame that is gone": {f, f, true, stackOf(module, g), -1},
	} {
		w := &Watched{act: test.act, Local: test.local, frame: statetree.StackFrame{Activation: test.frame}}
		want := trace.Stop{For: trace.OnChange, Expr: "x", Activation: -1, Condition: "x > 1", Ignore: 2, Up: test.up}
		if test.local {
			want.Activation = int(test.act)
		}
		got, ok := w.stop(b, test.stack)
		if ok != (test.up >= 0) || ok && got != want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, ok, want)
		}
	}
}

func TestNearException(t *testing.T) {
	files := []statetree.File{{Source: []byte("class ValuError(Exception):\n    pass\n")}}
	for name, want := range map[string]string{
		"ValueError": "", "BaseException": "", "ValuError": "", "ValeuError": "ValueError", "keyerror": "KeyError",
		"json.JSONDecodeError": "", "Quite": "",
	} {
		if got := NearException(files, name); got != want {
			t.Errorf("%s is near to %q, want %q", name, got, want)
		}
	}
}
