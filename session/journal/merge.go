package journal

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/npdb/npdb/session/breakpoint"
)

// keptKey identifies a breakpoint of a program across sessions. The number cannot serve for that,
// because sessions may number the same breakpoint differently.
type keptKey struct {
	file      string
	line      int
	function  string
	condition string
	again     int // number of earlier breakpoints with the same other fields
}

// keptTexts maps a breakpoint's key to its JSON without the number.
type keptTexts map[keptKey]string

// keyed returns the keys of breakpoints in the order of list, and their JSON by key.
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
			panic(err) // cannot fail: only strings, numbers and booleans
		}
		keys = append(keys, key)
		texts[key] = string(raw)
	}
	return keys, texts
}

// merged returns the breakpoints in the file (kept) with this session's changes (mine compared to
// known, the last loaded or saved state). Another npdb may have changed the file meanwhile.
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
			continue // removed in this session
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

// Save writes the changes to the session's breakpoints since they were last loaded or saved.
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
	// A damaged file was reported when it was loaded, and is replaced.
	if err != nil && !errors.As(err, &damaged) {
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

// lock locks the breakpoints of the state folder against other npdb processes.
func (s *Breakpoints) lock() (unlock func(), err error) { return lockIn(s.dir, "breakpoints.lock") }

// lockIn locks a file in a folder, and creates both if they are missing.
func lockIn(dir, name string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	// Ignore errors: some network file systems have no locks. There the last npdb that saves wins.
	_ = lockFile(file)
	return func() { _ = file.Close() }, nil // closing releases the lock
}
