//go:build unix

package trace

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestCompiledCache checks that the compiled tracer is stored in the user's cache folder,
// if there is one.
func TestCompiledCache(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	path := compiledCache()
	if name := filepath.Base(path); !strings.HasPrefix(path, dir) || filepath.Base(filepath.Dir(path)) != "npdb" || !strings.HasPrefix(name, "tracer-") || len(name) != len("tracer-")+16 {
		t.Errorf("kept as %s", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("its folder: %v, %v", info, err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, home := range []string{"", file} {
		t.Setenv("HOME", home)
		t.Setenv("XDG_CACHE_HOME", home)
		if path := compiledCache(); path != "" {
			t.Errorf("with %q for a home: %s", home, path)
		}
	}
}

// TestToHand checks that a contained interpreter gets code that the same interpreter has
// compiled outside, cached or not. An interpreter with a different magic number, or a
// missing one, gets nothing.
func TestToHand(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, python := range pythons.All(t) {
		handed.of = nil
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		said, err := exec.Command(python.Path, "-c", "import sys, _frozen_importlib_external as e; sys.stdout.buffer.write(e.MAGIC_NUMBER)").Output()
		if err != nil || len(said) != magicSize {
			t.Fatalf("%v has the magic number %x, %v", python, said, err)
		}
		magic, other := [magicSize]byte(said), [magicSize]byte{1, 2, '\r', '\n'}
		if code := toHand(ended, python.Path, magic); code != nil {
			t.Errorf("%v: %d bytes when there was no time", python, len(code))
		}
		code := toHand(t.Context(), python.Path, magic)
		if !bytes.Contains(code, []byte("<npdb launch>")) {
			t.Errorf("%v: %d bytes, without the tracer", python, len(code))
		}
		handed.of = nil
		if kept := toHand(t.Context(), python.Path, magic); !bytes.Contains(kept, []byte("<npdb launch>")) {
			t.Errorf("%v: %d bytes from what is kept, without the tracer", python, len(kept))
		}
		t.Setenv("XDG_CACHE_HOME", "/dev/null")
		handed.of = nil
		if made := toHand(t.Context(), python.Path, magic); !bytes.Contains(made, []byte("<npdb launch>")) {
			t.Errorf("%v: %d bytes without a cache, without the tracer", python, len(made))
		}
		if code := toHand(t.Context(), python.Path, other); code != nil {
			t.Errorf("%v: %d bytes for another magic number", python, len(code))
		}
		if code := toHand(t.Context(), filepath.Join(t.TempDir(), "python3"), magic); code != nil {
			t.Errorf("%d bytes from no Python", len(code))
		}
	}
}
