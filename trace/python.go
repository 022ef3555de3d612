package trace

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// FindPython returns the interpreter a program is run with: the one that is
// named, or that of an active virtual environment, or python3 or python from
// the PATH.
func FindPython(named string, env []string) (string, error) {
	if named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", &StartError{Kind: NoPython, Message: "no Python at " + named + ": check --python, or python in the configuration"}
		}
		return path, nil
	}
	if venv := lookup(env, "VIRTUAL_ENV"); venv != "" {
		path := filepath.Join(venv, "bin", "python")
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil || errors.Is(err, exec.ErrDot) {
			return path, nil
		}
	}
	return "", &StartError{
		Kind:    NoPython,
		Message: "no Python found: neither python3 nor python is on the PATH. Install Python 3.9 or later, or name one with --python",
	}
}

// lookup finds a variable in an environment; the last one counts.
func lookup(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(env[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// versionOf asks an interpreter that did not get as far as the tracer.
func versionOf(ctx context.Context, python string) string {
	out, err := exec.CommandContext(ctx, python, "-V").CombinedOutput()
	if err != nil {
		return "it does not run: " + err.Error()
	}
	return strings.TrimSpace(string(out))
}
