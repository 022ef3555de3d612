package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/npdb/npdb/internal/plainfile"
)

// Names of settings that the code refers to.
const (
	KeyBaseURL = "model.base_url"
	KeyKeyFile = "model.key_file"
	KeyName    = "model.name"

	keyKey        = "model.key"
	keyHeaders    = "model.headers"
	keyAgainstURL = "against.base_url"
	keyWhyURL     = "why.base_url"
)

// keyPair reports whether the configuration file sets both an endpoint and a key or key file for
// it.
func keyPair(file tree) (bool, error) {
	key, _ := file.get(keyKey)
	keyFile, _ := file.get(KeyKeyFile)
	withKey, withFile := key != nil && key != "", keyFile != nil && keyFile != ""
	if withKey && withFile {
		return false, errors.New("key and key_file are both set: there is one key")
	}
	_, endpoint := file.get(KeyBaseURL)
	return (withKey || withFile) && endpoint, nil
}

// chooseKey decides which API key is sent. If the file sets both an endpoint and a key (pair is
// true), that key is not sent to any other endpoint. OPENAI_API_KEY, which other programs use too,
// is not sent to the endpoint in such a file; Load then ignores the variable.
func (l *Loaded) chooseKey(pair bool) error {
	m := &l.Model
	switch keyFrom, fileFrom := l.from[keyKey], l.from[KeyKeyFile]; {
	case strings.HasPrefix(fileFrom, "--"), fileFrom == "NPDB_KEY_FILE" && keyFrom != "NPDB_KEY":
		return l.readKey(m.KeyFile)
	case keyFrom == "NPDB_KEY", keyFrom == "OPENAI_API_KEY":
	case pair && l.from[KeyBaseURL] != l.path:
		m.Key = ""
		l.withhold(keyKey, "key", "is")
	case m.KeyFile != "":
		return l.readKey(l.besideConfig(m.KeyFile))
	case m.Key != "":
		l.warnReadable(l.path, "there is a key in it")
	}
	return nil
}

// chooseHeaders removes the file's headers if the file sets an endpoint, but a flag or a variable
// overrides it. Headers often contain credentials for the file's endpoint.
func (l *Loaded) chooseHeaders(endpoint bool) {
	if len(l.Model.Headers) > 0 && endpoint && l.from[KeyBaseURL] != l.path {
		l.Model.Headers = nil
		l.withhold(keyHeaders, "headers", "are")
	}
}

// withhold removes the origin of a setting, and adds a warning that the file's value is not sent to
// the endpoint of a flag or variable.
func (l *Loaded) withhold(key, name, is string) {
	delete(l.from, key)
	l.Warnings = append(l.Warnings, fmt.Sprintf("the %s of %s %s for the endpoint that is named there: none is sent to that of %s", name, l.path, is, l.from[KeyBaseURL]))
}

// readKey reads the API key from the key file at path.
func (l *Loaded) readKey(path string) error {
	key, err := ReadKeyFile(path)
	if err != nil {
		return l.fault(KeyKeyFile, err)
	}
	l.Model.Key, l.from[keyKey] = key, path
	l.warnReadable(path, "the key is in it")
	return nil
}

// ReadKeyFile reads a file that contains only a key.
func ReadKeyFile(path string) (string, error) {
	text, err := plainfile.ReadOrWait(path, 64<<10, time.Minute)
	if err != nil {
		return "", fmt.Errorf("the key cannot be read: %w", err)
	}
	key := strings.TrimSpace(string(text))
	if key == "" {
		return "", fmt.Errorf("%s is empty, and the key should be in it", path)
	}
	return key, nil
}

// besideConfig resolves a path in the configuration file. Relative paths start at the file's
// folder, ~/ at the home directory.
func (l *Loaded) besideConfig(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(os.Getenv("HOME"), rest)
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(l.path), path)
}

// warnReadable adds a warning if users other than the owner may read the file.
func (l *Loaded) warnReadable(path, why string) {
	// On Windows the mode does not show who may read a file.
	if info, err := os.Stat(path); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o044 != 0 {
		l.Warnings = append(l.Warnings, fmt.Sprintf("others may read %s, and %s: chmod 600 %s", path, why, path))
	}
}
