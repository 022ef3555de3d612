//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUnpack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache", "python")
	data := fstest.MapFS{
		"files.json": {Data: []byte(`{"files": [
			{"name": "bin", "perm": 2147484141},
			{"name": "bin/python", "perm": 134217728, "symlink": "python3"},
			{"name": "bin/python3", "perm": 493, "compressed": true},
			{"name": "lib", "perm": 2147484141},
			{"name": "lib/os.py", "perm": 420}
		]}`)},
		"bin/python3.gz": {Data: gzipped(t, "#!/bin/sh\n")},
		"lib/os.py":      {Data: []byte("import sys\n")},
	}
	if err := unpack(data, dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"bin/python": "#!/bin/sh\n", "lib/os.py": "import sys\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "bin", "python")); err != nil || info.Mode().Perm()&0o111 == 0 {
		t.Errorf("bin/python cannot be run: %v, %v", info.Mode(), err)
	}
	if err := run("no.such/module@v1", dir); err != nil {
		t.Errorf("again, where it is there: %v", err)
	}
}

// TestUnpackRefuses checks that invalid data does not produce a folder that looks complete, and
// that nothing is written outside the folder.
func TestUnpackRefuses(t *testing.T) {
	for name, list := range map[string]string{
		"a file outside":    `{"files": [{"name": "../a", "perm": 420}]}`,
		"a link outside":    `{"files": [{"name": "a", "perm": 134217728, "symlink": "../b"}]}`,
		"a file that lacks": `{"files": [{"name": "b", "perm": 420}, {"name": "c", "perm": 420}]}`,
		"no gzip":           `{"files": [{"name": "b", "perm": 420, "compressed": true}]}`,
		"no list":           `[`,
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			data := fstest.MapFS{
				"files.json": {Data: []byte(list)}, "b": {Data: []byte("b")}, "b.gz": {Data: []byte("b")},
			}
			if err := unpack(data, filepath.Join(parent, "python")); err == nil {
				t.Error("it is unpacked")
			}
			if left, err := os.ReadDir(parent); err != nil || len(left) != 0 {
				t.Errorf("it leaves %v, %v", left, err)
			}
		})
	}
}
