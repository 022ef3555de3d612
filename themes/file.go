package themes

import (
	"errors"
	"fmt"
	"image/color"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/pelletier/go-toml/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/internal/suggest"
)

// file is the content of a theme file (docs/themes.md).
type file struct {
	About   string            `toml:"about"`
	Dark    *bool             `toml:"dark"`
	Inherit string            `toml:"inherit"`
	Palette map[string]string `toml:"palette"`
	Roles   map[string]string `toml:"roles"`
}

// parseFile parses a theme file. The error lists all unknown keys.
func parseFile(text []byte) (*file, error) {
	var f file
	d := toml.NewDecoder(strings.NewReader(strings.TrimPrefix(string(text), "\ufeff"))).DisallowUnknownFields()
	err := d.Decode(&f)
	if strict := (*toml.StrictMissingError)(nil); errors.As(err, &strict) {
		var errs []error
		for _, e := range strict.Errors {
			row, _ := e.Position()
			errs = append(errs, fmt.Errorf("line %d: there is no key %q", row, strings.Join(e.Key(), ".")))
		}
		return nil, errors.Join(errs...)
	}
	if syntax := (*toml.DecodeError)(nil); errors.As(err, &syntax) {
		row, column := syntax.Position()
		return nil, fmt.Errorf("line %d, column %d: %w", row, column, err)
	}
	if err != nil {
		return nil, err
	}
	return &f, nil
}

// apply applies the theme file to t. The error lists everything that is wrong in the file.
func (f *file) apply(t *Theme) error {
	if f.Dark != nil {
		t.Dark = *f.Dark
	}
	if f.About != "" {
		t.About = f.About
	}
	var errs []error
	palette := map[string]color.Color{}
	for _, name := range slices.Sorted(maps.Keys(f.Palette)) {
		c, err := parseColor(f.Palette[name], nil)
		if err != nil {
			errs = append(errs, fmt.Errorf("color %s: %w", name, err))
		}
		palette[name] = c
	}
	names := roleNames()
	for _, name := range slices.Sorted(maps.Keys(f.Roles)) {
		r := slices.Index(names, name)
		if r < 0 {
			errs = append(errs, fmt.Errorf("there is no role %s", suggest.Quote(name, names)))
			continue
		}
		style, err := parseStyle(f.Roles[name], palette)
		if err != nil {
			errs = append(errs, fmt.Errorf("role %s: %w", name, err))
			continue
		}
		t.styles[r] = style
	}
	return errors.Join(errs...)
}

var attrNames = []struct {
	name string
	attr draw.Attr
}{
	{"bold", draw.Bold},
	{"faint", draw.Faint},
	{"italic", draw.Italic},
	{"underline", draw.Underline},
	{"reverse", draw.Reverse},
	{"strike", draw.Strike},
}

// parseStyle parses a style such as "bold italic blue on #202020". Each part is optional.
func parseStyle(text string, palette map[string]color.Color) (draw.Style, error) {
	var s draw.Style
	words := strings.Fields(text)
next:
	for i := 0; i < len(words); i++ {
		word := words[i]
		for _, a := range attrNames {
			if word == a.name {
				s.Attr |= a.attr
				continue next
			}
		}
		to, what := &s.Fg, "color"
		if word == "on" {
			if i++; i == len(words) {
				return s, fmt.Errorf("%q ends where a color should follow", text)
			}
			word, to, what = words[i], &s.Bg, "background"
		}
		if *to != nil {
			return s, fmt.Errorf("%q has a second %s, %s", text, what, word)
		}
		c, err := parseColor(word, palette)
		if err != nil {
			return s, err
		}
		*to = c
	}
	return s, nil
}

var basicNames = []string{
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"bright-black", "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
}

// parseColor parses a color: a name in palette, #rgb, #rrggbb, a number of xterm's 256 colors, or
// the name of one of the terminal's 16 colors.
func parseColor(word string, palette map[string]color.Color) (color.Color, error) {
	if c, ok := palette[word]; ok {
		return c, nil
	}
	if digits, ok := strings.CutPrefix(word, "#"); ok {
		n, err := strconv.ParseUint(digits, 16, 32)
		switch {
		case err == nil && len(digits) == 6:
			return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff}, nil
		case err == nil && len(digits) == 3:
			return color.RGBA{uint8(n>>8) * 0x11, uint8(n>>4&15) * 0x11, uint8(n&15) * 0x11, 0xff}, nil
		}
		return nil, fmt.Errorf("%q is no color: write #rrggbb or #rgb", word)
	}
	if n, err := strconv.ParseUint(word, 10, 64); err == nil {
		if n > 255 {
			return nil, fmt.Errorf("there is no color %d: they end at 255", n)
		}
		return ansi.IndexedColor(n), nil
	}
	if n := slices.Index(basicNames, word); n >= 0 {
		return ansi.BasicColor(n), nil
	}
	known := slices.Concat(slices.Sorted(maps.Keys(palette)), basicNames, []string{"on"})
	for _, a := range attrNames {
		known = append(known, a.name)
	}
	return nil, fmt.Errorf("there is no color or attribute %s", suggest.Quote(word, known))
}
