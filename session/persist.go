package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/trace"
)

// StateDir is where npdb keeps breakpoints and journals: $XDG_STATE_HOME/npdb,
// or ~/.local/state/npdb. It is "" when neither is known; then nothing is kept.
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

// programKey names the program that options run: its absolute path, or its
// module and folder, or its code.
func programKey(o trace.Options) string {
	dir := o.Dir
	if dir == "" {
		dir, _ = os.Getwd() // without a current folder the key is only less telling
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

// keyName is a file name for a program.
func keyName(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:8])
}

// keptFile is the breakpoints of one program, on disk.
type keptFile struct {
	V           int           `json:"v"`
	Program     string        `json:"program"`
	Breakpoints []*Breakpoint `json:"breakpoints"`
}

// keptLimit is more than any breakpoints take.
const keptLimit = 16 << 20

// store keeps the breakpoints of one program. An empty dir keeps nothing.
type store struct {
	dir     string
	program string
	failed  bool      // it was said that nothing can be kept
	known   keptTexts // what was loaded, or saved last
}

func (s *store) path() string {
	return filepath.Join(s.dir, "breakpoints", keyName(s.program)+".json")
}

// load reads what was kept.
func (s *store) load() ([]*Breakpoint, error) {
	if s.dir == "" {
		return nil, nil
	}
	kept, err := s.read()
	_, s.known = keyed(kept)
	return kept, err
}

// keptError is a file of breakpoints that is none.
type keptError struct{ message string }

func (e *keptError) Error() string { return e.message }

// read reads what is kept now. A file that is not there is no breakpoints.
func (s *store) read() ([]*Breakpoint, error) {
	raw, err := plainfile.Read(s.path(), keptLimit)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the breakpoints of the last run could not be read: %w", err)
	}
	return decodeKept(raw)
}

// decodeKept reads a file of breakpoints and drops what cannot be one.
func decodeKept(raw []byte) ([]*Breakpoint, error) {
	var f keptFile
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, &keptError{fmt.Sprintf("the breakpoints of the last run could not be read: %v", err)}
	}
	if f.V != 1 {
		return nil, &keptError{fmt.Sprintf("the breakpoints of the last run were kept by another npdb (version %d of the file)", f.V)}
	}
	var out []*Breakpoint
	seen := map[int]bool{}
	for _, b := range f.Breakpoints {
		if b == nil || b.Number < 1 || b.Line < 1 || b.File == "" || b.Ignore < 0 || b.Temporary || seen[b.Number] {
			continue
		}
		seen[b.Number] = true
		b.kept = true
		out = append(out, b)
	}
	return out, nil
}

// write writes the breakpoints, so that a crash leaves the old file or the new.
func (s *store) write(list []*Breakpoint) error {
	if len(list) == 0 {
		err := os.Remove(s.path())
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	raw, err := json.MarshalIndent(keptFile{V: 1, Program: s.program, Breakpoints: list}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.path()), 0o700); err != nil {
		return err
	}
	// CreateTemp makes the file with mode 0600.
	tmp, err := os.CreateTemp(filepath.Dir(s.path()), "new-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(append(raw, '\n'))
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), s.path())
	}
	if err != nil {
		err = errors.Join(err, os.Remove(tmp.Name()))
	}
	return err
}

// relocate moves breakpoints with their lines in files that were edited, and
// says what it did. lines gives a file's lines as they are now.
func relocate(list []*Breakpoint, lines func(file string) ([]string, error)) []string {
	var words []string
	for _, b := range list {
		if !b.OnLine() {
			continue
		}
		now, err := lines(b.File)
		if err != nil {
			if b.Enabled {
				b.Enabled = false
				words = append(words, fmt.Sprintf("Breakpoint %d at %s:%d is disabled: %v", b.Number, escape.Line(b.File), b.Line, err))
			}
			continue
		}
		if b.Anchor.Text == "" {
			continue // it never had a line's text to find it by
		}
		at, ok := b.Anchor.find(now, b.Line)
		switch {
		case !ok:
			if b.Enabled {
				b.Enabled = false
				words = append(words, fmt.Sprintf("Breakpoint %d at %s:%d is disabled: its line %q is gone from the edited file",
					b.Number, escape.Line(b.File), b.Line, b.Anchor.Text))
			}
		case at != b.Line:
			words = append(words, fmt.Sprintf("Breakpoint %d moved with its line from %s:%d to line %d", b.Number, escape.Line(b.File), b.Line, at))
			b.Line = at
			b.Anchor = anchorAt(now, at)
		default:
			b.Anchor = anchorAt(now, at)
		}
	}
	return words
}
