package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

// TestKeptBreakpoints sets breakpoints in one session and finds them in the next.
func TestKeptBreakpoints(t *testing.T) {
	dir := t.TempDir()
	state := func(c *session.Config) { c.StateDir = dir }
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
	kept, err := journal.NewBreakpoints(dir, journal.Program(trace.Options{Script: fakePath})).Load()
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

// TestKeptBreakpointsDoNotMultiply checks that a breakpoint that each run sets again, by
// .pdbrc or by hand, is the stored one. Setting it twice in one run makes two, as in pdb.
func TestKeptBreakpointsDoNotMultiply(t *testing.T) {
	dir := t.TempDir()
	rc := []command.RC{{Path: "/home/me/.pdbrc", Commands: []string{"b 3, x == 1", "tbreak 7", "b 2"}}}
	for n := range 3 {
		s := openWith(t, newFake(t), command.Config{RC: rc}, func(c *session.Config) { c.StateDir = dir })
		said, _ := s.First(context.Background()).Text(session.Said)
		if want := "Breakpoint 1 at /src/prog.py:3"; !strings.Contains(said, want) {
			t.Errorf("run %d says\n%s\nwithout %q", n, said, want)
		}
		if got := run(s, "b"); strings.Count(got, "breakpoint ") != 3 || strings.Count(got, "prog.py:3") != 1 {
			t.Errorf("run %d has\n%s", n, got)
		}
		run(s, "disable 1")
	}
	s := open(t, newFake(t), func(c *session.Config) { c.StateDir = dir })
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
			s := open(t, newFake(t), func(c *session.Config) { c.StateDir = dir })
			first, _ := s.First(context.Background()).Text(session.Notice)
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
