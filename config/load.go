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

// Loaded is the configuration in effect and how it came about.
type Loaded struct {
	Config
	// Warnings are what npdb should say before it goes on.
	Warnings []string

	path string // of the file, whether there is one or not; "" when no home is known
	// from says for each key what set it: "--base-url", "NPDB_BASE_URL", the path
	// of the file, or "" for a default.
	from map[string]string
}

// Path returns where the configuration's file is; "" when no home is known.
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

// Load reads the configuration: the flags of fs that were given, else the
// environment, else the file at path, else the defaults. A file that is not there
// is an empty one; a setting that npdb does not know or understand is an error.
// viper could look up flags and variables itself, but it does not tell which of them set a
// setting.
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
		return nil // ENOTDIR: the home is no folder
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

// From returns what set the setting of a key: "--base-url", "NPDB_BASE_URL", the path of
// the file, or "" for a default.
func (l *Loaded) From(key string) string { return l.from[key] }

// fault returns an error in the value of a setting, with the place to mend it.
func (l *Loaded) fault(key string, err error) error {
	if from := l.from[key]; from != "" && from != l.path {
		return fmt.Errorf("%s: %w", from, err)
	}
	return fmt.Errorf("the configuration %s: %s: %w", l.path, key, err)
}
