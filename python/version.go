package python

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Version is a version of Python's, such as 3.11. The zero is one that is not known, and
// counts as the newest.
type Version struct{ Major, Minor int }

var versionText = regexp.MustCompile(`^(\d{1,2})\.(\d{1,3})(\.|$)`)

// ParseVersion reads "3.11" or "3.11.7".
func ParseVersion(text string) (Version, error) {
	m := versionText.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Version{}, fmt.Errorf("%q is not a Python version: write it like 3.11", text)
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	return Version{major, minor}, nil
}

func (v Version) String() string {
	if v == (Version{}) {
		return "unknown"
	}
	return fmt.Sprintf("%d.%d", v.Major, v.Minor)
}

// Inlines reports whether a comprehension of a list, a set or a dict runs in the frame around
// it. Before 3.12 it is a frame of its own (PEP 709).
func (v Version) Inlines() bool {
	return v == (Version{}) || v.Major > 3 || v.Major == 3 && v.Minor >= 12
}

// Frames says which frames a program has in the version, for people.
func (v Version) Frames() string {
	switch {
	case v == (Version{}):
		return "the frames of the newest Python: its version is unknown (python_version)"
	case v.Inlines():
		return "the frames of Python " + v.String()
	}
	return "the frames of Python " + v.String() + ", where a comprehension is a frame of its own"
}
