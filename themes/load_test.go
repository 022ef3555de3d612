package themes

import (
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/internal/draw"
)

// withFiles creates a folder with these theme files of a user.
func withFiles(t *testing.T, files map[string]string) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	if err := os.MkdirAll(Dir(), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(Dir(), name+".toml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLoad(t *testing.T) {
	withFiles(t, map[string]string{
		"mine":      "inherit = \"nord\"\n[palette]\nhot = \"#f00\"\n[roles]\nchanged = \"bold hot on 17\"\ndim = \"bright-black\"",
		"nord":      "inherit = \"nord\"\n[roles]\ndim = \"#010203\"",
		"npdb-dark": "about = \"my own\"\n[roles]\ndim = \"#040506\"",
		"two-dark":  "dark = true",
		"two-light": "dark = false",
		"bare":      "\ufeff[roles]\ntext = \"#ffffff\"",
	})
	for _, tt := range []struct {
		name  string
		dark  bool
		want  string // name of the loaded theme
		isDrk bool
		role  Role
		style draw.Style
	}{
		{"mine", true, "mine", true, Changed, draw.Style{Fg: color.RGBA{0xff, 0, 0, 0xff}, Bg: ansi.IndexedColor(17), Attr: draw.Bold}},
		{"mine", false, "mine", true, Dim, draw.Style{Fg: ansi.BrightBlack}},
		{"nord", true, "nord", true, Dim, draw.Style{Fg: color.RGBA{1, 2, 3, 0xff}}},
		{"npdb", true, "npdb-dark", true, Dim, draw.Style{Fg: color.RGBA{4, 5, 6, 0xff}}},
		{"npdb", true, "npdb-dark", true, Here, draw.Style{Fg: color.RGBA{0x5c, 0xc8, 0xff, 0xff}, Attr: draw.Bold}},
		{"npdb", false, "npdb-light", false, Here, draw.Style{Fg: color.RGBA{0, 0x5f, 0xa8, 0xff}, Attr: draw.Bold}},
		{"npdb-light", true, "npdb-light", false, Here, draw.Style{Fg: color.RGBA{0, 0x5f, 0xa8, 0xff}, Attr: draw.Bold}},
		{"two", false, "two-light", false, Rule, draw.Style{Fg: color.RGBA{0xc4, 0xc0, 0xb6, 0xff}}},
		{"two", true, "two-dark", true, Rule, draw.Style{Fg: color.RGBA{0x3c, 0x46, 0x56, 0xff}}},
		{"bare", true, "bare", true, Text, draw.Style{Fg: color.RGBA{0xff, 0xff, 0xff, 0xff}}},
	} {
		theme, err := Load(tt.name, tt.dark)
		if err != nil {
			t.Errorf("Load(%q, %v): %v", tt.name, tt.dark, err)
			continue
		}
		if theme.Name != tt.want || theme.Dark != tt.isDrk || theme.Style(tt.role) != tt.style {
			t.Errorf("Load(%q, %v) is %s, dark %v, %v %v; want %s, dark %v, %v", tt.name, tt.dark,
				theme.Name, theme.Dark, tt.role, theme.Style(tt.role), tt.want, tt.isDrk, tt.style)
		}
	}
	for _, name := range []string{"mine", "two", "two-dark", "npdb", "contrast", "colorblind-light", "monokai"} {
		if !slices.Contains(Names(), name) {
			t.Errorf("Names lacks %s", name)
		}
	}
}

// TestLoadChromaPair checks that the name of a pair selects a style by the terminal's background,
// and that the name of one style of a pair does not depend on it.
func TestLoadChromaPair(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for _, tt := range []struct{ name, dark, light string }{
		{"github", "github-dark", "github"},
		{"github-dark", "github-dark", "github-dark"},
		{"github-light", "github", "github"},
		{"GitHub-Light", "github", "github"},
		{"solarized", "solarized-dark", "solarized-light"},
		{"solarized-light", "solarized-light", "solarized-light"},
		{"solarized-dark", "solarized-dark", "solarized-dark"},
		{"gruvbox", "gruvbox", "gruvbox-light"},
		{"gruvbox-dark", "gruvbox", "gruvbox"},
		{"monokai", "monokai", "monokailight"},
		{"monokailight", "monokailight", "monokailight"},
		{"catppuccin-latte", "catppuccin-latte", "catppuccin-latte"},
		{"modus-vivendi", "modus-vivendi", "modus-vivendi"},
		{"nord", "nord", "nord"},
	} {
		for dark, want := range map[bool]string{true: tt.dark, false: tt.light} {
			theme, err := Load(tt.name, dark)
			if err != nil || theme.Name != want {
				t.Errorf("Load(%s, %v) is %v, %v, want %s", tt.name, dark, theme, err, want)
			}
		}
		if name := strings.ToLower(tt.name); !slices.Contains(Names(), name) {
			t.Errorf("Names lacks %s", name)
		}
	}
	for _, name := range []string{"nord-dark", "github-dark-light", "-dark", "catppuccin"} {
		if theme, err := Load(name, true); err == nil {
			t.Errorf("Load(%s) is %v", name, theme.Name)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	withFiles(t, map[string]string{
		"keys":   "dark = true\ncolour = 1\n[style]\nx = 1",
		"roles":  "[roles]\nchnaged = \"red\"\ndim = \"gren\"\nrule = \"on\"\ntext = \"red blue\"\nhere = \"#12345\"\nwas = \"256\"",
		"color":  "[palette]\nhot = \"#ggg\"",
		"syntax": "dark = \n",
		"type":   "dark = \"yes\"",
		"a":      "inherit = \"b\"",
		"b":      "inherit = \"a\"",
		"c":      "inherit = \"nrod\"",
	})
	for name, wants := range map[string][]string{
		"monokia":   {`there is no theme "monokia": did you mean "monokai"?`},
		"qqqqqqqqq": {`there is no theme "qqqqqqqqq"`},
		"../keys":   {`there is no theme "../keys"`},
		"":          {`there is no theme ""`},
		"keys":      {"keys.toml", `line 2: there is no key "colour"`, `"style`},
		"roles": {
			"roles.toml", `there is no role "chnaged": did you mean "changed"?`, `role dim: there is no color or attribute "gren": did you mean "green"?`,
			`role rule: "on" ends where a color should follow`, `role text: "red blue" has a second color, blue`,
			`role here: "#12345" is no color`, `role was: there is no color 256`,
		},
		"color":  {`color hot: "#ggg" is no color`},
		"syntax": {"syntax.toml", "line 1"},
		"type":   {"type.toml", "line 1"},
		"a":      {"inherits from itself"},
		"c":      {`there is no theme "nrod": did you mean "nord"?`},
	} {
		_, err := Load(name, true)
		if err == nil {
			t.Errorf("Load(%q): no error", name)
			continue
		}
		for _, want := range wants {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("Load(%q): %q lacks %q", name, err, want)
			}
		}
	}
	if _, err := FromChroma("monokia", true); err == nil || !strings.Contains(err.Error(), "monokai") {
		t.Errorf("FromChroma(monokia): %v", err)
	}
}

func TestLoadWithoutFolder(t *testing.T) {
	for _, tt := range []struct{ config, home, dir string }{
		{"relative", "", ""},
		{"", "/nowhere", "/nowhere/.config/npdb/themes"},
		{os.DevNull, "/nowhere", os.DevNull + "/npdb/themes"},
	} {
		t.Setenv("XDG_CONFIG_HOME", tt.config)
		t.Setenv("HOME", tt.home)
		if d := Dir(); d != tt.dir {
			t.Errorf("%+v: Dir() = %q", tt, d)
		}
		if _, err := Load(Default, true); err != nil {
			t.Errorf("%+v: %v", tt, err)
		}
		if !slices.Contains(Names(), Default) {
			t.Errorf("%+v: Names lacks %s", tt, Default)
		}
	}
}

// TestRolesAreComplete checks that roleTable, and the two themes from which all others inherit,
// contain all roles.
func TestRolesAreComplete(t *testing.T) {
	names := map[string]bool{}
	for r := range roleCount {
		info := roleTable[r]
		if info.name == "" || info.doc == "" || names[info.name] {
			t.Errorf("role %d, %q, has no name or docs of its own", r, info.name)
		}
		names[info.name] = true
	}
	for _, name := range []string{"npdb-dark.toml", "npdb-light.toml"} {
		text, err := builtin.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parseFile(text)
		if err != nil {
			t.Fatal(err)
		}
		for role := range names {
			if f.Roles[role] == "" {
				t.Errorf("%s lacks %s", name, role)
			}
		}
	}
}

func FuzzParseFile(f *testing.F) {
	f.Add([]byte("dark = true\n[palette]\na = \"#fff\"\n[roles]\ntext = \"bold a on 3\""))
	f.Add([]byte("[roles]\ntext = \"on on\""))
	f.Fuzz(func(t *testing.T, text []byte) {
		parsed, err := parseFile(text)
		if err != nil {
			return
		}
		var theme Theme
		if err := parsed.apply(&theme); err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
	})
}
