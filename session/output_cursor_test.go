package session

import (
	"testing"

	"github.com/npdb/npdb/trace"
)

// TestOutputCursor checks that output is shown once, also if more output after an event
// comes later.
func TestOutputCursor(t *testing.T) {
	c := outputCursor{event: -1}
	piece := func(event int, text string) trace.Output { return trace.Output{Event: event, Text: text} }
	for i, step := range []struct {
		pieces []trace.Output
		fresh  string
	}{
		{nil, ""},
		{[]trace.Output{piece(-1, "a")}, "a"},
		{[]trace.Output{piece(-1, "a"), piece(-1, "bc")}, "bc"},
		{[]trace.Output{piece(-1, "a"), piece(-1, "bcd")}, "d"},
		{[]trace.Output{piece(-1, "a"), piece(-1, "bcd"), piece(3, ""), piece(4, "e")}, "e"},
		{[]trace.Output{piece(4, "ef"), piece(5, "g"), piece(5, "h")}, "fgh"},
		{[]trace.Output{piece(5, "g"), piece(5, "h")}, ""},
		{[]trace.Output{piece(5, "g"), piece(5, "h"), piece(5, "i")}, "i"},
	} {
		got := ""
		for _, p := range c.take(step.pieces) {
			got += p.Text
		}
		if got != step.fresh {
			t.Errorf("step %d: %q, want %q", i, got, step.fresh)
		}
	}
}
