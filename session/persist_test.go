package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/trace"
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
			got, ok := anchorAt(old, tt.line).find(tt.now, tt.line)
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
	words := strings.Join(relocate(list, read), "\n")
	if list[0].Line != 2 || !list[0].Enabled || list[1].Enabled || list[2].Enabled || list[3].Line != 3 {
		t.Errorf("%v %v %v %v", list[0], list[1], list[2], list[3])
	}
	for _, want := range []string{"Breakpoint 1 moved with its line from /a.py:1 to line 2", `Breakpoint 2 at /a.py:2 is disabled: its line "z = 3"`, "Breakpoint 3 at /gone.py:1 is disabled"} {
		if !strings.Contains(words, want) {
			t.Errorf("%q is not said in\n%s", want, words)
		}
	}
}

// TestKeptBreakpoints sets breakpoints in one session and finds them in the next.
func TestKeptBreakpoints(t *testing.T) {
	dir := t.TempDir()
	state := func(c *Config) { c.StateDir = dir }
	s := open(t, newFake(t), state)
	s.First(context.Background())
	run(s, "b 3, x == 1", "ignore 1 2", "tbreak 7", "disable 2", "b 2", "cl 3", "commands 1", "silent", "p x", "end")
	files, err := filepath.Glob(filepath.Join(dir, "breakpoints", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("kept files: %v, %v", files, err)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	kept, err := (&store{dir: dir, program: programKey(trace.Options{Script: fakePath})}).load()
	if err != nil || len(kept) != 1 { // a temporary one ends with the run
		t.Fatalf("%v, %v", kept, err)
	}
	b := kept[0]
	if b.Condition != "x == 1" || b.Ignore != 2 || !b.Silent || strings.Join(b.Commands, ";") != "p x" || b.Anchor.Text != "return y" {
		t.Errorf("%+v", b)
	}
	run(s, "cl 1 2")
	if _, err := os.Stat(files[0]); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no breakpoints still keep a file: %v", err)
	}
}

// TestKeptBreakpointsDoNotMultiply: what is set in each run, by .pdbrc or by hand, is
// the one that was kept; what is set twice in one run is two, as in pdb.
func TestKeptBreakpointsDoNotMultiply(t *testing.T) {
	dir := t.TempDir()
	rc := []RC{{Path: "/home/me/.pdbrc", Commands: []string{"b 3, x == 1", "tbreak 7", "b 2"}}}
	for n := range 3 {
		s := open(t, newFake(t), func(c *Config) { c.StateDir, c.RC = dir, rc })
		said, _ := s.First(context.Background()).Text(Said)
		if want := "Breakpoint 1 at /src/prog.py:3"; !strings.Contains(said, want) {
			t.Errorf("run %d says\n%s\nwithout %q", n, said, want)
		}
		if got := run(s, "b"); strings.Count(got, "breakpoint ") != 3 || strings.Count(got, "prog.py:3") != 1 {
			t.Errorf("run %d has\n%s", n, got)
		}
		run(s, "disable 1")
	}
	s := open(t, newFake(t), func(c *Config) { c.StateDir = dir })
	s.First(context.Background())
	if b := s.Breakpoints(); len(b) != 2 || b[0].Enabled {
		t.Errorf("kept: %v", b)
	}
	run(s, "b 3, x == 1")
	if b := s.Breakpoints(); len(b) != 2 || !b[0].Enabled {
		t.Errorf("set again: %v", b)
	}
	run(s, "b 3, x == 1", "b 2, x == 7")
	if b := s.Breakpoints(); len(b) != 4 {
		t.Errorf("set twice, and with another condition: %v", b)
	}
}

func TestNothingCanBeKept(t *testing.T) {
	for name, dir := range map[string]string{"no home": "", "unwritable": filepath.Join(os.DevNull, "x")} {
		t.Run(name, func(t *testing.T) {
			s := open(t, newFake(t), func(c *Config) { c.StateDir = dir })
			first, _ := s.First(context.Background()).Text(Notice)
			said := first + run(s, "b 3", "b 2")
			if n := strings.Count(said, "not kept"); n == 0 || name == "unwritable" && n > 1 {
				t.Errorf("it is said %d times that breakpoints are not kept:\n%s", n, said)
			}
			run(s, "c")
			if s.Position().Event != 4 {
				t.Errorf("at event %d, want 4", s.Position().Event)
			}
		})
	}
}

func FuzzDecodeKept(f *testing.F) {
	f.Add([]byte(`{"v":1,"breakpoints":[{"number":1,"file":"a","line":2,"enabled":true}]}`))
	f.Add([]byte(`{"v":2}`))
	f.Add([]byte(`{"v":1,"breakpoints":[null,{"number":-1}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, err := decodeKept(raw)
		if err != nil {
			return
		}
		seen := map[int]bool{}
		for _, b := range list {
			if b.Number < 1 || b.Line < 1 || b.File == "" || seen[b.Number] {
				t.Fatalf("%+v", b)
			}
			seen[b.Number] = true
		}
	})
}
