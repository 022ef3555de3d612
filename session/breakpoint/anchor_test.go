package breakpoint

import (
	"testing"
)

func TestAnchorFind(t *testing.T) {
	old := []string{"a = 1", "", "def f():", "    x = 1", "    return x", "", "def g():", "    x = 1", "    return -x"}
	tests := []struct {
		name string
		line int // of the breakpoint
		now  []string
		want int // 0 if it is gone
	}{
		{"unchanged", 4, old, 4},
		{"lines before it", 4, append([]string{"# new", "import os"}, old...), 6},
		{"lines removed before it", 8, old[2:], 6},
		{"the right one of two equal lines", 8, append([]string{""}, old...), 9},
		{"the first of two equal lines", 4, append([]string{""}, old...), 5},
		{"indented", 4, []string{"if True:", "    def f():", "        x = 1", "        return x"}, 3},
		{"gone", 5, []string{"a = 1", "def f():", "    x = 2"}, 0},
		{"edited away between equal ones", 1, []string{"b", "a = 2", "c"}, 0},
		{"unique though moved far", 9, []string{"z", "    return -x", "y"}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := AnchorAt(old, tt.line).find(tt.now, tt.line)
			if ok != (tt.want > 0) || ok && got != tt.want {
				t.Errorf("found %d, %v, want %d", got, ok, tt.want)
			}
		})
	}
	if _, ok := (Anchor{Text: "pass"}).find([]string{"pass", "x", "pass"}, 2); ok {
		t.Error("a chance equal line among several was taken")
	}
}
