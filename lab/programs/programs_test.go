package programs

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func write(t testing.TB, path, text string) string {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

// read returns all programs at a path.
func read(t testing.TB, path string) []Program {
	t.Helper()
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var all []Program
	for i := range l.Len() {
		p, err := l.Program(i)
		if err != nil {
			t.Fatal(err)
		}
		if l.Key(i) != Key(p.Source, p.Call()) {
			t.Errorf("%q has another key", p.Name)
		}
		all = append(all, p)
	}
	return all
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "all")
	script := write(t, filepath.Join(folder, "b.py"), "x = 1\n")
	write(t, filepath.Join(folder, "a", "z.py"), "y = 2")
	write(t, filepath.Join(folder, "notes.txt"), "none")
	lines := write(t, filepath.Join(dir, "lines"), `{"code": "def f(x):\n    return x", "input": "1, 'ü'", "output": "3", "id": "one"}

{"code": "x = 1", "name": "two"}
{"code": "x = 2"}
{"code": "def g(): pass", "input": "", "function": "g", "id": "one"}
{"code": "def h(x): pass", "entry": " h((1, 2)) "}`)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Log(err) // not every user of Windows may do this
		link = folder
	}
	marked := write(t, filepath.Join(dir, "marked.py"), "\ufeffx = 1\n")
	markedLines := write(t, filepath.Join(dir, "marked"), "\ufeff"+`{"code": "\ufeffx = 1"}`)
	for _, c := range []struct {
		path string
		want []Program
	}{
		{link, []Program{{Name: "a/z.py", Source: "y = 2"}, {Name: "b.py", Source: "x = 1\n"}}},
		{marked, []Program{{Name: "marked.py", Source: "x = 1\n"}}},
		{markedLines, []Program{{Name: "line 1", Source: "x = 1"}}},
		{script, []Program{{Name: "b.py", Source: "x = 1\n"}}},
		{folder, []Program{{Name: "a/z.py", Source: "y = 2"}, {Name: "b.py", Source: "x = 1\n"}}},
		{lines, []Program{
			{"one", "def f(x):\n    return x", "f", "1, 'ü'", "3"},
			{Name: "two", Source: "x = 1"},
			{Name: "line 4", Source: "x = 2"},
			{Name: "one (line 5)", Source: "def g(): pass", Function: "g"},
			{Name: "line 6", Source: "def h(x): pass", Function: "h", Input: "(1, 2)"},
		}},
	} {
		if got := read(t, c.path); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v", c.path, got)
		}
	}
	if call := read(t, lines)[0].Call(); call != "f(1, 'ü')" {
		t.Error(call)
	}
	if Key("x\n", "f()") != Key("x", "f()") || Key("x\ny", "") == Key("xy", "") {
		t.Error("line ends at the end count, or others do not")
	}
	if Key("ab", "c") == Key("a", "bc") || Key("a", "") == Key("a", "f()") {
		t.Error("keys of others are alike")
	}
}

// TestDigest checks that the digest of programs depends on their texts, calls, names and order, and
// on nothing else.
func TestDigest(t *testing.T) {
	dir := t.TempDir()
	const code = `{"code": "def f(x):\n    return x", "input": "1", "id": "one"}` + "\n" + `{"code": "x = 1", "id": "two"}`
	seen := map[string]string{}
	for name, text := range map[string]string{
		"as it is": code,
		"call":     strings.Replace(code, `"1"`, `"2"`, 1),
		"name":     strings.Replace(code, "one", "on", 1),
		"names":    strings.NewReplacer("one", "onet", "two", "wo").Replace(code),
		"the same": strings.Replace(code, "two", "one", 1),
		"text":     strings.Replace(code, "x = 1", "x = 2", 1),
		"order":    code[strings.Index(code, "\n")+1:] + "\n" + code[:strings.Index(code, "\n")],
	} {
		l, err := Open(write(t, filepath.Join(dir, name), text))
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		if other, again := seen[l.Digest()]; again || len(l.Digest()) != 64 {
			t.Errorf("%q has the digest %s of %q", name, l.Digest(), other)
		}
		seen[l.Digest()] = name
	}
	l, err := Open(write(t, filepath.Join(dir, "elsewhere"), strings.ReplaceAll(code, ", ", " , ")+"\n\n"))
	if err != nil || seen[l.Digest()] != "as it is" {
		t.Errorf("other spaces and a blank line change it: %v", err)
	}
	l.Close()
	for _, name := range []string{"a.py", "b.py"} { // a script's name counts as well
		l, err := Open(write(t, filepath.Join(dir, name), "x = 1"))
		if err != nil || seen[l.Digest()] != "" {
			t.Errorf("%s has the digest of %q, %v", name, seen[l.Digest()], err)
		}
		seen[l.Digest()] = name
	}
}

func TestOpenFails(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, says string }{
		{filepath.Join(dir, "none"), "no such file"},
		{empty, "has no .py files"},
		{write(t, filepath.Join(dir, "blank"), "\n \n"), "blank: it has no programs"},
		{write(t, filepath.Join(dir, "broken"), "{\"code\": \"x\"}\n{"), "broken: line 2: unexpected end"},
		{write(t, filepath.Join(dir, "other"), `{"text": "x"}`), "other: line 1: it has no code"},
		{write(t, filepath.Join(dir, "entry"), `{"code": "x", "entry": "f(1"}`), `its entry "f(1" is no call`},
		{"/dev/null", "is a device"},
	} {
		if l, err := Open(c.path); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v", c.path, l, err)
		}
	}
}

// TestChanged checks that a program that was changed since the list was opened is an error when it
// is read.
func TestChanged(t *testing.T) {
	dir := t.TempDir()
	script := write(t, filepath.Join(dir, "a.py"), "x = 1\n")
	lines := write(t, filepath.Join(dir, "lines"), `{"code": "x = 1"}`)
	for _, path := range []string{script, lines} {
		l, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, path, map[string]string{script: "x = 2\n", lines: `{"code": "x = 2"}`}[path])
		if _, err := l.Program(0); err == nil || !strings.Contains(err.Error(), "was changed while it was in use") {
			t.Errorf("%s: %v", path, err)
		}
		l.Close()
	}
}

// FuzzLines checks that a file is rejected, or contains programs that are unchanged when read
// again.
func FuzzLines(f *testing.F) {
	f.Add([]byte(`{"code": "def f(x):\n    return x", "input": "1", "output": "1", "id": "a"}` + "\n" + `{"code": "", "entry": "f()", "id": "a"}`))
	f.Add([]byte("\r\n{\"code\":\"\xff\\ud800\"}\n\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := write(t, filepath.Join(t.TempDir(), "lines"), string(raw))
		if l, err := Open(path); err == nil {
			l.Close()
			if len(read(t, path)) == 0 {
				t.Error("there are no programs and there is no error")
			}
		}
	})
}
