//go:build unix

package trace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeClosesDescriptors checks that a program that closes unknown descriptors, as
// daemons do, or opens its own in their place, is debugged as usual.
func TestOutcomeClosesDescriptors(t *testing.T) {
	for name, body := range map[string]string{
		"closes":    "os.closerange(3, 1024)",
		"puts over": "r, w = os.pipe()\n[os.dup2(r, fd) for fd in range(w + 1, 900)]",
		"soft limit": `import resource
os.closerange(3, min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[0]))`,
		"daemon": `sys.stdout.flush()
if os.fork() == 0:
    os.setsid()
    for fd in range(3, 1024):
        try: os.close(fd)
        except OSError: pass
    os._exit(0)
os.wait()`,
	} {
		source := "import os, sys\nprint('before')\n" + body + `
files = [open(sys.argv[1] + str(n), "w") for n in range(12)]
pid = os.fork()
if pid == 0:
    [os.write(f.fileno(), b"more ") for f in files]
    sys.exit(0)
os.waitpid(pid, 0)
for n, f in enumerate(files):
    f.write("text %d" % n)
print('after')
sys.exit(3)
`
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				out := filepath.Join(t.TempDir(), "file")
				d := debug(t, python, source, withArgs(out))
				d.upTo("files = ")
				d.do(dsl.StepOver)
				d.upTo("print('after')")
				d.wantAnswer(0, trace.VerbPrint, "n", "11")
				d.do(dsl.Continue)
				d.wantEnd(3, "")
				d.wantPrinted("before\nafter\n")
				if d.at.Notice != "" {
					t.Errorf("notice %q", d.at.Notice)
				}
				wantFiles(t, out)
			})
		})
	}
}

// wantFiles checks the content of the program's own files.
func wantFiles(t *testing.T, path string) {
	t.Helper()
	for _, n := range []string{"0", "5", "11"} {
		if text, err := os.ReadFile(path + n); string(text) != "more text "+n {
			t.Errorf("file %s is %q, %v", n, text, err)
		}
	}
}

// TestOutcomeClosesAllDescriptors checks that a program that closes or replaces all
// descriptors continues as without npdb, and that npdb says why it cannot follow.
func TestOutcomeClosesAllDescriptors(t *testing.T) {
	const source = `import os, sys
def every():
    return [int(fd) for fd in os.listdir("/dev/fd") if int(fd) > 2]
print("before")
BODY
files = [open(sys.argv[1] + str(n), "w") for n in range(12)]
for n, f in enumerate(files):
    f.write("text %d" % n)
    os.write(f.fileno(), b"more ")
print("after")
def f(n):
    return n and f(n - 1)
for n in range(20000):
    f(2)
breakpoint()
print("end", len(str(sys.gettrace())))
sys.exit(3)
`
	for name, body := range map[string]string{
		"closes":    "for fd in every():\n    try: os.close(fd)\n    except OSError: pass",
		"puts over": "mine = os.open(os.devnull, os.O_RDWR)\nfor fd in every(): os.dup2(mine, fd)",
	} {
		for _, move := range []dsl.Move{dsl.StepOver, dsl.Continue} {
			t.Run(name+" "+move.String(), func(t *testing.T) {
				onEach(t, func(t *testing.T, python pythons.Python) {
					out := filepath.Join(t.TempDir(), "file")
					d := debug(t, python, strings.Replace(source, "BODY", body, 1), withArgs(out))
					d.upTo("print(\"before\")")
					for !d.at.End {
						d.do(move)
					}
					d.wantEnd(3, "")
					if !strings.Contains(d.at.Notice, "closed the descriptors") {
						t.Errorf("notice %q", d.at.Notice)
					}
					d.wantPrinted("before\nafter\nend 4\n")
					wantFiles(t, out)
				})
			})
		}
	}
}
