package cli

import (
	"cmp"
	"runtime/debug"
)

// release is the tag of a released build: the release workflow sets it with -ldflags -X.
var release string

// Version returns npdb's version: the tag of a release, or the module version if Go built
// npdb from a tag or a commit, otherwise "devel" with the commit, if it is known.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return cmp.Or(release, "devel")
	}
	return cmp.Or(release, versionOf(info))
}

// shortCommit is the number of hexadecimal digits of a commit in a version.
const shortCommit = 12

func versionOf(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	commit, modified := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(len(s.Value), shortCommit)]
		case "vcs.modified":
			if s.Value == "true" {
				modified = ", modified"
			}
		}
	}
	if commit == "" {
		return "devel"
	}
	return "devel (" + commit + modified + ")"
}
