package main

import (
	"errors"
	"strings"

	"github.com/npdb/npdb/tui/keys"
)

// keyMap makes the screen's bindings of the configuration.
func (c config) keyMap() (*keys.Map, error) {
	return keys.New(c.KeyProfile, c.keyProfiles(), c.Keys)
}

// keyProfiles are the profiles of the configuration.
func (c config) keyProfiles() []keys.Profile {
	own := make([]keys.Profile, len(c.Profiles))
	for i, p := range c.Profiles {
		own[i] = keys.Profile(p)
	}
	return own
}

// checkKeyMap finds fault with the bindings, in the setting that is to be mended.
func (l *loadedConfig) checkKeyMap() error {
	own := l.keyProfiles()
	for _, p := range own {
		if _, err := keys.New(p.Name, own, nil); err != nil {
			return l.fault("profiles", inOneLine(err))
		}
	}
	if _, err := keys.New(l.KeyProfile, own, nil); err != nil {
		return l.fault("key_profile", inOneLine(err))
	}
	if _, err := l.keyMap(); err != nil {
		return l.fault("keys", inOneLine(err))
	}
	return nil
}

// inOneLine is a joined error on one line.
func inOneLine(err error) error {
	return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
}
