package check_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// python runs Python 3.12 here, and gives what it says.
func python(t *testing.T, arguments ...string) string {
	t.Helper()
	c := exec.Command(pythons.Between(t, 12, 12)[0].Path, append([]string{"-W", "ignore"}, arguments...)...)
	c.Env = append(os.Environ(), "PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1")
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", arguments, err, said)
	}
	return string(said)
}

// The check finds what is planted in trajectories, and nothing in those that are right.
func TestFindsWhatIsPlanted(t *testing.T) {
	python(t, "-m", "unittest", "-q", "test_check")
}

// What counts, counts right; and the table of methods in the generator has them all.
func TestCounts(t *testing.T) {
	python(t, "-m", "unittest", "-q", "test_counts")
}
