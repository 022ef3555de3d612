package session

import (
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestOtherPlace checks that two candidates at different lines of the same call have different texts.
func TestOtherPlace(t *testing.T) {
	call := func(line int) dsl.Reply {
		return dsl.Reply{Stop: &dsl.Stop{State: dsl.State{Event: dsl.Call, Function: "f", Line: line}}}
	}
	for _, c := range []struct {
		line int
		want string
	}{{1, "call of f"}, {2, "line 2, call of f"}} {
		if got := otherPlace(call(c.line), call(1)); got != c.want {
			t.Errorf("line %d: %q, want %q", c.line, got, c.want)
		}
	}
}
