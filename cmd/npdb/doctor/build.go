package doctor

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// build returns facts about npdb's own build and the system.
func (g *Given) build(context.Context) []Fact {
	version := g.Version
	if info, ok := debug.ReadBuildInfo(); ok {
		version = withCommit(version, info.Settings)
	}
	system := runtime.GOOS + "/" + runtime.GOARCH
	text := system + ", " + strconv.Itoa(runtime.GOMAXPROCS(0)) + " processors"
	if name := distribution("/etc/os-release"); name != "" {
		text += ", " + name
	}
	return []Fact{
		{Name: "version", Mark: Right, Text: version, Value: g.Version},
		{Name: "go", Mark: Right, Text: runtime.Version()},
		{Name: "system", Mark: Right, Text: text, Value: map[string]any{
			"os": runtime.GOOS, "arch": runtime.GOARCH, "processors": runtime.GOMAXPROCS(0),
		}},
	}
}

// withCommit adds the commit from which npdb was built to the version, if the version does not contain
// it.
func withCommit(version string, settings []debug.BuildSetting) string {
	const enough = 12 // as many digits as in a version
	for _, s := range settings {
		if commit := s.Value[:min(len(s.Value), enough)]; s.Key == "vcs.revision" && !strings.Contains(version, commit) {
			version += ", commit " + commit
		}
	}
	return version
}

// distribution returns the name of a Linux distribution (os-release(5)), or "" if unknown.
func distribution(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
			return strings.Trim(name, `"'`)
		}
	}
	return ""
}
