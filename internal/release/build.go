package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// programs compiles npdb for each target, and for this machine, whose npdb writes the manual.
func (r *release) programs() error {
	done := map[string]bool{}
	for _, t := range append(slices.Clone(targets), host()) {
		if done[t.String()] {
			continue
		}
		done[t.String()] = true
		// The settings that change the code are fixed. The commit is left out, so that a build outside a
		// clone has the same bytes.
		variables := []string{
			"CGO_ENABLED=0", "GOOS=" + t.system, "GOARCH=" + t.machine, "GOAMD64=v1", "GOARM64=v8.0",
			"GOFLAGS=", "GOEXPERIMENT=", "GOWORK=off",
		}
		fmt.Fprintln(os.Stderr, t)
		err := r.run(variables, "go", "build", "-trimpath", "-buildvcs=false",
			"-ldflags", "-s -w -X github.com/npdb/npdb/cmd/npdb/cli.release="+r.version.Tag, "-o", r.programPath(t), "./cmd/npdb")
		if err != nil {
			return err
		}
	}
	return nil
}

// programPath returns the path of npdb for a target.
func (r *release) programPath(t target) string {
	return filepath.Join(r.work, "programs", t.String(), t.program())
}

// program returns the bytes of npdb for a target.
func (r *release) program(t target) ([]byte, error) { return os.ReadFile(r.programPath(t)) }

// documents runs npdb to make its manual pages and its completion scripts.
func (r *release) documents() error {
	folder := filepath.Join(r.work, "man")
	t := host()
	if t.system == "windows" {
		return fmt.Errorf("a release cannot be built on Windows: use Linux or macOS")
	}
	npdb := r.programPath(t)
	if err := r.run(nil, npdb, "config", "man", folder); err != nil {
		return err
	}
	names, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, name := range names {
		page, err := os.ReadFile(filepath.Join(folder, name.Name()))
		if err != nil {
			return err
		}
		r.pages = append(r.pages, file{name.Name(), page, plain})
	}
	for _, shell := range []struct{ name, file string }{
		{"bash", "npdb.bash"}, {"fish", "npdb.fish"}, {"powershell", "npdb.ps1"}, {"zsh", "_npdb"},
	} {
		script, err := r.output(nil, npdb, "config", "completion", shell.name)
		if err != nil {
			return err
		}
		r.scripts = append(r.scripts, file{shell.file, script, plain})
	}
	return nil
}
