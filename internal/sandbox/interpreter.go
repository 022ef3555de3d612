package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// Interpreter is a Python interpreter and the paths of its parts.
type Interpreter struct {
	Executable string   // not a shim that selects a version
	Version    string   // sys.version
	Prefixes   []string // sys.prefix and similar ones; PEP 405
}

// FindInterpreter runs the Python at a path, in isolated mode, to find its parts. If ctx ends, its
// error is returned.
func FindInterpreter(ctx context.Context, path string) (*Interpreter, error) {
	const ask = "import json, os, sys; print(json.dumps({'Executable': sys.executable, 'Version': sys.version, 'Prefixes':" +
		" [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix, os.path.dirname(os.path.dirname(os.path.realpath(sys.executable)))]}))"
	said, err := exec.CommandContext(ctx, path, "-I", "-c", ask).Output()
	if ctx.Err() != nil {
		return nil, ctx.Err() // err would only report that the process was killed
	}
	if err != nil {
		return nil, fmt.Errorf("%s does not run: %w", path, err)
	}
	found := &Interpreter{}
	if err := json.Unmarshal(said, found); err != nil || !filepath.IsAbs(found.Executable) || len(found.Prefixes) == 0 {
		return nil, fmt.Errorf("%s does not say where it lies: it is no CPython that npdb knows", path)
	}
	return found, nil
}

// paths returns the files and directories that the interpreter needs, including the targets of
// links. From a prefix it returns only Python's parts, because the prefix may be a home directory.
func (p *Interpreter) paths() []string {
	paths := []string{p.Executable}
	for _, prefix := range p.Prefixes {
		real, err := filepath.EvalSymlinks(prefix)
		if err != nil {
			continue
		}
		for _, base := range []string{prefix, real} {
			for _, part := range []string{"bin", "lib", "lib64", "pyvenv.cfg"} {
				path := filepath.Join(base, part)
				if _, err := os.Stat(path); err == nil && filepath.IsAbs(path) {
					paths = append(paths, path)
				}
			}
		}
	}
	slices.Sort(paths) // parents before their children
	return slices.Compact(paths)
}

// Trial returns a program that checks whether it runs in this interpreter with the interpreter's
// own library. An interpreter that cannot see its prefix may use the library of another one.
func (p *Interpreter) Trial() string {
	return fmt.Sprintf("import json, sys\nif [sys.version, sys.prefix] != json.loads(%s):\n    sys.exit(1)\n",
		strconv.QuoteToASCII(asJSON([]string{p.Version, p.Prefixes[0]})))
}

func asJSON(v []string) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "" // strings can always be encoded
	}
	return string(text)
}
