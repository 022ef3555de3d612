//go:build unix

package trace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeUnasked checks that a recording that calls no __repr__ runs no code of the
// program. Hooks of the program's classes count their calls (__repr__, __len__,
// __getattr__, a property, a metaclass …). A program without calls of its own must print
// none, whatever the moves and however much is read.
func TestOutcomeUnasked(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("testdata", "unasked", "counting.py"))
	if err != nil {
		t.Fatal(err)
	}
	onEach(t, func(t *testing.T, python pythons.Python) {
		for _, audit := range []int{trace.AuditSampled, 1} {
			for name, walk := range map[string][]dsl.Move{
				"c":           {dsl.Continue},
				"s":           {dsl.StepInto},
				"n":           {dsl.StepOver},
				"s, back, on": {dsl.StepInto, dsl.StepInto, dsl.InvStepOver, dsl.InvStepInto, dsl.StepOver},
			} {
				t.Run(fmt.Sprintf("%s, audit %d", name, audit), func(t *testing.T) {
					d := debug(t, python, string(source), withAudit(audit), func(o *trace.Options) { o.Reprs = trace.ReprsAsked })
					for i := 0; !d.at.End; i++ {
						if i > 2000 {
							t.Fatal("the program does not end")
						}
						d.do(walk[i%len(walk)])
					}
					if got := d.printed("stdout"); got != "calls 0\n" {
						t.Errorf("the program prints %q", got)
					}
					if n := d.rec.Tree().Len(); n < 60 {
						t.Errorf("%d events are recorded", n)
					}
				})
			}
		}
	})
}

// TestOutcomeFunctionAttribute checks that a line that sets an attribute of a function is
// recorded like any other.
func TestOutcomeFunctionAttribute(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "def f():\n    pass\nf.__doc__ = 'text'\nf.kept = []\nx = 1\n", func(o *trace.Options) { o.Reprs = trace.ReprsAsked })
		d.do(dsl.Continue)
		if got := d.rec.Notices(); len(got) > 0 {
			t.Errorf("npdb reports %q", got)
		}
	})
}
