package trace

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/python/supported"
)

// FindPython returns the absolute path of the interpreter for a program: the named one, or
// that of an active virtual environment, or python3 or python from the PATH. It refuses an
// interpreter that PATH finds in the current folder, because npdb must not run files of a
// folder only because the user opened it.
func FindPython(named string, env []string) (string, error) {
	if named != "" {
		path, err := exec.LookPath(named)
		if errors.Is(err, exec.ErrDot) {
			return "", inCurrentFolder(named)
		}
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err != nil {
			why := ""
			var found *exec.Error
			if errors.As(err, &found) && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, exec.ErrNotFound) {
				why = " that can be run (" + found.Err.Error() + ")"
			}
			return "", &StartError{Kind: NoPython, Err: err, Message: "no Python" + why + " at " + named + ": check --python, or python in the configuration"}
		}
		return path, nil
	}
	if venv := lookup(env, "VIRTUAL_ENV"); venv != "" {
		path, err := filepath.Abs(filepath.Join(venv, "bin", "python"))
		if err == nil {
			_, err = os.Stat(path)
		}
		if err == nil {
			return path, nil
		}
	}
	for _, name := range []string{"python3", "python"} {
		path, err := exec.LookPath(name)
		if errors.Is(err, exec.ErrDot) {
			return "", inCurrentFolder(name)
		}
		if err == nil {
			return filepath.Abs(path)
		}
	}
	return "", &StartError{
		Kind:    NoPython,
		Message: "no Python found: neither python3 nor python is on the PATH. Install " + supported.Needed() + ", or name one with --python",
	}
}

func inCurrentFolder(name string) error {
	return &StartError{
		Kind: NoPython, Err: exec.ErrDot,
		Message: "the first " + name + " on the PATH is ./" + name + " in the current folder, which npdb does not run by itself: to use it, say --python ./" + name,
	}
}

// checkScript refuses a script path that would block or never end when read, such as a
// pipe. Python itself reports missing files and folders.
func (o Options) checkScript() error {
	if o.Script == "" {
		return nil
	}
	path := o.Script
	if !filepath.IsAbs(path) {
		path = filepath.Join(o.Dir, path)
	}
	err := plainfile.Check(path, plainfile.SourceLimit)
	var kind *plainfile.NotPlainError
	var large *plainfile.TooLargeError
	if errors.As(err, &kind) && kind.Is != "a folder" || errors.As(err, &large) {
		return &StartError{Kind: NoProgram, Err: err, Message: "cannot debug this program: " + err.Error()}
	}
	return nil
}

// lookup returns the value of a variable in a list of NAME=VALUE; the last definition wins.
func lookup(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(env[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// versionOf returns what an interpreter prints for -V, or why it does not run. It is used for
// an interpreter that failed before the tracer started.
func versionOf(ctx context.Context, python string) string {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, python, "-V")
	cmd.WaitDelay = time.Second // a child process may keep stdout open
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "it does not run: " + err.Error()
	}
	return strings.TrimSpace(string(out))
}
