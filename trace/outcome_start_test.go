//go:build unix

package trace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeStartErrors checks that a program that cannot be started is reported with the
// reason, and leaves nothing behind.
func TestOutcomeStartErrors(t *testing.T) {
	type attempt struct {
		name      string
		options   func(t *testing.T) trace.Options
		kind      trace.StartKind
		words     []string // of the message
		traceback string   // part of it
	}
	script := func(name, source string) func(t *testing.T) trace.Options {
		return func(t *testing.T) trace.Options {
			return trace.Options{Script: writeIn(t, t.TempDir(), name, source)}
		}
	}
	entry := func(call, source string) func(t *testing.T) trace.Options {
		return func(t *testing.T) trace.Options {
			return trace.Options{Script: writeIn(t, t.TempDir(), "prog.py", source), Entry: call}
		}
	}
	for _, a := range []attempt{
		{"syntax error", script("bad.py", "x = 1\nif x\n    y = 2\n"), trace.SyntaxError, []string{"bad.py", "line 2"}, "SyntaxError"},
		{"indentation", script("bad.py", "if 1:\nx = 1\n"), trace.SyntaxError, []string{"bad.py", "line 2"}, "IndentationError"},
		{"not UTF-8", script("bad.py", "x = '\xe9'\n"), trace.SyntaxError, []string{"bad.py"}, "SyntaxError"},
		{"a NUL", script("bad.py", "x = 1\x00\n"), trace.SyntaxError, []string{"bad.py", "null byte"}, ""},
		{"unknown coding", script("bad.py", "# coding: klingon\nx = 1\n"), trace.SyntaxError, []string{"bad.py", "klingon"}, "SyntaxError"},
		{"missing file", func(t *testing.T) trace.Options {
			return trace.Options{Script: filepath.Join(t.TempDir(), "an\nabsent.py")}
		}, trace.NoProgram, []string{`an\x0aabsent.py`, "No such file"}, ""},
		{"directory", func(t *testing.T) trace.Options {
			return trace.Options{Script: t.TempDir()}
		}, trace.IsDirectory, []string{"is a directory"}, ""},
		{"a pipe", func(t *testing.T) trace.Options {
			path := filepath.Join(t.TempDir(), "a\nb.py")
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
			return trace.Options{Script: filepath.Base(path), Dir: filepath.Dir(path)}
		}, trace.NoProgram, []string{"cannot debug this program", `a\nb.py" is a named pipe`}, ""},
		{"a device", func(*testing.T) trace.Options {
			return trace.Options{Script: "/dev/zero"}
		}, trace.NoProgram, []string{`: "/dev/zero" is a device`}, ""},
		{"too large", func(t *testing.T) trace.Options {
			path := writeIn(t, t.TempDir(), "large.py", "")
			if err := os.Truncate(path, 64<<20+1); err != nil {
				t.Fatal(err)
			}
			return trace.Options{Script: path}
		}, trace.NoProgram, []string{"large.py", "is larger than 64 MiB"}, ""},
		{"missing module", func(t *testing.T) trace.Options {
			return trace.Options{Module: "absent_module", Dir: t.TempDir()}
		}, trace.NoProgram, []string{"absent_module"}, ""},
		{"package without __main__", func(t *testing.T) trace.Options {
			dir := t.TempDir()
			writeIn(t, dir, "pkg/__init__.py", "")
			return trace.Options{Module: "pkg", Dir: dir}
		}, trace.NoProgram, []string{"pkg", "__main__"}, ""},
		{"syntax error in -c", func(t *testing.T) trace.Options {
			return trace.Options{Code: "x = ("}
		}, trace.SyntaxError, []string{"<string>", "line 1"}, "SyntaxError"},
		{"syntax error in -m", func(t *testing.T) trace.Options {
			dir := t.TempDir()
			writeIn(t, dir, "mod.py", "def\n")
			return trace.Options{Module: "mod", Dir: dir}
		}, trace.SyntaxError, []string{"mod"}, "SyntaxError"},
		{"entry is no Python", entry("f(", "def f(): pass\n"), trace.EntryInvalid, []string{"f("}, ""},
		{"entry is no call", entry("f", "def f(): pass\n"), trace.EntryInvalid, []string{"call"}, ""},
		{"entry is unknown", entry("g(1)", "def f(): pass\n"), trace.EntryInvalid, []string{"g(1)", "NameError"}, ""},
		{"entry's argument raises", entry("f(1 / 0)", "def f(x): pass\n"), trace.EntryInvalid, []string{"ZeroDivisionError"}, ""},
		{"entry's module raises", entry("f()", "def f(): pass\n{}['k']\n"), trace.StartFailed, []string{"raised while it was loaded"}, "KeyError: 'k'"},
		{"entry's module exits", entry("f()", "def f(): pass\nraise SystemExit(3)\n"), trace.StartFailed, []string{"raised while it was loaded"}, "SystemExit: 3"},
	} {
		t.Run(a.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				o := a.options(t)
				o.Python = python.Path
				wantStartError(t, o, a.kind, a.words, a.traceback)
			})
		})
	}
}

func wantStartError(t *testing.T, o trace.Options, kind trace.StartKind, words []string, traceback string) {
	t.Helper()
	rec, _, err := trace.Start(t.Context(), o)
	if err == nil {
		_ = rec.Close()
		t.Fatalf("it started, want %s", kind)
	}
	var failed *trace.StartError
	if !errors.As(err, &failed) {
		t.Fatalf("error %v of type %T, want a StartError", err, err)
	}
	if failed.Kind != kind {
		t.Errorf("kind %s, want %s: %s", failed.Kind, kind, failed.Message)
	}
	for _, word := range words {
		if !strings.Contains(failed.Message, word) {
			t.Errorf("message %q lacks %q", failed.Message, word)
		}
	}
	if !strings.Contains(failed.Traceback, traceback) {
		t.Errorf("Python's own words are %q, want %q among them", failed.Traceback, traceback)
	}
	if strings.Contains(failed.Traceback, "_npdb") || strings.Contains(failed.Traceback, "<npdb") {
		t.Errorf("Python's own words name npdb's code: %s", failed.Traceback)
	}
}

// fakePython returns a script in place of an interpreter.
func fakePython(t *testing.T, dir, name, body string) string {
	t.Helper()
	path := writeIn(t, dir, name, "#!/bin/sh\n"+body+"\n")
	if err := os.Chmod(path, 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOutcomeWrongPython checks that an unsuitable or too old interpreter is named with
// its version. The old ones are scripts that respond like them: the tracer's first lines
// run on them and report the version.
func TestOutcomeWrongPython(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		kind       trace.StartKind
		words      []string
	}{
		{"3.8", `case "$1" in -V) echo "Python 3.8.20";; *) printf O >&4;; esac`, trace.OldPython, []string{"3.8.20", "3.9", "--python"}},
		{"2.7", `case "$1" in -V) echo "Python 2.7.18" >&2;; *) printf O >&4;; esac`, trace.OldPython, []string{"2.7.18", "3.9", "--python"}},
		{"2.7, which cannot run these lines", `case "$1" in -V) echo "Python 2.7.18" >&2;; *) exit 1;; esac`, trace.OldPython, []string{"is Python 2.7.18; ", "3.9", "--python"}},
		{"another implementation", `printf 'KH\022\000\000\000\006\000\000\0003.10.0\004\000\000\000pypy' >&4; cat >/dev/null <&5`, trace.OldPython, []string{"pypy", "not CPython", "--python"}},
		{"no Python at all", "exit 3", trace.StartFailed, []string{"3.9"}},
		{"cannot start", `echo 'Fatal Python error: no encodings' >&2; echo '  <no Python frame>' >&2; exit 1`, trace.StartFailed, []string{"program: Fatal Python error: no encodings; npdb needs"}},
		{"says no version", `case "$1" in -V) ;; *) exit 3;; esac`, trace.StartFailed, []string{"/python3 ended before"}},
		{"goes away in between", `printf K >&4; exit 0`, trace.StartFailed, []string{"ended before it could start"}},
		{"does not listen", `exec 5<&-; printf K >&4; exit 0`, trace.StartFailed, []string{"ended before it could start"}},
		{"is cut in its first words", `printf 'C\001' >&4; exit 0`, trace.StartFailed, []string{"ended before it could start"}},
		{"does not listen to the tracer", `exec 5<&-; printf Cxxxx >&4; exit 0`, trace.StartFailed, []string{"ended before it could start"}},
		{"refuses at once", `printf 'KX\026\000\000\000\012\000\000\000no_program\004\000\000\000none' >&4; cat >/dev/null <&5`, trace.NoProgram, []string{"none"}},
		{"closes its channels", `exec 4>&- 5<&- 6<&-; exit 0`, trace.StartFailed, []string{"3.9"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			wantStartError(t, trace.Options{
				Python: fakePython(t, dir, "python3", c.body), Script: writeIn(t, dir, "prog.py", "x = 1\n"),
			}, c.kind, c.words, "")
		})
	}
}

// withCache runs a program with an initially empty cache folder for the tracer's code. The
// returned function runs it and returns the one file in the cache.
func withCache(t *testing.T) (run func() string) {
	t.Helper()
	python := pythons.All(t)[0]
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", dir)
	return func() string {
		t.Helper()
		d := debug(t, python, "print(1)\n")
		d.finish()
		d.wantPrinted("1\n")
		kept, err := filepath.Glob(filepath.Join(dir, "npdb", "tracer-*"))
		if err != nil || len(kept) != 1 {
			t.Fatalf("kept are %q, %v", kept, err)
		}
		return kept[0]
	}
}

// TestOutcomeFirstRun checks that the first program of an interpreter receives the
// tracer's code, and leaves it compiled for the next one, if there is a cache folder.
func TestOutcomeFirstRun(t *testing.T) {
	runs := withCache(t)
	runs()
	runs()
}

// TestOutcomePlantedCode checks that compiled code that other users may have written is
// not run, but compiled again.
func TestOutcomePlantedCode(t *testing.T) {
	runs := withCache(t)
	kept := runs()
	// A marshalled empty dict: the loader would find no module in it.
	if err := os.WriteFile(kept, []byte("{0"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(kept, 0o620); err != nil {
		t.Fatal(err)
	}
	runs()
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o600 || info.Size() < 1000 {
		t.Errorf("kept is %v, %v", info, err)
	}
}

// TestOutcomeNoPython checks the errors for a missing Python: a named one, in a virtual
// environment, or on the PATH. The cases change the environment, so no other test runs
// meanwhile.
func TestOutcomeNoPython(t *testing.T) {
	script := scriptOf(t, "x = 1\n")
	wantStartError(t, trace.Options{Python: filepath.Join(t.TempDir(), "python"), Script: script},
		trace.NoPython, []string{"no Python at", "--python"}, "")
	t.Setenv("PATH", t.TempDir())
	wantStartError(t, trace.Options{Script: script, Env: []string{"HOME=" + t.TempDir()}},
		trace.NoPython, []string{"PATH", "3.9", "--python"}, "")
}

// TestOutcomeWhichPython checks the order: the named interpreter, that of an active
// virtual environment, python3 and then python from the PATH.
func TestOutcomeWhichPython(t *testing.T) {
	dir := t.TempDir()
	path, venv, named := filepath.Join(dir, "path"), filepath.Join(dir, "venv"), filepath.Join(dir, "named")
	onPath := fakePython(t, path, "python", "exit 1")
	inVenv := fakePython(t, venv, "bin/python", "exit 1")
	byName := fakePython(t, named, "mine", "exit 1")
	t.Setenv("PATH", path)
	for _, c := range []struct {
		named string
		env   []string
		want  string
	}{
		{byName, []string{"VIRTUAL_ENV=" + venv}, byName},
		{"", []string{"VIRTUAL_ENV=" + venv}, inVenv},
		{"", []string{"VIRTUAL_ENV=" + filepath.Join(dir, "gone")}, onPath},
		{"", nil, onPath},
		{"python", nil, onPath},
	} {
		if got, err := trace.FindPython(c.named, c.env); err != nil || got != c.want {
			t.Errorf("FindPython(%q, %q) = %q, %v, want %q", c.named, c.env, got, err, c.want)
		}
	}
	first := fakePython(t, path, "python3", "exit 1")
	if got, err := trace.FindPython("", nil); err != nil || got != first {
		t.Errorf("python3 comes before python: %q, %v", got, err)
	}
}

// TestOutcomeStartCancelled checks that a cancelled start returns an error and leaves no
// process.
func TestOutcomeStartCancelled(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		rec, _, err := trace.Start(ctx, trace.Options{Python: python.Path, Script: scriptOf(t, "x = 1\n")})
		if err == nil {
			_ = rec.Close()
			t.Skip("it had started before the context's end was seen")
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
	})
}

// TestOutcomeStartCancelledWhileLoading checks the same while the module of --entry is
// still loading.
func TestOutcomeStartCancelledWhileLoading(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		sign := newFifo(t)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		failed := make(chan error, 1)
		o := trace.Options{
			Python: python.Path, Entry: "f()", Args: []string{sign.path},
			Script: scriptOf(t, signHere+"def f(): pass\nimport time\nsign(); time.sleep(1000)\n"),
		}
		go func() {
			_, _, err := trace.Start(ctx, o)
			failed <- err
		}()
		sign.wait()
		cancel()
		sign.released()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
	})
}

// TestOutcomeNotRun checks the reasons for an existing file that the system cannot run.
func TestOutcomeNotRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := writeIn(t, dir, "prog.py", "x = 1\n")
	file := func(name, text string) string {
		path := writeIn(t, dir, name, text)
		if err := os.Chmod(path, 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	gone := filepath.Join(dir, "gone")
	broken := file("broken", "#!"+gone+" -E\n")
	none := file("none", "\x7fno program\n")
	good := fakePython(t, dir, "good", "exit 3")
	wordy := fakePython(t, dir, "wordy", "echo Could not find platform libraries >&2; echo 'MemoryError: no room' >&2; exit 1")
	notRunnable := writeIn(t, dir, "plain", "#!/bin/sh\n")
	for _, c := range []struct {
		name    string
		options trace.Options
		kind    trace.StartKind
		words   []string
	}{
		{"broken first line", trace.Options{Python: broken}, trace.StartFailed, []string{"cannot run " + broken, gone, "--python"}},
		{"no program", trace.Options{Python: none}, trace.StartFailed, []string{"cannot run " + none, "neither a program", "--python"}},
		{"directory gone", trace.Options{Python: good, Dir: gone}, trace.StartFailed, []string{"working directory " + gone, "no such file"}},
		{"wrapper gone", trace.Options{Python: good, Wrap: []string{gone}}, trace.StartFailed, []string{good + " by " + gone, "no such file"}},
		{"says why", trace.Options{Python: wordy}, trace.StartFailed, []string{wordy, "MemoryError: no room"}},
		{"not to be run", trace.Options{Python: notRunnable}, trace.NoPython, []string{"that can be run", "permission denied", "--python"}},
		{"a directory", trace.Options{Python: dir}, trace.NoPython, []string{"that can be run", "is a directory", "--python"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.options.Script = script
			wantStartError(t, c.options, c.kind, c.words, "")
		})
	}
}

// TestOutcomeSilentPython checks that an interpreter that never responds is ended, also
// one whose child has left its group and keeps the pipes open.
func TestOutcomeSilentPython(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"waits":                 "exec sleep 1000",
		"closed its channels":   "exec 4>&- 5<&- 6<&-; exec sleep 1000",
		"has a child elsewhere": `setsid sh -c 'read -r x <"$HELD"' & exec sleep 1000`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			held := newFifo(t) // the child ends with the test
			wantStartError(t, trace.Options{
				Python: fakePython(t, dir, "python3", body), Script: writeIn(t, dir, "prog.py", "x = 1\n"),
				Env: append(os.Environ(), "HELD="+held.path), Limits: trace.Limits{StartTime: 300 * time.Millisecond},
			}, trace.StartFailed, []string{"did not answer within 300ms", "npdb needs"}, "")
		})
	}
}

// TestOutcomePythonInCurrentFolder checks that a python3 that only exists in the current
// folder is reported, not run. The test sets PATH and the folder, so no other test runs
// meanwhile.
func TestOutcomePythonInCurrentFolder(t *testing.T) {
	dir := t.TempDir()
	there := fakePython(t, dir, "python3", "exit 1")
	t.Chdir(dir)
	t.Setenv("PATH", "."+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, named := range []string{"", "python3"} {
		wantStartError(t, trace.Options{Python: named, Code: "x = 1", Env: []string{"HOME=" + dir}}, trace.NoPython, []string{"./python3", "--python ./python3"}, "")
	}
	got, err := trace.FindPython("./python3", nil)
	if want, _ := filepath.Abs("python3"); err != nil || got != want || filepath.Base(got) != filepath.Base(there) {
		t.Errorf("named with its folder: %q, %v", got, err)
	}
}
