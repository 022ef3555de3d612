package config

import (
	"cmp"
	_ "embed"
	"maps"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Setting describes one field of Config, from the tags of the field.
type Setting struct {
	Key   string   // key in the file, such as "model.base_url"
	Env   []string // environment variables; the first one that is set is used
	Flag  string   // name without dashes
	def   string   // default as text; "" if there is none
	oneof []string
	tag   reflect.StructTag // of the field in Config; contains min, max, arg and path
	index []int             // of the field in Config, for FieldByIndex
	typ   reflect.Type
}

var settings = settingsOf(reflect.TypeFor[Config](), "", nil)

// Settings returns all settings, in the order of Config's fields.
func Settings() []Setting { return settings }

func settingsOf(t reflect.Type, section string, index []int) []Setting {
	var out []Setting
	for i := range t.NumField() {
		f := t.Field(i)
		get := f.Tag.Get
		key, at := section+get("mapstructure"), slices.Concat(index, []int{i})
		if f.Type.Kind() == reflect.Struct {
			out = append(out, settingsOf(f.Type, key+".", at)...)
			continue
		}
		out = append(out, Setting{
			Key: key, Env: strings.Fields(get("env")), Flag: get("flag"),
			def: get("default"), oneof: strings.Fields(get("oneof")), tag: f.Tag, index: at, typ: f.Type,
		})
	}
	return out
}

// source is the text of config.go, whose comments document the settings.
//
//go:embed config.go
var source string

// docs maps the key of each setting and the name of each section to its comment, on one line.
var docs = fieldComments()

// fieldComments returns the comments of the fields of Config and of its section types in source.
// The name of a section is that of its type, in lower case.
func fieldComments() map[string]string {
	found := map[string]string{}
	var section string
	var comment []string
	for line := range strings.Lines(source) {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, "// "); ok {
			comment = append(comment, text)
			continue
		}
		if strings.HasPrefix(line, "type ") {
			section = strings.TrimPrefix(strings.ToLower(strings.Fields(line)[1])+".", "config.")
		} else if _, tag, ok := strings.Cut(line, `mapstructure:"`); ok {
			name, _, _ := strings.Cut(tag, `"`)
			found[section+name] = strings.Join(comment, " ")
		}
		comment = nil
	}
	return found
}

// in returns the setting's field in c.
func (s Setting) in(c *Config) reflect.Value { return reflect.ValueOf(c).Elem().FieldByIndex(s.index) }

// secret reports whether the setting's value must never be shown.
func (s Setting) secret() bool { return s.Key == keyKey || s.Key == keyHeaders }

// Sentence returns the first sentence of the setting's comment, without its full stop.
func (s Setting) Sentence() string {
	first, _, _ := strings.Cut(docs[s.Key]+" ", ". ")
	return first
}

// Choices returns the allowed words of the setting, or none if it has no such list.
func (s Setting) Choices() []string { return slices.Clone(s.oneof) }

// AddFlags defines the command-line flags of the settings named in keys, or of all settings if
// keys is empty. It skips settings without a flag.
func AddFlags(fs *pflag.FlagSet, keys ...string) {
	for _, s := range settings {
		if s.Flag == "" || len(keys) > 0 && !slices.Contains(keys, s.Key) {
			continue
		}
		usage := s.Sentence()
		usage = strings.ToLower(usage[:1]) + usage[1:]
		if s.def != "" {
			usage += " (default " + s.def + ")"
		}
		f := fs.VarPF(&textFlag{arg: s.tag.Get("arg")}, s.Flag, "", usage)
		if s.typ.Kind() == reflect.Bool {
			f.NoOptDefVal = "true"
		}
	}
}

// textFlag is a flag whose text Load decodes like a value in the file.
type textFlag struct{ arg, text string }

// String implements pflag.Value.
func (f *textFlag) String() string { return f.text }

// Set implements pflag.Value.
func (f *textFlag) Set(s string) error { f.text = s; return nil }

// Type implements pflag.Value.
func (f *textFlag) Type() string { return f.arg }

// given returns the text that a flag or an environment variable sets, and the name of that flag or
// variable. Both are "" if neither sets it.
func (s Setting) given(fs *pflag.FlagSet) (text, from string) {
	if given := fs.Lookup(s.Flag); given != nil && given.Changed {
		if f, ok := given.Value.(*textFlag); ok { // otherwise it is another flag of this name
			return f.text, "--" + s.Flag
		}
	}
	for _, name := range s.Env {
		if text := os.Getenv(name); text != "" {
			return text, name
		}
	}
	return "", ""
}

// Row is a setting in effect: its key, its value, and its origin.
type Row struct {
	Key, Value, From string
	Set              bool // reports whether a flag, a variable or the file set it
}

// Rows returns all settings in effect. It does not show the values of secret settings.
func (l *Loaded) Rows() []Row {
	rows := make([]Row, len(settings))
	for i, s := range settings {
		from := l.from[s.Key]
		rows[i] = Row{s.Key, s.text(&l.Config), cmp.Or(from, "default"), from != ""}
		if s.Key == "mode" && from == "" {
			rows[i].Value, rows[i].From = l.DefaultMode(), "default: an endpoint is configured"
			if l.Model.BaseURL == "" {
				rows[i].From = "default: no endpoint is configured"
			}
		}
	}
	return rows
}

// text formats the setting's value for display, without secrets. It returns "-" if the setting is
// not set.
func (s Setting) text(c *Config) string {
	field := s.in(c)
	switch {
	case field.IsZero() && s.def == "":
		return "-"
	case s.Key == keyKey:
		return "set"
	case s.Key == KeyBaseURL || s.Key == keyAgainstURL || s.Key == keyWhyURL:
		return withoutPassword(field.String())
	case s.Key == keyHeaders:
		fields, _ := c.Model.HeaderFields()
		return shown(slices.Sorted(maps.Keys(fields)))
	}
	return shown(reflect.Indirect(field).Interface())
}

// withoutPassword returns an address, quoted, with its user information and query replaced by xxx.
// It returns "set" for an address that cannot be parsed.
func withoutPassword(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "set"
	}
	if u.User != nil {
		u.User = url.User("xxx")
	}
	if u.RawQuery != "" {
		u.RawQuery = "xxx"
	}
	return strconv.Quote(u.String())
}
