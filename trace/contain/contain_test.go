//go:build unix

package contain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestPythonInTmp checks that a virtual environment below /tmp, which the sandbox cannot show, is
// reported as that.
func TestPythonInTmp(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "npdb-venv-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	base := pythons.Any(t)
	if err := os.WriteFile(filepath.Join(dir, "pyvenv.cfg"), []byte("home = "+filepath.Dir(base)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	python := filepath.Join(dir, "bin", "python")
	if err := os.Mkdir(filepath.Dir(python), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(base, python); err != nil {
		t.Fatal(err)
	}
	c, err := New(t.Context(), python, Auto, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	want := "the Python " + python + " lies in /tmp, which is another, empty folder in a sandbox: use one elsewhere (--python)"
	if why := c.Why(); c.Level() == Bubblewrap || why == nil || why.Error() != want || !strings.Contains(c.Warning(), want) {
		t.Errorf("%v, because %v; the warning is %q", c.Level(), why, c.Warning())
	}
}
