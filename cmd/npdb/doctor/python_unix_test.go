//go:build unix

package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/pythons"
)

// script writes a shell script with a name.
func script(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// claims returns a script that pretends to be a Python.
func claims(implementation, version, minor, executable string) string {
	return "printf 'npdb\\n%s\\n%s\\n%s\\n%s' '" + strings.Join([]string{implementation, version, minor, executable}, "' '") + "'"
}

// TestAskedAlone checks that asking an interpreter runs no file of the current folder.
func TestAskedAlone(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"sys", "os", "json", "platform", "stat"} {
		if err := os.WriteFile(filepath.Join(dir, name+".py"), []byte("raise SystemExit(7)\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, p := range pythons.All(t) {
		if is := ask(t.Context(), p.Path, answering); is.failed != nil || !is.supported() || is.minor != p.Minor {
			t.Errorf("%s: %+v", p, is)
		}
	}
}

func TestPython(t *testing.T) {
	t.Setenv("VIRTUAL_ENV", "")
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Setenv("PATH", filepath.Dir(script(t, t.TempDir(), "python", "exit 1")))
			g := &Given{Config: loaded(t, "python = '"+p.Path+"'\n")}
			facts := g.python(t.Context())
			documented(t, "python", facts)
			wants(t, fact(t, facts, "interpreter", ""), Right, p.Path+", named by ")
			wants(t, fact(t, facts, "version", ""), Right, "CPython "+p.String()+".")
			wants(t, fact(t, facts, "tracer", ""), Right, "stepped through")
		})
	}
}

// TestNoPython checks that a file that is not Python, an old Python and another
// implementation are reported and make npdb doctor fail.
func TestNoPython(t *testing.T) {
	t.Setenv("VIRTUAL_ENV", "")
	for _, tt := range []struct{ name, text, version string }{
		{"silent", "exit 0", "it is not a Python"},
		{"failing", "echo no such option >&2; exit 3", "it does not behave like a Python"},
		{"old", claims("cpython", "3.8.1", "3 8", "/old"), "CPython 3.8.1: npdb needs CPython 3.9"},
		{"two", claims("cpython", "2.7.18", "2 7", "/two"), "CPython 2.7.18: npdb needs"},
		{"other", claims("pypy", "3.10.1", "3 10", "/pypy"), "pypy 3.10.1: npdb needs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := script(t, dir, tt.name, tt.text)
			t.Setenv("PATH", "/bin") // for the commands in the scripts
			facts := (&Given{Config: loaded(t, "python = '"+path+"'\n")}).python(t.Context())
			documented(t, "python", facts)
			wants(t, fact(t, facts, "version", ""), Wrong, tt.version)
			tracer := fact(t, facts, "tracer", "")
			wants(t, tracer, Wrong, "cannot trace")
			if !tracer.Fails || !strings.Contains(tracer.Do, "--python") {
				t.Errorf("%+v", tracer)
			}
		})
	}
	t.Setenv("PATH", t.TempDir())
	facts := (&Given{}).python(t.Context())
	f := fact(t, facts, "interpreter", "")
	wants(t, f, Wrong, "no Python found")
	if !f.Fails || len(facts) != 1 {
		t.Errorf("%+v", facts)
	}
}

// TestPythonHangs checks that a Python that does not answer is killed after its time limit.
func TestPythonHangs(t *testing.T) {
	path := script(t, t.TempDir(), "python3", "exec sleep 1000")
	over, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	facts := (&Given{}).used(over, path, "so")
	wants(t, fact(t, facts, "version", ""), Wrong, "did not answer")
	wants(t, fact(t, facts, "tracer", ""), Wrong, "in time")
}

// TestPythonSaysWhy checks that if Python fails, the last line of its output is reported.
func TestPythonSaysWhy(t *testing.T) {
	path := script(t, t.TempDir(), "python3", "printf 'Traceback:\\n  of many lines\\nwhat it comes to\\n\\n' >&2; exit 1")
	f := tracer(t.Context(), path)
	if wants(t, f, Wrong, "what it comes to"); strings.Contains(f.Text, "Traceback") || strings.Contains(f.Text, "\n") || strings.Count(f.Text, "comes to") != 1 {
		t.Errorf("%q", f.Text)
	}
	if got := lastLine("one\ntwo\n\n"); got != "two" {
		t.Errorf("%q", got)
	}
}

// TestNoRoomForTheTrial checks that an unwritable temporary folder is reported as such,
// and not as a fault of Python.
func TestNoRoomForTheTrial(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	f := tracer(t.Context(), pythons.Any(t))
	if wants(t, f, Wrong, "no folder for a trial"); !f.Fails || !strings.Contains(f.Do, "TMPDIR") {
		t.Errorf("%+v", f)
	}
}

// TestNewPython checks that a Python newer than the tested ones is a note and no failure.
func TestNewPython(t *testing.T) {
	t.Setenv("PATH", "/bin")
	for _, tt := range []struct{ version, minor, text string }{
		{"3.99.0", "3 99", "tested up to 3.14, itself /new"},
		{"4.0.1", "4 0", "tested up to 3.14, itself /new"},
		{"3.15.0", "3 15", "tested up to 3.14, and with 3.15.0rc1 only in WebAssembly"},
	} {
		path := script(t, t.TempDir(), "python3", claims("cpython", tt.version, tt.minor, "/new"))
		f := fact(t, (&Given{}).used(t.Context(), path, "so"), "version", "")
		if wants(t, f, Note, tt.text); f.Fails || !strings.Contains(f.Do, "--python") {
			t.Errorf("%+v", f)
		}
	}
}

// TestWhichPython checks the reason for the chosen interpreter, and the list of the
// others, without those in the current folder.
func TestWhichPython(t *testing.T) {
	first, second, here := t.TempDir(), t.TempDir(), t.TempDir()
	t.Chdir(here)
	self := script(t, first, "real", claims("cpython", "3.12.1", "3 12", filepath.Join(first, "real")))
	for _, name := range []string{"python3", "python"} { // both names lead to the same file
		if err := os.Symlink(self, filepath.Join(first, name)); err != nil {
			t.Fatal(err)
		}
	}
	script(t, second, "python3.9", claims("cpython", "3.9.1", "3 9", filepath.Join(second, "python3.9")))
	script(t, second, "python3.13t", claims("cpython", "3.13.1", "3 13", filepath.Join(second, "python3.13t")))
	script(t, second, "python3", "exit 1") // a pyenv shim without a Python
	script(t, here, "python3.11", claims("cpython", "3.11.1", "3 11", filepath.Join(here, "python3.11")))
	t.Setenv("PATH", strings.Join([]string{first, second, ".", "/bin"}, ":"))
	t.Setenv("VIRTUAL_ENV", here)

	facts := (&Given{}).python(t.Context())
	f := fact(t, facts, "interpreter", "")
	wants(t, f, Note, filepath.Join(first, "python3")+", the first python3 on the PATH, for VIRTUAL_ENV has no bin/python")
	if f.Do == "" {
		t.Error("what to do is not said")
	}
	var others []string
	for _, f := range facts {
		if f.Name == "other" && strings.HasPrefix(f.Text, second) || strings.HasPrefix(f.Text, here) {
			others = append(others, strings.TrimPrefix(f.Text, second+"/"))
		}
	}
	if got := strings.Join(others, "; "); got != "python3.13t, CPython 3.13.1; python3.9, CPython 3.9.1" {
		t.Errorf("others are %s", got)
	}

	if err := os.Mkdir(filepath.Join(here, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	script(t, filepath.Join(here, "bin"), "python", "exit 1")
	wants(t, fact(t, (&Given{}).python(t.Context()), "interpreter", ""), Right, "VIRTUAL_ENV")
	t.Setenv("VIRTUAL_ENV", "")
	wants(t, fact(t, (&Given{}).python(t.Context()), "interpreter", ""), Right, "the first python3 on the PATH")
}

// TestShim checks that the chosen interpreter is run before the others in the PATH, which may be slow
// shims like those of pyenv. The shim in this test fails if another one is running.
func TestShim(t *testing.T) {
	dir := t.TempDir()
	shim := script(t, dir, "python3", "cd '"+dir+"/running' && : > $$ && sleep 0.3\nset -- \"$(echo *)\" \"$@\"\nrm $$\n[ \"$1\" = $$ ] || exit 1\nshift\nexec '"+pythons.Any(t)+"' \"$@\"")
	if err := os.Mkdir(filepath.Join(dir, "running"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"python", "python3.11", "python3.12"} {
		if err := os.Symlink(shim, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	facts := (&Given{}).python(t.Context())
	wants(t, fact(t, facts, "interpreter", ""), Right, shim+", the first python3 on the PATH")
	wants(t, fact(t, facts, "version", ""), Right, "CPython 3.")
	wants(t, fact(t, facts, "tracer", ""), Right, "stepped through")
}
