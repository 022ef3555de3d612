package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/npdb/npdb/internal/plainfile"
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
// unknown setting or an invalid value is an error. Load looks up flags and variables itself,
// because viper does not report which of them set a setting.
func Load(fs *pflag.FlagSet, path string) (*Loaded, error) {
	v := viper.New()
	if err := readFile(v, path); err != nil {
		return nil, err
	}
	pair, err := keyPair(v)
	if err = cmp.Or(checkKeys(v.AllKeys()), err); err != nil {
		return nil, fmt.Errorf("the configuration %s: %w", path, err)
	}
	l := &Loaded{path: path, from: make(map[string]string, len(settings))}
	for _, s := range settings {
		text, from := s.given(fs)
		if from == "OPENAI_API_KEY" && pair && l.from[KeyBaseURL] == path {
			from = ""
		}
		switch {
		case from != "":
			v.Set(s.Key, s.parse(text))
		case v.InConfig(s.Key):
			from = path
		case s.def != "":
			v.SetDefault(s.Key, s.parse(s.def))
		default:
			continue
		}
		l.from[s.Key] = from
		if err := l.decode(v, s); err != nil {
			return nil, err
		}
		if file := s.in(&l.Config); s.tag.Get("path") != "" && from == path && file.String() != "" {
			file.SetString(l.besideConfig(file.String()))
		}
	}
	if err := l.chooseKey(pair); err != nil {
		return nil, err
	}
	l.chooseHeaders(v.InConfig(KeyBaseURL))
	if err := l.check(); err != nil {
		return nil, err
	}
	return l, nil
}

func readFile(v *viper.Viper, path string) error {
	text, err := plainfile.Read(path, fileLimit)
	switch {
	case errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return nil // ENOTDIR: the home is not a directory
	case err != nil:
		return fmt.Errorf("the configuration cannot be read: %w", err)
	}
	v.SetConfigType("toml")
	err = v.ReadConfig(bytes.NewReader(text))
	if parse, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := parse.Position()
		path, err = fmt.Sprintf("%s:%d:%d", path, line, column), parse
	}
	if err != nil {
		return fmt.Errorf("the configuration %s cannot be read: %w", path, err)
	}
	return nil
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
