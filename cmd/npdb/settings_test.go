package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spf13/pflag"

	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/tui/settings"
)

// TestSettingsPage checks that the page shows each setting's value, source and choices,
// and that the next start reads the saved values.
func TestSettingsPage(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("NPDB_MOUSE", "false")
	path := filepath.Join(dir, "npdb", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("mode = \"neural\" # always\n[[profiles]]\nname = \"mine\"\nkeys = {next = [\"space\"]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	load := func() *config.Loaded {
		fs := pflag.NewFlagSet("npdb", pflag.ContinueOnError)
		config.AddFlags(fs)
		if err := fs.Parse([]string{"--python", "python3.9"}); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(fs, path)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	page := settingsPage(load())
	yesNo := []string{settings.Yes, settings.No}
	for _, want := range []settings.Entry{
		{Key: "theme", Value: "npdb", From: "default", Now: true},
		{Key: "key_profile", Value: "default", From: "default", Choices: []string{"default", "pudb", "mine"}, Now: true},
		{Key: "mouse", Value: settings.No, From: "NPDB_MOUSE", Over: "NPDB_MOUSE", Choices: yesNo, Now: true},
		{Key: "line_values", Value: settings.Yes, From: "default", Choices: yesNo, Now: true},
		{Key: "command_history", Value: settings.Yes, From: "default", Choices: yesNo},
		{Key: "mode", Value: "neural", From: "the file", Choices: []string{"neural", "real", "both"}},
		{Key: "python", Value: "python3.9", From: "--python", Over: "--python"},
		{Key: "model.name", Value: "not set", From: "default"},
	} {
		got := page.Entry(want.Key)
		if got == nil {
			t.Errorf("there is no %s", want.Key)
			continue
		}
		if got.Value != want.Value || got.From != want.From || got.Over != want.Over || got.Now != want.Now || !slices.Equal(got.Choices, want.Choices) {
			t.Errorf("%+v, want %+v", *got, want)
		}
		if got.About == "" || got.Group == "" {
			t.Errorf("%+v says nothing of itself", *got)
		}
	}
	if m, err := page.KeyMap("mine"); err != nil || !slices.Equal(m.Keys("next"), []string{"Space"}) {
		t.Errorf("%v, %v", m, err)
	}
	if err := page.Keep("theme", "nord"); err != nil {
		t.Fatal(err)
	}
	page = settingsPage(load())
	if e := page.Entry("theme"); e.Value != "nord" || e.From != "the file" {
		t.Errorf("%+v", *e)
	}
}
