package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/internal/plainfile"
)

// RC is a file of commands to begin with.
type RC struct {
	Path     string
	Commands []string
	Err      error // why it cannot be read; nothing of it is run then
}

// What a .pdbrc may hold: more than anybody writes, and less than takes long to run.
const (
	mostRCBytes    = 1 << 20
	mostRCCommands = 10_000
)

// ReadRC reads .pdbrc in the home folder and then in the current one. Either may
// be missing; a folder that is both is read once.
func ReadRC() []RC {
	var found []RC
	var seen os.FileInfo
	for _, dir := range []string{os.Getenv("HOME"), "."} {
		if dir == "" {
			continue
		}
		path := filepath.Join(dir, ".pdbrc")
		if whole, err := filepath.Abs(path); err == nil {
			path = whole
		}
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && seen != nil && os.SameFile(info, seen) {
			continue
		}
		if seen == nil {
			seen = info
		}
		if rc := readRC(path); rc.Err != nil || len(rc.Commands) > 0 {
			found = append(found, rc)
		}
	}
	return found
}

func readRC(path string) RC {
	raw, err := plainfile.Read(path, mostRCBytes)
	if err != nil {
		return RC{Path: path, Err: err}
	}
	rc := RC{Path: path}
	for _, line := range dsl.SplitLines(string(raw)) {
		// Blank lines and comments are left out.
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			rc.Commands = append(rc.Commands, line)
		}
	}
	if n := len(rc.Commands); n > mostRCCommands {
		return RC{Path: path, Err: fmt.Errorf("%q has %s commands, more than %s", path, thousands(n), thousands(mostRCCommands))}
	}
	return rc
}

// announce says whose commands are about to run: who debugs a foreign program
// may not know that its folder has some.
func (s *Session) announce(rc RC) {
	if rc.Err != nil {
		s.notice("No commands are run from .pdbrc: %v", rc.Err)
		return
	}
	s.notice("%s of %s (--no-rc leaves that out):", plural(len(rc.Commands), "command", "commands"), escape.Line(rc.Path))
}

// runRC runs the commands of a file. It returns the first error of all files, and
// whether more commands may follow.
func (s *Session) runRC(ctx context.Context, rc RC, failed error) (more bool, first error) {
	for _, line := range rc.Commands {
		if s.stopping.Load() {
			return false, s.notRun(line)
		}
		s.chance = chance{}
		s.journal.Line(line)
		err := s.runLine(ctx, line)
		s.landed()
		if err != nil && failed == nil {
			failed = err
		}
		if s.answer.Quit {
			return false, failed
		}
	}
	return true, failed
}
