//go:build unix

package trace_test

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// aboutStack prints which modules were loaded before a program, which frames are below it
// and how deep it can recurse.
const aboutStack = `import sys
print('loaded', sorted(name for name in sys.modules if not name.startswith('_npdb') and name not in sys.builtin_module_names))
import gc, inspect, logging, traceback, warnings
print('stack', [(f.function, f.filename) for f in inspect.stack()])
frame = sys._getframe()
while frame.f_back is not None:
    frame = frame.f_back
print('bottom', frame.f_code.co_name)
print('collected', gc.isenabled())
print('raised', sys.exc_info(), [name for name in vars(sys) if name.startswith('last_')])
logging.basicConfig(format='%(filename)s:%(lineno)d %(funcName)s', stream=sys.stdout)
logging.error('here', stacklevel=2)
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter('always')
    warnings.warn('here', stacklevel=2)
print('warned', [(w.filename, w.lineno) for w in found])
traceback.print_stack(file=sys.stdout)
eval('traceback.print_stack(file=sys.stdout)')
def down(n):
    global deep
    deep = n
    down(n + 1)
try:
    down(1)
except RecursionError:
    print('deep', deep)
`

// TestOutcomeBottomOfStack checks that no frame of npdb is below a program, however it is
// started. Only frames that are there without npdb, which run a module, a folder or an
// archive, are below it.
func TestOutcomeBottomOfStack(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeIn(t, dir, "prog.py", aboutStack)
	writeIn(t, dir, "pkg/__main__.py", aboutStack)
	writeArchive(t, filepath.Join(dir, "app.pyz"), "#!/usr/bin/env python3\n", "__main__.py", aboutStack)
	for _, c := range []struct {
		name    string
		options trace.Options
		plain   []string
	}{
		{"script", trace.Options{Script: filepath.Join(dir, "prog.py")}, []string{filepath.Join(dir, "prog.py")}},
		{"-m", trace.Options{Module: "pkg"}, []string{"-m", "pkg"}},
		{"-c", trace.Options{Code: aboutStack}, []string{"-c", aboutStack}},
		{"folder", trace.Options{Script: "pkg"}, []string{"pkg"}},
		{"archive", trace.Options{Script: "app.pyz"}, []string{"app.pyz"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				o := c.options
				o.Python, o.Dir, o.Stdin = python.Path, dir, strings.NewReader("")
				d := debugAs(t, python, o)
				d.finish()
				d.wantPrinted(plainIn(t, python, dir, nil, c.plain...))
			})
		})
	}
}

// TestOutcomeEndings checks that a program ends as without npdb: the output on both
// streams and the exit code, also in a child process that npdb does not debug.
func TestOutcomeEndings(t *testing.T) {
	const source = `import atexit, os, sys
class Late:
    def __repr__(self):
        return 'Late()'
    def __del__(self):
        print('late')
late = Late()
atexit.register(lambda: print('atexit', getattr(sys, 'last_value', None)))
def hook(kind, value, tb):
    print('hooked', value, tb.tb_frame.f_code.co_name)
    if end == 'hook exits':
        sys.exit(9)
    if end == 'hook raises':
        raise LookupError('in the hook')
def fail():
    raise ValueError('failed')
sys.stdout.reconfigure(line_buffering=True)
end = sys.argv[1]
if end.startswith('hook'):
    sys.excepthook = hook
    fail()
elif end == 'child':
    pid = os.fork()
    if pid == 0:
        fail()
    print(os.WEXITSTATUS(os.waitpid(pid, 0)[1]))
elif end == "child's hook":
    pid = os.fork()
    if pid == 0:
        sys.excepthook = hook
        fail()
    os.waitpid(pid, 0)
elif end == 'object':
    sys.exit(Late())
else:
    eval(end)
`
	// With PYTHONINSPECT no exit ends the interpreter.
	ends := map[string][]string{
		"":  {"1", "fail()", "sys.exit(3)", "sys.exit('words')", "object", "hook", "hook exits", "hook raises", "child", "child's hook"},
		"1": {"1", "fail()", "sys.exit(3)", "hook raises"},
	}
	onEach(t, func(t *testing.T, python pythons.Python) {
		script := scriptOf(t, source)
		for inspect, ends := range ends {
			for _, end := range ends {
				env := environ("PYTHONHASHSEED=0", "PYTHONINSPECT="+inspect)
				d := debugAs(t, python, trace.Options{Script: script, Args: []string{end}, Env: env, Stdin: strings.NewReader("")})
				for !d.at.End {
					d.do(dsl.Continue)
				}
				cmd := exec.CommandContext(t.Context(), python.Path, script, end)
				var stdout, stderr bytes.Buffer
				cmd.Env, cmd.Stdout, cmd.Stderr = env, &stdout, &stderr
				var exit *exec.ExitError
				if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
					t.Fatal(err)
				}
				if got, want := d.rec.Exit().Code, cmd.ProcessState.ExitCode(); got != want {
					t.Errorf("%s, PYTHONINSPECT=%s: exit code %d, plain Python's is %d", end, inspect, got, want)
				}
				for stream, want := range map[string]string{"stdout": stdout.String(), "stderr": stderr.String()} {
					if got := d.printed(stream); got != want {
						t.Errorf("%s, PYTHONINSPECT=%s: %s is\n%s\nplain Python's is\n%s", end, inspect, stream, got, want)
					}
				}
			}
		}
	})
}
