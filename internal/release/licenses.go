package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// thirdParty is the name of the file with the licenses of the modules in the program.
const thirdParty = "THIRD_PARTY_LICENSES"

var licenseName = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice)`)

// licenses collects the licenses of Go and of the modules in the program, for all systems.
func (r *release) licenses() error {
	folders := map[string]string{}
	for _, t := range targets {
		if err := r.modules(t, folders); err != nil {
			return err
		}
	}
	goroot, err := r.output(nil, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	folders["Go"] = strings.TrimSpace(string(goroot))
	names := make([]string, 0, len(folders))
	for name := range folders {
		names = append(names, name)
	}
	slices.Sort(names)
	var out bytes.Buffer
	for _, name := range names {
		if err := writeLicense(&out, name, folders[name]); err != nil {
			return err
		}
	}
	r.notices = out.Bytes()
	return nil
}

// modules adds the modules in npdb for a target, with the folders of their sources.
func (r *release) modules(t target, folders map[string]string) error {
	text, err := r.output([]string{"GOOS=" + t.system, "GOARCH=" + t.machine, "CGO_ENABLED=0"}, "go", "list", "-deps", "-json=Module", "./cmd/npdb")
	if err != nil {
		return err
	}
	for list := json.NewDecoder(bytes.NewReader(text)); ; {
		var p struct {
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		switch err := list.Decode(&p); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case p.Module != nil && !p.Module.Main:
			folders[p.Module.Path+" "+p.Module.Version] = p.Module.Dir
		}
	}
}

// writeLicense writes the license files of a module. It fails if there are none.
func writeLicense(out *bytes.Buffer, name, folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		if e.IsDir() || !licenseName.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		found = true
		fmt.Fprintf(out, "== %s: %s\n\n%s\n\n", name, e.Name(), strings.TrimSpace(string(text)))
	}
	if !found {
		return fmt.Errorf("%s has no license file in %s: find out whether npdb may contain it", name, folder)
	}
	return nil
}
