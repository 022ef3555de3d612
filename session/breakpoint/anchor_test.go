package breakpoint

import (
	"os"
	"strings"
	"testing"
)

func TestAnchorFind(t *testing.T) {
	old := []string{"a = 1", "", "def f():", "    x = 1", "    return x", "", "def g():", "    x = 1", "    return -x"}
	tests := []struct {
		name string
		line int // of the breakpoint
		now  []string
		want int // 0: gone
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

func TestRelocate(t *testing.T) {
	lines := map[string][]string{"/a.py": {"# top", "x = 1", "y = 2"}}
	read := func(f string) ([]string, error) {
		if l, ok := lines[f]; ok {
			return l, nil
		}
		return nil, os.ErrNotExist
	}
	list := []*Breakpoint{
		{Number: 1, File: "/a.py", Line: 1, Enabled: true, Anchor: Anchor{Text: "x = 1"}},
		{Number: 2, File: "/a.py", Line: 2, Enabled: true, Anchor: Anchor{Text: "z = 3"}},
		{Number: 3, File: "/gone.py", Line: 1, Enabled: true, Anchor: Anchor{Text: "x"}},
		{Number: 4, File: "/a.py", Line: 3, Enabled: true, Anchor: Anchor{Text: "y = 2", Before: []string{"x = 1"}}},
	}
	words := strings.Join(Relocate(list, read), "\n")
	if list[0].Line != 2 || !list[0].Enabled || list[1].Enabled || list[2].Enabled || list[3].Line != 3 {
		t.Errorf("%v %v %v %v", list[0], list[1], list[2], list[3])
	}
	for _, want := range []string{"Breakpoint 1 moved with its line from /a.py:1 to line 2", `Breakpoint 2 at /a.py:2 is disabled: its line "z = 3"`, "Breakpoint 3 at /gone.py:1 is disabled"} {
		if !strings.Contains(words, want) {
			t.Errorf("%q is not said in\n%s", want, words)
		}
	}
}
