package python

import "testing"

// TestReadTyped checks the kinds of typed lines, including lines that are also debugger commands.
func TestReadTyped(t *testing.T) {
	tests := []struct {
		line string
		want Typed
	}{
		{"mark", Expression},
		{"mark + 1", Expression},
		{"mark (3)", Expression},
		{"mark .x", Expression},
		{"mark [0]", Expression},
		{"mark == 3", Expression},
		{"mark if x else y", Expression},
		{"mark, x", Expression},
		{"await mark", Expression},
		{"mark; x = 3", Expression},
		{"reverse-step", Expression},
		{"mark = 3", Assignment},
		{"mark [0] = 3", Assignment},
		{"mark .x = 3", Assignment},
		{"mark, x = 1, 2", Assignment},
		{"mark += 1", Assignment},
		{"mark: int = 3", Assignment},
		{"del mark", Statement},
		{"mark x", NotPython},
		{"find -r x y", NotPython},
		{"mark = [", NotPython},
		{"mark = ", NotPython},
		{"", NotPython},
		{"mark \x00", NotPython},
		{"mark = \xff", NotPython},
	}
	for _, tt := range tests {
		if got := ReadTyped(tt.line); got != tt.want {
			t.Errorf("ReadTyped(%q) = %d, want %d", tt.line, got, tt.want)
		}
	}
}
