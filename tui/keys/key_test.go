package keys

import (
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want, label string }{
		{"n", "n", "n"},
		{"N", "N", "N"},
		{"shift+n", "N", "N"},
		{"ctrl+f", "ctrl+f", "Ctrl-f"},
		{"Ctrl-F", "ctrl+f", "Ctrl-f"},
		{"ctrl+shift+f", "ctrl+shift+f", "Ctrl-Shift-f"},
		{"shift+ctrl+f", "ctrl+shift+f", "Ctrl-Shift-f"},
		{"alt+s", "alt+s", "Alt-s"},
		{"alt+S", "alt+S", "Alt-S"},
		{"alt+shift+s", "alt+S", "Alt-S"},
		{"shift+f10", "shift+f10", "Shift-F10"},
		{"f22", "shift+f10", "Shift-F10"},
		{"shift+f23", "shift+f23", "Shift-F23"},
		{"space", "space", "Space"},
		{" ", "space", "Space"},
		{"Escape", "esc", "Esc"},
		{"return", "enter", "Enter"},
		{"ctrl+m", "enter", "Enter"},
		{"ctrl+i", "tab", "Tab"},
		{"alt+ctrl+i", "alt+tab", "Alt-Tab"},
		{"ctrl+[", "esc", "Esc"},
		{"ctrl+/", "ctrl+_", "Ctrl-_"},
		{"ctrl+@", "ctrl+space", "Ctrl-Space"},
		{"backtab", "shift+tab", "Shift-Tab"},
		{"PageUp", "pgup", "Pgup"},
		{"+", "+", "+"},
		{"plus", "+", "+"},
		{"-", "-", "-"},
		{"ctrl++", "ctrl++", "Ctrl-+"},
		{"ctrl--", "ctrl+-", "Ctrl--"},
		{"ctrl-+", "ctrl++", "Ctrl-+"},
		{"alt+{", "alt+{", "Alt-{"},
		{"é", "é", "é"},
		{"É", "É", "É"},
		{"日", "日", "日"},
	} {
		k, err := parse(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if k.String() != c.want || k.label() != c.label {
			t.Errorf("%q is %q, shown as %q; want %q and %q", c.text, k, k.label(), c.want, c.label)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"entre", `there is no key "entre": did you mean "enter"?`},
		{"ctrl+spcae", `there is no key "ctrl+spcae": did you mean "ctrl+space"?`},
		{"crtl+f", `there is no key "crtl+f": did you mean "ctrl+f"?`},
		{"ctrl+sift+f", `there is no key "ctrl+sift+f": did you mean "ctrl+shift+f"?`},
		{"f99", `there is no key "f99": did you mean "f9"?`},
		{"unheard-of", `there is no key "unheard-of"`},
		{"shift+1", `key "shift+1": write the character that it types instead`},
		{"\x01", `key "\x01": it is no character that a key types`},
		{"", `there is no key ""`},
		{"ctrl+", `there is no key "ctrl+": did you mean "ctrl"?`},
	} {
		_, err := parse(c.text)
		if err == nil {
			t.Errorf("%q is taken for a key", c.text)
			continue
		}
		if c.text != "ctrl+" && err.Error() != c.want {
			t.Errorf("%q: %q, want %q", c.text, err, c.want)
		}
		var unknown *UnknownError
		var fault *KeyError
		if !errors.As(err, &unknown) && !errors.As(err, &fault) {
			t.Errorf("%q: the error is a %T", c.text, err)
		}
	}
}

// TestPressed checks key presses as Bubble Tea's decoders make them: from a legacy
// terminal, from xterm's modifyOtherKeys and from the kitty protocol.
func TestPressed(t *testing.T) {
	for _, c := range []struct {
		name string
		msg  tea.KeyPressMsg
		want string
	}{
		{"legacy n", tea.KeyPressMsg{Code: 'n', Text: "n"}, "n"},
		{"legacy N", tea.KeyPressMsg{Code: 'n', ShiftedCode: 'N', Mod: tea.ModShift, Text: "N"}, "N"},
		{"kitty N", tea.KeyPressMsg{Code: 'n', ShiftedCode: 'N', Mod: tea.ModShift, Text: "N"}, "N"},
		{"kitty N without its alternate", tea.KeyPressMsg{Code: 'n', Mod: tea.ModShift}, "N"},
		{"xterm N", tea.KeyPressMsg{Code: 'N', Mod: tea.ModShift, Text: "N"}, "N"},
		{"caps lock n", tea.KeyPressMsg{Code: 'n', Mod: tea.ModCapsLock, Text: "N"}, "N"},
		{"num lock", tea.KeyPressMsg{Code: 'n', Mod: tea.ModNumLock, Text: "n"}, "n"},
		{"kitty ?", tea.KeyPressMsg{Code: '/', ShiftedCode: '?', Mod: tea.ModShift, Text: "?"}, "?"},
		{"German ?", tea.KeyPressMsg{Code: 'ß', ShiftedCode: '?', Mod: tea.ModShift, Text: "?"}, "?"},
		{"legacy ?", tea.KeyPressMsg{Code: '?', Text: "?"}, "?"},
		{"kitty alt {", tea.KeyPressMsg{Code: '[', ShiftedCode: '{', Mod: tea.ModShift | tea.ModAlt}, "alt+{"},
		{"legacy alt s", tea.KeyPressMsg{Code: 's', Mod: tea.ModAlt}, "alt+s"},
		{"legacy alt S", tea.KeyPressMsg{Code: 's', Mod: tea.ModAlt | tea.ModShift}, "alt+S"},
		{"xterm alt S", tea.KeyPressMsg{Code: 'S', Mod: tea.ModAlt | tea.ModShift}, "alt+S"},
		{"legacy ctrl f", tea.KeyPressMsg{Code: 'f', Mod: tea.ModCtrl}, "ctrl+f"},
		{"kitty ctrl shift f", tea.KeyPressMsg{Code: 'f', ShiftedCode: 'F', Mod: tea.ModCtrl | tea.ModShift}, "ctrl+shift+f"},
		{"kitty ctrl i", tea.KeyPressMsg{Code: 'i', Mod: tea.ModCtrl}, "tab"},
		{"tab", tea.KeyPressMsg{Code: tea.KeyTab}, "tab"},
		{"shift tab", tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}, "shift+tab"},
		{"space", tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}, "space"},
		{"ctrl space", tea.KeyPressMsg{Code: tea.KeySpace, Mod: tea.ModCtrl}, "ctrl+space"},
		{"ctrl _", tea.KeyPressMsg{Code: '_', Mod: tea.ModCtrl}, "ctrl+_"},
		{"kitty ctrl /", tea.KeyPressMsg{Code: '/', Mod: tea.ModCtrl}, "ctrl+_"},
		{"xterm shift f10", tea.KeyPressMsg{Code: tea.KeyF10, Mod: tea.ModShift}, "shift+f10"},
		{"console shift f10", tea.KeyPressMsg{Code: tea.KeyF22}, "shift+f10"},
		{"keypad enter", tea.KeyPressMsg{Code: tea.KeyKpEnter}, "enter"},
		{"keypad up", tea.KeyPressMsg{Code: tea.KeyKpUp}, "up"},
		{"keypad plus", tea.KeyPressMsg{Code: tea.KeyKpPlus, Text: "+"}, "+"},
		{"keypad 5", tea.KeyPressMsg{Code: tea.KeyKp5, Text: "5"}, "5"},
	} {
		if k, _ := pressed(c.msg); k.String() != c.want {
			t.Errorf("%s: %q, want %q", c.name, k, c.want)
		}
	}
}

func TestPressedCluster(t *testing.T) {
	if k, _ := pressed(tea.KeyPressMsg{Code: tea.KeyExtended, Text: "👩‍🚀"}); k != noKey {
		t.Errorf("a cluster of several characters is %q", k)
	}
}

// FuzzParse checks that a parsed key, written and parsed again, is the same key.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"n", "ctrl+f", "Alt-S", "f24", "shift+f13", "ctrl++", "-", "é", "ctrl+i", "plus+", "+-+", "meta+İ", "alt+ſ", "shift+ǅ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := parse(text)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without a message")
			}
			return
		}
		again, err := parse(k.String())
		if err != nil || again != k {
			t.Fatalf("%q is %+v, written %q, which is %+v (%v)", text, k, k, again, err)
		}
	})
}

// FuzzLookup checks that no key press makes Lookup panic, and that text stays text.
func FuzzLookup(f *testing.F) {
	f.Add(int32('n'), "n", 0, int32(0), int32(0))
	f.Add(tea.KeyF22, "", 1, int32(0), int32(0))
	f.Add(int32(-1), "\xff", 511, int32(-5), int32(0x7fffffff))
	f.Fuzz(func(t *testing.T, code int32, text string, mod int, shifted, base int32) {
		m := mustNew(t, "", nil)
		msg := tea.KeyPressMsg{Code: code, Text: text, Mod: tea.KeyMod(mod), ShiftedCode: shifted, BaseCode: base}
		for c := range Context(len(contextNames)) {
			a, ok := m.Lookup(c, msg)
			if ok && a.Context != c && a.Context != Global {
				t.Fatalf("%+v in %s is %s of %s", msg, c, a.Name, a.Context)
			}
			if ok && c.TakesText() && text == "n" && msg.Mod == 0 {
				t.Fatalf("a letter in %s is %s", c, a.Name)
			}
		}
	})
}
