package keys

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/suggest"
)

// key is a key with its modifiers, normalized for comparison. A letter is in lower case with
// tea.ModShift; other characters have no tea.ModShift, since they are the result of shift.
type key struct {
	code rune
	mod  tea.KeyMod
}

// noKey is bound to nothing.
var noKey = key{code: -1}

const locks = tea.ModCapsLock | tea.ModNumLock | tea.ModScrollLock

// The modifiers in the order in which they are written.
var modifiers = []struct {
	name string
	mod  tea.KeyMod
}{
	{"ctrl", tea.ModCtrl},
	{"alt", tea.ModAlt},
	{"shift", tea.ModShift},
	{"meta", tea.ModMeta},
	{"hyper", tea.ModHyper},
	{"super", tea.ModSuper},
}

// special are the named keys. The first name of a key is shown.
var special = []struct {
	code  rune
	names []string
}{
	{tea.KeyEnter, []string{"enter", "return", "cr"}},
	{tea.KeyTab, []string{"tab"}},
	{tea.KeyBackspace, []string{"backspace", "bs"}},
	{tea.KeyEscape, []string{"esc", "escape"}},
	{tea.KeySpace, []string{"space"}},
	{tea.KeyUp, []string{"up"}},
	{tea.KeyDown, []string{"down"}},
	{tea.KeyLeft, []string{"left"}},
	{tea.KeyRight, []string{"right"}},
	{tea.KeyInsert, []string{"insert", "ins"}},
	{tea.KeyDelete, []string{"delete", "del"}},
	{tea.KeyPgUp, []string{"pgup", "pageup"}},
	{tea.KeyPgDown, []string{"pgdown", "pgdn", "pagedown"}},
	{tea.KeyHome, []string{"home"}},
	{tea.KeyEnd, []string{"end"}},
	{'+', []string{"+", "plus"}},
	{'-', []string{"-", "minus"}},
}

var (
	codeOf = make(map[string]rune)
	nameOf = make(map[rune]string)
	// nameList is for suggestions, in a fixed order.
	nameList []string
)

func init() {
	for _, s := range special {
		nameOf[s.code] = s.names[0]
		for _, n := range s.names {
			codeOf[n] = s.code
		}
		nameList = append(nameList, s.names...)
	}
	for i := range rune(24) {
		name := fmt.Sprintf("f%d", i+1)
		codeOf[name], nameOf[tea.KeyF1+i] = tea.KeyF1+i, name
		nameList = append(nameList, name)
	}
}

// parse reads a key as the configuration writes it: "n", "N", "ctrl+f",
// "alt+s", "shift+f10", "space". "ctrl-f" and "Ctrl+F" are the same as "ctrl+f".
// The errors are *UnknownError and *KeyError.
func parse(text string) (key, error) {
	var k key
	rest := text
	for {
		i := strings.IndexAny(rest, "+-")
		if i <= 0 || i == len(rest)-1 {
			break
		}
		mod, ok := modifierOf(rest[:i])
		if !ok {
			return key{}, &UnknownError{"key", text, nearestKey(text[:len(text)-len(rest)], rest[:i], rest[i:])}
		}
		k.mod |= mod
		rest = rest[i+1:]
	}
	name := strings.ToLower(rest)
	switch code, ok := codeOf[name]; {
	case name == "backtab":
		k.code, k.mod = tea.KeyTab, k.mod|tea.ModShift
	case ok:
		k.code = code
	case rest != "" && utf8.RuneCountInString(rest) == 1:
		r, _ := utf8.DecodeRuneInString(rest)
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return key{}, &KeyError{text, "it is no character that a key types"}
		}
		if k.mod == tea.ModShift && unicode.ToUpper(r) == unicode.ToLower(r) {
			return key{}, &KeyError{text, "write the character that it types instead"}
		}
		// Ctrl-F means the key that is pressed without shift.
		if k.mod&tea.ModCtrl != 0 {
			r = unicode.ToLower(r)
		}
		k.code = r
	default:
		near := suggest.Nearest(name, nameList)
		if near != "" {
			near = strings.ToLower(text[:len(text)-len(rest)]) + near
		}
		return key{}, &UnknownError{"key", text, near}
	}
	return k.normal(), nil
}

// nearestKey suggests a correction of a key with an unknown modifier, such as "crtl+f". word is the
// modifier.
func nearestKey(before, word, after string) string {
	known := make([]string, len(modifiers))
	for i, m := range modifiers {
		known[i] = m.name
	}
	near := suggest.Nearest(word, known)
	if near == "" {
		return ""
	}
	return strings.ToLower(before) + near + after
}

func modifierOf(name string) (tea.KeyMod, bool) {
	for _, m := range modifiers {
		if strings.EqualFold(name, m.name) {
			return m.mod, true
		}
	}
	return 0, false
}

// normal normalizes a key. Keys that a terminal without the kitty protocol cannot distinguish are
// one key: Ctrl-i is Tab, F13 is Shift-F1.
func (k key) normal() key {
	k.mod &^= locks
	if lower := unicode.ToLower(k.code); lower != k.code && unicode.IsLetter(k.code) {
		k.code, k.mod = lower, k.mod|tea.ModShift
	}
	if k.code >= tea.KeyF13 && k.code <= tea.KeyF24 && k.mod&tea.ModShift == 0 {
		k.code, k.mod = k.code-tea.KeyF13+tea.KeyF1, k.mod|tea.ModShift
	}
	if k.mod&(tea.ModCtrl|tea.ModShift) == tea.ModCtrl {
		bare := k.mod &^ tea.ModCtrl
		switch k.code {
		case 'i':
			k = key{tea.KeyTab, bare}
		case 'm':
			k = key{tea.KeyEnter, bare}
		case '[':
			k = key{tea.KeyEscape, bare}
		case '@':
			k.code = tea.KeySpace
		case '/':
			k.code = '_'
		}
	}
	return k
}

// pressed returns the key of a key press. On a keyboard with another script it also returns the
// key in its place on a US keyboard, if the terminal reports it.
func pressed(msg tea.KeyPressMsg) (k, base key) {
	mod := msg.Mod &^ locks
	base = noKey
	if msg.BaseCode != 0 && msg.BaseCode != msg.Code {
		base = key{msg.BaseCode, mod}.normal()
	}
	// The typed text says more than the key: "?" may be shift and any key.
	if msg.Text != "" && mod&^tea.ModShift == 0 {
		r, n := utf8.DecodeRuneInString(msg.Text)
		if n != len(msg.Text) {
			return noKey, base
		}
		return key{code: r}.normal(), base
	}
	code := msg.Code
	if mod&tea.ModShift != 0 && msg.ShiftedCode != 0 && !unicode.IsLetter(msg.ShiftedCode) {
		code, mod = msg.ShiftedCode, mod&^tea.ModShift
	}
	if _, named := nameOf[code]; !named && code > unicode.MaxRune {
		// The keypad's keys have the names of the others.
		if same, ok := codeOf[tea.Key{Code: code}.Keystroke()]; ok {
			code = same
		}
	}
	return key{code, mod}.normal(), base
}

// Unbound reports whether an unbound key press types a letter, and returns the key's name; ""
// for a modifier alone or an unnamed key.
func Unbound(msg tea.KeyPressMsg) (letter bool, name string) {
	r, n := utf8.DecodeRuneInString(msg.Text)
	if msg.Mod&^(locks|tea.ModShift) == 0 && n > 0 && n == len(msg.Text) && unicode.IsLetter(r) {
		return true, msg.Text
	}
	k, _ := pressed(msg)
	if nameOf[k.code] == "" && !unicode.IsPrint(k.code) {
		return false, ""
	}
	return false, k.label()
}

// types reports whether the key types text.
func (k key) types() bool {
	return k.mod&^tea.ModShift == 0 && unicode.IsPrint(k.code)
}

// String returns the key as the configuration writes it, and as parse reads it.
func (k key) String() string { return k.write("+") }

// label returns the key as a person reads it: "N", "Ctrl-f", "Shift-F10", "Enter".
func (k key) label() string { return k.write("-") }

func (k key) write(joint string) string {
	var b strings.Builder
	name, mod := nameOf[k.code], k.mod
	shown := joint == "-"
	if name == "" || len(name) == 1 {
		name = string(k.code)
		// A capital implies shift; after ctrl it would be overlooked.
		if mod&tea.ModShift != 0 && mod&tea.ModCtrl == 0 && unicode.ToUpper(k.code) != k.code {
			name, mod = string(unicode.ToUpper(k.code)), mod&^tea.ModShift
		}
	} else if shown {
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	for _, m := range modifiers {
		if mod&m.mod != 0 {
			word := m.name
			if shown {
				word = strings.ToUpper(word[:1]) + word[1:]
			}
			b.WriteString(word + joint)
		}
	}
	b.WriteString(name)
	return b.String()
}
