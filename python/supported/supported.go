// Package supported states which versions of CPython npdb supports. It is the one place that names
// them: messages, the documentation and tests follow it.
package supported

import "fmt"

// The minor versions of CPython 3.
const (
	Oldest  = 9  // the oldest version that npdb supports
	Newest  = 14 // the newest version with which all of npdb is tested
	Preview = 15 // the newest version with which a part of npdb is tested: see PreviewBuild and PreviewLimits
)

// PreviewBuild is the build of Preview with which .ci/python315 tests npdb. PreviewLimits says what these tests
// leave out.
const (
	PreviewBuild  = "3.15.0rc1"
	PreviewLimits = "in WebAssembly, without threads, processes and signals"
)

// Needed returns the requirement as messages name it: "CPython 3.9 or later".
func Needed() string { return fmt.Sprintf("CPython 3.%d or later", Oldest) }

// Tested returns the range of versions with which all of npdb is tested: "CPython 3.9 to 3.14".
func Tested() string { return fmt.Sprintf("CPython 3.%d to 3.%d", Oldest, Newest) }

// TooOld reports whether npdb refuses a version.
func TooOld(major, minor int) bool { return major < 3 || major == 3 && minor < Oldest }

// Unknown reports whether a version is newer than all that npdb is tested with.
func Unknown(major, minor int) bool { return major > 3 || major == 3 && minor > Preview }

// Notice returns the notice of a session whose Python reports a version, such as "3.16.0a1", or "" if
// npdb is tested with it.
func Notice(version string) string {
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); n < 2 || !Unknown(major, minor) {
		return ""
	}
	return fmt.Sprintf("Python %s is newer than those npdb is tested with: stops and values may be wrong. If they look so, use Python 3.%d or older (--python).", version, Newest)
}
