package main

import (
	"strconv"
	"strings"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/settings"
)

// pageSettings lists the settings on the screen's settings page: those that users need most.
var pageSettings = []struct {
	group, key string
	now        bool // the screen applies a change at once
}{
	{"the screen", settings.ThemeKey, true},
	{"the screen", "key_profile", true},
	{"the screen", "keys", false},
	{"the screen", "mouse", true},
	{"the screen", "line_values", true},
	{"the screen", "confirm", true},
	{"the screen", "command_history", false},
	{"the session", "mode", false},
	{"the session", "python", false},
	{"the model", config.KeyBaseURL, false},
	{"the model", config.KeyName, false},
}

// settingsPage returns the settings page for a configuration.
func settingsPage(c *config.Loaded) settings.Config {
	rows := map[string]config.Row{}
	for _, r := range c.Rows() {
		rows[r.Key] = r
	}
	about := map[string]config.Setting{}
	for _, s := range config.Settings() {
		about[s.Key] = s
	}
	path := config.Path()
	page := settings.Config{
		File: cli.ShortPath(path),
		Keep: func(key string, value any) error { return config.Set(path, key, value) },
		KeyMap: func(profile string) (*keys.Map, error) {
			with := c.Config
			with.KeyProfile = profile
			return with.KeyMap()
		},
	}
	for _, p := range pageSettings {
		row := rows[p.key]
		e := settings.Entry{
			Key: p.key, Group: p.group, Value: row.Value, From: row.From, About: about[p.key].Sentence(),
			Choices: about[p.key].Choices(), Now: p.now,
		}
		if text, err := strconv.Unquote(row.Value); err == nil {
			e.Value = text
		}
		if e.Value == "-" {
			e.Value = "not set"
		}
		switch from := c.From(p.key); {
		case from == path && from != "":
			e.From = "the file"
		case from != "":
			e.From, e.Over = cli.ShortPath(from), from
		default:
			e.From, _, _ = strings.Cut(row.From, ":") // the reason for a default is in its description
		}
		if p.key == "key_profile" {
			e.Choices = c.KeyProfiles()
		}
		if on, err := strconv.ParseBool(row.Value); err == nil {
			e.Value, e.Choices = settings.Word(on), []string{settings.Yes, settings.No}
		}
		page.Entries = append(page.Entries, e)
	}
	return page
}
