package python

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Version is a Python version like 3.11. The zero Version means that the version is unknown; it is
// treated as the newest.
type Version struct{ Major, Minor int }

var versionText = regexp.MustCompile(`^(\d{1,2})\.(\d{1,3})(\.|$)`)

// ParseVersion parses "3.11" or "3.11.7".
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

// Inlines reports whether list, set and dict comprehensions run in the enclosing frame. Before 3.12
// they have their own frame (PEP 709).
func (v Version) Inlines() bool {
	return v == (Version{}) || v.Major > 3 || v.Major == 3 && v.Minor >= 12
}

// Frames describes, for display, which frames a program has in this version.
func (v Version) Frames() string {
	switch {
	case v == (Version{}):
		return "the frames of the newest Python, as the version is unknown (set python_version)"
	case v.Inlines():
		return "the frames of Python " + v.String()
	}
	return "the frames of Python " + v.String() + ", where a comprehension is a frame of its own"
}

// repeatsConditions reports whether the compiler repeats the condition of a while loop after its
// body.
func (v Version) repeatsConditions() bool { return v.Minor >= 10 && v.Minor <= 13 }
