package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// TestSet checks that Set writes a setting and changes nothing else.
func TestSet(t *testing.T) {
	for _, tt := range []struct {
		name, before, key string
		value             any
		after             string
	}{
		{"no file", "", "theme", "nord", "theme = \"nord\"\n"},
		{
			"its value", "# mine\nmouse = true\ntheme   = 'npdb'  # quiet\n\n[model]\ntheme = 1\n", "theme", "nord",
			"# mine\nmouse = true\ntheme   = \"nord\"  # quiet\n\n[model]\ntheme = 1\n",
		},
		{"a switch", "mouse = true # all day\n", "mouse", false, "mouse = false # all day\n"},
		{"capitals", "Theme = \"a\"\n", "theme", "b", "Theme = \"b\"\n"},
		{"quoted", "\"theme\" = \"a\"", "theme", "b", "\"theme\" = \"b\""},
		{"of several lines", "theme = \"\"\"\nnp\\\ndb\"\"\"\nmouse = true\n", "theme", "b", "theme = \"b\"\nmouse = true\n"},
		{
			"after the others", "# first\nmode = \"real\" # always\n\n# of the model\n[model]\nname = \"x\"\n", "mouse", false,
			"# first\nmode = \"real\" # always\nmouse = false\n\n# of the model\n[model]\nname = \"x\"\n",
		},
		{
			"before a section", "# about me\n\n# of the model\n[ model ]\nname = \"x\"\n", "theme", "nord",
			"# about me\n\ntheme = \"nord\"\n\n# of the model\n[ model ]\nname = \"x\"\n",
		},
		{"before a list of tables", "[[profiles]]\nname = \"a\"\n", "theme", "nord", "theme = \"nord\"\n\n[[profiles]]\nname = \"a\"\n"},
		{"no end of line", "mode = \"real\"", "theme", "nord", "mode = \"real\"\ntheme = \"nord\"\n"},
		{"comments only", "# nothing yet", "theme", "nord", "# nothing yet\ntheme = \"nord\"\n"},
		{"a byte order mark", "\ufeffmode = \"real\"\n", "mode", "both", "mode = \"both\"\n"},
		{"windows", "mode = \"real\"\r\n[model]\r\n", "theme", "nord", "mode = \"real\"\r\ntheme = \"nord\"\n[model]\r\n"},
		{"dotted", "model.name = \"theme\"\n", "theme", "nord", "model.name = \"theme\"\ntheme = \"nord\"\n"},
		{"odd names", "", "theme", "a \"b\" \\ <ä>", "theme = \"a \\\"b\\\" \\\\ \\u003cä\\u003e\"\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "npdb", "config.toml")
			if tt.before != "" {
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(tt.before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := Set(path, tt.key, tt.value); err != nil {
				t.Fatal(err)
			}
			if got := read(t, path); got != tt.after {
				t.Errorf("%q became\n%q, want\n%q", tt.before, got, tt.after)
			}
			var all map[string]any
			if err := toml.Unmarshal([]byte(tt.after), &all); err != nil {
				t.Errorf("%v: %q", err, tt.after)
			}
		})
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSetRefuses checks that an invalid file is not changed, and that no temporary file is left.
func TestSetRefuses(t *testing.T) {
	for _, before := range []string{"theme = \n", "theme = [\"npdb\"", "theme = {a = 1}\ntheme = 2\n", "[theme]\nx = 1\n"} {
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Set(path, "theme", "nord"); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v", before, err)
		}
		if got := read(t, path); got != before {
			t.Errorf("%q became %q", before, got)
		}
		if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
			t.Errorf("%v, %v are there", files, err)
		}
	}
	if err := Set("", "theme", "nord"); err == nil || !strings.Contains(err.Error(), "HOME") {
		t.Errorf("without a place: %v", err)
	}
	if err := Set(t.TempDir(), "theme", "nord"); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: %v", err)
	}
}

// TestSetMode checks that the file keeps its mode, except that a file with a secret becomes
// readable for its owner only, and that a symbolic link remains one.
func TestSetMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: Windows has access lists")
	}
	for _, tt := range []struct {
		text     string
		mode, is os.FileMode
	}{
		{"mouse = true\n", 0o644, 0o644},
		{"mouse = true\n", 0o640, 0o640},
		{"[model]\nkey = \"k\"\n", 0o644, 0o600},
		{"[model]\nheaders = [\"A: b\"]\n", 0o664, 0o600},
	} {
		dir := t.TempDir()
		path, link := filepath.Join(dir, "dotfile"), filepath.Join(dir, "config.toml")
		if err := os.WriteFile(path, []byte(tt.text), tt.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, tt.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, link); err != nil {
			t.Fatal(err)
		}
		if err := Set(link, "theme", "nord"); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(path)
		if err != nil || info.Mode() != tt.is {
			t.Errorf("%q of %v has now %v, %v; want %v", tt.text, tt.mode, info.Mode(), err, tt.is)
		}
		if at, err := os.Readlink(link); err != nil || at != path {
			t.Errorf("the link goes to %q, %v", at, err)
		}
		if !strings.Contains(read(t, path), "theme = \"nord\"\n") {
			t.Errorf("%q is in it", read(t, path))
		}
	}
}

// FuzzSet checks that Load reads the value that Set has written.
func FuzzSet(f *testing.F) {
	f.Add("mode = 'real'\n[model]\nseed = 1\n", "nord")
	f.Add("a.b = [1,\n2] # x\n\ntheme = '''\na'''", "\"\\\n")
	f.Add("theme.x = {y = []}\n[[z]]\n", "")
	f.Fuzz(func(t *testing.T, text, theme string) {
		after, _, err := edited([]byte(text), "theme", theme)
		if err != nil {
			return
		}
		var all map[string]any
		if err := toml.Unmarshal(after, &all); err != nil {
			t.Fatalf("%q: %v", after, err)
		}
		for k, v := range all {
			if strings.EqualFold(k, "theme") && v != theme {
				t.Errorf("%q is %v, not %q", k, v, theme)
			}
		}
	})
}
