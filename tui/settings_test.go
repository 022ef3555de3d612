package tui

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/chooser"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/settings"
)

// settings returns npdb's settings without a configuration file. Saved settings are in
// d.kept.
func (d *driver) settings() settings.Config {
	yesNo := []string{settings.Yes, settings.No}
	entry := func(group, key, value, about string, now bool, choices ...string) settings.Entry {
		return settings.Entry{Key: key, Group: group, Value: value, From: "default", About: about, Now: now, Choices: choices}
	}
	d.kept = map[string]any{}
	return settings.Config{
		File: "~/.config/npdb/config.toml",
		Keep: func(key string, value any) error {
			if d.refuses != nil {
				return d.refuses
			}
			d.kept[key] = value
			return nil
		},
		KeyMap: func(profile string) (*keys.Map, error) { return keys.New(profile, nil, nil) },
		Entries: []settings.Entry{
			entry("the screen", "theme", themes.Default, "The colors of the screen: one of npdb's themes, of chroma's styles or of your own; npdb themes lists them", true),
			entry("the screen", "key_profile", "default", "Which keys do what", true, keys.DefaultProfile, keys.PudbProfile),
			entry("the screen", "keys", "not set", "Keys of your own, on top of the profile's", false),
			entry("the screen", "mouse", settings.Yes, "Whether npdb takes the mouse from the start", true, yesNo...),
			entry("the screen", "line_values", settings.Yes, "Whether the values of a line's names stand at its end from the start", true, yesNo...),
			entry("the screen", "confirm", settings.Yes, "Whether the screen asks before it runs the program again", true, yesNo...),
			entry("the screen", "command_history", settings.Yes, "Whether the command line of the screen remembers commands", false, yesNo...),
			entry("the session", "mode", "real", "Where states come from", false, "neural", "real", "both"),
			{Key: "python", Group: "the session", Value: "/usr/bin/python3", From: "--python", Over: "--python", About: "The Python interpreter that runs programs"},
			{Key: "model.base_url", Group: "the model", Value: "http://127.0.0.1:8000/v1", From: "NPDB_BASE_URL", Over: "NPDB_BASE_URL", About: "The address of an OpenAI-compatible server"},
			entry("the model", "model.name", "not set", "The model's name on that server", false),
		},
	}
}

// keeps fails unless exactly these settings were saved.
func (d *driver) keeps(want map[string]any) {
	d.t.Helper()
	if !maps.Equal(d.kept, want) {
		d.t.Errorf("kept are %v, want %v", d.kept, want)
	}
}

// entry returns a setting as the page shows it.
func (d *driver) entry(key string) settings.Entry { return *d.m.config.Settings.Entry(key) }

// TestThemes checks that the theme under the cursor applies to the whole screen, that
// Enter saves it, and that Esc restores the one before.
func TestThemes(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	before := d.m.screen.Theme
	d.press("P")
	d.shows("themes")
	if d.m.screen.Theme.Name != before.Name {
		t.Error("to open the list changes the theme")
	}
	d.write("gith light")
	if name := d.m.screen.Theme.Name; name != "github" || d.m.screen.Theme.Dark {
		t.Errorf("the screen has the theme %s", name)
	}
	d.shows("github-light")
	d.shows("def price") // the source is shown beside the list
	d.press("esc")
	if d.m.screen.Theme != before {
		t.Errorf("after Esc the screen has the theme %s", d.m.screen.Theme.Name)
	}
	d.keeps(map[string]any{})

	d.press("P")
	d.write("monok")
	d.press("down", "enter")
	d.shows("theme is monokai-dark, kept in ~/.config/npdb/config.toml.")
	d.showsNot("themes / ")
	d.keeps(map[string]any{"theme": "monokai-dark"})
	if name := d.m.screen.Theme.Name; name != "monokai" {
		t.Errorf("the screen has the theme %s", name)
	}
	d.tell(tea.BackgroundColorMsg{Color: rgb(255)})
	if name := d.m.screen.Theme.Name; name != "monokai" {
		t.Errorf("on a light background monokai-dark is %s", name)
	}

	d.press("P") // the cursor is at the current theme
	d.shows("→ monokai-dark")
	d.press("up")
	if name := d.m.screen.Theme.Name; name != "monokailight" {
		t.Errorf("on a light background monokai is %s", name)
	}
	d.shows("light: monokailight")
	d.tell(tea.BackgroundColorMsg{Color: rgb(0)})
	d.settle()
	if name := d.m.screen.Theme.Name; name != "monokai" {
		t.Errorf("on a dark background monokai is %s", name)
	}
	d.press("ctrl+c")
	if name := d.m.screen.Theme.Name; name != "monokai" || d.m.themes != nil {
		t.Errorf("after Ctrl-C the screen has the theme %s", name)
	}
}

type rgb uint8

func (c rgb) RGBA() (r, g, b, a uint32) {
	v := uint32(c) * 0x101
	return v, v, v, 0xffff
}

// TestThemesNone checks that a name without a theme, and a theme that cannot be loaded, is
// not saved.
func TestThemesNone(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	before := d.m.screen.Theme
	d.press("f3")
	d.write("qqq")
	d.shows("no theme has that name")
	d.press("enter")
	d.shows("No theme has that name.")
	d.tell(settings.Loaded{Name: "nord", Dark: true, Theme: before}) // this message is for a list that was closed
	d.press("backspace", "backspace", "backspace")
	d.tell(settings.Loaded{Name: d.m.themes.At(), Dark: true, Err: errors.New("line 3 of it is wrong")})
	d.shows("line 3 of it is wrong")
	d.press("enter")
	d.showsNot("kept")
	d.keeps(map[string]any{})
	d.press("esc")
	if d.m.screen.Theme != before {
		t.Error("another theme shows")
	}
}

// TestThemesQuick checks keys that are pressed before the list has loaded: they take
// effect when it has, and Enter when the theme has loaded. The cursor may have been
// elsewhere in between.
func TestThemesQuick(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	for _, k := range []string{"P", "down", "down"} {
		d.tell(key(k))
	}
	d.settle()
	if at := d.m.themes.At(); at != "npdb-light" || d.m.screen.Theme.Name != at {
		t.Errorf("the cursor is at %s, the screen has the theme %s", at, d.m.screen.Theme.Name)
	}
	for _, k := range []string{"down", "down", "up", "down", "enter"} {
		d.tell(key(k))
	}
	want := d.m.themes.At()
	d.settle()
	d.keeps(map[string]any{"theme": want})
	if name := d.m.screen.Theme.Name; d.m.themes != nil || name != want {
		t.Errorf("the screen has the theme %s, want %s", name, want)
	}
}

// TestThemesQuickBack checks that Enter on the original theme also restores its colors.
func TestThemesQuickBack(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	before := d.m.screen.Theme.Name
	d.press("P", "down", "down")
	for _, k := range []string{"up", "up", "enter"} {
		d.tell(key(k))
	}
	d.settle()
	d.keeps(map[string]any{"theme": themes.Default})
	if name := d.m.screen.Theme.Name; d.m.themes != nil || name != before {
		t.Errorf("the screen has the theme %s, want %s", name, before)
	}
}

// TestThemesEnterBeforeList checks that Enter before the list has loaded saves the theme
// that the cursor is on then, unless another key follows.
func TestThemesEnterBeforeList(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	quick := func(names ...string) {
		t.Helper()
		for _, k := range names {
			d.tell(key(k))
		}
		d.settle()
	}
	quick("P", "down", "enter", "down")
	if d.m.themes == nil {
		t.Fatal("the list is closed, and the cursor was moved after Enter")
	}
	d.keeps(map[string]any{})
	d.press("esc")
	quick("P", "q", "q", "q", "enter")
	d.shows("No theme has that name.")
	d.keeps(map[string]any{})
	d.press("esc")
	for _, k := range []string{"P", "down", "down", "enter"} {
		d.tell(key(k))
	}
	d.tell(tea.BackgroundColorMsg{Color: rgb(255)})
	d.settle()
	d.keeps(map[string]any{"theme": "npdb-light"})
	if name := d.m.screen.Theme.Name; d.m.themes != nil || name != "npdb-light" {
		t.Errorf("the screen has the theme %s", name)
	}
}

// TestThemesMouse checks that one click tries a theme and a second click saves it.
func TestThemesMouse(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.press("P")
	d.click(2, 5) // a click beside the list
	rows := strings.Split(d.text(), "\n")
	y := slices.IndexFunc(rows, func(r string) bool { return strings.Contains(r, "colorblind-light") })
	d.click(100, y)
	if name := d.m.screen.Theme.Name; name != "colorblind-light" {
		t.Errorf("the screen has the theme %s", name)
	}
	d.tell(tea.MouseWheelMsg{X: 100, Y: y, Button: tea.MouseWheelDown})
	d.settle()
	if name := d.m.screen.Theme.Name; !strings.HasPrefix(name, d.m.themes.At()) || name == "colorblind-light" {
		t.Errorf("the wheel went to %s, the screen has the theme %s", d.m.themes.At(), name)
	}
	d.tell(tea.MouseWheelMsg{X: 100, Y: y, Button: tea.MouseWheelUp})
	d.click(100, y)
	d.click(100, y)
	d.keeps(map[string]any{"theme": "colorblind-light"})
}

// TestSettings checks that switches and choices can be changed on the page, take effect at
// once, and are saved.
func TestSettings(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	d.press("%", "O") // the mouse is off: the page shows the current value, not the configured one
	if e := d.entry("mouse"); e.Value != settings.No || e.From != "this session" {
		t.Errorf("%+v", e)
	}
	d.press("%")
	if e := d.entry("mouse"); e.Value != settings.Yes {
		t.Errorf("%+v", e)
	}
	d.press("%", "j", "j", "j", "enter")
	d.shows("mouse is yes, kept in ~/.config/npdb/config.toml.")
	d.press("j", "space", "j", "l", "j", "enter")
	d.keeps(map[string]any{"mouse": true, "line_values": false, "confirm": false, "command_history": false})
	if !d.m.mouse || d.m.source.Values {
		t.Error("the changes are not seen")
	}
	d.press("j", "h") // the mode before this one
	if e := d.entry("mode"); e.Value != "neural" || e.From != "the file" || d.kept["mode"] != "neural" {
		t.Errorf("%+v", e)
	}
	d.press("j", "enter")
	d.shows("Set python in ~/.config/npdb/config.toml")
	d.shows("--python wins over the file")
	d.press("esc")
	d.showsNot("the session")
	d.press("ctrl+r") // restarts without a question
	if d.m.question != nil {
		t.Error("it is asked whether to run again")
	}
	d.press("O", "j", "enter") // pudb's keys
	if k := d.m.screen.KeyFor("step-back"); k != "Alt-s" {
		t.Errorf("one goes back with %s", k)
	}
	d.press("k", "enter") // opens the list of themes
	d.press("down", "enter")
	d.shows("settings") // the page is shown again
	if e := d.entry("theme"); e.Value == themes.Default || d.kept["theme"] != e.Value {
		t.Errorf("%+v is on the page", e)
	}
}

// TestSettingsSmall checks that all settings can be reached on the smallest screen, and
// that the one under the cursor is in sight.
func TestSettingsSmall(t *testing.T) {
	d := drive(t, leastColumns, leastRows, cpython(t, "shop.py"))
	d.press("O")
	for _, e := range d.m.config.Settings.Entries {
		d.shows(" " + e.Key + " ")
		d.press("j")
	}
	d.press("g")
	d.shows("the screen")
	d.tell(tea.MouseWheelMsg{X: 3, Y: 3, Button: tea.MouseWheelDown})
	d.shows("mouse")
	d.press("q", "P", "pgdown", "pgdown", "pgup")
	d.shows(" " + d.m.themes.At() + " ")
}

// TestThemesAtStart checks that the user can choose colors before a program is chosen.
func TestThemesAtStart(t *testing.T) {
	d := start(t, 80, 24, session.Config{}, func(c *Config) { c.Start = &chooser.Config{} })
	d.settle()
	d.press("P", "down", "enter", "O")
	d.shows("the file")
	if d.kept["theme"] == nil {
		t.Error("no theme is kept")
	}
}

// TestSettingsNotKept checks that the page says why a setting cannot be saved, and that
// the other settings still work.
func TestSettingsNotKept(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	d.refuses = errors.New("the disk is full")
	d.press("O", "j", "j", "j", "enter")
	d.shows("the disk is full")
	if e := d.entry("mouse"); e.Value != settings.No || e.From != "this session" {
		t.Errorf("%+v", e)
	}
	d.refuses = nil
	for range 5 { // faster than the file is written
		d.tell(key("enter"))
	}
	d.settle()
	d.keeps(map[string]any{"mouse": true})
}

// TestSettingsFromAnywhere checks that both pages open from the help, from the command
// line, which continues below them, and before a program is chosen.
func TestSettingsFromAnywhere(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	d.press("?", "f2")
	d.shows("key_profile")
	d.press("q", "?", "f3")
	d.shows("themes / ")
	d.press("esc", ":")
	d.write("p 1")
	d.press("f3")
	d.write("nord")
	d.shows("/ nord")
	d.press("esc")
	d.write("2")
	d.shows("(npdb) p 12")
	d.click(3, 3)
	d.press("O")
	d.shows("kept in")
	d.click(10, 5)
	d.click(10, 5)
	if len(d.kept) != 1 {
		t.Errorf("two clicks kept %v\n%s", d.kept, d.text())
	}
}
