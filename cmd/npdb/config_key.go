package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/viper"

	"github.com/npdb/npdb/internal/plainfile"
)

// Settings that the server's key depends on.
const (
	keyBaseURL = "model.base_url"
	keyKey     = "model.key"
	keyKeyFile = "model.key_file"
	keyHeaders = "model.headers"
	keyAgainst = "against.key_file"
)

// fileKey is what the configuration's file says about the server's key.
type fileKey struct {
	key, keyFile string
	endpoint     bool // the file names an endpoint, too
}

// keyInFile is to be called before flags and variables are bound to v.
func keyInFile(v *viper.Viper) (f fileKey, err error) {
	f.key, _ = v.Get(keyKey).(string) // of another type: load says so
	f.keyFile, _ = v.Get(keyKeyFile).(string)
	f.endpoint = v.InConfig(keyBaseURL)
	if f.key != "" && f.keyFile != "" {
		err = errors.New("key and key_file are both set: there is one key")
	}
	return f, err
}

// chooseKey decides which key is sent. A key stays with the endpoint that was
// named in the same place: where the file has both, its key is sent to no other
// endpoint, and OPENAI_API_KEY, which other programs read too, not to its own.
func (l *loadedConfig) chooseKey(file fileKey) error {
	m := &l.Model
	has := file.key != "" || file.keyFile != ""
	pair := has && file.endpoint
	own := pair && l.from[keyBaseURL] == l.path
	switch keyFrom, fileFrom := l.from[keyKey], l.from[keyKeyFile]; {
	case strings.HasPrefix(fileFrom, "--"):
		return l.readKey(m.KeyFile)
	case keyFrom == "NPDB_KEY":
	case fileFrom == "NPDB_KEY_FILE":
		return l.readKey(m.KeyFile)
	case keyFrom == "OPENAI_API_KEY" && !own:
	case pair && !own:
		m.Key = ""
		delete(l.from, keyKey)
		l.warnings = append(l.warnings, fmt.Sprintf("the key of %s is for the endpoint that is named there: none is sent to that of %s", l.path, l.from[keyBaseURL]))
	case file.keyFile != "":
		return l.readKey(l.besideConfig(file.keyFile))
	case file.key != "":
		m.Key, l.from[keyKey] = file.key, l.path
		l.warnReadable(l.path, "there is a key in it")
	}
	return l.checkKey()
}

// chooseHeaders keeps headers, which hold credentials of their own often enough, with
// the endpoint that the file names beside them.
func (l *loadedConfig) chooseHeaders(file fileKey) {
	if len(l.Model.Headers) == 0 || !file.endpoint || l.from[keyBaseURL] == l.path {
		return
	}
	l.Model.Headers = nil
	delete(l.from, keyHeaders)
	l.warnings = append(l.warnings, fmt.Sprintf("the headers of %s are for the endpoint that is named there: none is sent to that of %s", l.path, l.from[keyBaseURL]))
}

// readKey takes the key from a file of its own.
func (l *loadedConfig) readKey(path string) error {
	key, err := readKeyFile(path)
	if err != nil {
		return l.fault(keyKeyFile, err)
	}
	l.Model.Key, l.from[keyKey] = key, path
	l.warnReadable(path, "the key is in it")
	return l.checkKey()
}

// readKeyFile reads a file that holds a key and nothing else.
func readKeyFile(path string) (string, error) {
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

func (l *loadedConfig) checkKey() error {
	if hasControl(l.Model.Key) {
		return l.fault(keyKey, errors.New("this is no key: there is a line end or another control character in it"))
	}
	return nil
}

// besideConfig is a path of the file's, which counts from the file's own folder;
// ~ is the home.
func (l *loadedConfig) besideConfig(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(os.Getenv("HOME"), rest)
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(l.path), path)
}

// warnReadable warns of a file that others than its owner may read.
func (l *loadedConfig) warnReadable(path, why string) {
	if info, err := os.Stat(path); err == nil && othersMayRead(info.Mode()) {
		l.warnings = append(l.warnings, fmt.Sprintf("others may read %s, and %s: chmod 600 %s", path, why, path))
	}
}
