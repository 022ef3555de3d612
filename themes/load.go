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

// Default is the name of the default theme.
const Default = "npdb"

// Dir returns the folder of the user's theme files: $XDG_CONFIG_HOME/npdb/themes, or if that
// variable is not set, ~/.config/npdb/themes. It returns "" if neither can be determined.
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

// Load returns the theme called name. It searches the user's files, npdb's own themes, and chroma's
// styles, in this order. If there are only NAME-dark and NAME-light, dark selects one of them, as
// for a pair of chroma styles (see FromChroma). A full name selects its theme regardless of dark.
// The error for an unknown name suggests a similar one.
func Load(name string, dark bool) (*Theme, error) {
	return (&loader{user: userFS()}).load(name, dark)
}

// Source is the origin of a theme.
type Source uint8

// The origins of themes.
const (
	Own    Source = iota // built into npdb
	User                 // a file of the user
	Chroma               // a chroma style
)

// String returns the source as lists display it.
func (s Source) String() string { return [...]string{"npdb", "yours", "chroma"}[s] }

// Named is the name of a theme that Load can return, with its source.
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

// Names returns the names that Load accepts: the user's themes, npdb's own and chroma's
// styles, sorted.
func Names() []string {
	var names []string
	for _, n := range Catalog() {
		names = append(names, n.Name)
	}
	slices.Sort(names)
	return names
}

// families returns the names that Load accepts, but only the common name of each pair of a dark and
// a light theme.
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

// userFS returns the user's folder, or an empty file system if there is none.
func userFS() fs.FS {
	if dir := Dir(); dir != "" {
		return os.DirFS(dir)
	}
	return embed.FS{}
}

// loader loads one theme and the themes from which it inherits.
type loader struct {
	user fs.FS
	path []string // files that are being loaded; each inherits from the next one
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
			label string // the file's name in messages
		}{{l.user, false, filepath.Join(Dir(), n) + ".toml"}, {builtin, true, "built-in theme " + n}} {
			// A user's theme may inherit from npdb's theme of the same name.
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

// absent reports whether err means that a file does not exist: there is no such file, its name is
// invalid, or its folder is not a folder, as with XDG_CONFIG_HOME=/dev/null.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, syscall.ENOTDIR)
}

// file creates a theme from the text of a theme file, and from the theme from which the file
// inherits. By default it inherits from npdb's dark or light theme. root is true for these two
// themes, which inherit from none.
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
