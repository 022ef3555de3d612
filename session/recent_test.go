package session

import (
	"context"
	"testing"

	"github.com/npdb/npdb/trace"
)

func TestRecentPrograms(t *testing.T) {
	dir := t.TempDir()
	for _, script := range []string{"/src/one.py", "/src/two.py", "/src/one.py"} {
		f := newFakeOf(t, script)
		s := open(t, f, func(c *Config) { c.StateDir, c.Options = dir, trace.Options{Script: script} })
		s.First(context.Background())
		do(s, "s")
		do(s, "n")
	}
	got := RecentPrograms(dir, 5)
	if len(got) != 2 || got[0].Script != "/src/one.py" || got[1].Program != "/src/two.py" || got[0].Moves != 2 || got[0].When.IsZero() {
		t.Errorf("%+v", got)
	}
	if got := RecentPrograms(dir, 1); len(got) != 1 {
		t.Errorf("%d of at most one", len(got))
	}
	if got := RecentPrograms("", 5); got != nil {
		t.Errorf("without a folder: %+v", got)
	}
}
