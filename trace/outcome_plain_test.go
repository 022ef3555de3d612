//go:build unix

package trace_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// environ returns this process's environment with variables added.
func environ(set ...string) []string { return append(os.Environ(), set...) }

// plain returns a program's standard output without npdb.
func plain(t *testing.T, python pythons.Python, args ...string) string {
	t.Helper()
	return plainIn(t, python, "", nil, args...)
}

func plainIn(t *testing.T, python pythons.Python, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), python.Path, args...)
	cmd.Dir = dir
	cmd.Env = append(environ("PYTHONHASHSEED=0"), env...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("plain %s %s: %v", python, strings.Join(args, " "), err)
	}
	return string(out)
}

// TestOutcomeCommandLine checks that process listings show the program's arguments, and
// nothing of npdb. sys.orig_argv is the same as without npdb.
func TestOutcomeCommandLine(t *testing.T) {
	const source = `import sys
words = open("/proc/self/cmdline").read().split("\0")[1:-1]
print([word for word in words if not word.startswith("/dev/fd/")], getattr(sys, "orig_argv", ["python"])[1:])
print(sys.argv, [path for path in sys.path_importer_cache if path.startswith("/dev/")], [name for name in ("__file__", "__cached__") if name not in globals()])
`
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		t.Skip("no /proc lists the words of a process")
	}
	onEach(t, func(t *testing.T, python pythons.Python) {
		dir := t.TempDir()
		script := writeIn(t, dir, "prog.py", source)
		for _, c := range []struct {
			o     trace.Options
			plain []string
		}{
			{trace.Options{Script: script, Args: []string{"a b", "-c"}}, []string{script, "a b", "-c"}},
			{trace.Options{Module: "prog", Args: []string{"x"}}, []string{"-m", "prog", "x"}},
			{trace.Options{Code: source, Args: []string{"x"}}, []string{"-c", source, "x"}},
		} {
			want := plainIn(t, python, dir, nil, c.plain...)
			c.o.Dir, c.o.Stdin = dir, strings.NewReader("")
			d := debugAs(t, python, c.o)
			d.finish()
			d.wantPrinted(want)
		}
	})
}
