package recorder

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Without bubblewrap root's programs run as another user, and where limits were asked
// for as root; the warning says so.
func TestWithoutBubblewrap(t *testing.T) {
	const python = "/usr/bin/python3"
	if os.Geteuid() != 0 {
		t.Skip("another user takes root")
	}
	if _, err := os.Stat(python); err != nil {
		t.Skip(err)
	}
	tools := t.TempDir()
	for _, tool := range []string{"setpriv", "sh"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(path, filepath.Join(tools, tool)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", tools)
	who := Job{Program: &Program{Source: "import os\nx = os.getuid()\n"}}
	w := begin(t, Config{Python: python})
	if said := w.Warning(); !strings.Contains(said, "(bubblewrap (bwrap) is not installed): they run as a user of their own, ") || strings.Contains(said, "root") || strings.Contains(said, "network") {
		t.Error(said)
	}
	if said := inWords(t, w, who); strings.Contains(said, "Value:0 ") || !strings.Contains(said, "Name:x") {
		t.Error(said)
	}
	w = begin(t, Config{Python: python, Contain: ContainLimits})
	if said := w.Warning(); !strings.Contains(said, "(as asked): they run as this user, ") || !strings.HasSuffix(said, "This user is root") {
		t.Error(said)
	}
	if said := inWords(t, w, who); !strings.Contains(said, "Value:0 ") {
		t.Error(said)
	}
	if _, err := Start(t.Context(), Config{Python: python, Contain: ContainBubblewrap}); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
