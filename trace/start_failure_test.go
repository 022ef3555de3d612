//go:build unix

package trace

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestRemedies checks the advice for errors of the system when a Python cannot be started.
func TestRemedies(t *testing.T) {
	var files, size unix.Rlimit
	if err := errors.Join(unix.Getrlimit(unix.RLIMIT_NOFILE, &files), unix.Getrlimit(unix.RLIMIT_FSIZE, &size)); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", "/some/tmp")
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	script := file("script", "#!  /nowhere/python3 -E\nx = 1\n")
	const needs = "It is there, but what it needs to run is not: name another with --python"
	const script0 = "Its first line says that /nowhere/python3 runs it, which is not there: mend that line, or name another with --python"
	const forbidden = "It, or what its first line names, may not be run by you or from where it lies: name another with --python"
	for _, c := range []struct {
		path string
		err  error
		want string
	}{
		{script, unix.EMFILE, fmt.Sprintf("npdb may have no more than %d files open at a time: raise that limit (ulimit -n)", files.Cur)},
		{script, unix.ENFILE, "All the system's programs together have too many files open: end some of them"},
		{script, unix.EFBIG, fmt.Sprintf("A file may have no more than %d KiB here, and that memory counts as one: raise the limit (ulimit -f)", size.Cur>>10)},
		{script, unix.EAGAIN, "No more processes may be started: end some, or raise the limit (ulimit -u)"},
		{script, unix.ENOMEM, "There is not enough memory: end some programs, or raise the limit (ulimit -v)"},
		{script, unix.ENOSPC, "Make room in /some/tmp, or name another folder with TMPDIR"},
		{script, unix.E2BIG, "Its arguments and environment together are too large: shorten them"},
		{script, unix.ETXTBSY, "It is being written: try again when that is over"},
		{script, unix.ENOEXEC, "It is neither a program for this machine nor a script that begins with #!: name another with --python"},
		{script, unix.EACCES, forbidden},
		{script, &os.PathError{Op: "fork/exec", Path: script, Err: unix.EPERM}, forbidden},
		{script, unix.ENOENT, script0},
		{script, unix.ENOTDIR, script0},
		{file("program", "\x7fELF"), unix.ENOENT, needs},
		{file("no path", "#!python3\n"), unix.ENOENT, needs},
		{file("no words", "#!\n"), unix.ENOENT, needs},
		{file("second line", "\n#!/bin/sh\n"), unix.ENOENT, needs},
		{dir, unix.ENOENT, needs},
		{filepath.Join(dir, "gone"), unix.ENOENT, needs},
		{script, unix.EIO, ""},
		{script, errors.New("x"), ""},
	} {
		if got := remedy(c.path, c.err); got != c.want {
			t.Errorf("%s, %v: %q, want %q", filepath.Base(c.path), c.err, got, c.want)
		}
	}
}

// TestCannotRun checks that the message names the command, what should run it, and the
// reason of the failure.
func TestCannotRun(t *testing.T) {
	dir := t.TempDir()
	gone := filepath.Join(dir, "gone")
	for _, c := range []struct {
		cmd  *exec.Cmd
		err  error
		want string
	}{
		{&exec.Cmd{Path: "/p", Args: []string{"/p"}}, unix.EIO, "cannot run /p: input/output error"},
		{&exec.Cmd{Path: "/bin/wrap", Args: []string{"wrap", "/p"}}, unix.EIO, "cannot run /p by wrap: input/output error"},
		{&exec.Cmd{Path: "/p", Dir: gone}, unix.ENOENT, "cannot run /p: its working directory " + gone + " cannot be entered: no such file or directory"},
		{&exec.Cmd{Path: "/p", Dir: gone}, unix.ENOTDIR, "cannot run /p: its working directory " + gone + " cannot be entered: no such file or directory"},
		{&exec.Cmd{Path: "/p", Dir: gone}, unix.EAGAIN, "cannot run /p: resource temporarily unavailable. No more processes may be started: end some, or raise the limit (ulimit -u)"},
		{
			&exec.Cmd{Path: "/p", Dir: dir}, &os.PathError{Op: "fork/exec", Path: "/p", Err: unix.ENOENT},
			"cannot run /p: no such file or directory. It is there, but what it needs to run is not: name another with --python",
		},
		{&exec.Cmd{Path: "/p"}, &os.PathError{Op: "open", Path: "/x", Err: unix.EIO}, "cannot run /p: open /x: input/output error"},
	} {
		err := cannotRun(c.cmd, "/p", c.err)
		if err.Error() != c.want || err.Kind != StartFailed || err.Unwrap() == nil {
			t.Errorf("%v in %q: %q, kind %s, want %q", c.err, c.cmd.Dir, err, err.Kind, c.want)
		}
	}
}
