//go:build unix

package trace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The compiled tracer is kept in the user's folder for that, where there is one.
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
