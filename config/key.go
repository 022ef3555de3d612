package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/viper"

	"github.com/npdb/npdb/internal/plainfile"
)

// Keys of settings that the server's key depends on.
const (
	KeyBaseURL = "model.base_url"
	KeyKeyFile = "model.key_file"
	KeyName    = "model.name"

	keyKey        = "model.key"
	keyHeaders    = "model.headers"
	keyAgainst    = "against.key_file"
	keyAgainstURL = "against.base_url"
)

// fileKey is what the configuration's file says about the server's key.
type fileKey struct {
	key, keyFile string
	endpoint     bool // the file names an endpoint, too
}

// keyInFile returns the key of the file. It must be called before flags and variables are
// bound to v.
func keyInFile(v *viper.Viper) (f fileKey, err error) {
	f.key, _ = v.Get(keyKey).(string) // of another type: load says so
	f.keyFile, _ = v.Get(KeyKeyFile).(string)
	f.endpoint = v.InConfig(KeyBaseURL)
	if f.key != "" && f.keyFile != "" {
		err = errors.New("key and key_file are both set: there is one key")
	}
	return f, err
}

// chooseKey decides which key is sent. A key stays with the endpoint that was
// named in the same place: where the file has both, its key is sent to no other
// endpoint, and OPENAI_API_KEY, which other programs read too, not to its own.
func (l *Loaded) chooseKey(file fileKey) error {
	m := &l.Model
	has := file.key != "" || file.keyFile != ""
	pair := has && file.endpoint
	own := pair && l.from[KeyBaseURL] == l.path
	switch keyFrom, fileFrom := l.from[keyKey], l.from[KeyKeyFile]; {
	case strings.HasPrefix(fileFrom, "--"):
		return l.readKey(m.KeyFile)
	case keyFrom == "NPDB_KEY":
	case fileFrom == "NPDB_KEY_FILE":
		return l.readKey(m.KeyFile)
	case keyFrom == "OPENAI_API_KEY" && !own:
	case pair && !own:
		m.Key = ""
		delete(l.from, keyKey)
		l.Warnings = append(l.Warnings, fmt.Sprintf("the key of %s is for the endpoint that is named there: none is sent to that of %s", l.path, l.from[KeyBaseURL]))
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
func (l *Loaded) chooseHeaders(file fileKey) {
	if len(l.Model.Headers) == 0 || !file.endpoint || l.from[KeyBaseURL] == l.path {
		return
	}
	l.Model.Headers = nil
	delete(l.from, keyHeaders)
	l.Warnings = append(l.Warnings, fmt.Sprintf("the headers of %s are for the endpoint that is named there: none is sent to that of %s", l.path, l.from[KeyBaseURL]))
}

// readKey takes the key from a file of its own.
func (l *Loaded) readKey(path string) error {
	key, err := ReadKeyFile(path)
	if err != nil {
		return l.fault(KeyKeyFile, err)
	}
	l.Model.Key, l.from[keyKey] = key, path
	l.warnReadable(path, "the key is in it")
	return l.checkKey()
}

// ReadKeyFile reads a file that holds a key and nothing else.
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

func (l *Loaded) checkKey() error {
	if hasControl(l.Model.Key) {
		return l.fault(keyKey, errors.New("this is no key: there is a line end or another control character in it"))
	}
	return nil
}

// besideConfig returns a path of the file's, which counts from the file's own folder;
// ~ is the home.
func (l *Loaded) besideConfig(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(os.Getenv("HOME"), rest)
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(l.path), path)
}

// warnReadable warns of a file that others than its owner may read.
func (l *Loaded) warnReadable(path, why string) {
	// Windows has access lists, of which a mode tells nothing.
	if info, err := os.Stat(path); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o044 != 0 {
		l.Warnings = append(l.Warnings, fmt.Sprintf("others may read %s, and %s: chmod 600 %s", path, why, path))
	}
}
