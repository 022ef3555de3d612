//go:build unix

package trace_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
)

// TestOutcomeOutputOfOthers checks that output of children and C code appears at its
// position in the program's own output, in one move or in several.
func TestOutcomeOutputOfOthers(t *testing.T) {
	const source = `import os, subprocess, sys
for i in range(3):
    print("before", i)
    pid = os.fork()
    if pid == 0:
        print("child", i, flush=True)
        os._exit(0)
    os.waitpid(pid, 0)
    print("after", i)
print("one")
subprocess.run(["echo", "two"])
print("three")
os.write(1, b"four\n")
print("five", "x" * 200000)
os.system("echo six")
sys.stdout.write("seven")
os.write(1, b" eight\n")
print("error", file=sys.stderr)
os.write(2, b"error\n")
print("error", file=sys.stderr)
`
	want := strings.NewReplacer("#", strings.Repeat("x", 200000)).Replace("before 0\nchild 0\nafter 0\nbefore 1\nchild 1\nafter 1\nbefore 2\nchild 2\nafter 2\n" +
		"one\ntwo\nthree\nfour\nfive #\nsix\nseven eight\n")
	onEach(t, func(t *testing.T, python pythons.Python) {
		for _, m := range []dsl.Move{dsl.Continue, dsl.StepOver} {
			d := debug(t, python, source)
			for !d.at.End {
				d.do(m)
			}
			d.wantEnd(0, "")
			d.wantPrinted(want)
			if got := d.printed("stderr"); got != "error\nerror\nerror\n" {
				t.Errorf("stderr %q", got)
			}
			for i := range d.rec.Tree().Len() {
				if d.rec.Tree().At(i).Line != 12 { // print("three")
					continue
				}
				var before string
				for _, o := range d.rec.Output(-1, i) {
					before += o.Text
				}
				// The output of others is only known to be before a print, or before a
				// stop.
				if want, _, _ := strings.Cut(want, "two"); !strings.HasPrefix(before, want) || strings.Contains(before, "three") {
					t.Errorf("before line 12 was printed %q", before)
				}
			}
		}
	})
}
