package main

import (
	"fmt"
	"regexp"
)

// version is the version of a release, in the parts of its tag.
type version struct {
	Tag       string // v1.2.3-rc.4
	Number    string // 1.2.3
	Candidate string // 4, empty for a final release
}

var tagForm = regexp.MustCompile(`^v((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))(?:-rc\.([1-9]\d*))?$`)

// parseVersion accepts only tags that every kind of package can express.
func parseVersion(tag string) (version, error) {
	m := tagForm.FindStringSubmatch(tag)
	if m == nil {
		return version{}, fmt.Errorf("%q is not a release tag: write v1.2.3, or v1.2.3-rc.1 for a release candidate", tag)
	}
	return version{Tag: tag, Number: m[1], Candidate: m[2]}, nil
}

// semantic returns the version in the format of semver.org, which npm and nfpm expect.
func (v version) semantic() string { return v.Tag[1:] }

// python returns the version in the format of Python's packages (PEP 440).
func (v version) python() string {
	if v.Candidate == "" {
		return v.Number
	}
	return v.Number + "rc" + v.Candidate
}
