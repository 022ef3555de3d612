package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/npdb/npdb/internal/plainfile"
)

// loadedConfig is the configuration in effect and how it came about.
type loadedConfig struct {
	config
	path string // of the file, whether there is one or not; "" when no home is known
	// from says for each key what set it: "--base-url", "NPDB_BASE_URL", the path
	// of the file, or "" for a default.
	from map[string]string
	// warnings are what npdb should say before it goes on.
	warnings []string
}

// addConfigFlags defines the flags of the settings that have one: of those in
// keys, or of all where there are none.
func addConfigFlags(fs *pflag.FlagSet, keys ...string) {
	for _, s := range settings {
		if s.flag == "" || len(keys) > 0 && !slices.Contains(keys, s.key) {
			continue
		}
		usage := s.sentence()
		usage = strings.ToLower(usage[:1]) + usage[1:]
		if s.def != "" {
			usage += " (default " + s.def + ")"
		}
		fs.VarPF(&configFlag{arg: s.arg}, s.flag, "", usage)
	}
}

// configFlag is the text of a flag; what it means is found out where the file's
// values are, too.
type configFlag struct{ arg, text string }

func (f *configFlag) String() string     { return f.text }
func (f *configFlag) Set(s string) error { f.text = s; return nil }
func (f *configFlag) Type() string       { return f.arg }

// loadConfig reads the configuration: the flags of fs that were given, else the
// environment, else the file at path, else the defaults. A file that is not there
// is an empty one; a setting that npdb does not know or understand is an error.
func loadConfig(fs *pflag.FlagSet, path string) (*loadedConfig, error) {
	v := viper.NewWithOptions(viper.KeyDelimiter("."))
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
	l := &loadedConfig{path: path, from: make(map[string]string, len(settings))}
	for _, s := range settings {
		if err := l.load(v, s, fs); err != nil {
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
	if err := plainfile.Check(path, 1<<20); err != nil {
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

// load gives a setting its value.
func (l *loadedConfig) load(v *viper.Viper, s setting, fs *pflag.FlagSet) error {
	// viper knows the order of precedence; which of them spoke it does not tell.
	source, text := l.path, true
	flag := fs.Lookup(s.flag)
	if flag != nil {
		if _, ok := flag.Value.(*configFlag); !ok {
			flag = nil // of the same name, and another meaning
		}
	}
	if flag != nil {
		if err := v.BindPFlag(s.key, flag); err != nil {
			return err
		}
	}
	if len(s.env) > 0 {
		if err := v.BindEnv(append([]string{s.key}, s.env...)...); err != nil {
			return err
		}
	}
	env := slices.IndexFunc(s.env, func(name string) bool { return os.Getenv(name) != "" })
	switch {
	case flag != nil && flag.Changed:
		source = "--" + s.flag
	case env >= 0:
		source = s.env[env]
	case v.InConfig(s.key):
		text = false
	default:
		if s.def == "" {
			return nil
		}
		return store(s.in(&l.config), s.def, true)
	}
	l.from[s.key] = source
	if err := store(s.in(&l.config), v.Get(s.key), text); err != nil {
		if s.secret() {
			err = fmt.Errorf("%s is wanted", wanted(s.typ)) // and what is there not shown
		}
		return l.fault(s.key, err)
	}
	return nil
}

// fault is an error in the value of a setting, with the place to mend it.
func (l *loadedConfig) fault(key string, err error) error {
	if from := l.from[key]; from != "" && from != l.path {
		return fmt.Errorf("%s: %w", from, err)
	}
	return fmt.Errorf("the configuration %s: %s: %w", l.path, key, err)
}

// secret tells that a setting's value is shown to nobody.
func (s setting) secret() bool { return s.key == keyKey || s.key == keyHeaders }
