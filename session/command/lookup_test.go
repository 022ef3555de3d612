package command_test

import (
	"testing"

	"github.com/npdb/npdb/session/command"
)

// TestTyped checks that Typed tells commands from programs.
func TestTyped(t *testing.T) {
	for line, want := range map[string]bool{
		"c": true, "continue": true, "until 10": true, " b 5": true, "b f, x == 3": true, "loop": true,
		"": false, "p = 3": false, "p += 1": false, "p=3": false, "list(x)": false, "list (x)": false, "c.f(3)": false,
		"n\nprint(n)": false, "p: int = 3": false, "p , n = 1, 2": false, "import sys": false, "print(1)": false,
	} {
		if got := command.Typed(line); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}
