package config

import (
	"fmt"
	"maps"
	"net/url"
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
	arg   string   // what the flag's operand is
	def   string   // as text; "" for none
	oneof []string
	index []int // of the field in Config
	typ   reflect.Type
}

var settings = settingsOf(reflect.TypeFor[Config](), "", nil)

// Settings returns the fields of Config in their order.
func Settings() []Setting { return settings }

func settingsOf(t reflect.Type, section string, index []int) []Setting {
	var out []Setting
	for i := range t.NumField() {
		f := t.Field(i)
		key := section + f.Tag.Get("mapstructure")
		at := slices.Concat(index, []int{i})
		if f.Type.Kind() == reflect.Struct {
			out = append(out, settingsOf(f.Type, key+".", at)...)
			continue
		}
		out = append(out, Setting{
			Key: key, index: at, typ: f.Type,
			Env: strings.Fields(f.Tag.Get("env")), Flag: f.Tag.Get("flag"), arg: f.Tag.Get("arg"),
			def: f.Tag.Get("default"), oneof: strings.Fields(f.Tag.Get("oneof")),
		})
	}
	return out
}

// in returns the setting's field in c.
func (s Setting) in(c *Config) reflect.Value { return reflect.ValueOf(c).Elem().FieldByIndex(s.index) }

// secret reports whether a setting's value is never shown.
func (s Setting) secret() bool { return s.Key == keyKey || s.Key == keyHeaders }

// Sentence returns what the setting is: its comment up to the first full stop.
func (s Setting) Sentence() string {
	doc := docs[s.Key]
	if first, _, more := strings.Cut(doc, ". "); more {
		return first
	}
	return strings.TrimSuffix(doc, ".")
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
		f := fs.VarPF(&textFlag{arg: s.arg}, s.Flag, "", usage)
		if s.typ.Kind() == reflect.Bool {
			f.NoOptDefVal = "true"
		}
	}
}

// textFlag is the text of a flag; what it means is found out where the file's values are,
// too.
type textFlag struct{ arg, text string }

// String implements pflag.Value.
func (f *textFlag) String() string { return f.text }

// Set implements pflag.Value.
func (f *textFlag) Set(s string) error { f.text = s; return nil }

// Type implements pflag.Value.
func (f *textFlag) Type() string { return f.arg }

// Row is a setting in effect, for people: its value, and what set it.
type Row struct {
	Key, Value, From string
	Set              bool // it is no default
}

// Rows returns all settings in effect. Secrets are said to be set, no more.
func (l *Loaded) Rows() []Row {
	rows := make([]Row, len(settings))
	for i, s := range settings {
		value, from := s.text(&l.Config), l.from[s.Key]
		switch {
		case s.Key == "mode" && from == "":
			value, from = l.DefaultMode(), "default: an endpoint is configured"
			if l.Model.BaseURL == "" {
				from = "default: no endpoint is configured"
			}
		case from == "":
			from = "default"
		}
		rows[i] = Row{s.Key, value, from, l.from[s.Key] != ""}
	}
	return rows
}

// text returns a setting's value for people.
func (s Setting) text(c *Config) string {
	field := s.in(c)
	if field.IsZero() && s.def == "" {
		return "-"
	}
	if field.Kind() == reflect.Pointer {
		field = field.Elem()
	}
	switch v := field.Interface().(type) {
	case ByteSize:
		return v.String()
	case JSONObject:
		return string(v)
	case string:
		switch s.Key {
		case keyKey:
			return "set"
		case KeyBaseURL, keyAgainstURL:
			return withoutPassword(v)
		}
		return strconv.Quote(v)
	case []string:
		items := make([]string, len(v))
		for i, item := range v {
			if s.secret() {
				item, _, _ = strings.Cut(item, ":")
			}
			items[i] = strconv.Quote(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string][]string:
		items := make([]string, 0, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			items = append(items, fmt.Sprintf("%s = %q", name, v[name]))
		}
		return "{" + strings.Join(items, ", ") + "}"
	case []Profile:
		items := make([]string, len(v))
		for i, p := range v {
			items[i] = strconv.Quote(p.Name)
		}
		return strings.Join(items, ", ")
	}
	return fmt.Sprint(field.Interface())
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
