//go:build unix

package trace_test

import (
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
)

// TestOutcomeRecursionWords checks that a program that recurses too deeply gets the usual
// message. Up to 3.10 a C function that the tracer calls runs out of stack first.
func TestOutcomeRecursionWords(t *testing.T) {
	const source = `def down(n):
    return down(n + 1)
class Box:
    def __init__(self):
        self.inner = Box()
def generator(n):
    yield from generator(n + 1)
for start in (lambda: down(0), Box, lambda: list(generator(0))):
    try:
        start()
    except RecursionError as e:
        print(repr(e))
`
	for _, python := range pythons.Between(t, 11, 14) {
		t.Run(python.String(), func(t *testing.T) {
			want := plain(t, python, scriptOf(t, source))
			for _, m := range []dsl.Move{dsl.Continue, dsl.StepOver} {
				d := debug(t, python, source)
				for !d.at.End {
					d.do(m)
				}
				d.wantPrinted(want)
			}
		})
	}
}
