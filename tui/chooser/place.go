package chooser

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/tui/keys"
)

// placed matches a path with a line, and perhaps with the locals there: prog.py:12 {"n": "3"}.
var placed = regexp.MustCompile(`^(.*):(\d+)\s*(\{.*)?$`)

// parsePlace parses PATH, PATH:LINE or PATH:LINE {"NAME": "REPR"}. A file with the whole text as its name
// is a path.
func parsePlace(typed string) (path string, at Place, err error) {
	path = typed
	if m := placed.FindStringSubmatch(typed); m != nil && !exists(typed) {
		path, at.Locals = m[1], m[3]
		if at.Line, err = strconv.Atoi(m[2]); err != nil || at.Line == 0 {
			return "", Place{}, fmt.Errorf("%s is no line of %s: write PATH:LINE, such as prog.py:12", m[2], path)
		}
	}
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return "", Place{}, fmt.Errorf("there is no file %s", path)
	case err != nil:
		return "", Place{}, err
	case info.IsDir() && !exists(path+"/__main__.py"):
		return "", Place{}, fmt.Errorf("%s is a folder without __main__.py: type the path of a file in it", path)
	}
	return path, at, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Placing is the message that a path is known to which the user adds a line.
type Placing struct {
	Path string
	Err  error
}

// typePlace asks for the line of the program under the cursor at which to begin.
func (p *Screen) typePlace() tea.Cmd {
	switch o := p.list[p.Cursor].offer; {
	case o == nil:
		p.Type(keys.Path, "")
	case p.list[p.Cursor].kind == tourRow:
		p.Flash = "The tour begins at its first line: " + p.KeyFor("open-program") + " plays it."
	case o.Path == nil:
		p.Flash = "A module has no file here: " + p.KeyFor("type-path") + " takes a path and a line, such as prog.py:12."
	default:
		return func() tea.Msg {
			path, err := o.Path()
			return Placing{Path: path, Err: err}
		}
	}
	return nil
}

// Place opens the line for the path, to which the user adds the line and perhaps the locals.
func (p *Screen) Place(msg Placing) {
	if msg.Err != nil {
		p.Fail(msg.Err)
		return
	}
	p.Type(keys.Path, strings.TrimSuffix(msg.Path, "/")+":")
	p.Flash = `Add the line, and the locals if you like: prog.py:12 {"n": "3"}`
}
