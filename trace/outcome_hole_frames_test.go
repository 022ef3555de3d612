//go:build unix

package trace_test

import (
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestHoleFromAnException checks that a move from an exception in a generator, unrecorded or not,
// sees that the exception ends it: up to 3.11 the frame is left where it also yields.
func TestHoleFromAnException(t *testing.T) {
	const source = "def g():\n    yield 1\n    yield 2\nx = g()\nnext(x)\ntry:\n    x.throw(KeyError)\nexcept KeyError:\n    y = 1\n"
	onEach(t, func(t *testing.T, python pythons.Python) {
		for _, recorded := range []bool{true, false} {
			for _, m := range []dsl.Move{dsl.StepReturn, dsl.StepOver} {
				d := debug(t, python, source)
				d.upTo("x.throw")
				for d.state().Event != dsl.Exception {
					d.do(dsl.StepInto)
				}
				d.wantHere("exception 2 g", trace.Landed)
				d.rec.Record(recorded)
				d.do(m)
				d.wantHere("return 2 g unwind", trace.Landed)
				if s := d.state(); s.Kind != dsl.Unwound {
					t.Errorf("recorded %v, after %v: g was left by %v", recorded, m, s.Kind)
				}
			}
		}
	})
}
