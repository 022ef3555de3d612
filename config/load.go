package config

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"
)

// Loaded is the configuration in effect, with the origin of each setting.
type Loaded struct {
	Config
	// Warnings are messages that npdb should print before it continues.
	Warnings []string

	path string // path of the configuration file, which may not exist; "" if no home directory is known
	// from maps a setting's key to its origin: "--base-url", "NPDB_BASE_URL", the path of the file,
	// or "" for a default.
	from map[string]string
}

// Path returns the path of the configuration file, or "" if no home directory is known.
func Path() string {
	if d := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "npdb", "config.toml")
	}
	home := os.Getenv("HOME")
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, ".config", "npdb", "config.toml")
}

// Load reads the configuration. Flags of fs that were given override the environment, which
// overrides the file at path, which overrides the defaults. A missing file is treated as empty. An
// unknown setting or an invalid value is an error.
func Load(fs *pflag.FlagSet, path string) (*Loaded, error) {
	file, err := readFile(path)
	if err != nil {
		return nil, err
	}
	pair, err := keyPair(file)
	if err = cmp.Or(checkKeys(file.keys()), err); err != nil {
		return nil, fmt.Errorf("the configuration %s: %w", path, err)
	}
	l := &Loaded{path: path, from: make(map[string]string, len(settings))}
	for _, s := range settings {
		text, from := s.given(fs)
		if from == "OPENAI_API_KEY" && pair && l.from[KeyBaseURL] == path {
			from = ""
		}
		value, inFile := file.get(s.Key)
		switch {
		case from != "":
			value = s.parse(text)
		case inFile:
			from = path
		case s.def != "":
			value = s.parse(s.def)
		default:
			continue
		}
		l.from[s.Key] = from
		if err := l.decode(s, value); err != nil {
			return nil, err
		}
		if field := s.in(&l.Config); s.tag.Get("path") != "" && from == path && field.String() != "" {
			field.SetString(l.besideConfig(field.String()))
		}
	}
	if err := l.chooseKey(pair); err != nil {
		return nil, err
	}
	_, endpoint := file.get(KeyBaseURL)
	l.chooseHeaders(endpoint)
	if err := l.check(); err != nil {
		return nil, err
	}
	return l, nil
}

// From returns the origin of the setting with this key: "--base-url", "NPDB_BASE_URL", the path of
// the file, or "" for a default.
func (l *Loaded) From(key string) string { return l.from[key] }

// fault adds to err the flag or variable that set the setting, or the file and key.
func (l *Loaded) fault(key string, err error) error {
	if from := l.from[key]; from != "" && from != l.path {
		return fmt.Errorf("%s: %w", from, err)
	}
	return fmt.Errorf("the configuration %s: %s: %w", l.path, key, err)
}
