package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestWheels checks the wheel of each target: its files, their modes and RECORD, and the metadata.
func TestWheels(t *testing.T) {
	r := made(t, "v1.2.3-rc.4")
	for _, one := range targets {
		t.Run(one.String(), func(t *testing.T) {
			name := one.wheelFile(r.version)
			files := map[string]file{}
			var last string
			for _, f := range unzipped(t, filepath.Join(r.out, name)) {
				files[f.name], last = f, f.name
			}
			const about = "npdb-1.2.3rc4.dist-info/"
			if last != about+"RECORD" {
				t.Errorf("the last file is %s", last)
			}
			checkRecord(t, files, about+"RECORD")
			script := files["npdb-1.2.3rc4.data/scripts/"+one.program()]
			if string(script.data) != string(programText(one)) || script.mode != 0o100755 {
				t.Errorf("the program is %q, its mode %o", script.data, script.mode)
			}
			for _, module := range []string{"__init__", "__main__", "debugger", "listening", "pytest_plugin", "recorder"} {
				text, err := os.ReadFile(filepath.Join("..", "..", shim, "npdb", module+".py"))
				if f := files["npdb/"+module+".py"]; err != nil || !bytes.Equal(f.data, text) || f.mode != 0o100644 {
					t.Errorf("%s: %d bytes, mode %o, %v", module, len(f.data), f.mode, err)
				}
			}
			for f, line := range map[string]string{
				"METADATA":         "Name: npdb\nVersion: 1.2.3rc4\n",
				"WHEEL":            "Root-Is-Purelib: false\nTag: py3-none-" + one.wheel[0] + "\n",
				"entry_points.txt": "[pytest11]\nnpdb = npdb.pytest_plugin\n",
				"LICENSE":          "MIT License",
			} {
				if !strings.Contains(string(files[about+f].data), line) {
					t.Errorf("%s is\n%s", f, files[about+f].data)
				}
			}
			if !strings.Contains(string(files[about+"METADATA"].data), "\nRequires-Python: >=3.9\n") {
				t.Errorf("the metadata is\n%s", files[about+"METADATA"].data)
			}
			for _, tag := range one.wheel {
				if !strings.Contains(string(files[about+"WHEEL"].data), "\nTag: py3-none-"+tag+"\n") || !strings.Contains(name, tag) {
					t.Errorf("%s lacks the tag %s", name, tag)
				}
			}
		})
	}
}

// checkRecord checks that RECORD lists every file with its hash and size, and itself without them.
func checkRecord(t *testing.T, files map[string]file, record string) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(files[record].data)).ReadAll()
	if err != nil || len(rows) != len(files) {
		t.Fatalf("%d rows for %d files: %v", len(rows), len(files), err)
	}
	for _, row := range rows {
		f, ok := files[row[0]]
		hash := sha256.Sum256(f.data)
		want := []string{"sha256=" + base64.RawURLEncoding.EncodeToString(hash[:]), strconv.Itoa(len(f.data))}
		if row[0] == record {
			want = []string{"", ""}
		}
		if !ok || row[1] != want[0] || row[2] != want[1] {
			t.Errorf("%q, want %q", row, want)
		}
	}
}

// TestSdist checks that the source distribution has the Python package with the release's version.
func TestSdist(t *testing.T) {
	r := made(t, "v1.2.3")
	texts, modes := unpacked(t, filepath.Join(r.out, "npdb-1.2.3.tar.gz"))
	for name, want := range map[string]string{
		"pyproject.toml": "\nversion = \"1.2.3\"\n", "PKG-INFO": "\nVersion: 1.2.3\n", "README.md": "# npdb for Python", "LICENSE": "MIT License",
		"npdb/__init__.py": "", "npdb/pytest_plugin.py": "", "tests/test_shim.py": "",
	} {
		name = "npdb-1.2.3/" + name
		if text, ok := texts[name]; !ok || !strings.Contains(text, want) || fs.FileMode(modes[name]) != plain {
			t.Errorf("%s has mode %o and is\n%s", name, modes[name], text)
		}
	}
}

// TestReadProject checks that an unknown key of pyproject.toml is an error that names it.
func TestReadProject(t *testing.T) {
	const good = "[project]\nname = \"npdb\"\nversion = \"0.0.0\"\n"
	for text, want := range map[string]string{
		good:                                  "",
		good + "dependencies = [\"x\"]\n":     "dependencies",
		"[project]\nname = \"npdb\"\n":        "which a release replaces",
		strings.Replace(good, "npdb", "x", 1): "must have the name npdb",
	} {
		path := filepath.Join(t.TempDir(), "pyproject.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		switch _, err := readProject(path); {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
