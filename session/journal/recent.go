package journal

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/npdb/npdb/internal/plainfile"
)

// Recent describes the last session of a program.
type Recent struct {
	Program string // the program's name as in info program
	Script  string // absolute path; "" for a module or code given as text
	Module  string // "" for a script or code given as text
	Dir     string // working folder of the run
	Model   string // the model that predicted, "" if there was none
	Against string // a second model that stood in for CPython, "" if there was none
	When    time.Time
	Moves   int    // number of commands in the session
	Journal string // path of the session's journal
}

// Recents returns the programs that have journals, newest session first, at most the given number.
// It skips journals that cannot be read and scripts that no longer exist.
func Recents(stateDir string, most int) []Recent {
	if stateDir == "" {
		return nil
	}
	dir := filepath.Join(stateDir, "journal")
	names := names(dir, "")
	slices.Reverse(names)
	var list []Recent
	seen := map[string]bool{}
	for _, name := range names {
		if len(list) == most {
			break
		}
		r, ok := readRecent(filepath.Join(dir, name))
		if !ok || seen[r.Program] {
			continue
		}
		seen[r.Program] = true
		if _, err := os.Stat(r.Script); r.Script != "" && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		list = append(list, r)
	}
	return list
}

func readRecent(path string) (r Recent, ok bool) {
	if plainfile.Check(path, limit) != nil {
		return r, false
	}
	file, err := os.Open(path)
	if err != nil {
		return r, false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return r, false
	}
	r.When, r.Journal = info.ModTime(), path
	in := bufio.NewScanner(file)
	const longest = 16 << 20 // a line may hold a model's whole reply
	in.Buffer(nil, longest)
	for in.Scan() {
		var rec Record
		if json.Unmarshal(in.Bytes(), &rec) != nil {
			break // cut off by a crash
		}
		switch {
		case rec.Header != nil:
			r.Program, r.Model, r.Against, ok = rec.Header.Program, rec.Header.Model, rec.Header.Against, true
			o := rec.Header.Options
			r.Module, r.Dir = o.Module, o.Dir
			if o.Script != "" {
				r.Script = r.Program
			}
		case rec.Do != nil, rec.Line != nil:
			r.Moves++
		}
	}
	return r, ok
}
