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

// TestHoleUpToAnException checks the stack after an unrecorded move from a generator that throw()
// resumed to the exception with which close() resumes it again. The generator that waited for it
// the first time does not leave the stack with it the second time.
func TestHoleUpToAnException(t *testing.T) {
	const source = `def leaf():
    try:
        yield 1
    except ValueError:
        yield 2  # caught
    finally:
        done = 1
def top():
    try:
        yield from leaf()
    finally:
        over = 1  # over
g = top()
next(g)
g.throw(ValueError)
g.close()
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		for _, recorded := range []bool{true, false} {
			if !recorded && python.Minor < 10 {
				continue // while throw() runs a generator for another one, f_back of that one is None
			}
			d := debug(t, python, source)
			d.rec.Record(recorded)
			for _, stop := range []struct{ at, here, frames string }{
				{"# caught", "line 5 leaf", "<module> 15, top 10, leaf 5"},
				{"", "exception 5 leaf", "<module> 16, leaf 5"},
				{"# over", "line 12 top", "<module> 16, top 12"},
			} {
				if stop.at == "" {
					d.do(dsl.StepOver)
				} else {
					d.advance(nil, d.stopAt(stop.at))
				}
				if got := d.frames(); !strings.HasPrefix(d.here(), stop.here) || got != stop.frames {
					t.Errorf("recorded %v: %s, with the stack %s, want %s with %s", recorded, d.here(), got, stop.here, stop.frames)
				}
				if stop.at == "" {
					d.rec.Record(true)
				}
			}
		}
	})
}
