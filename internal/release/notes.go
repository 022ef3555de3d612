package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// notesFile is the name of the release notes.
const notesFile = "RELEASE_NOTES.md"

// notes writes the section of the changelog about this version.
func (r *release) notes() error {
	text, err := os.ReadFile(r.path("CHANGELOG.md"))
	if err != nil {
		return err
	}
	section, err := section(string(text), r.version)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, notesFile), []byte(section), plain)
}

// section returns the section of a changelog about a version; for a release candidate without one,
// that of the unreleased changes.
func section(changelog string, v version) (string, error) {
	names := []string{v.semantic()}
	if v.Candidate != "" {
		names = append(names, v.Number, "Unreleased")
	}
	for _, name := range names {
		for i, part := range strings.Split(changelog, "\n## ") {
			if i == 0 || !strings.HasPrefix(part, "["+name+"]") {
				continue
			}
			_, text, _ := strings.Cut(part, "\n")
			if text = strings.TrimSpace(text); text == "" {
				return "", fmt.Errorf("the section [%s] of CHANGELOG.md is empty: describe the changes there", name)
			}
			return text + "\n", nil
		}
	}
	return "", fmt.Errorf("CHANGELOG.md has no section [%s]: give [Unreleased] this name and a date", v.semantic())
}
