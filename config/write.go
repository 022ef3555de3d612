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
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/npdb/npdb/internal/plainfile"
)

// fileLimit is the maximum size of a configuration file, in bytes.
const fileLimit = 1 << 20

// Set writes a setting to the configuration file at path. value is a string or a boolean. Comments,
// the order and all other settings are preserved. The mode is preserved too, but a file with
// secrets becomes readable for its owner only. A symbolic link remains one. Set cannot write a
// setting of a section.
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
	before, err := plainfile.ReadText(path, fileLimit)
	mode := fs.FileMode(0o600)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	} else if err == nil {
		mode, err = writable(path)
	}
	if err != nil {
		return err
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

// writable returns the file's mode, or an error if the user may not write to the file. The check is
// necessary because Set replaces the file, which would succeed without that permission.
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

// edited returns the text of a configuration with one setting changed, and whether the text
// contains an API key or headers.
func edited(text []byte, key string, value any) (after []byte, holdsSecret bool, err error) {
	literal, err := json.Marshal(value) // a JSON string or boolean is also valid TOML
	if err != nil {
		return nil, false, err
	}
	want, got := map[string]any{}, map[string]any{}
	if err := toml.Unmarshal(text, &want); err != nil {
		return nil, false, err
	}
	after = put(text, key, literal)
	// If the edit would change anything but this setting, nothing is written.
	if err := toml.Unmarshal(after, &got); err != nil {
		return nil, false, fmt.Errorf("it cannot be edited: %w", err)
	}
	for k := range want {
		if strings.EqualFold(k, key) {
			key = k
		}
	}
	want[key] = value
	if !reflect.DeepEqual(want, got) {
		return nil, false, fmt.Errorf("%s cannot be set there: write it by hand", key)
	}
	model, _ := got["model"].(map[string]any)
	return after, model["key"] != nil || model["headers"] != nil, nil
}

// put returns text, which must be valid TOML, with a setting outside all sections set to literal.
// If the setting exists, its value is replaced. Otherwise a line is added after the last setting
// outside sections, or before the first section and the comments directly above it. Like Load, it
// ignores the case of the setting's name.
func put(text []byte, key string, literal []byte) []byte {
	line := fmt.Appendf(nil, "%s = %s\n", key, literal)
	at := 0 // end of the last setting before the first section
	p := unstable.Parser{}
	p.Reset(text)
	for p.NextExpression() {
		e := p.Expression()
		names := e.Key()
		names.Next()
		name := names.Node()
		if e.Kind != unstable.KeyValue && at > 0 {
			break
		}
		if e.Kind != unstable.KeyValue { // the first section
			at = lineStart(text, int(name.Raw.Offset))
			for at > 0 && bytes.HasPrefix(bytes.TrimSpace(text[lineStart(text, at-1):at]), []byte("#")) {
				at = lineStart(text, at-1)
			}
			return slices.Concat(text[:at], line, []byte("\n"), text[at:])
		}
		at = int(e.Raw.Offset + e.Raw.Length)
		if names.IsLast() && strings.EqualFold(string(name.Data), key) {
			return slices.Concat(text[:e.Value().Raw.Offset], literal, text[at:])
		}
	}
	if end := bytes.IndexByte(text[at:], '\n'); at > 0 && end >= 0 {
		at += end + 1
	} else if at = len(text); at > 0 && text[at-1] != '\n' {
		line = append([]byte{'\n'}, line...)
	}
	return slices.Concat(text[:at], line, text[at:])
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }
