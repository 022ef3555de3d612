package main

import "testing"

// TestParseVersion checks which tags are accepted, and how packages write the version.
func TestParseVersion(t *testing.T) {
	for _, c := range []struct{ tag, semantic, python string }{
		{"v1.2.3", "1.2.3", "1.2.3"},
		{"v0.10.0-rc.12", "0.10.0-rc.12", "0.10.0rc12"},
		{"1.2.3", "", ""},
		{"v1.2", "", ""},
		{"v1.02.3", "", ""},
		{"v1.2.3-beta", "", ""},
		{"v1.2.3-rc.0", "", ""},
		{"v1.2.3\n", "", ""},
	} {
		switch v, err := parseVersion(c.tag); {
		case (err == nil) != (c.semantic != ""):
			t.Errorf("%q: %v", c.tag, err)
		case err == nil && (v.semantic() != c.semantic || v.python() != c.python):
			t.Errorf("%q is %s and %s", c.tag, v.semantic(), v.python())
		}
	}
}

// TestSection checks which part of the changelog becomes the release notes.
func TestSection(t *testing.T) {
	const log = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- c\n\n## [1.1.0] - 2026-01-02\n\n- b\n\n## [1.0.0]\n\n- a\n\n## [0.9.0]\n"
	for tag, want := range map[string]string{
		"v1.1.0": "- b\n", "v1.0.0": "- a\n", "v2.0.0-rc.1": "### Added\n\n- c\n", "v1.1.0-rc.1": "- b\n", "v2.0.0": "", "v0.9.0": "",
	} {
		v, err := parseVersion(tag)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := section(log, v); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", tag, got, err)
		}
	}
}
