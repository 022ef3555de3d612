package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// hashesFile is the name of the file with the hashes of all other files.
const hashesFile = "SHA256SUMS"

// names returns the names of all files of a release, in order.
func names(v version) []string {
	all := []string{notesFile, hashesFile, sdistFile(v), npmFile(v)}
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

// hash returns the SHA-256 of a file of the release, formatted by form.
func (r *release) hash(artifact string, form func([]byte) string) (string, error) {
	data, err := os.ReadFile(filepath.Join(r.out, artifact))
	if err != nil {
		return "", fmt.Errorf("a template names a file that was not made: %w", err)
	}
	sum := sha256.Sum256(data)
	return form(sum[:]), nil
}

// writeHashes writes the hashes of all files in the format of sha256sum. A file that names does not
// list, and a listed one that does not exist, are errors.
func (r *release) writeHashes() error {
	var b bytes.Buffer
	var missing []string
	for _, name := range names(r.version) {
		if name == hashesFile {
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
		return fmt.Errorf("the release has other files than expected: missing %q, unknown %q: correct names in internal/release/hashes.go", missing, unknown)
	}
	return os.WriteFile(filepath.Join(r.out, hashesFile), b.Bytes(), plain)
}
