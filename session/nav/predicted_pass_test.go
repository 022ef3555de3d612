package nav

import (
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestWithin checks which stacks lie in the code that a move passes over.
func TestWithin(t *testing.T) {
	frame := func(file, function string, line int) dsl.Frame {
		return dsl.Frame{File: file, Function: function, Line: line}
	}
	module, f := frame("a.py", "<module>", 9), frame("a.py", "f", 3)
	w := within{below: []dsl.Frame{module, f}}
	inG := within{below: []dsl.Frame{module, f}, on: "g"}
	for name, test := range map[string]struct {
		within within
		stack  []dsl.Frame
		want   bool
	}{
		"above the frames":         {w, []dsl.Frame{module, f, frame("a.py", "g", 5)}, true},
		"far above them":           {w, []dsl.Frame{module, f, frame("b.py", "g", 5), frame("b.py", "h", 7)}, true},
		"not above them":           {w, []dsl.Frame{module, f}, false},
		"above another line":       {w, []dsl.Frame{module, frame("a.py", "f", 4), frame("a.py", "g", 5)}, false},
		"above an unknown line":    {w, []dsl.Frame{module, frame("a.py", "f", 0), frame("a.py", "g", 5)}, true},
		"above another function":   {w, []dsl.Frame{module, frame("a.py", "h", 3), frame("a.py", "g", 5)}, false},
		"above another file":       {w, []dsl.Frame{module, frame("b.py", "f", 3), frame("a.py", "g", 5)}, false},
		"above an unknown of h":    {w, []dsl.Frame{module, frame("a.py", "h", 0), frame("a.py", "g", 5)}, false},
		"in the function":          {inG, []dsl.Frame{module, f, frame("a.py", "g", 5)}, true},
		"called by the function":   {inG, []dsl.Frame{module, f, frame("a.py", "g", 5), frame("a.py", "h", 7)}, true},
		"in another function":      {inG, []dsl.Frame{module, f, frame("a.py", "h", 5)}, false},
		"the last line is unknown": {within{below: []dsl.Frame{module, frame("a.py", "f", 0)}}, []dsl.Frame{module, f, frame("a.py", "g", 5)}, false},
		"another line is unknown":  {within{below: []dsl.Frame{frame("a.py", "<module>", 0), f}}, []dsl.Frame{module, f, frame("a.py", "g", 5)}, true},
	} {
		if got := test.within.holds(&dsl.Stop{Stack: test.stack}); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
