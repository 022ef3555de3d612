//go:build unix

package provenance_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace/provenance"
	"github.com/npdb/npdb/trace/query"
)

var programFiles = flag.String("program-files", "../../examples/*.py", "the programs of TestPrograms")

// TestPrograms follows the locals of programs at some of their events, and counts how the chains
// end. Each hop must have an event of the recording, and each chain an end.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob(*programFiles)
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in %s: %v", *programFiles, err)
	}
	ends := map[provenance.End]int{}
	chains, certain, hops := 0, 0, 0
	var longest time.Duration
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tree := record(t, pythons.Any(t), string(source))
		p := query.Of(tree)
		for k := range 12 {
			event := (tree.Len() - 1) * (k + 1) / 12
			scope := p.ScopeAt(event)
			for _, l := range tree.LocalsOf(scope.Activation, event) {
				if l.Hidden {
					continue
				}
				begin := time.Now()
				found, err := provenance.New(p, nil, provenance.DefaultLimits, func() bool { return false }).Find(l.Name, scope, event)
				longest = max(longest, time.Since(begin))
				if err != nil || len(found) == 0 || found[len(found)-1].End == provenance.NoEnd {
					t.Fatalf("%s: %s at event %d: %v, %v", file, l.Name, event, found, err)
				}
				sure := true
				for _, h := range found {
					if sure = sure && h.Certain; h.By.Event >= tree.Len() {
						t.Errorf("%s: %s at event %d has a hop at event %d of %d", file, l.Name, event, h.By.Event, tree.Len())
					}
				}
				chains, hops = chains+1, hops+len(found)
				if ends[found[len(found)-1].End]++; sure {
					certain++
				}
			}
		}
	}
	t.Logf("%d chains of %d hops, %d of them certain, at most %v", chains, hops, certain, longest)
	for _, end := range slices.Sorted(maps.Keys(ends)) {
		t.Logf("%5d end at %s", ends[end], end)
	}
}
