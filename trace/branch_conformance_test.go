//go:build unix

package trace_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// holdBranch records a program to its end and makes a branch at the event that is part of the way there.
// It fails the test if the branch has another past than the recording. It returns the outcome: "branch", or
// the kind of a *trace.NoPast and why.
func holdBranch(t *testing.T, o trace.Options, part float64) (result, why string) {
	t.Helper()
	o.Branches = true
	rec, at, err := trace.Start(t.Context(), o)
	if err != nil {
		return "start", err.Error()
	}
	defer func() { _ = rec.Close() }()
	if !at.End {
		if at, err = rec.Advance(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	truth := rec.Tree()
	if at.Reason == trace.NeedsInput || truth.Len() == 0 {
		return "no state", ""
	}
	event := int(part * float64(truth.Len()-1))
	branch, err := rec.Branch(t.Context(), event)
	if err != nil {
		kind, bad := pastOutcome(nil, err)
		if bad != nil {
			t.Errorf("%s: %v", o.Script, bad)
		}
		return kind, fmt.Sprint(err)
	}
	defer func() { _ = branch.Close() }()
	if branch.Tree().Len() != event+1 {
		t.Errorf("%s: the branch has %d events, not %d", o.Script, branch.Tree().Len(), event+1)
	}
	for i := range event + 1 {
		if a, b := fullText(truth.State(i)), fullText(branch.Tree().State(i)); a != b {
			t.Errorf("%s: event %d is\n%s\nand was\n%s", o.Script, i, b, a)
			return "WRONG", ""
		}
	}
	if _, err := branch.Ask(t.Context(), 0, trace.VerbExec, "npdb_was_here = 1"); err != nil {
		t.Errorf("%s: the branch does not live: %v", o.Script, err)
	}
	if _, err := branch.Pass(t.Context(), 10); err != nil {
		t.Errorf("%s: the branch does not go on: %v", o.Script, err)
	}
	return "branch", ""
}

// TestBranchOfChance makes branches of programs that depend on chance, from several parts of their runs.
func TestBranchOfChance(t *testing.T) {
	for i, c := range chanceful {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				path := scriptOf(t, c.source)
				o := trace.Options{Python: python.Path, Script: path, Dir: filepath.Dir(path), Reprs: trace.ReprsAsked}
				for k, part := range []float64{0, 0.25, 0.5, 0.75, 1} {
					if !longtest.In(t, i+k, 5) {
						continue
					}
					o.Stdin = strings.NewReader("typed\nmore\n")
					want := "branch"
					if c.name == "recursion" && python.Minor <= 10 && part >= 0.5 && part < 1 {
						want = "nothing" // the second half are events of the unwinding, recorded afterwards
					}
					got, why := holdBranch(t, o, part)
					if c.want == "past" && (got != want || want == "nothing" && !strings.Contains(why, "stack was full")) {
						t.Errorf("at %v: %s (%s), want %s", part, got, why, want)
					}
				}
			})
		})
	}
}

// TestBranchOfPublic makes branches of public scripts, and reports how many can be made. The scripts are
// those of TestPastOfPublic.
func TestBranchOfPublic(t *testing.T) {
	folder := os.Getenv(publicFolder)
	if folder == "" {
		t.Skipf("%s names no folder of checkouts of the repositories in testdata/past.txt", publicFolder)
	}
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			counts := map[string]int{}
			for i, p := range publicPrograms(t, folder, "past.txt") {
				o := trace.Options{
					Python: python.Path, Script: p.path, Dir: t.TempDir(), Stdin: strings.NewReader(strings.Repeat("3\n", 50)), Reprs: trace.ReprsAsked,
					Limits: trace.Limits{Events: 30_000}, Env: append(os.Environ(), "PYTHONPATH="+filepath.Join(folder, p.repository)),
				}
				got, why := holdBranch(t, o, []float64{0.3, 0.6, 0.9}[i%3])
				counts[got]++
				t.Logf("%-10s %s %.200s", got, p.name, why)
			}
			for _, kind := range slices.Sorted(maps.Keys(counts)) {
				t.Logf("%-10s %d", kind, counts[kind])
			}
		})
	}
}
