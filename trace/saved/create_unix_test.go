//go:build unix

package saved

import (
	"errors"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestCreateLocks checks that two recordings cannot be written to one file at the same time.
func TestCreateLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npdb")
	first, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	var busy *BusyError
	if _, err := Create(path); !errors.As(err, &busy) {
		t.Errorf("a second writer: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Create(path)
	if err != nil {
		t.Fatalf("after the first one: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestPipesAreRefused checks that a pipe without another end is refused, instead of waited for.
func TestPipesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npdb")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	var irregular *IrregularError
	for name, open := range map[string]func() error{
		"open":   func() error { _, err := Open(path); return err },
		"header": func() error { _, err := HeaderOf(path); return err },
		"create": func() error { _, err := Create(path); return err },
	} {
		if err := open(); !errors.As(err, &irregular) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
