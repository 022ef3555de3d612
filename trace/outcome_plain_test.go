//go:build unix

package trace_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// environ is this process's environment with variables added.
func environ(set ...string) []string { return append(os.Environ(), set...) }

// plain is what a program writes to standard output without npdb.
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
