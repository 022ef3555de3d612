// Package journal stores what is kept after a session: the journal of its commands, from which it
// can be resumed; the breakpoints of each program; the accuracy and dialects of models; and the
// user's consents. All files are in one state folder and have mode 0600.
package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"github.com/npdb/npdb/trace"
)

// StateDir returns the state folder: $XDG_STATE_HOME/npdb, or ~/.local/state/npdb. It returns "" if
// neither is set; then nothing is stored.
func StateDir() string {
	if d := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "npdb")
	}
	home := os.Getenv("HOME")
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, ".local", "state", "npdb")
}

// Program returns the name under which a program's journals and breakpoints are stored: its
// absolute path, its module and folder, or its code.
func Program(o trace.Options) string {
	dir := o.Dir
	if dir == "" {
		dir, _ = os.Getwd() // on an error the name just lacks the folder
	}
	switch {
	case o.Module != "":
		return "-m " + o.Module + " in " + dir
	case o.Script != "":
		if filepath.IsAbs(o.Script) {
			return filepath.Clean(o.Script)
		}
		return filepath.Join(dir, o.Script)
	}
	return "-c " + o.Code
}

// fileName returns a file name for a program: a hash of its name.
func fileName(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:8])
}
