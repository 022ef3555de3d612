package doctor

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tidier returns a function that replaces the home directory with ~ in facts, because a
// report should not contain the user's name.
func tidier() func(*Fact) {
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) || filepath.Dir(home) == home {
		return func(*Fact) {}
	}
	homes := []string{home}
	if real, err := filepath.EvalSymlinks(home); err == nil && real != home {
		homes = append(homes, real)
	}
	short := func(text string) string {
		for _, home := range homes {
			text = withoutHome(text, home)
		}
		return text
	}
	return func(f *Fact) {
		f.Which, f.Text, f.Do = short(f.Which), short(f.Text), short(f.Do)
		f.Value = inValue(f.Value, short)
	}
}

// withoutHome replaces the home directory with ~ at the beginning of each path in a text.
func withoutHome(text, home string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, home)
		if i < 0 {
			return b.String() + text
		}
		before, rest := text[:i], text[i+len(home):]
		b.WriteString(before)
		if isName(rest) || within(before) {
			b.WriteString(home)
		} else {
			b.WriteString("~")
		}
		text = rest
	}
}

// within reports whether a home directory after this text is only a part of another path, because the
// text ends with a letter, digit or other character of a path element. An example is the text /mnt
// before /root.
func within(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsLetter(last) || unicode.IsDigit(last) || last == '_' || last == '.' || last == '-'
}

// isName reports whether a text begins with a character of a file name.
func isName(text string) bool {
	return text != "" && !strings.ContainsRune(string(filepath.Separator)+" \t\n,;:)(\"'`", rune(text[0]))
}

// inValue applies a change to all strings in a value, which it converts to JSON's types.
func inValue(v any, change func(string) string) any {
	text, err := json.Marshal(v)
	if err != nil || v == nil {
		return v
	}
	var plain any
	if json.Unmarshal(text, &plain) != nil {
		return v
	}
	return inTexts(plain, change)
}

func inTexts(v any, change func(string) string) any {
	switch v := v.(type) {
	case string:
		return change(v)
	case []any:
		for i := range v {
			v[i] = inTexts(v[i], change)
		}
	case map[string]any:
		for name := range v {
			v[name] = inTexts(v[name], change)
		}
	}
	return v
}
