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

// Setting is one field of Config, as its tags describe it.
type Setting struct {
	Key   string   // in the file: "model.base_url"
	Env   []string // variables, the first that is set counts
	Flag  string   // without its dashes
	def   string   // as text; "" for none
	oneof []string
	tag   reflect.StructTag // of the field in Config, for the rest
	index []int             // of the field in Config
	typ   reflect.Type
}

var settings = settingsOf(reflect.TypeFor[Config](), "", nil)

// Settings returns the fields of Config in their order.
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

// source is the file whose comments document the settings.
//
//go:embed config.go
var source string

// docs has the comments of the settings by key, each on one line, and those of the sections by
// name.
var docs = fieldComments()

// fieldComments returns the comments of the fields of Config and of its sections, whose types have
// their names.
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

// secret reports whether a setting's value is never shown.
func (s Setting) secret() bool { return s.Key == keyKey || s.Key == keyHeaders }

// Sentence returns what the setting is: its comment up to the first full stop.
func (s Setting) Sentence() string {
	first, _, _ := strings.Cut(docs[s.Key]+" ", ". ")
	return first
}

// Choices returns the words that the setting may be, none where it may be anything.
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

// textFlag is the text of a flag. It is decoded where the file's values are.
type textFlag struct{ arg, text string }

// String implements pflag.Value.
func (f *textFlag) String() string { return f.text }

// Set implements pflag.Value.
func (f *textFlag) Set(s string) error { f.text = s; return nil }

// Type implements pflag.Value.
func (f *textFlag) Type() string { return f.arg }

// given returns the text that a flag or a variable sets, and which of them does; "" if none does.
func (s Setting) given(fs *pflag.FlagSet) (text, from string) {
	if given := fs.Lookup(s.Flag); given != nil && given.Changed {
		if f, ok := given.Value.(*textFlag); ok { // else it has the same name, and another meaning
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

// Row is a setting in effect, for people: its value, and what set it.
type Row struct {
	Key, Value, From string
	Set              bool // it is no default
}

// Rows returns all settings in effect. Secrets are said to be set, no more.
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

// text returns a setting's value for people.
func (s Setting) text(c *Config) string {
	field := s.in(c)
	switch {
	case field.IsZero() && s.def == "":
		return "-"
	case s.Key == keyKey:
		return "set"
	case s.Key == KeyBaseURL || s.Key == keyAgainstURL:
		return withoutPassword(field.String())
	case s.Key == keyHeaders:
		fields, _ := c.Model.HeaderFields()
		return shown(slices.Sorted(maps.Keys(fields)))
	}
	return shown(reflect.Indirect(field).Interface())
}

// withoutPassword returns an address without the credentials that may be in it.
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
