package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"

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
func Load(fs *pflag.FlagSet, path string) (*Loaded, error) {
	v := viper.New()
	if err := readFile(v, path); err != nil {
		return nil, err
	}
	if err := checkKeys(v.AllKeys()); err != nil {
		return nil, fmt.Errorf("the configuration %s: %w", path, err)
	}
	inFile, err := keyInFile(v)
	if err != nil {
		return nil, fmt.Errorf("the configuration %s: %w", path, err)
	}
	l := &Loaded{path: path, from: make(map[string]string, len(settings))}
	for _, s := range settings {
		if !l.bind(v, s, fs) {
			continue
		}
		if err := l.decode(v, s); err != nil {
			return nil, err
		}
	}
	if err := l.chooseKey(inFile); err != nil {
		return nil, err
	}
	l.chooseHeaders(inFile)
	if l.from[keyAgainst] == l.path && l.Against.KeyFile != "" {
		l.Against.KeyFile = l.besideConfig(l.Against.KeyFile)
	}
	for key, file := range map[string]*string{"model.system": &l.Model.System, "model.tokenizer": &l.Model.Tokenizer} {
		if l.from[key] == l.path && *file != "" {
			*file = l.besideConfig(*file)
		}
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	return l, nil
}

func readFile(v *viper.Viper, path string) error {
	if path == "" {
		return nil
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil // ENOTDIR: the home is no folder
	}
	if err := plainfile.Check(path, fileLimit); err != nil {
		return fmt.Errorf("the configuration cannot be read: %w", err)
	}
	v.SetConfigFile(path)
	if err := v.ReadInConfig(); err != nil {
		var parse viper.ConfigParseError
		if errors.As(err, &parse) {
			err = parse.Unwrap()
		}
		var at interface{ Position() (line, column int) } // of a TOML error
		if errors.As(err, &at) {
			line, column := at.Position()
			path += fmt.Sprintf(":%d:%d", line, column)
		}
		return fmt.Errorf("the configuration %s cannot be read: %w", path, err)
	}
	return nil
}

// bind gives v what a flag, a variable or the default says of a setting, and reports
// whether anything does. viper could look that up itself, but it does not tell which of
// them spoke, nor its text from the file's.
func (l *Loaded) bind(v *viper.Viper, s Setting, fs *pflag.FlagSet) bool {
	if given := fs.Lookup(s.Flag); given != nil && given.Changed {
		if f, ok := given.Value.(*textFlag); ok { // else it has the same name, and another meaning
			v.Set(s.Key, words(f.text))
			l.from[s.Key] = "--" + s.Flag
			return true
		}
	}
	env := slices.IndexFunc(s.Env, func(name string) bool { return os.Getenv(name) != "" })
	switch {
	case env >= 0:
		v.Set(s.Key, words(os.Getenv(s.Env[env])))
		l.from[s.Key] = s.Env[env]
	case v.InConfig(s.Key):
		l.from[s.Key] = l.path
	case s.def != "":
		v.SetDefault(s.Key, words(s.def))
	default:
		return false
	}
	return true
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
