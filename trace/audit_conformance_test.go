//go:build unix

package trace_test

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/cruxeval"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// auditedEvents limits the events of an audited program. Each audit examines everything
// that the stack reaches. So a program with many objects is audited at every
// auditedRarely-th event only, or at every auditedSeldom-th if only a share of the
// programs runs.
const (
	auditedEvents = 5000
	auditedRarely = 10
	auditedSeldom = 40
	auditedShare  = 6 // one in this many of the programs that were not written for this test
)

// TestAudit records programs and examines everything after each event: nothing may have
// changed that the line's effect does not announce. It runs all programs written for it,
// and a share of the others.
func TestAudit(t *testing.T) {
	lists := map[string][]program{}
	for _, folder := range []string{"effects", "programs", "values", "behaviour"} {
		lists[folder] = readPrograms(t, folder)
	}
	rarely := map[string]bool{}
	for _, folder := range []string{"examples", "lab/bench/programs"} {
		paths, err := filepath.Glob("../" + folder + "/*.py")
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %d programs, %v", folder, len(paths), err)
		}
		for _, path := range paths {
			p := readProgram(t, folder+"/"+strings.TrimSuffix(filepath.Base(path), ".py"), path)
			lists[folder] = append(lists[folder], p)
			rarely[p.path] = folder == "lab/bench/programs"
		}
	}
	var problems []program // with one Python only: an audit of every event is slow
	if cruxeval.AtHand() {
		for n, p := range readProblems(t) {
			if n%4 == 0 {
				problems = append(problems, p)
			}
		}
	}
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	all := pythons.All(t)
	for k, python := range all {
		if k > 0 && k < len(all)-1 {
			continue // the effect of a line hardly differs between versions: one more version is enough
		}
		var programs []program
		for _, folder := range slices.Sorted(maps.Keys(lists)) {
			list := lists[folder]
			if folder == "effects" {
				programs = append(programs, list...)
			} else {
				programs = append(programs, shareOf(t, list, python.Minor, auditedShare)...)
			}
		}
		if k == 0 {
			programs = append(programs, problems...)
		}
		for _, p := range programs {
			if k > 0 && rarely[p.path] {
				continue
			}
			if python.Minor < p.from || p.has(tagHangs) || p.has(tagRecursion) {
				continue
			}
			every := 1
			if rarely[p.path] {
				every = auditedSeldom
				if longtest.Asked(t) {
					every = auditedRarely
				}
			}
			t.Run(python.String()+"/"+p.name, func(t *testing.T) {
				t.Parallel()
				slots <- struct{}{}
				defer func() { <-slots }()
				for _, notice := range audited(t, python, p, every) {
					t.Error(notice)
				}
			})
		}
	}
}

// audited runs a program to its end, or to the limit of events, and returns the reports of
// audits at every n-th event.
func audited(t *testing.T, python pythons.Python, p program, n int) []string {
	t.Helper()
	path, err := filepath.Abs(p.path)
	if err != nil {
		t.Fatal(err)
	}
	rec, at, err := trace.Start(t.Context(), trace.Options{
		Python: python.Path, Script: path, Dir: filepath.Dir(path), UserCode: p.user, Audit: n, Stdin: strings.NewReader(p.stdin),
		Env:    append(os.Environ(), "PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1"),
		Limits: trace.Limits{Events: auditedEvents},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	var told []string
	for !at.End && at.Reason != trace.LimitReached {
		if at, err = rec.Move(t.Context(), at.Position, dsl.Action{Move: dsl.Continue}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(at.Notice) {
			if strings.Contains(line, "did not tell") {
				told = append(told, strings.TrimSpace(line))
			}
		}
	}
	return told
}
