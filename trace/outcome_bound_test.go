//go:build unix

package trace_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// replacing returns a program that replaces each public name of a module in turn, calls
// work meanwhile, and prints the number of names.
func replacing(module string) string {
	return strings.ReplaceAll(`import MODULE
missing = AttributeError
replacing = RuntimeError
def replaced(*args, **kwargs):
    raise replacing("replaced")
class Box:
    def __init__(self, n):
        self.n = n
def work(n):
    box = Box(n)
    box.n = [n, "t"]
    try:
        box.missing
    except missing:
        n += 1
    return box.n
names = vars(MODULE)
public = [name for name in sorted(names) if name[0] != "_"]
done = 0
for name in public:
    kept = names[name]
    names[name] = replaced
    work(done)
    done += 1
    names[name] = kept
print(done, done == len(public))
`, "MODULE", module)
}

// TestOutcomeReplacedNames checks that the program may replace any name of a module that
// the tracer uses: the recording stays complete, and the program behaves as without npdb.
func TestOutcomeReplacedNames(t *testing.T) {
	for i, module := range []string{"builtins", "os", "posixpath", "sys", "time", "json", "threading", "linecache", "inspect", "traceback", "signal", "io"} {
		if !longtest.In(t, i, 3) {
			continue
		}
		t.Run(module, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				source := replacing(module)
				script := scriptOf(t, source)
				d := debugAs(t, python, trace.Options{Script: script, Stdin: strings.NewReader("")})
				d.source = source
				d.upTo("done = 0")
				head := fmt.Sprintf("line %d <module>", d.line("for name in public"))
				var turns [][]string
				for !d.do(dsl.StepInto).End {
					if d.here() == head {
						turns = append(turns, nil)
					}
					turns[len(turns)-1] = append(turns[len(turns)-1], d.here())
					if strings.HasPrefix(d.here(), "exception ") {
						d.wantAnswer(0, trace.VerbPrint, "n * 0", "0")
					}
				}
				want := plain(t, python, script)
				d.wantPrinted(want)
				public, _, _ := strings.Cut(want, " ")
				turns = turns[:len(turns)-1] // finds no further name
				if n, _ := strconv.Atoi(public); n != len(turns) || n < 3 {
					t.Errorf("%d turns of the loop are recorded, want %s", len(turns), public)
				}
				for i, turn := range turns {
					if !slices.Equal(turn, turns[0]) {
						t.Errorf("turn %d: %q, want %q", i, turn, turns[0])
					}
				}
			})
		})
	}
}

// TestOutcomeTracerSharesNoNames checks that no module of the tracer refers to a module
// that the program can change, or has the program's builtins. The exceptions are builtins
// and sys, where the tracer means the program's.
func TestOutcomeTracerSharesNoNames(t *testing.T) {
	const source = `import sys
shared = []
count = 0
for name, module in sorted(sys.modules.items()):
    if name.startswith("_npdb.") and not name.startswith("_npdb.lib"):
        names = vars(module)
        count += 1
        if names["__builtins__"] is vars(__builtins__) or names["__builtins__"] is __builtins__:
            shared.append((name, "__builtins__"))
        for key, value in names.items():
            if type(value) is type(sys) and sys.modules.get(value.__name__) is value and "_npdb" not in value.__name__ and key not in ("builtins", "program_sys"):
                shared.append((name, key))
print(count > 40, shared)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.wantAnswer(0, trace.VerbPrint, "1", "1")
		d.finish()
		d.wantPrinted("True []\n")
	})
}
