package session_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

func TestRecentPrograms(t *testing.T) {
	dir, src := t.TempDir(), t.TempDir()
	one, two := filepath.Join(src, "one.py"), filepath.Join(src, "two.py")
	for _, script := range []string{one, two, filepath.Join(src, "gone.py"), one} {
		if err := os.WriteFile(script, []byte("x = 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		f := newFakeOf(t, script)
		s := open(t, f, func(c *session.Config) { c.StateDir, c.Options = dir, trace.Options{Script: script} })
		s.First(context.Background())
		do(s, "s")
		do(s, "n")
	}
	if err := os.Remove(filepath.Join(src, "gone.py")); err != nil {
		t.Fatal(err)
	}
	got := journal.Recents(dir, 5)
	if len(got) != 2 || got[0].Script != one || got[1].Program != two || got[0].Moves != 2 || got[0].When.IsZero() {
		t.Errorf("%+v", got)
	}
	if j, err := journal.Read(got[1].Journal); err != nil || j.Options(trace.Options{}).Script != two {
		t.Errorf("the journal of %s: %v, %v", two, j, err)
	}
	if got := journal.Recents(dir, 1); len(got) != 1 {
		t.Errorf("%d of at most one", len(got))
	}
	if got := journal.Recents("", 5); got != nil {
		t.Errorf("without a folder: %+v", got)
	}
}
