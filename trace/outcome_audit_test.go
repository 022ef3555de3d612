//go:build unix

package trace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// finalized is a program with a line whose source does not show what it changes: C code is
// called when an object ends.
const finalized = `import functools, heapq, weakref

class Resource:
    pass

def use(n):
    resource = Resource()
    weakref.finalize(resource, functools.partial(heapq.heappush, ended), n)
    resource = None
    return n

ended = []
for n in range(%d):
    use(n)
`

func withAudit(n int) func(*trace.Options) {
	return func(o *trace.Options) { o.Audit, o.Limits.Slowdown = n, trace.Unbounded } // however busy the machine is
}

// TestOutcomeAudit checks that a line with an unexpected change is reported once, and that
// its changes are recorded from then on.
func TestOutcomeAudit(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		for _, tt := range []struct {
			name        string
			audit, runs int
			exact       bool // exact from the first run of the line on
		}{
			{"every event", 1, 5, true},
			{"one event in five", 5, 100, false},
			{"as the budget allows", trace.AuditSampled, 5000, false},
		} {
			t.Run(tt.name, func(t *testing.T) {
				d := debug(t, python, fmt.Sprintf(finalized, tt.runs), withAudit(tt.audit))
				d.do(dsl.Continue)
				want := fmt.Sprintf(":%d changed a list", d.line("resource = None"))
				if strings.Count(d.at.Notice, want) != 1 || strings.Count(d.at.Notice, "\n") != 0 {
					t.Fatalf("notice %q, want %q once", d.at.Notice, want)
				}
				tree := d.rec.Tree()
				line, seen := d.line("return n"), 0
				for i := 0; i < tree.Len() && tt.exact; i++ {
					if s := tree.State(i); s.Event != dsl.Line || s.Line != line {
						continue
					}
					seen++
					for _, l := range tree.LocalsOf(0, i) {
						if l.Name == "ended" && (l.Value == "[]" || strings.Count(l.Value, ",")+1 != seen) {
							t.Errorf("at event %d, after %d runs of the line, ended is %s", i, seen, l.Value)
						}
					}
				}
				if tt.exact && seen != tt.runs {
					t.Errorf("the line was seen to run %d times, want %d", seen, tt.runs)
				}
			})
		}
	})
}

// TestOutcomeAuditOff checks that without audits nothing is reported, and missed changes
// are shown late.
func TestOutcomeAuditOff(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, fmt.Sprintf(finalized, 2000), withAudit(trace.AuditOff))
		if d.do(dsl.Continue); d.at.Notice != "" {
			t.Errorf("notice %q", d.at.Notice)
		}
	})
}
