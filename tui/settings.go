package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/settings"
)

// Sources of a setting that was changed on the screen.
const (
	fromKeys = "this session"
	fromFile = "the file"
)

// openSettings shows the page of the settings as they are now.
func (m *Model) openSettings() tea.Cmd {
	if len(m.config.Settings.Entries) == 0 {
		return nil
	}
	m.page = settings.NewPage(m.screen, &m.config.Settings)
	m.switched()
	return nil
}

// switched updates the settings page after key presses have changed the mouse or the line values.
func (m *Model) switched() {
	for key, on := range map[string]bool{"mouse": m.mouse, "line_values": m.source.Values} {
		if e := m.config.Settings.Entry(key); e != nil && e.Value != settings.Word(on) {
			e.Value, e.From = settings.Word(on), fromKeys
		}
	}
}

// openThemes shows the list of themes.
func (m *Model) openThemes() (cmd tea.Cmd) {
	m.themes, cmd = settings.NewThemes(m.screen, m.themeName(), m.dark)
	m.before = m.screen.Theme
	return cmd
}

// themeName returns the theme that was chosen last.
func (m *Model) themeName() string {
	if e := m.config.Settings.Entry(settings.ThemeKey); e != nil {
		return e.Value
	}
	return themes.Default
}

// settingsKey handles a key press while the page is open.
func (m *Model) settingsKey(msg tea.KeyPressMsg) tea.Cmd { return m.onPage(m.page.Key(msg)) }

// onPage runs an action that the page passes to the screen.
func (m *Model) onPage(change *settings.Change, action string) tea.Cmd {
	switch {
	case change != nil:
		return m.set(*change)
	case action == "leave-settings", action == "cancel", action == "settings":
		m.page = nil
	case action != "":
		cmd := m.act(action)
		m.switched()
		return cmd
	}
	return nil
}

// themesKey handles a key press while the list of themes is open.
func (m *Model) themesKey(msg tea.KeyPressMsg) tea.Cmd {
	action, cmd := m.themes.Key(msg)
	switch action {
	case "keep-theme":
		return m.keepTheme()
	case "leave-themes", "cancel", "themes":
		m.leaveThemes()
	case "suspend", "redraw":
		return m.act(action)
	}
	return cmd
}

// leaveThemes restores the theme from before.
func (m *Model) leaveThemes() {
	m.themes = nil
	if m.screen.Theme = m.before; m.before.Dark != m.dark { // the background has changed since
		m.complain(m.retheme())
	}
}

// keepTheme stores the theme under the cursor, if it is loaded.
func (m *Model) keepTheme() tea.Cmd {
	name, ok := m.themes.Keep()
	if !ok {
		return nil
	}
	m.themes = nil
	m.config.Theme = func(dark bool) (*themes.Theme, error) { return themes.Load(name, dark) }
	return m.set(settings.Change{Key: settings.ThemeKey, Value: name})
}

// tryTheme shows a theme that was loaded for the list.
func (m *Model) tryTheme(msg settings.Loaded) tea.Cmd {
	if m.themes == nil {
		return nil
	}
	show, keep := m.themes.Take(msg)
	if show {
		m.screen.Theme = msg.Theme.For(m.profile)
	}
	if keep {
		return m.keepTheme()
	}
	return nil
}

// set applies a changed setting to the screen if possible, and writes it to the configuration.
func (m *Model) set(c settings.Change) tea.Cmd {
	on := c.Value == settings.Yes
	switch c.Key {
	case "mouse":
		m.mouse = on
	case "line_values":
		m.source.Values = on
	case "confirm":
		m.config.NoConfirm = !on
	case "key_profile":
		bindings, err := m.config.Settings.KeyMap(c.Value)
		if err != nil {
			m.screen.Flash = c.Value + " cannot be taken: " + err.Error()
			return nil
		}
		m.bind(bindings)
	}
	if e := m.config.Settings.Entry(c.Key); e != nil {
		e.Value, e.From = c.Value, fromKeys
	}
	return m.keeper.Keep(c)
}

// bind binds keys to actions.
func (m *Model) bind(b *keys.Map) {
	m.screen.Keys = b
	m.engine.keys.Store(b)
}

// kept reports that a setting was written, or that it could not be.
func (m *Model) kept(msg settings.Kept) tea.Cmd {
	e := m.config.Settings.Entry(msg.Key)
	switch {
	case msg.Err != nil:
		m.screen.Flash = msg.Err.Error()
	case e == nil:
	default:
		if e.Value == msg.Value { // else it was changed again
			e.From = fromFile
		}
		m.screen.Flash = fmt.Sprintf("%s is %s, kept in %s.", e.Key, msg.Value, m.config.Settings.File)
		if e.Over != "" {
			m.screen.Flash += " " + e.Over + " wins over that where it is given."
		}
	}
	return m.keeper.Next()
}
