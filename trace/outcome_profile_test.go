//go:build unix

package trace_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeRaisingProfile checks a profile function of the program that raises: it ends
// a call without an event, or continues after the return was recorded. The recording must
// be right again from the next event on.
func TestOutcomeRaisingProfile(t *testing.T) {
	const source = `import sys
EVENT, NAME = sys.argv[1:]
def f(n):
    x = len([n])
    try:
        int("x")
    except ValueError:
        x += 1
    return x
def gen(n):
    yield len([n])
    yield 2
def outer(n):
    a = f(n)
    b = sum(gen(n))
    for i in gen(n):
        b += i
    return a + b
def prof(frame, event, arg):
    if event == EVENT and frame.f_code.co_name == NAME:
        raise ValueError("in profile")
for n in range(2):
    try:
        sys.setprofile(prof)
        outer(1)
        print("nothing raised")
    except ValueError as e:
        print("caught", e)
    sys.setprofile(None)
print(outer(3))
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		script := scriptOf(t, source)
		var want []string
		for _, event := range []string{"none", "call", "return", "c_call", "c_return", "c_exception"} {
			for _, name := range []string{"f", "gen", "outer"} {
				d := debugAs(t, python, trace.Options{Script: script, Args: []string{event, name}, Stdin: strings.NewReader("")})
				d.source = source
				d.finish()
				d.wantPrinted(plain(t, python, script, event, name))
				events := d.events()
				last := events[slices.Index(events, "line 30 <module>"):]
				if want == nil {
					want = last
				}
				if !slices.Equal(last, want) {
					t.Errorf("%s in %s: later events are %q, want %q", event, name, last, want)
				}
			}
		}
	})
}
