//go:build unix

package trace_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// families are programs that start a child process, which runs the function work.
var families = map[string]string{
	"fork": `import os
def work(n):
    m = n + 1  # here
    return m
pid = os.fork()
if pid == 0:
    work(1)
    os._exit(3)
assert os.WEXITSTATUS(os.waitpid(pid, 0)[1]) == 3
print('done')
`,
	"subprocess": `import subprocess, sys
def work(n):
    m = n + 1  # here
    return m
if sys.argv[1:] == ['child']:
    assert 'PYTHONPATH' not in __import__('os').environ and not any('npdb-children' in p for p in sys.path)
    work(1)
    sys.exit(3)
assert subprocess.run([sys.executable, __file__, 'child']).returncode == 3
assert subprocess.run([sys.executable, '-c', 'pass'], env={'X': 'y'}).returncode == 0
assert subprocess.run(['true']).returncode == 0
print('done')
`,
	"mp fork":       strings.ReplaceAll(family, "METHOD", "fork"),
	"mp spawn":      strings.ReplaceAll(family, "METHOD", "spawn"),
	"mp forkserver": strings.ReplaceAll(family, "METHOD", "forkserver"),
}

const family = `import multiprocessing
def work(n):
    m = n + 1  # here
    return m
if __name__ == '__main__':
    c = multiprocessing.get_context('METHOD')
    p = c.Process(target=work, args=(1,))
    p.start()
    p.join()
    assert p.exitcode == 0
    print('done')
`

func withChildren(o *trace.Options) { o.Children = true }

// stopped returns the child whose number the notices name.
func (d *debuggee) stopped() *trace.Child {
	d.Helper()
	for _, c := range d.rec.Children() {
		if c.State() == trace.ChildStops {
			return c
		}
	}
	d.Fatalf("no child stops: %+v, stderr %s", d.at, d.printed("stderr"))
	return nil
}

// TestOutcomeChildStops checks that a breakpoint of the program stops a child process, of each kind;
// that the child can be moved; and that both end as they do alone.
func TestOutcomeChildStops(t *testing.T) {
	for name, source := range families {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, source, withChildren)
				stop := trace.Stop{At: dsl.Location{Line: d.line("# here")}, Number: 4}
				l, err := d.rec.Advance(t.Context(), []trace.Stop{stop}, nil)
				if err != nil {
					t.Fatal(err)
				}
				d.at = l
				child := d.stopped()
				if l.Reason != trace.Interrupted || !strings.Contains(l.Notice, "is stopped at prog.py:3 by breakpoint 4 and waits") {
					t.Errorf("%+v", l)
				}
				rec, err := child.Take(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				in := &debuggee{T: t, python: python, source: source, rec: rec, at: trace.Landing{Position: rec.LiveEdge()}}
				in.wantLocal("n", "1")
				in.wantAnswer(0, trace.VerbPrint, "n + 1", "2")
				in.do(dsl.StepInto)
				in.wantLocal("m", "2")
				in.do(dsl.InvStepInto)
				in.wantHere("line 3 work", trace.Landed)
				in.do(dsl.Continue)
				if !in.at.End || child.State() != trace.ChildEnded {
					t.Errorf("the child is at %+v", in.at)
				}
				d.finish()
				d.wantPrinted("done\n")
			})
		})
	}
}
