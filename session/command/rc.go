package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/internal/plainfile"
)

// RC is a .pdbrc file with commands to run at the first stop.
type RC struct {
	Path     string
	Commands []string
	Err      error // why the file cannot be used; none of its commands is run then
}

// Limits on the size of a .pdbrc.
const (
	mostRCBytes    = 1 << 20
	mostRCCommands = 10_000
)

// ReadRC reads .pdbrc in the home folder and then in the working folder. Missing files are skipped;
// if both folders are the same, the file is read once.
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
		// Skip blank lines and comments.
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			rc.Commands = append(rc.Commands, line)
		}
	}
	if n := len(rc.Commands); n > mostRCCommands {
		return RC{Path: path, Err: fmt.Errorf("%q has %s commands, more than %s", path, humanize.Comma(int64(n)), humanize.Comma(mostRCCommands))}
	}
	return rc
}

// announce names the file whose commands are about to run. The user may not expect it: the folder
// of someone else's program may contain a .pdbrc.
func (i *Interpreter) announce(rc RC) {
	if rc.Err != nil {
		i.Notice("No commands are run from .pdbrc: %v", rc.Err)
		return
	}
	commands := "1 command"
	if n := len(rc.Commands); n > 1 {
		commands = humanize.Comma(int64(n)) + " commands"
	}
	i.Notice("%s of %s (--no-rc leaves that out):", commands, escape.Line(rc.Path))
}

// begin runs the commands of the .pdbrc files and of Config.Begin, and returns the first error.
func (i *Interpreter) begin(ctx context.Context) (failed error) {
	for _, rc := range append(i.config.RC[:len(i.config.RC):len(i.config.RC)], RC{Commands: i.config.Begin}) {
		if rc.Path != "" {
			i.announce(rc)
		}
		for _, line := range rc.Commands {
			if i.Interrupted() {
				return i.NotRun(line)
			}
			if err := i.runLine(ctx, line); err != nil && failed == nil {
				failed = err
			}
			if i.Quits() {
				return failed
			}
		}
	}
	return failed
}
