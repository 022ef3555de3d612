package models

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/config"
)

// TestVersionOf checks that an interpreter's version is read from its environment and its
// path, without running it.
func TestVersionOf(t *testing.T) {
	root := t.TempDir()
	write := func(path, text string) string {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := func(path, target string) string {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.10.13\n")
	write("uv/pyvenv.cfg", "home = /usr/bin\nversion_info = 3.9.18.final.0\n")
	write("usr/bin/python3.11", "exit 1")
	write("pyenv/version", "3.11.7\n")
	t.Setenv("PYENV_VERSION", "")
	t.Chdir(write("project/.python-version", "3.13.0\n")[:len(root)+len("/project")])
	for _, c := range []struct{ path, want string }{
		{write("venv/bin/python", "exit 1"), "3.10"},
		{write("uv/bin/python", "exit 1"), "3.9"},
		{link("usr/bin/python3", "python3.11"), "3.11"},
		{write("versions/3.12.1/bin/python3", "exit 1"), "3.12"},
		{write("cpython-3.9.18-linux/bin/python3", "exit 1"), "3.9"},
		{write("pyenv/shims/python3", "exit 1"), "3.13"},
		{write("3.11-notes/bin/other", "exit 1"), "unknown"},
		{write("plain/bin/python3", "exit 1"), "unknown"},
		{link("circle/bin/python3", "python3"), "unknown"},
		{"", "unknown"},
	} {
		if got := versionOf(c.path).String(); got != c.want {
			t.Errorf("%s is %s, want %s", c.path, got, c.want)
		}
	}
	t.Setenv("PYENV_VERSION", "3.10.1")
	if got := versionOf(filepath.Join(root, "pyenv/shims/python3")).String(); got != "3.10" {
		t.Errorf("by PYENV_VERSION it is %s", got)
	}
	if got := PythonVersion(config.Config{Python: filepath.Join(root, "venv/bin/python"), PythonVersion: "3.11"}).String(); got != "3.11" {
		t.Errorf("by python_version it is %s", got)
	}
}
