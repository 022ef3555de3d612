package rooms

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoBinaries checks that no compiled program was committed, for example the one that go build
// writes into the repository.
func TestNoBinaries(t *testing.T) {
	const root = "../.."
	list, err := exec.CommandContext(t.Context(), "git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Skip("this is not a clone of the repository: ", err)
	}
	names := strings.FieldsFunc(string(list), func(r rune) bool { return r == 0 })
	if len(names) < 1000 {
		t.Fatalf("git lists only %d files", len(names))
	}
	for _, name := range names {
		if isProgram(t, filepath.Join(root, name)) {
			t.Errorf("%s is a compiled program: git rm it, and name it in .gitignore", name)
		}
	}
}

// isProgram reports whether a file begins as programs of Linux, macOS and Windows do.
func isProgram(t *testing.T, path string) bool {
	t.Helper()
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return false // deleted, but not committed yet
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	beginning := make([]byte, 4)
	n, err := io.ReadFull(f, beginning)
	if n < len(beginning) || err != nil {
		return false
	}
	for _, magic := range []string{"\x7fELF", "\xcf\xfa\xed\xfe", "MZ\x90\x00"} {
		if bytes.HasPrefix(beginning, []byte(magic)) {
			return true
		}
	}
	return false
}
