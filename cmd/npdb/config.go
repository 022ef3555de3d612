package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/viper"
)

// config is the configuration file. Flags win over it; lists add up.
type config struct {
	// Python is the interpreter that runs programs; "" looks for one.
	Python string `mapstructure:"python"`
	// UserCode are globs of files to step into besides the program's folder.
	UserCode []string `mapstructure:"user_code"`
	// LibraryCode are globs of files to step over.
	LibraryCode []string `mapstructure:"library_code"`
	// Limits bound a recording; a program that reaches one is paused.
	Limits struct {
		// Events is how many states are recorded; 0 is 20,000,000.
		Events int `mapstructure:"events"`
		// Memory is how much of it they take, such as "512MB"; "" is 4 GiB.
		Memory string `mapstructure:"memory"`
	} `mapstructure:"limits"`
}

const configHelp = `Settings are read from $XDG_CONFIG_HOME/npdb/config.toml (~/.config/npdb/config.toml):

  python = "python3.12"            # the interpreter that runs programs
  user_code = ["/src/shared/**"]   # also step into these files
  library_code = ["**/gen_*.py"]   # step over these files
  [limits]
  events = 20000000                # pause when so many states are recorded
  memory = "4GiB"                  # or when they take so much memory`

// configPath is where the configuration is; "" when no home is known.
func configPath() string {
	if d := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "npdb", "config.toml")
	}
	home := os.Getenv("HOME")
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, ".config", "npdb", "config.toml")
}

// readConfig reads the configuration. A file that is not there is the defaults;
// a setting that npdb does not know is an error.
func readConfig(path string) (config, error) {
	var c config
	if path == "" {
		return c, nil
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return c, nil // ENOTDIR: the home is no folder
	}
	v := viper.NewWithOptions(viper.KeyDelimiter("::"), viper.ExperimentalBindStruct())
	v.SetConfigFile(path)
	if err := v.ReadInConfig(); err != nil {
		return c, fmt.Errorf("the configuration %s cannot be read: %w", path, err)
	}
	if err := v.UnmarshalExact(&c); err != nil {
		return c, fmt.Errorf("the configuration %s has settings that npdb does not know or understand: %w", path, err)
	}
	return c, nil
}
