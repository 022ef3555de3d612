package journal

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/npdb/npdb/session/breakpoint"
)

// keptKey identifies a breakpoint of a program across sessions, in which it may have different
// numbers.
type keptKey struct {
	file      string
	line      int
	function  string
	condition string
	again     int // how many alike come before
}

// keptTexts maps breakpoints to their JSON without their numbers.
type keptTexts map[keptKey]string

// keyed returns breakpoints with their keys, in order.
func keyed(list []*breakpoint.Breakpoint) (keys []keptKey, texts keptTexts) {
	texts = keptTexts{}
	for _, b := range list {
		key := keptKey{file: b.File, line: b.Line, function: b.Function, condition: b.Condition}
		for texts[key] != "" {
			key.again++
		}
		unnumbered := *b
		unnumbered.Number = 0
		raw, err := json.Marshal(unnumbered)
		if err != nil {
			panic(err) // strings, numbers and truth values
		}
		keys = append(keys, key)
		texts[key] = string(raw)
	}
	return keys, texts
}

// merged applies this session's changes since it last read the file to the stored breakpoints,
// since several npdbs may debug the same program.
func merged(kept, mine []*breakpoint.Breakpoint, known keptTexts) []*breakpoint.Breakpoint {
	keys, texts := keyed(mine)
	changed := map[keptKey]*breakpoint.Breakpoint{}
	for i, key := range keys {
		if known[key] != texts[key] {
			changed[key] = mine[i]
		}
	}
	var out []*breakpoint.Breakpoint
	taken := map[int]bool{}
	keptKeys, _ := keyed(kept)
	for i, key := range keptKeys {
		b := *kept[i]
		if own, ok := changed[key]; ok {
			b = *own
			b.Number = kept[i].Number
			delete(changed, key)
		} else if known[key] != "" && texts[key] == "" {
			continue // removed here
		}
		taken[b.Number] = true
		out = append(out, &b)
	}
	for _, key := range keys {
		own, ok := changed[key]
		if !ok {
			continue
		}
		b := *own
		for taken[b.Number] {
			b.Number++
		}
		taken[b.Number] = true
		out = append(out, &b)
	}
	slices.SortFunc(out, func(a, b *breakpoint.Breakpoint) int { return a.Number - b.Number })
	return out
}

// Save stores the changes of the session's breakpoints since they were loaded or saved.
func (s *Breakpoints) Save(list []*breakpoint.Breakpoint) error {
	_, texts := keyed(list)
	if s.dir == "" || sameTexts(texts, s.known) {
		return nil
	}
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	kept, err := s.read()
	var damaged *keptError
	if err != nil && !errors.As(err, &damaged) { // that was said when it was loaded
		return err
	}
	if err := s.write(merged(kept, list, s.known)); err != nil {
		return err
	}
	s.known = texts
	return nil
}

func sameTexts(a, b keptTexts) bool {
	if len(a) != len(b) {
		return false
	}
	for key, text := range a {
		if b[key] != text {
			return false
		}
	}
	return true
}

// lock locks the file against other npdbs.
func (s *Breakpoints) lock() (unlock func(), err error) { return lockIn(s.dir, "breakpoints.lock") }

// lockIn locks a file of a state folder.
func lockIn(dir, name string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	// Some network file systems have no locks; then the last npdb to save may win.
	_ = lockFile(file)
	return func() { _ = file.Close() }, nil // and with it goes the lock
}
