package main

import (
	"reflect"
	"slices"
	"strings"
)

// setting is one field of config, as its tags describe it.
type setting struct {
	key   string   // in the file: "model.base_url"
	env   []string // variables, the first that is set counts
	flag  string   // without its dashes
	arg   string   // what the flag's operand is
	def   string   // as text; "" for none
	oneof []string
	index []int // of the field in config
	typ   reflect.Type
}

// settings are the fields of config in their order.
var settings = settingsOf(reflect.TypeFor[config](), "", nil)

func settingsOf(t reflect.Type, section string, index []int) []setting {
	var out []setting
	for i := range t.NumField() {
		f := t.Field(i)
		key := section + f.Tag.Get("mapstructure")
		at := slices.Concat(index, []int{i})
		if f.Type.Kind() == reflect.Struct {
			out = append(out, settingsOf(f.Type, key+".", at)...)
			continue
		}
		out = append(out, setting{
			key: key, index: at, typ: f.Type,
			env: strings.Fields(f.Tag.Get("env")), flag: f.Tag.Get("flag"), arg: f.Tag.Get("arg"),
			def: f.Tag.Get("default"), oneof: strings.Fields(f.Tag.Get("oneof")),
		})
	}
	return out
}

// in is the setting's field in c.
func (s setting) in(c *config) reflect.Value { return reflect.ValueOf(c).Elem().FieldByIndex(s.index) }

// sentence is what the setting is: its comment up to the first full stop.
func (s setting) sentence() string {
	doc := configDocs[s.key]
	if first, _, more := strings.Cut(doc, ". "); more {
		return first
	}
	return strings.TrimSuffix(doc, ".")
}

// configHelp is npdb config --help.
func configHelp() string {
	var b strings.Builder
	b.WriteString(`npdb config shows the settings in effect and where each comes from: a flag, else
the environment, else the file $XDG_CONFIG_HOME/npdb/config.toml, where
XDG_CONFIG_HOME is unset ~/.config/npdb/config.toml, else the default. They are:
`)
	for _, s := range settings {
		b.WriteString("\n  " + s.key)
		if len(s.env) > 0 {
			b.WriteString("  (" + strings.Join(s.env, ", ") + ")")
		}
		for _, line := range wrap(s.sentence(), helpWidth-6) {
			b.WriteString("\n      " + line)
		}
	}
	return b.String()
}

// wrap cuts a text into lines of at most so many bytes, at its spaces.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
