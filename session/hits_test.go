package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/trace"
)

// TestHitsArePositions checks that a breakpoint's count belongs to the position. It is the
// same each time a place is reached, backwards and forwards, by a jump, and where the
// condition is false. The same holds for watchpoints and catchpoints.
func TestHitsArePositions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hits.py")
	source := "n = 0\nfor i in range(6):\n    n = i\n    try:\n        raise ValueError(i)\n    except ValueError:\n        pass\nprint(n)\n"
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, set := range [][]string{{"b 3"}, {"b 3, i % 2"}, {"watch n"}, {"catch ValueError"}, {"b 3, False", "tbreak 8"}} {
		t.Run(set[0], func(t *testing.T) {
			s := opened(t, trace.Options{Script: path})
			s.First(t.Context())
			run(s, set...)
			seen := map[string]int{}
			check := func(line string) {
				do(s, line)
				at := fmt.Sprint(s.Position())
				n := s.Breakpoints()[0].Hits
				if was, ok := seen[at]; ok && was != n {
					t.Errorf("%s: at %s it was hit %d times, %d times before", line, at, n, was)
				}
				seen[at] = n
			}
			for range 3 {
				check("c")
			}
			edge := s.Position().Event
			for range 2 {
				for range 2 {
					check("rc")
				}
				for range 2 {
					check("c")
				}
			}
			check("rewind")
			check(fmt.Sprintf("goto %d", edge))
			check("back")
			check("c")
		})
	}
}
