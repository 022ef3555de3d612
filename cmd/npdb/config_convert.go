package main

import (
	"bytes"
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

	"github.com/npdb/npdb/internal/suggest"
)

// store puts raw into a field: a value of the file as TOML gives it, or with
// text set the text of a flag, a variable or a default. The error says what is
// wanted instead.
func store(field reflect.Value, raw any, text bool) error {
	if field.Kind() == reflect.Pointer {
		v := reflect.New(field.Type().Elem())
		if err := store(v.Elem(), raw, text); err != nil {
			return err
		}
		field.Set(v)
		return nil
	}
	if s, ok := raw.(string); ok {
		if done, err := storeWords(field, s); done {
			return err
		}
		if text {
			raw = typed(s, field.Kind())
		}
	}
	switch field.Kind() {
	case reflect.String:
		if s, ok := raw.(string); ok && field.Type() == reflect.TypeFor[string]() {
			field.SetString(s)
			return nil
		}
	case reflect.Bool:
		if b, ok := raw.(bool); ok {
			field.SetBool(b)
			return nil
		}
	case reflect.Int, reflect.Int64:
		// Of a duration or an amount of memory a number alone does not say enough.
		if n, ok := raw.(int64); ok && plain(field.Type()) && !field.OverflowInt(n) {
			field.SetInt(n)
			return nil
		}
	case reflect.Float64:
		switch n := raw.(type) {
		case float64:
			if !math.IsNaN(n) && !math.IsInf(n, 0) {
				field.SetFloat(n)
				return nil
			}
		case int64:
			field.SetFloat(float64(n))
			return nil
		}
	case reflect.Slice:
		if list, ok := raw.([]any); ok {
			return storeList(field, list)
		}
	case reflect.Map:
		if table, ok := raw.(map[string]any); ok {
			return storeTable(field, table)
		}
	case reflect.Struct:
		if table, ok := raw.(map[string]any); ok {
			return storeFields(field, table)
		}
	}
	return fmt.Errorf("%s is %s: %s is wanted", shown(raw), kindOf(raw), wanted(field.Type()))
}

// storeWords stores what is written as a string in the file, too. done tells
// that the field is of such a type.
func storeWords(field reflect.Value, s string) (done bool, err error) {
	switch v := field.Addr().Interface().(type) {
	case *time.Duration:
		d, err := time.ParseDuration(s)
		if err != nil || d < 0 {
			return true, fmt.Errorf("%q is no duration: write it as 90s or 5m", s)
		}
		*v = d
	case *byteSize:
		return true, v.Set(s)
	case *jsonObject:
		if _, err := jsonObject(s).fields(); err != nil {
			return true, fmt.Errorf("%q is no JSON object: %w", s, err)
		}
		*v = jsonObject(s)
	default:
		return false, nil
	}
	return true, nil
}

// Set implements pflag.Value.
func (b *byteSize) Set(s string) error {
	n, err := humanize.ParseBytes(s)
	if err != nil || n > 1<<62 {
		return fmt.Errorf("%q is no amount of memory: write it as 512MB or 4GiB", s)
	}
	*b = byteSize(n)
	return nil
}

// String implements pflag.Value.
func (b *byteSize) String() string {
	if *b == 0 {
		return "0" // which pflag does not show as a default
	}
	return humanize.IBytes(uint64(max(*b, 0)))
}

// Type implements pflag.Value.
func (b *byteSize) Type() string { return "memory" }

func plain(t reflect.Type) bool {
	return t == reflect.TypeFor[int]() || t == reflect.TypeFor[int64]()
}

// typed is what a text stands for where such a kind is wanted, the text itself
// where it stands for none.
func typed(s string, k reflect.Kind) any {
	switch k {
	case reflect.Int, reflect.Int64:
		// Digits may be grouped, as in TOML.
		if n, err := strconv.ParseInt(strings.NewReplacer(",", "", "_", "").Replace(s), 10, 64); err == nil {
			return n
		}
	case reflect.Float64:
		if n, err := strconv.ParseFloat(s, 64); err == nil {
			return n
		}
	case reflect.Bool:
		if b, err := strconv.ParseBool(s); err == nil {
			return b
		}
	}
	return s
}

func storeList(field reflect.Value, list []any) error {
	out := reflect.MakeSlice(field.Type(), len(list), len(list))
	for i, raw := range list {
		if err := store(out.Index(i), raw, false); err != nil {
			return fmt.Errorf("item %d: %w", i+1, err)
		}
	}
	field.Set(out)
	return nil
}

func storeTable(field reflect.Value, table map[string]any) error {
	out := reflect.MakeMapWithSize(field.Type(), len(table))
	for key, raw := range table {
		v := reflect.New(field.Type().Elem()).Elem()
		if err := store(v, raw, false); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		out.SetMapIndex(reflect.ValueOf(key), v)
	}
	field.Set(out)
	return nil
}

// storeFields puts a table into a struct, whose fields have the names of their
// tags.
func storeFields(field reflect.Value, table map[string]any) error {
	names := make([]string, field.NumField())
	for i := range names {
		names[i] = field.Type().Field(i).Tag.Get("mapstructure")
	}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		i := slices.Index(names, key)
		if i < 0 {
			if near := suggest.Nearest(key, names); near != "" {
				return fmt.Errorf("%s: did you mean %s?", key, near)
			}
			return fmt.Errorf("there is no %s here: there are %s", key, strings.Join(names, ", "))
		}
		if err := store(field.Field(i), table[key], false); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

// fields are the object's members. Numbers keep their spelling.
func (o jsonObject) fields() (map[string]any, error) {
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

// wanted names a type for people, with an example where its form is not plain.
func wanted(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[time.Duration]():
		return `a duration with its unit, such as "90s",`
	case reflect.TypeFor[byteSize]():
		return `an amount of memory, such as "4GiB",`
	case reflect.TypeFor[jsonObject]():
		return `the text of a JSON object, such as '{"priority": 1}',`
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		switch t.Elem().Kind() {
		case reflect.Int:
			return "a list of whole numbers"
		case reflect.Struct:
			return "a list of tables"
		}
		return "a list of strings"
	case reflect.Struct:
		return "a table"
	}
	if t.Elem().Kind() == reflect.Slice {
		return "a table of lists"
	}
	return "a table of strings"
}

// kindOf names the type of a value of the file for people.
func kindOf(raw any) string {
	switch raw.(type) {
	case string:
		return "text"
	case bool:
		return "a truth value"
	case int64, float64:
		return "a number"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}

// shown is a value of the file for people.
func shown(raw any) string {
	if s, ok := raw.(string); ok {
		return strconv.Quote(s)
	}
	return fmt.Sprint(raw)
}
