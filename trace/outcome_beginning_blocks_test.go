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

// TestOutcomeBeginningComprehension checks a function that reads a global name which is also the
// variable of its comprehension. From 3.12 on that variable is the function's, and CPython gives
// it a value at a jump that nothing takes away again.
func TestOutcomeBeginningComprehension(t *testing.T) {
	const source = "i = 5\ndef f():\n    x = [i for i in range(2)]\n    return i, x\n"
	onEach(t, func(t *testing.T, python pythons.Python) {
		at := beginning(midst{line: 4}, "x", "1")
		if python.Minor >= 12 {
			o := trace.Options{Python: python.Path, Script: scriptOf(t, source), Stdin: strings.NewReader("")}
			at(&o)
			wantStartError(t, o, trace.BeginRefused, []string{"does not unbind i"}, "")
			return
		}
		d := debug(t, python, source, at)
		d.do(dsl.StepReturn)
		if got := d.state(); *got.Value != "(5, 1)" {
			t.Errorf("the value is %s", *got.Value)
		}
	})
}

// TestOutcomeBeginningOfNoLine checks that a state that is before no line is refused.
func TestOutcomeBeginningOfNoLine(t *testing.T) {
	value, frames := "1", []trace.BeginningFrame{{Line: 1}}
	for _, b := range []trace.Beginning{{}, {Frames: []trace.BeginningFrame{{}}}, {Frames: frames, Returned: &value}, {Frames: frames, Raised: &value}} {
		o := trace.Options{Python: pythons.Any(t), Script: scriptOf(t, "x = 1\n"), Begin: &b}
		wantStartError(t, o, trace.BeginRefused, []string{"the recording cannot begin there"}, "")
	}
}

// TestOutcomeBeginningInBlocks checks beginnings inside of for and with statements: the program
// goes on up to the place where it needs what is not known.
func TestOutcomeBeginningInBlocks(t *testing.T) {
	const source = `import contextlib
def f(rows):
    for row in rows:
        with open(row) as file, contextlib.suppress(KeyError):
            for n, (a, b) in enumerate(file):
                a += n
                if a > 1:
                    return a
                b = a
            else:
                b = 0
            a = {}[b]
    return rows
for i in range(3):
    j = i + 1
    if j > 1 and __name__ == "__main__":
        print(j)
`
	const (
		unknown = "AttributeError(\"'str' object has no attribute '" + trace.UnknownBlock + "'\")"
		loop    = "exception 5 f " + unknown
		with    = "exception 4 f " + unknown
	)
	for _, c := range []struct {
		name    string
		at      midst
		locals  []string
		oldest  int // minor version
		visits  []string
		ends    string
		printed string
	}{
		{"a loop", midst{line: 9}, []string{"a", "1", "b", "7"}, 11, []string{"9 a=1 b=7", "5 a=1 b=1"}, loop, ""},
		{"after a loop", midst{line: 11}, []string{"n", "1"}, 11, []string{"11 n=1", "12 n=1 b=0"}, "exception 12 f KeyError(0)", ""},
		{"a return", midst{line: 8}, []string{"a", "2", "file", "None"}, 11, []string{"8 a=2 file=None", "4 a=2 file=None"}, with, ""},
		{"the head of a loop", midst{line: 5}, []string{"file", "'x'"}, 11, []string{"5 file='x'"}, "exception 5 f ValueError('not enough values to unpack (expected 2, got 1)')", ""},
		{"a module's loop", midst{line: 15}, []string{"i", "2"}, 9, []string{"15 i=2", "16 i=2 j=3", "17 i=2 j=3", "14 i=2 j=3"}, "exception 14 <module> " + unknown, "3\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				at := c.at
				at.blocks = true
				if python.Minor < c.oldest { // CPython does not jump into a try statement
					o := trace.Options{Python: python.Path, Script: scriptOf(t, source), Stdin: strings.NewReader("")}
					beginning(at, c.locals...)(&o)
					wantStartError(t, o, trace.BeginRefused, []string{"CPython does not jump there"}, "try")
					return
				}
				d := debug(t, python, source, beginning(at, c.locals...))
				for i, want := range c.visits {
					if got := fmt.Sprintf("%d %s", d.state().Line, d.shownLocals()); got != want {
						t.Fatalf("visit %d is %q, want %q", i, got, want)
					}
					d.do(dsl.StepOver)
				}
				if v := d.state().Value; v == nil || d.here()+" "+*v != c.ends {
					t.Errorf("ends at %s, want %s; events %q", d.here(), c.ends, d.events())
				}
				d.wantPrinted(c.printed)
			})
		})
	}
}

// TestOutcomeBeginningAfterFailure checks that a function of a module that fails can be begun in,
// with the definitions after the failure, and that a notice says what is missing.
func TestOutcomeBeginningAfterFailure(t *testing.T) {
	const source = `import sys
def f(x):
    y = g(x)
    return y
try:
    before = 1
    %s
finally:
    print("ends")
after = 2
def g(x, n=before):
    return x + n
def h(n=after): pass
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		for _, fails := range []string{"1 / 0", "sys.exit(3)", "f(1)"} {
			d := debug(t, python, fmt.Sprintf(source, fails), beginning(midst{line: 3}, "x", "2"))
			if !strings.Contains(d.at.Notice, "the module ended on line 7 with ") {
				t.Errorf("%s: the notice is %q", fails, d.at.Notice)
			}
			d.do(dsl.StepReturn)
			if got := d.state(); got.Value == nil || *got.Value != "3" {
				t.Errorf("%s: at %s", fails, d.here())
			}
			d.finish()
			d.wantPrinted("ends\n")
		}
	})
}
