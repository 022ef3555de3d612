package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// shim is the folder of the Python package.
const shim = "shim/npdb"

// unreleased is the line of pyproject.toml that a release replaces with the version of its tag.
const unreleased = `version = "0.0.0"`

// project holds the table [project] of pyproject.toml.
type project struct {
	Name, Version, Description, Readme string
	RequiresPython                     string `toml:"requires-python"`
	License                            struct{ Text string }
	Classifiers                        []string
	URLs                               map[string]string            `toml:"urls"`
	EntryPoints                        map[string]map[string]string `toml:"entry-points"`
}

// readProject reads pyproject.toml. An unknown key is an error, because the wheels' metadata would
// lack it.
func readProject(path string) (*project, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var parts struct {
		Project project
		Build   any `toml:"build-system"`
		Tool    any
	}
	err = toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&parts)
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		return nil, fmt.Errorf("%s has keys that a wheel would lack: add them to internal/release:\n%s", path, unknown.String())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if strings.Count(string(text), unreleased) != 1 || parts.Project.Name != "npdb" {
		return nil, fmt.Errorf("%s must have the name npdb and the line %s, which a release replaces", path, unreleased)
	}
	return &parts.Project, nil
}

// metadata returns the file METADATA of a wheel, which is PKG-INFO in an sdist.
func (p *project) metadata(v version, readme []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: %s\n", p.Name, v.python(), p.Description)
	fmt.Fprintf(&b, "License: %s\nRequires-Python: %s\n", p.License.Text, p.RequiresPython)
	for _, name := range slices.Sorted(maps.Keys(p.URLs)) {
		fmt.Fprintf(&b, "Project-URL: %s, %s\n", name, p.URLs[name])
	}
	for _, c := range p.Classifiers {
		fmt.Fprintf(&b, "Classifier: %s\n", c)
	}
	fmt.Fprintf(&b, "Description-Content-Type: text/markdown\nLicense-File: LICENSE\n\n%s", readme)
	return b.Bytes()
}

// entryPoints returns the file entry_points.txt of a wheel.
func (p *project) entryPoints() []byte {
	var b bytes.Buffer
	for _, group := range slices.Sorted(maps.Keys(p.EntryPoints)) {
		fmt.Fprintf(&b, "[%s]\n", group)
		for _, name := range slices.Sorted(maps.Keys(p.EntryPoints[group])) {
			fmt.Fprintf(&b, "%s = %s\n", name, p.EntryPoints[group][name])
		}
	}
	return b.Bytes()
}

// python writes the wheels and the sdist.
func (r *release) python() error {
	readme, err := os.ReadFile(r.path(shim, r.project.Readme))
	if err != nil {
		return err
	}
	modules, err := r.modulesBelow("npdb")
	if err != nil {
		return err
	}
	metadata := r.project.metadata(r.version, readme)
	for _, t := range targets {
		if err := r.wheel(t, metadata, modules); err != nil {
			return err
		}
	}
	return r.sdist(metadata, readme, modules)
}

// modulesBelow returns the modules in a folder of the Python package.
func (r *release) modulesBelow(folder string) ([]file, error) {
	paths, err := filepath.Glob(r.path(shim, folder, "*.py"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s has no modules", r.path(shim, folder))
	}
	var modules []file
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		modules = append(modules, file{folder + "/" + filepath.Base(path), text, plain})
	}
	return modules, nil
}

// wheel writes the wheel of a target: the Python package, and the program as a script.
func (r *release) wheel(t target, metadata []byte, modules []file) error {
	program, err := r.program(t)
	if err != nil {
		return err
	}
	name := "npdb-" + r.version.python()
	var about bytes.Buffer
	about.WriteString("Wheel-Version: 1.0\nGenerator: npdb release\nRoot-Is-Purelib: false\n")
	for _, tag := range t.wheel {
		fmt.Fprintf(&about, "Tag: py3-none-%s\n", tag)
	}
	files := append(slices.Clone(modules),
		file{name + ".data/scripts/" + t.program(), program, executable},
		file{name + ".dist-info/LICENSE", r.license, plain},
		file{name + ".dist-info/" + thirdParty, r.notices, plain},
		file{name + ".dist-info/METADATA", metadata, plain},
		file{name + ".dist-info/WHEEL", about.Bytes(), plain},
		file{name + ".dist-info/entry_points.txt", r.project.entryPoints(), plain},
	)
	return r.zip(t.wheelFile(r.version), append(files, file{name + ".dist-info/RECORD", record(files, name+".dist-info/RECORD"), plain}))
}

// record returns the file RECORD of a wheel: the hash and the size of each file except RECORD itself.
func record(files []file, itself string) []byte {
	var b bytes.Buffer
	for _, f := range files {
		hash := sha256.Sum256(f.data)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(hash[:]), len(f.data))
	}
	fmt.Fprintf(&b, "%s,,\n", itself)
	return b.Bytes()
}

// sdist writes the source distribution, which contains the Python package alone. pip takes it on
// systems without a wheel, and cannot build Go: there the program has to be installed separately.
func (r *release) sdist(metadata, readme []byte, modules []file) error {
	text, err := os.ReadFile(r.path(shim, "pyproject.toml"))
	if err != nil {
		return err
	}
	tests, err := r.modulesBelow("tests")
	if err != nil {
		return err
	}
	released := strings.Replace(string(text), unreleased, fmt.Sprintf("version = %q", r.version.python()), 1)
	files := slices.Concat([]file{
		{"PKG-INFO", metadata, plain},
		{"pyproject.toml", []byte(released), plain},
		{r.project.Readme, readme, plain},
		{"LICENSE", r.license, plain},
	}, modules, tests)
	name := "npdb-" + r.version.python()
	for i := range files {
		files[i].name = name + "/" + files[i].name
	}
	return r.tarball(sdistFile(r.version), files)
}

// sdistFile returns the file name of the source distribution.
func sdistFile(v version) string { return "npdb-" + v.python() + ".tar.gz" }
