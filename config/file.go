package config

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/pelletier/go-toml/v2"

	"github.com/npdb/npdb/internal/plainfile"
)

// tree is a TOML table: the whole configuration file, or a section.
type tree map[string]any

// readFile reads a configuration file. A missing file is treated as empty. Keys are not
// case-sensitive: the result has them in lower case.
func readFile(path string) (tree, error) {
	text, err := plainfile.ReadText(path, fileLimit)
	switch {
	case errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return nil, nil // ENOTDIR: the home is not a directory
	case err != nil:
		return nil, fmt.Errorf("the configuration cannot be read: %w", err)
	}
	var t map[string]any
	err = toml.Unmarshal(text, &t)
	if parse, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := parse.Position()
		path, err = fmt.Sprintf("%s:%d:%d", path, line, column), parse
	}
	if err != nil {
		return nil, fmt.Errorf("the configuration %s cannot be read: %w", path, err)
	}
	return inLowerCase(t).(map[string]any), nil
}

// inLowerCase returns a TOML value with the keys of all tables in lower case.
func inLowerCase(value any) any {
	switch value := value.(type) {
	case map[string]any:
		lower := make(map[string]any, len(value))
		for name, v := range value {
			lower[strings.ToLower(name)] = inLowerCase(v)
		}
		return lower
	case []any:
		for i, v := range value {
			value[i] = inLowerCase(v)
		}
	}
	return value
}

// get returns the value of a setting. Its key is SECTION.NAME, or NAME at the top of the file.
func (t tree) get(key string) (any, bool) {
	section, name, nested := strings.Cut(key, ".")
	value, ok := t[section]
	if !nested {
		return value, ok
	}
	inner, _ := value.(map[string]any)
	return tree(inner).get(name)
}

// keys returns the keys of all values, in no particular order. The key of a value in a table begins
// with the table's key: SECTION.NAME.
func (t tree) keys() []string {
	var keys []string
	for name, value := range t {
		inner, ok := value.(map[string]any)
		if !ok {
			keys = append(keys, name)
		}
		for _, key := range tree(inner).keys() {
			keys = append(keys, name+"."+key)
		}
	}
	return keys
}
