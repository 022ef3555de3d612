package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// templates is the folder of the files that a release fills in.
const templates = "packaging"

// filled lists the templates whose results are part of a release, under the name without .tmpl.
var filled = []string{"npdb.rb.tmpl", "flake.nix.tmpl", "Containerfile.tmpl"}

// sums is the name of the file with the hashes of all others.
const sums = "SHA256SUMS"

// names returns the names of all files of a release, in order.
func names(v version) []string {
	all := []string{notesFile, sums, sdistFile(v), npmFile(v)}
	for _, t := range targets {
		all = append(all, t.archiveFile(v), t.wheelFile(v), t.npmFile(v), componentsFile(t, v))
		if t.system == "linux" {
			all = append(all, linuxFiles(t, v)...)
		}
	}
	for _, name := range filled {
		all = append(all, strings.TrimSuffix(name, ".tmpl"))
	}
	slices.Sort(all)
	return all
}

// fill fills the templates with the version and the hashes of what they name.
func (r *release) fill() error {
	for _, name := range filled {
		text, err := r.filledTemplate(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.out, strings.TrimSuffix(name, ".tmpl")), text, plain); err != nil {
			return err
		}
	}
	return nil
}

// filledTemplate returns a template with its fields filled in.
func (r *release) filledTemplate(name string) ([]byte, error) {
	form, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"archive": func(system, machine string) string {
			return target{system: system, machine: machine}.archiveFile(r.version)
		},
		"url":    r.url,
		"sha256": func(artifact string) (string, error) { return r.hash(artifact, hex.EncodeToString) },
		"sri": func(artifact string) (string, error) {
			return r.hash(artifact, func(sum []byte) string { return "sha256-" + base64.StdEncoding.EncodeToString(sum) })
		},
	}).ParseFiles(r.path(templates, name))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = form.Execute(&out, map[string]any{
		"Tag": r.version.Tag, "Version": r.version.semantic(), "Python": r.version.python(),
		"Brew":     map[string]string{"linux": "linux", "macos": "darwin"},
		"Machines": map[string]string{"aarch64": "arm64", "x86_64": "amd64"},
		"Systems":  []string{"darwin", "linux"},
	})
	return out.Bytes(), err
}

// url returns where users download a file of the release. It fails for a file that is not made.
func (r *release) url(artifact string) (string, error) {
	if !slices.Contains(names(r.version), artifact) {
		return "", fmt.Errorf("a release has no file %s", artifact)
	}
	return "https://github.com/npdb/npdb/releases/download/" + r.version.Tag + "/" + artifact, nil
}

// hash returns the SHA-256 of a file of the release, in a form.
func (r *release) hash(artifact string, form func([]byte) string) (string, error) {
	data, err := os.ReadFile(filepath.Join(r.out, artifact))
	if err != nil {
		return "", fmt.Errorf("a template names a file that was not made: %w", err)
	}
	sum := sha256.Sum256(data)
	return form(sum[:]), nil
}

// sum writes the hashes of all files, in the format of sha256sum. It fails if the files are not those
// that names lists.
func (r *release) sum() error {
	var b bytes.Buffer
	var missing []string
	for _, name := range names(r.version) {
		if name == sums {
			continue
		}
		hash, err := r.hash(name, hex.EncodeToString)
		if err != nil {
			missing = append(missing, name)
			continue
		}
		fmt.Fprintf(&b, "%s  %s\n", hash, name)
	}
	found, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var unknown []string
	for _, f := range found {
		if !slices.Contains(names(r.version), f.Name()) {
			unknown = append(unknown, f.Name())
		}
	}
	if len(missing)+len(unknown) > 0 {
		return fmt.Errorf("the files are not those that were expected: missing %q, unknown %q", missing, unknown)
	}
	return os.WriteFile(filepath.Join(r.out, sums), b.Bytes(), plain)
}
