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

// frames returns the functions and lines of the stack at the landing, outermost first.
func (d *debuggee) frames() string {
	var out []string
	for _, f := range d.rec.Tree().Stack(d.at.Event) {
		out = append(out, fmt.Sprintf("%s %d", f.Function, f.Line))
	}
	return strings.Join(out, ", ")
}

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

// TestLinesThatTheFileLacks checks the lines of the stack in code that was compiled from another
// text under the file's name. They are those of the frames, as for CPython, although a line that
// the file does not have is no event.
func TestLinesThatTheFileLacks(t *testing.T) {
	const source = `def seen(x):
    return x
text = "a = seen(1)\n" + "\n" * 40 + "b = seen(2)\ndef f():\n    yield seen(3)\n    c = seen(4); yield c\nfor d in f(): e = seen(5)\n"
exec(compile(text, __file__, "exec"))
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		want := []string{
			"<module> 4, <module> 1, seen 2", "<module> 4, <module> 42, seen 2", "<module> 4, <module> 46, f 44, seen 2",
			"<module> 4, <module> 46, seen 2", "<module> 4, <module> 46, f 45, seen 2", "<module> 4, <module> 46, seen 2",
		}
		for _, recorded := range []bool{true, false} {
			d := debug(t, python, source)
			d.rec.Record(recorded)
			for i, stack := range want {
				d.advance(nil, trace.Stop{At: dsl.Location{Line: 2}})
				if got := d.frames(); got != stack {
					t.Errorf("recorded %v, stop %d: the stack is %s, want %s", recorded, i, got, stack)
				}
			}
		}
	})
}
