package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npdb/npdb/internal/plainfile"
)

// entries describes a JSON file of the state folder that holds a list with one entry for each
// subject, the newest last.
type entries[T any] struct {
	file string // file name, ends in ".json"
	list string // JSON field that holds the list
	what string // plural noun for the entries in errors: "the answers"
	most int    // maximum number of entries; the oldest are dropped
}

// read returns the entries of the file, none if it is missing.
func (e entries[T]) read(stateDir string) ([]T, error) {
	raw, err := plainfile.Read(filepath.Join(stateDir, e.file), keptLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var fields map[string]json.RawMessage
	var version int
	var list []T
	if err == nil {
		err = json.Unmarshal(raw, &fields)
	}
	if err == nil {
		err = json.Unmarshal(fields["v"], &version)
	}
	if err == nil && version != 1 {
		err = fmt.Errorf("another npdb wrote them (version %d of the file)", version)
	}
	if err == nil && fields[e.list] != nil {
		err = json.Unmarshal(fields[e.list], &list)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", e.what, err)
	}
	return list, nil
}

// find returns the entry for which about is true; ok is false if there is none.
func (e entries[T]) find(stateDir string, about func(T) bool) (one T, ok bool, err error) {
	list, err := e.read(stateDir)
	if i := slices.IndexFunc(list, about); i >= 0 {
		return list[i], true, nil
	}
	return one, false, err
}

// keep replaces the entry for which about is true by one, or removes it if one is nil. A file that
// cannot be read is replaced.
func (e entries[T]) keep(stateDir string, one *T, about func(T) bool) error {
	unlock, err := lockIn(stateDir, strings.TrimSuffix(e.file, ".json")+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	before, err := e.read(stateDir)
	list := slices.DeleteFunc(slices.Clone(before), about)
	if one != nil {
		list = append(list, *one)
	} else if err == nil && len(list) == len(before) {
		return nil
	}
	list = list[max(len(list)-e.most, 0):]
	raw, err := json.MarshalIndent(map[string]any{"v": 1, e.list: list}, "", "  ")
	if err != nil {
		return err
	}
	return plainfile.Replace(filepath.Join(stateDir, e.file), append(raw, '\n'), 0o600)
}
