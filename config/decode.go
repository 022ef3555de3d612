package config

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/go-viper/mapstructure/v2"

	"github.com/npdb/npdb/internal/suggest"
	"github.com/npdb/npdb/tui/keys"
)

// decode sets the field of setting s in l.Config to value. It checks the value's type
// first, because mapstructure silently converts some values of other types.
func (l *Loaded) decode(s Setting, value any) error {
	err := s.misfit(value, s.typ)
	if err == nil {
		err = decodeInto(s.in(&l.Config).Addr().Interface(), value)
	} else if s.secret() {
		err = fmt.Errorf("%s is wanted", formOf(s.typ).one) // an error that does not show a secret value
	}
	if err != nil {
		return l.fault(s.Key, err)
	}
	return nil
}

// decodeInto converts a value into the variable that field points to.
func decodeInto(field, value any) error {
	d, err := mapstructure.NewDecoder(&mapstructure.DecoderConfig{
		Result:     field,
		DecodeHook: mapstructure.ComposeDecodeHookFunc(mapstructure.TextUnmarshallerHookFunc(), mapstructure.StringToTimeDurationHookFunc()),
	})
	if err != nil {
		return err
	}
	return d.Decode(value)
}

// parse converts the text of a flag, an environment variable or a default to the setting's type. It
// returns invalid text unchanged, as a string.
func (s Setting) parse(text string) any {
	var value any
	err := strconv.ErrSyntax
	switch formOf(s.typ).json {
	case "integer": // digits may be grouped, as in TOML
		value, err = strconv.ParseInt(strings.NewReplacer(",", "", "_", "").Replace(text), 10, 64)
	case "number":
		value, err = strconv.ParseFloat(text, 64)
	case "boolean":
		value, err = strconv.ParseBool(text)
	}
	if err != nil {
		return text
	}
	return value
}

// misfit returns an error if value, from the file, is not valid for type t. t is the setting's type
// or, in a recursive call, the type of an item or member.
func (s Setting) misfit(value any, t reflect.Type) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	want, got := formOf(t), formOf(reflect.TypeOf(value))
	misfits := got.json != want.json && (got.json != "integer" || want.json != "number")
	if n, ok := value.(float64); misfits || ok && math.IsNaN(n-n) { // true for NaN and infinities
		return fmt.Errorf("%s is %s: %s is wanted", shown(value), got.is, want.one)
	}
	switch value := value.(type) {
	case string:
		return s.misspelt(value, t)
	case int64:
		return s.outOfBounds(value, float64(value))
	case float64:
		return s.outOfBounds(value, value)
	case []any:
		for i, item := range value {
			if err := s.misfit(item, t.Elem()); err != nil {
				return fmt.Errorf("item %d: %w", i+1, err)
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			of, err := member(t, name)
			if err != nil {
				return err
			}
			if err := s.misfit(value[name], of); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// misspelt returns an error if text is not a valid value of type t: it cannot be unmarshalled, is
// not a positive duration, or is neither empty nor one of the setting's allowed words.
func (s Setting) misspelt(text string, t reflect.Type) error {
	if u, ok := reflect.New(t).Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	if t == reflect.TypeFor[time.Duration]() {
		switch d, err := time.ParseDuration(text); {
		case err != nil || d < 0:
			return fmt.Errorf("%q is no duration: write it as 90s or 5m", text)
		case d == 0:
			return errors.New("no time at all is too little")
		}
	}
	if text == "" || len(s.oneof) == 0 || slices.Contains(s.oneof, text) {
		return nil
	}
	what := fmt.Sprintf("there is no %q", text)
	return errors.New(cmp.Or(suggest.Ask(what, text, s.oneof), what+": it is "+strings.Join(s.oneof, " or ")))
}

// outOfBounds returns an error if n is outside the setting's min and max. The error shows number,
// from which n was converted.
func (s Setting) outOfBounds(number any, n float64) error {
	if least, err := strconv.ParseFloat(s.tag.Get("min"), 64); err == nil && n < least {
		return fmt.Errorf("%v is too small: %s is the least", number, s.tag.Get("min"))
	}
	if most, err := strconv.ParseFloat(s.tag.Get("max"), 64); err == nil && n > most {
		return fmt.Errorf("%v is too many: %s is %s", number, s.tag.Get("max"), cmp.Or(s.tag.Get("most"), "the most"))
	}
	return nil
}

// member returns the type of the member called name in a table of Go type of, which is a map or a
// struct.
func member(of reflect.Type, name string) (reflect.Type, error) {
	if of.Kind() == reflect.Map {
		return of.Elem(), nil
	}
	var names []string
	for i := range of.NumField() {
		f := of.Field(i)
		if strings.EqualFold(f.Name, name) {
			return f.Type, nil
		}
		names = append(names, strings.ToLower(f.Name))
	}
	return nil, errors.New(cmp.Or(suggest.Ask(name, name, names), fmt.Sprintf("there is no %s here: there are %s", name, strings.Join(names, ", "))))
}

// shown formats a value for messages, similar to TOML.
func shown(value any) string {
	v := reflect.ValueOf(value)
	var items []string
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			items = append(items, shown(v.Index(i).Interface()))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case reflect.Map:
		for _, name := range v.MapKeys() {
			items = append(items, fmt.Sprintf("%s = %s", name, shown(v.MapIndex(name).Interface())))
		}
		slices.Sort(items)
		return "{" + strings.Join(items, ", ") + "}"
	}
	switch value := value.(type) {
	case string:
		return strconv.Quote(value)
	case keys.Profile:
		return strconv.Quote(value.Name)
	}
	return fmt.Sprint(value)
}

// ByteSize is an amount of memory in bytes.
type ByteSize int64

// Set implements pflag.Value.
func (b *ByteSize) Set(s string) error {
	n, err := humanize.ParseBytes(s)
	if err != nil || n > 1<<62 {
		return fmt.Errorf("%q is no amount of memory: write it as 512MB or 4GiB", s)
	}
	*b = ByteSize(n)
	return nil
}

// String implements pflag.Value.
func (b ByteSize) String() string {
	if b == 0 {
		return "0" // pflag does not show "0" as a default
	}
	return humanize.IBytes(uint64(max(b, 0)))
}

// Type implements pflag.Value.
func (b ByteSize) Type() string { return "memory" }

// UnmarshalText implements encoding.TextUnmarshaler.
func (b *ByteSize) UnmarshalText(text []byte) error { return b.Set(string(text)) }

// JSONObject is the text of a JSON object. It is not a TOML table, because the keys of tables
// are read in lower case.
type JSONObject string

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *JSONObject) UnmarshalText(text []byte) error {
	if _, err := JSONObject(text).Fields(); err != nil {
		return fmt.Errorf("%q is no JSON object: %w", text, err)
	}
	*o = JSONObject(text)
	return nil
}

// Fields returns the object's members. Numbers are json.Number and keep their spelling.
func (o JSONObject) Fields() (map[string]any, error) {
	if o == "" {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader([]byte(o)))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return nil, err
	}
	if d.More() || m == nil {
		return nil, errors.New("one object is wanted")
	}
	return m, nil
}

// form describes how config.toml spells the values of a Go type.
type form struct {
	json      string // the type in JSON Schema
	is        string // how error messages name a value
	one, many string // how error messages name the expected value or values, with an example unless it is obvious
}

var forms = map[reflect.Type]form{
	reflect.TypeFor[string]():        {"string", "text", "a string", "strings"},
	reflect.TypeFor[bool]():          {"boolean", "a truth value", "true or false", ""},
	reflect.TypeFor[int]():           {"integer", "", "a whole number", "whole numbers"},
	reflect.TypeFor[int64]():         {"integer", "a number", "a whole number", ""},
	reflect.TypeFor[float64]():       {"number", "a number", "a number", ""},
	reflect.TypeFor[time.Duration](): {"string", "", `a duration with its unit, such as "90s",`, ""},
	reflect.TypeFor[ByteSize]():      {"string", "", `an amount of memory, such as "4GiB",`, ""},
	reflect.TypeFor[JSONObject]():    {"string", "", `the text of a JSON object, such as '{"priority": 1}',`, ""},
	reflect.TypeFor[keys.Profile]():  {"object", "", "a table", "tables"},
}

// formOf returns how config.toml spells values of type t.
func formOf(t reflect.Type) form {
	switch t.Kind() {
	case reflect.Pointer:
		return formOf(t.Elem())
	case reflect.Slice:
		return form{"array", "a list", "a list of " + formOf(t.Elem()).many, "lists"}
	case reflect.Map:
		return form{"object", "a table", "a table of " + formOf(t.Elem()).many, "tables"}
	}
	return cmp.Or(forms[t], form{is: "a date or time"})
}
