package themes

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/npdb/npdb/internal/suggest"
)

//go:embed *.toml
var builtin embed.FS

// Default is the theme for those who chose none.
const Default = "npdb"

// Dir returns the folder of the user's theme files, "" if there is no place for
// it: $XDG_CONFIG_HOME/npdb/themes, by default ~/.config/npdb/themes.
func Dir() string {
	config := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) {
		home := os.Getenv("HOME")
		if !filepath.IsAbs(home) {
			return ""
		}
		config = filepath.Join(home, ".config")
	}
	return filepath.Join(config, "npdb", "themes")
}

// Load returns a theme by name: a file of the user's, one of npdb's own, or a
// style of chroma's, in this order. For a name that only exists with "-dark" or
// "-light" after it, dark decides which; so it does for that of a pair of chroma's
// styles (see FromChroma). A name that says which is taken at its word. The error
// for an unknown name suggests the nearest.
func Load(name string, dark bool) (*Theme, error) {
	return (&loader{user: userFS()}).load(name, dark)
}

// Source is who brought a theme.
type Source uint8

// Where themes come from.
const (
	Own    Source = iota // npdb
	User                 // a file of the user's
	Chroma               // a style of chroma's
)

// String returns the source in a list.
func (s Source) String() string { return [...]string{"npdb", "yours", "chroma"}[s] }

// Named is a theme that Load can be asked for.
type Named struct {
	Name string
	From Source
}

// Catalog returns all themes: the user's and npdb's own, then chroma's styles, each
// sorted by name.
func Catalog() []Named {
	from := map[string]Source{}
	for _, name := range ChromaNames() {
		from[name] = Chroma
	}
	for _, source := range []struct {
		fs   fs.FS
		from Source
	}{{builtin, Own}, {userFS(), User}} {
		files, _ := fs.Glob(source.fs, "*.toml")
		for _, f := range files {
			name := strings.TrimSuffix(f, ".toml")
			from[name] = source.from
			for _, suffix := range []string{"-dark", "-light"} {
				if family, ok := strings.CutSuffix(name, suffix); ok {
					from[family] = source.from
				}
			}
		}
	}
	all := make([]Named, 0, len(from))
	for name, source := range from {
		all = append(all, Named{name, source})
	}
	slices.SortFunc(all, func(a, b Named) int {
		if (a.From == Chroma) != (b.From == Chroma) {
			return cmp.Compare(a.From, b.From)
		}
		return strings.Compare(a.Name, b.Name)
	})
	return all
}

// Names returns what Load can be asked for: the user's themes, npdb's own and
// chroma's styles, sorted.
func Names() []string {
	var names []string
	for _, n := range Catalog() {
		names = append(names, n.Name)
	}
	slices.Sort(names)
	return names
}

// families returns the names that Load can be asked for, a pair of a dark and a light
// theme by the name that both have in common.
func families() []string {
	all := Names()
	return slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		for _, suffix := range []string{"-dark", "-light"} {
			if family, ok := strings.CutSuffix(name, suffix); ok && slices.Contains(all, family) {
				return true
			}
		}
		return false
	})
}

// userFS returns the user's folder; without one, an empty file system.
func userFS() fs.FS {
	if dir := Dir(); dir != "" {
		return os.DirFS(dir)
	}
	return embed.FS{}
}

// loader loads one theme and what it inherits from.
type loader struct {
	user fs.FS
	path []string // the files that are being loaded, the innermost last
}

func (l *loader) load(name string, dark bool) (*Theme, error) {
	family := name
	if dark {
		family += "-dark"
	} else {
		family += "-light"
	}
	for _, n := range []string{name, family} {
		for _, source := range []struct {
			fs    fs.FS
			own   bool
			label string // in messages
		}{{l.user, false, filepath.Join(Dir(), n) + ".toml"}, {builtin, true, "built-in theme " + n}} {
			// A user's theme may inherit from the one it takes the name of.
			if slices.Contains(l.path, source.label) {
				continue
			}
			text, err := fs.ReadFile(source.fs, n+".toml")
			if absent(err) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("theme %s cannot be read: %w", n, err)
			}
			l.path = append(l.path, source.label)
			t, err := l.file(text, dark, source.own && strings.HasPrefix(n, Default+"-"))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", source.label, err)
			}
			t.Name = n
			return t, nil
		}
	}
	if chromaStyle(strings.ToLower(name), dark) != nil {
		return FromChroma(name, dark)
	}
	if len(l.path) > 0 && slices.ContainsFunc(l.path, func(p string) bool {
		return strings.TrimSuffix(filepath.Base(p), ".toml") == name
	}) {
		return nil, fmt.Errorf("it inherits from itself, by way of %s", strings.Join(l.path, ", "))
	}
	return nil, fmt.Errorf("there is no theme %s\nThemes: %s", suggest.Quote(name, Names()), strings.Join(families(), ", "))
}

// absent reports whether err says that there is no such file: also because the
// name is none of a file, or the folder, as in XDG_CONFIG_HOME=/dev/null, cannot
// be one.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, syscall.ENOTDIR)
}

// file makes a theme from the text of a file and from what that inherits from:
// by default npdb's own theme for its background, which is the root of all.
func (l *loader) file(text []byte, dark, root bool) (*Theme, error) {
	f, err := parseFile(text)
	if err != nil {
		return nil, err
	}
	if f.Dark != nil {
		dark = *f.Dark
	}
	inherit := f.Inherit
	if inherit == "" {
		inherit = Default
	}
	t := &Theme{}
	if !root {
		if t, err = l.load(inherit, dark); err != nil {
			return nil, err
		}
	}
	if err := f.apply(t); err != nil {
		return nil, err
	}
	return t, nil
}
