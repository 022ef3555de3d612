package models

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace"
)

// PythonVersion returns the version of Python whose behaviour the model should predict, or
// the zero Version if unknown. It runs no interpreter.
func PythonVersion(c config.Config) python.Version {
	if v, err := python.ParseVersion(c.PythonVersion); err == nil {
		return v
	}
	path, err := trace.FindPython(c.Python, os.Environ())
	if err != nil {
		return python.Version{}
	}
	return versionOf(path)
}

// inPath matches a path element that contains a version: python3.11, 3.11.7, cpython-3.9.18-linux.
var inPath = regexp.MustCompile(`^(?:(?:cpython-|python-?)(3\.\d{1,2})(?:\.\d+)?(?:$|-[a-z])|(3\.\d{1,2})(?:\.\d+)?$)`)

// mostLinks limits how many symbolic links of an interpreter's path are followed.
const mostLinks = 16

// ofShim returns the version that pyenv would run: from PYENV_VERSION, the nearest
// .python-version, or the file version in pyenv's folder root.
func ofShim(root string) python.Version {
	texts := []string{os.Getenv("PYENV_VERSION")}
	read := func(path string) {
		text, _ := plainfile.Read(path, 64<<10) // a missing file reads as empty
		texts = append(texts, string(text))
	}
	if dir, err := os.Getwd(); err == nil {
		for ; ; dir = filepath.Dir(dir) {
			read(filepath.Join(dir, ".python-version"))
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	read(filepath.Join(root, "version"))
	for _, text := range texts {
		if fields := strings.Fields(text); len(fields) > 0 {
			v, _ := python.ParseVersion(fields[0])
			return v
		}
	}
	return python.Version{}
}

// versionOf returns an interpreter's version without running it. It reads the pyvenv.cfg of its
// environment, then pyenv's settings and the elements of its path, following symbolic links. It returns
// the zero Version if none of them contains a version.
func versionOf(interpreter string) python.Version {
	if interpreter == "" {
		return python.Version{}
	}
	if text, err := plainfile.Read(filepath.Join(filepath.Dir(filepath.Dir(interpreter)), "pyvenv.cfg"), 64<<10); err == nil {
		for line := range strings.Lines(string(text)) {
			key, value, _ := strings.Cut(line, "=")
			if key = strings.TrimSpace(key); key == "version" || key == "version_info" {
				if v, err := python.ParseVersion(value); err == nil {
					return v
				}
			}
		}
	}
	if filepath.Base(filepath.Dir(interpreter)) == "shims" {
		return ofShim(filepath.Dir(filepath.Dir(interpreter)))
	}
	path := interpreter
	for range mostLinks {
		for element := path; element != "" && element != "." && element != string(filepath.Separator); element = filepath.Dir(element) {
			if m := inPath.FindStringSubmatch(filepath.Base(element)); m != nil {
				v, _ := python.ParseVersion(m[1] + m[2])
				return v
			}
		}
		target, err := os.Readlink(path)
		if err != nil {
			return python.Version{}
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return python.Version{}
}
