//go:build unix

package recorder

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestMaker runs the package maker's own tests with each Python that can generate programs. To run them
// by hand, in their folder: PYTHONPATH=.. PYTHONHASHSEED=0 python3.12 -m unittest.
func TestMaker(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, python := range pythons.Between(t, 12, 14) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(python.Path, "-W", "ignore", "-m", "unittest", "-q")
			cmd.Dir = "tests"
			cmd.Env = append(os.Environ(), "PYTHONPATH="+here, "PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1")
			if said, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, said)
			}
		})
	}
}
