//go:build unix

package sandbox

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAdvice checks that nobody is told to install a bubblewrap that is installed.
func TestAdvice(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("PATH", folder)
	if got, want := Advice("serve nobody"), "Install bubblewrap, or serve nobody"; got != want {
		t.Errorf("without bubblewrap: %q, want %q", got, want)
	}
	if err := os.WriteFile(filepath.Join(folder, "bwrap"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, want := Advice("serve nobody"), "Serve nobody"; got != want {
		t.Errorf("with bubblewrap: %q, want %q", got, want)
	}
}
