//go:build unix

package trace_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

func seeded(n int64) func(*trace.Options) {
	return func(o *trace.Options) { o.RandomSeed = &n }
}

// TestOutcomeRandomSeed checks that a seed makes the program's random numbers repeatable:
// those of random.seed, from the first one on, with the same events as without it.
func TestOutcomeRandomSeed(t *testing.T) {
	const source = `import random
print(random.random(), random.choice(range(100)))
print(random.Random(7).random())
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		script := scriptOf(t, "import random\nrandom.seed(-5)\n"+source)
		want := plainIn(t, python, "", nil, script)
		d := debug(t, python, source, seeded(-5))
		d.finish()
		d.wantPrinted(want)
		events := d.rec.Tree().Len()
		d = debug(t, python, source)
		d.finish()
		if got := d.rec.Tree().Len(); got != events {
			t.Errorf("%d events with a seed, %d without", events, got)
		}
		o := trace.Options{Code: source, Stdin: strings.NewReader("")}
		seeded(-5)(&o)
		d = debugAs(t, python, o)
		d.finish()
		d.wantPrinted(want)
	})
}

// TestOutcomeRandomSeedOwnModule checks that a module of the program that is called random
// is left alone.
func TestOutcomeRandomSeedOwnModule(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		if plainIn(t, python, "", nil, "-c", "import sys; print('random' in sys.modules)") == "True\n" {
			t.Skip("this Python imports random before any program begins")
		}
		script := scriptOf(t, "import random\nprint(random.mine)\n")
		writeIn(t, filepath.Dir(script), "random.py", "mine = 41\n")
		o := trace.Options{Script: script, Stdin: strings.NewReader("")}
		seeded(1)(&o)
		d := debugAs(t, python, o)
		d.finish()
		d.wantPrinted("41\n")
	})
}
