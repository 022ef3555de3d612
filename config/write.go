package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/npdb/npdb/internal/plainfile"
)

// fileLimit is more than a configuration has.
const fileLimit = 1 << 20

// Set writes a setting, a word or yes or no, into the file at path. Everything else
// there stays as it is: comments, order, its mode. A file that is a link stays one. A
// setting of a section is none that npdb writes.
func Set(path, key string, value any) error {
	if path == "" {
		return errors.New("there is no place for the configuration: neither XDG_CONFIG_HOME nor HOME is an absolute path")
	}
	if err := set(path, key, value); err != nil {
		return fmt.Errorf("the configuration %s is as it was: %w", path, err)
	}
	return nil
}

func set(path, key string, value any) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	before, err := plainfile.Read(path, fileLimit)
	mode := fs.FileMode(0o600)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		if mode, err = writable(path); err != nil {
			return err
		}
	}
	after, holdsSecret, err := edited(before, key, value)
	if err != nil {
		return err
	}
	if holdsSecret {
		mode &= 0o600
	}
	return plainfile.Replace(path, after, mode)
}

// writable returns the mode of a file that may be written to: to put another in its place
// asks for less.
func writable(path string) (fs.FileMode, error) {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Mode().Perm(), nil
}

// edited returns the text of a configuration with a setting in it, and whether a key or
// headers are in it as well.
func edited(text []byte, key string, value any) (after []byte, holdsSecret bool, err error) {
	literal, err := json.Marshal(value) // of words and truths it is TOML, too
	if err != nil {
		return nil, false, err
	}
	var was, is map[string]any
	if err := toml.Unmarshal(text, &was); err != nil {
		return nil, false, err
	}
	at, err := find(text, key)
	if err != nil {
		return nil, false, err
	}
	if at.found {
		after = bytes.Join([][]byte{text[:at.from], literal, text[at.to:]}, nil)
	} else {
		after = inserted(text, at, key, literal)
	}
	// It is the user's file: what comes of it is that setting, or nothing is written.
	if err := toml.Unmarshal(after, &is); err != nil {
		return nil, false, fmt.Errorf("it cannot be edited: %w", err)
	}
	if was == nil {
		was = map[string]any{}
	}
	for k := range was {
		if strings.EqualFold(k, key) {
			delete(was, k)
			key = k
		}
	}
	was[key] = value
	if !reflect.DeepEqual(was, is) {
		return nil, false, fmt.Errorf("%s cannot be set there: write it by hand", key)
	}
	model, _ := is["model"].(map[string]any)
	return after, model["key"] != nil || model["headers"] != nil, nil
}

// place is where a setting stands in a text, from its value's first byte to the one
// after its last, or where it can be put.
type place struct {
	found    bool
	from, to int
	section  bool // the place is before a section
}

// find returns the place of a setting that belongs to no section. Its name is found as it is
// read: without regard to capitals.
func find(text []byte, key string) (at place, err error) {
	p := unstable.Parser{}
	p.Reset(text)
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.KeyValue:
			names := e.Key()
			names.Next()
			end := int(e.Raw.Offset + e.Raw.Length)
			if name := names.Node(); names.IsLast() && strings.EqualFold(string(name.Data), key) {
				return place{found: true, from: int(e.Value().Raw.Offset), to: end}, nil
			}
			at = place{from: end, to: end}
		case unstable.Table, unstable.ArrayTable:
			if at.to == 0 { // nothing is before the first section
				names := e.Key()
				names.Next()
				at = place{from: lineStart(text, int(names.Node().Raw.Offset)), section: true}
			}
			return at, p.Error()
		}
	}
	return at, p.Error()
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// inserted returns a text with a new line in it: after the settings that belong to no section,
// or before the first section and the comments right above it.
func inserted(text []byte, at place, key string, literal []byte) []byte {
	line := fmt.Appendf(nil, "%s = %s\n", key, literal)
	from := at.from
	switch {
	case at.section:
		for from > 0 && bytes.HasPrefix(bytes.TrimSpace(text[lineStart(text, from-1):from]), []byte("#")) {
			from = lineStart(text, from-1)
		}
		line = append(line, '\n')
	case from == 0: // comments only, or nothing
		from = len(text)
	default:
		if end := bytes.IndexByte(text[from:], '\n'); end >= 0 {
			from += end + 1
		} else {
			from = len(text)
		}
	}
	if from > 0 && text[from-1] != '\n' {
		line = append([]byte{'\n'}, line...)
	}
	return bytes.Join([][]byte{text[:from], line, text[from:]}, nil)
}
