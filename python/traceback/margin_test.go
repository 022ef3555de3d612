package traceback

import "testing"

// TestMargin checks which lines have the margin of a block, and the rest of those lines.
func TestMargin(t *testing.T) {
	for _, c := range []struct {
		margin, line, rest string
		ok                 bool
	}{
		{"", "x", "x", true},
		{"> ", "> x", "x", true},
		{"> ", ">", "", true},
		{"> ", "x", "", false},
		{"    ", "      x", "  x", true},
		{"    ", "  ", "", true},
		{"    ", "  x", "", false},
		{"  | ", "    | x", "", false},
		{"[   99.1] ", "[  100.2] x", "x", true},
		{"[12345.1] ", "[    9.25]   x", "  x", true},
		{"[12345.1] ", "[    9.25]", "", true},
		{"[12345.1] ", "[    9.25]x", "", false},
		{"Nov 28 a: ", "Nov  1 a: x", "x", true},
		{"Nov 28 a: ", "Nov  1 b: x", "", false},
		{"web_1  | ", "web_2  | x", "", false}, // another container
		{"web-1  | 2026-11-28T03:19:01Z ", "web-1  | 2026-11-28T13:20:11Z x", "x", true},
		{"python3[9]: ", "python3[10]: x", "x", true},
		{"python3[9]: ", "python2[9]: x", "", false},
		{"a | ", "b | x", "", false},
	} {
		if rest, ok := margin(c.margin).cut(c.line); ok != c.ok || ok && rest != c.rest {
			t.Errorf("%q of %q: got %q, %v", c.margin, c.line, rest, ok)
		}
	}
}
