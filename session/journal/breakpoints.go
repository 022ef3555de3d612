package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/session/breakpoint"
)

// keptFile is the content of the file that stores one program's breakpoints.
type keptFile struct {
	V           int                      `json:"v"`
	Program     string                   `json:"program"`
	Breakpoints []*breakpoint.Breakpoint `json:"breakpoints"`
}

// keptLimit is the maximum size of a file in the state folder, in bytes.
const keptLimit = 16 << 20

// Breakpoints stores the breakpoints of one program in the state folder. If dir is "", it stores
// nothing.
type Breakpoints struct {
	dir, program string
	known        keptTexts // the breakpoints as last loaded or saved
}

// NewBreakpoints returns the store of a program; program is a name that Program returned.
func NewBreakpoints(dir, program string) *Breakpoints {
	return &Breakpoints{dir: dir, program: program}
}

func (s *Breakpoints) path() string {
	return filepath.Join(s.dir, "breakpoints", fileName(s.program)+".json")
}

// Load returns the stored breakpoints.
func (s *Breakpoints) Load() ([]*breakpoint.Breakpoint, error) {
	if s.dir == "" {
		return nil, nil
	}
	kept, err := s.read()
	_, s.known = keyed(kept)
	return kept, err
}

// keptError reports that a file of breakpoints is invalid.
type keptError struct{ message string }

func (e *keptError) Error() string { return e.message }

// read reads the stored breakpoints. If the file is missing, there are none.
func (s *Breakpoints) read() ([]*breakpoint.Breakpoint, error) {
	raw, err := plainfile.Read(s.path(), keptLimit)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the breakpoints of the last run could not be read: %w", err)
	}
	return decodeKept(raw)
}

// decodeKept decodes a file of breakpoints and drops invalid ones.
func decodeKept(raw []byte) ([]*breakpoint.Breakpoint, error) {
	var f keptFile
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, &keptError{fmt.Sprintf("the breakpoints of the last run could not be read: %v", err)}
	}
	if f.V != 1 {
		return nil, &keptError{fmt.Sprintf("the breakpoints of the last run were kept by another npdb (version %d of the file)", f.V)}
	}
	var out []*breakpoint.Breakpoint
	seen := map[int]bool{}
	for _, b := range f.Breakpoints {
		if b == nil || b.Number < 1 || b.Line < 1 || b.File == "" || b.Ignore < 0 || b.Temporary || seen[b.Number] {
			continue
		}
		seen[b.Number] = true
		b.Kept = true
		out = append(out, b)
	}
	return out, nil
}

// write replaces the stored breakpoints atomically, or removes the file if list is empty.
func (s *Breakpoints) write(list []*breakpoint.Breakpoint) error {
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
	return plainfile.Replace(s.path(), append(raw, '\n'), 0o600)
}
