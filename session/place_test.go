package session

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestReadSource checks that a source is read as UTF-8, or otherwise as Latin-1.
func TestReadSource(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.py")
	for source, want := range map[string][]string{
		"x = 'é'\ny\n": {"x = 'é'", "y"}, "x = '\xe9\xff'\n": {"x = 'éÿ'"}, "x": {"x"},
	} {
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := readSource(path); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is %q, %v, want %q", source, got, err, want)
		}
	}
	if got, err := readSource(filepath.Join(t.TempDir(), "gone.py")); err == nil {
		t.Errorf("of what is not there: %q", got)
	}
}
