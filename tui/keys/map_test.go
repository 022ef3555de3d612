package keys

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func mustNew(t testing.TB, profile string, user map[string][]string) *Map {
	t.Helper()
	m, err := New(profile, nil, user)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// press returns the key press of a legacy terminal for a key in its written form.
func press(t testing.TB, text string) tea.KeyPressMsg {
	t.Helper()
	k, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	msg := tea.KeyPressMsg{Code: k.code, Mod: k.mod}
	if k.types() {
		msg.Text = strings.TrimPrefix(k.String(), "shift+")
		if k.code == tea.KeySpace {
			msg.Text = " "
		}
	}
	return msg
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range Actions() {
		if seen[a.Name] {
			t.Errorf("two actions are named %s", a.Name)
		}
		seen[a.Name] = true
		if a.Name != strings.ToLower(a.Name) || strings.ContainsAny(a.Name, " ._") {
			t.Errorf("%s: a configuration may not keep that name apart", a.Name)
		}
		if !strings.HasSuffix(a.Help, ".") || !slices.Contains(groups, a.Group) {
			t.Errorf("%s lacks a sentence or a group", a.Name)
		}
		if a.InText && a.Context != Global {
			t.Errorf("%s: only a global action can be InText", a.Name)
		}
	}
}

// TestProfiles checks that no built-in profile has conflicts, and that each binds what it
// names.
func TestProfiles(t *testing.T) {
	for _, p := range profiles {
		m := mustNew(t, p.Name, nil)
		for _, a := range Actions() {
			if len(m.Keys(a.Name)) == 0 {
				t.Errorf("%s: %s has no key", p.Name, a.Name)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		profile string
		context Context
		key     string
		want    string
	}{
		{"", Source, "n", "next"},
		{"", Source, "N", "next-back"},
		{"", Stack, "shift+f10", "next-back"},
		{"", Source, "r", "return"},
		{"", Source, "f", "return"},
		{"", Source, "ctrl+f", "page-down"},
		{"", Source, "enter", ""},
		{"", Locals, "enter", "expand"},
		{"", Stack, "enter", "select-frame"},
		{"", Source, "i", "line-values"},
		{"", Output, "i", "program-input"}, // the pane's binding wins
		{"", Breakpoints, "D", "delete-breakpoint"},
		{"", Source, "D", ""},
		{"", Source, "%", "mouse"},
		{"", CommandLine, "n", ""}, // the key is text
		{"", CommandLine, "?", ""},
		{"", CommandLine, "space", ""},
		{"", CommandLine, "ctrl+d", ""}, // the line editor handles the key
		{"", CommandLine, "f10", "next"},
		{"", CommandLine, "f1", "help"},
		{"", CommandLine, "ctrl+l", "redraw"},
		{"", CommandLine, "ctrl+c", "cancel"},
		{"", CommandLine, "esc", "leave-command-line"},
		{"", CommandLine, "ctrl+x", "leave-command-line"},
		{"", CommandLine, "tab", "complete"},
		{"", Search, "tab", ""},
		{"", Help, "down", "help-down"},
		{"", Input, "ctrl+d", "end-input"},
		{PudbProfile, Source, "S", "focus-stack"},
		{PudbProfile, Source, "C", "focus-source"},
		{PudbProfile, Locals, "V", "focus-locals"},
		{PudbProfile, Source, "B", "focus-breakpoints"},
		{PudbProfile, Source, "alt+s", "step-back"},
		{PudbProfile, Source, "alt+n", "next-back"},
		{PudbProfile, Source, "alt+c", "continue-back"},
		{PudbProfile, Source, "alt+f", "return-back"},
		{PudbProfile, Source, "N", ""},
		{PudbProfile, Source, "n", "next"},
		{PudbProfile, Locals, `\`, "expand"},
	} {
		a, ok := mustNew(t, c.profile, nil).Lookup(c.context, press(t, c.key))
		if a.Name != c.want || ok != (c.want != "") {
			t.Errorf("%q in %s (%s): %q, want %q", c.key, c.context, c.profile, a.Name, c.want)
		}
	}
}

// TestOtherLayouts checks other keyboard layouts: on a Russian keyboard the key of n types
// "т".
func TestOtherLayouts(t *testing.T) {
	m := mustNew(t, "", nil)
	msg := tea.KeyPressMsg{Code: 'т', BaseCode: 'n', Text: "т"}
	if a, _ := m.Lookup(Source, msg); a.Name != "next" {
		t.Errorf("in a pane it is %q", a.Name)
	}
	if a, ok := m.Lookup(CommandLine, msg); ok {
		t.Errorf("while typing it is %q", a.Name)
	}
	shifted := tea.KeyPressMsg{Code: 'т', ShiftedCode: 'Т', BaseCode: 'n', Mod: tea.ModShift, Text: "Т"}
	if a, _ := m.Lookup(Source, shifted); a.Name != "next-back" {
		t.Errorf("with shift it is %q", a.Name)
	}
	m = mustNew(t, "", map[string][]string{"quit": {"т"}})
	if a, _ := m.Lookup(Source, msg); a.Name != "quit" {
		t.Errorf("what it types comes first, but it is %q", a.Name)
	}
	// On AZERTY, the key "q" is where a US keyboard has "a".
	if a, _ := mustNew(t, "", nil).Lookup(Source, tea.KeyPressMsg{Code: 'q', BaseCode: 'a', Text: "q"}); a.Name != "quit" {
		t.Errorf("q of AZERTY is %q", a.Name)
	}
}

// A terminal may send two presses of Esc at once, and they arrive as Alt-Esc. A profile
// may bind that key.
func TestTwoEscapesAtOnce(t *testing.T) {
	both := tea.KeyPressMsg{Code: tea.KeyEscape, Mod: tea.ModAlt}
	m := mustNew(t, "", nil)
	for c, want := range map[Context]string{Source: "cancel", Question: "decline"} {
		if a, _ := m.Lookup(c, both); a.Name != want {
			t.Errorf("it does %q, not %s", a.Name, want)
		}
	}
	bound := mustNew(t, "", map[string][]string{"step": {"alt+esc"}})
	if a, _ := bound.Lookup(Source, both); a.Name != "step" {
		t.Errorf("bound to step, it does %q", a.Name)
	}
}

func TestUser(t *testing.T) {
	m := mustNew(t, "", map[string][]string{
		"next": {"N", "ctrl+n"}, "next-back": {}, "search-case": {"f3"},
	})
	for key, want := range map[string]string{"n": "", "N": "next", "ctrl+n": "next", "shift+f10": ""} {
		if a, _ := m.Lookup(Source, press(t, key)); a.Name != want {
			t.Errorf("%s is %q, want %q", key, a.Name, want)
		}
	}
	if got := m.Keys("next-back"); len(got) != 0 {
		t.Errorf("next-back is unbound, but has %q", got)
	}
	if got := m.Keys("next"); !slices.Equal(got, []string{"N", "Ctrl-n"}) {
		t.Errorf("next has %q", got)
	}
}

func TestOwnProfiles(t *testing.T) {
	own := []Profile{
		{Name: "mine", Base: "pudb", Keys: map[string][]string{"quit": {"Q"}}},
		{Name: "tired", Base: "mine", Keys: map[string][]string{"next": {"space"}}},
		{Name: "a", Base: "b"},
		{Name: "b", Base: "a"},
	}
	m, err := New("tired", own, map[string][]string{"help": {"f1"}})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"Q": "quit", "space": "next", "V": "focus-locals", "?": "", "f1": "help"} {
		if a, _ := m.Lookup(Source, press(t, key)); a.Name != want {
			t.Errorf("%s is %q, want %q", key, a.Name, want)
		}
	}
	for _, c := range []struct {
		profile string
		own     []Profile
		want    string
	}{
		{"a", own, `key profile "a": it starts from itself`},
		{"pubd", own, `there is no profile "pubd": did you mean "pudb"?`},
		{"", []Profile{{Name: "pudb"}}, `key profile "pudb": there are two profiles of that name`},
		{"", []Profile{{}}, `key profile "": a profile needs a name`},
		{"x", []Profile{{Name: "x", Base: "nowhere"}}, `there is no profile "nowhere"`},
	} {
		if _, err := New(c.profile, c.own, nil); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		user map[string][]string
		want string
	}{
		{map[string][]string{"next": {"s"}}, `key "s" is bound to both step and next: give one of them another key, or none with []`},
		{map[string][]string{"next": {"shift+s"}}, `key "S" is bound to both next and step-back: give one of them another key, or none with []`},
		{map[string][]string{"wrap": {"m"}}, `key "m" is bound to both wrap and watch in locals: give one of them another key, or none with []`},
		{map[string][]string{"nxt": {"n"}}, `there is no action "nxt": did you mean "next"?`},
		{map[string][]string{"next": {"spcae"}}, `there is no key "spcae": did you mean "space"?`},
		{map[string][]string{"complete": {"x"}}, `key "x": complete is for where text is typed, and this key types`},
		{map[string][]string{"next": {"ctrl+i"}}, `key "tab" is bound to both next and next-pane: give one of them another key, or none with []`},
	} {
		_, err := New("", nil, c.user)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v: %v\nwant %s", c.user, err, c.want)
		}
	}
	_, err := New("", nil, map[string][]string{"nxt": {"n"}, "quit": {"s"}, "help": {"foo"}})
	var conflict *ConflictError
	if !errors.As(err, &conflict) || conflict.Actions != [2]string{"step", "quit"} || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("all faults are told at once: %v", err)
	}
	// This is the example of docs/keys.md.
	if _, err := New("", nil, map[string][]string{
		"next": {"n", "f10", "space"}, "toggle-breakpoint": {"b", "ctrl+b"}, "page-up": {"pgup"}, "unzoom": {},
	}); err != nil {
		t.Error(err)
	}
	// A pane may bind a key that is also bound globally. The pane's binding wins.
	if _, err := New("", nil, map[string][]string{"wrap": {"n"}}); err != nil {
		t.Error(err)
	}
}
