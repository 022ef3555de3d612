package session

import (
	"os"
	"path/filepath"
	"strings"
)

// ReadRC reads the lines of .pdbrc in the home folder and then in the current
// one. Either may be missing; a folder that is both is read once.
func ReadRC() []string {
	var lines []string
	var seen os.FileInfo
	for _, dir := range []string{os.Getenv("HOME"), "."} {
		if dir == "" {
			continue
		}
		path := filepath.Join(dir, ".pdbrc")
		info, err := os.Stat(path)
		if err != nil || seen != nil && os.SameFile(info, seen) {
			continue
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		seen = info
		lines = append(lines, sourceLines(string(raw))...)
	}
	return lines
}

// rcCommands drops blank lines and comments.
func rcCommands(lines []string) []string {
	var out []string
	for _, l := range lines {
		if t := strings.TrimSpace(l); t != "" && !strings.HasPrefix(t, "#") {
			out = append(out, t)
		}
	}
	return out
}
