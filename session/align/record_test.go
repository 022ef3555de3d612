//go:build unix

package align_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/align"
	"github.com/npdb/npdb/trace"
)

// mostSteps limits the stops of a recorded program, such as breakpoint().
const mostSteps = 20

// recordFile runs a program to its end.
func recordFile(t testing.TB, p pythons.Python, path string, args ...string) align.Run {
	t.Helper()
	seed := int64(1)
	rec, l, err := trace.Start(t.Context(), trace.Options{Python: p.Path, Script: path, Args: args, Reprs: trace.ReprsAsked, RandomSeed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	})
	for n := 0; l.Reason != trace.Ended && n < mostSteps; n++ {
		if l, err = rec.Advance(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	return align.Run{Tree: rec.Tree(), Exit: rec.Exit(), Python: python.Version{Major: 3, Minor: p.Minor}, Dir: filepath.Dir(path)}
}

// recordText runs a program given as text.
func recordText(t testing.TB, p pythons.Python, text string, args ...string) align.Run {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return recordFile(t, p, path, args...)
}

// aligned aligns two runs and checks the pairs of events.
func aligned(t testing.TB, a, b align.Run) *align.Alignment {
	t.Helper()
	al, err := align.Align(t.Context(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	checkPairs(t, al)
	return al
}

// checkPairs checks that the pairs of events ascend on both sides, and that each is one in both
// directions.
func checkPairs(t testing.TB, al *align.Alignment) {
	t.Helper()
	last, pairs := -1, 0
	for i := range al.Runs[0].Tree.Len() {
		j, exact := al.Other(0, i)
		if !exact {
			if j != last {
				t.Errorf("event %d: the last pair before is with %d, want %d", i, j, last)
			}
			continue
		}
		if back, ok := al.Other(1, j); !ok || back != i || j <= last {
			t.Errorf("event %d is paired with %d, and that with %d (%v), after %d", i, j, back, ok, last)
		}
		last = j
		pairs++
	}
	if pairs != al.Aligned {
		t.Errorf("%d pairs, want %d", pairs, al.Aligned)
	}
}
