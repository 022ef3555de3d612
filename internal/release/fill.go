package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// templates is the folder of the templates.
const templates = "packaging"

// filled lists the templates that become files of the release. Their names lose .tmpl.
var filled = []string{"npdb.rb.tmpl", "flake.nix.tmpl", "Containerfile.tmpl"}

// fill fills in the templates: the version, and the addresses and hashes of the files that they name.
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

// url returns the address of a file of the release. It fails for a file that no release has.
func (r *release) url(artifact string) (string, error) {
	if !slices.Contains(names(r.version), artifact) {
		return "", fmt.Errorf("a release has no file %s", artifact)
	}
	return "https://github.com/npdb/npdb/releases/download/" + r.version.Tag + "/" + artifact, nil
}
