package examples

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed *.py
var sources embed.FS

// Example describes one of the programs.
type Example struct {
	Name  string // name of the file, such as "bank.py"
	About string // first line of the program's docstring
}

// All returns all example programs, sorted by name.
func All() []Example {
	names, err := fs.Glob(sources, "*.py")
	if err != nil {
		panic(err) // the pattern is valid
	}
	all := make([]Example, len(names))
	for i, name := range names {
		text, err := sources.ReadFile(name)
		if err != nil {
			panic(err) // the file is part of the binary
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(string(text), `"""`), "\n")
		all[i] = Example{name, first}
	}
	return all
}

// Write writes an example program into a folder, which it creates if necessary, and returns the
// path of the file. It does not overwrite an existing file, because the user may have edited
// it.
func Write(dir, name string) (string, error) {
	text, err := sources.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("there is no example %s", name)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("the example cannot be written: %w", err)
	}
	path := filepath.Join(dir, name)
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		return path, nil
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return "", fmt.Errorf("the example cannot be written: %w", err)
	}
	return path, nil
}
