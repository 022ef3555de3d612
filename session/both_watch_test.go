//go:build unix

package session_test

import (
	"testing"

	"github.com/npdb/npdb/backend/cpython"
)

// TestBothStopsNoModelKnows checks what the model is asked where a watchpoint may stop a move,
// or a condition is searched for: no search, and the model goes on from where it ended. Every
// other move is asked.
func TestBothStopsNoModelKnows(t *testing.T) {
	interpreter, oracle := remembering(t, cpython.Config{})
	const source = "x = 1\ny = 2\nx = 3\ny = 4\nx = 5\ny = 6\ny = 7\n"
	for _, way := range []string{"walk free", "walk guided"} {
		b := besideOf(t, interpreter, "prog.py", []byte(source), oracle)
		b.do(way)
		for _, step := range []struct {
			command string
			line    int
			asked   bool
		}{
			{"n", 2, true},
			{"watch x", 2, false},
			{"n", 3, true},
			{"c", 4, false},
			{"n", 5, true},
			{"rc", 3, false},
			{"clear 1", 3, false},
			{"find y == 4", 5, false},
			{"n", 6, true},
			{"b 7", 6, false},
			{"c", 7, true},
		} {
			before := b.moves
			a := b.do(step.command)
			b.same(step.command)
			if a.Err != nil || a.State == nil || a.State.Line != step.line || (b.moves > before) != step.asked {
				t.Fatalf("%s, %s: %+v, %v, %d questions after %d", way, step.command, a.State, a.Err, b.moves, before)
			}
		}
	}
}
