package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/viper"
)

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
func (b *ByteSize) String() string {
	if *b == 0 {
		return "0" // which pflag does not show as a default
	}
	return humanize.IBytes(uint64(max(*b, 0)))
}

// Type implements pflag.Value.
func (b *ByteSize) Type() string { return "memory" }

// UnmarshalText implements encoding.TextUnmarshaler.
func (b *ByteSize) UnmarshalText(text []byte) error { return b.Set(string(text)) }

// JSONObject is the text of a JSON object. A table of the configuration would not
// do: viper writes its keys in lower case.
type JSONObject string

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *JSONObject) UnmarshalText(text []byte) error {
	if _, err := JSONObject(text).Fields(); err != nil {
		return fmt.Errorf("%q is no JSON object: %w", text, err)
	}
	*o = JSONObject(text)
	return nil
}

// Fields returns the object's members. Numbers keep their spelling.
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

// words are the text of a flag, a variable or a default. It may stand for a number or
// a truth value, as text of the file may not.
type words string

// decode lets viper decode one setting into its field. viper.Unmarshal would skip an empty
// table without an error.
func (l *Loaded) decode(v *viper.Viper, s Setting) error {
	var met mapstructure.Metadata
	err := v.UnmarshalKey(s.Key, s.in(&l.Config).Addr().Interface(), func(c *mapstructure.DecoderConfig) {
		c.WeaklyTypedInput, c.Metadata = false, &met
		c.DecodeHook = mapstructure.ComposeDecodeHookFunc(meant, mapstructure.TextUnmarshallerHookFunc(), duration, fitting)
	})
	place := ""
	var misfit *mapstructure.DecodeError
	switch {
	case errors.As(err, &misfit):
		place, err = misfit.Name(), misfit.Unwrap()
	case err == nil && len(met.Unused) > 0: // of the tables in a list
		slices.Sort(met.Unused)
		i := strings.LastIndex(met.Unused[0], "].") + 1
		place, err = met.Unused[0][:i], unknownField(met.Unused[0][i+1:], s.typ.Elem())
	}
	if err == nil {
		return nil
	}
	if s.secret() {
		return l.fault(s.Key, fmt.Errorf("%s is wanted", wanted(s.typ))) // and what is there not shown
	}
	for _, part := range slices.Backward(step.FindAllStringSubmatch(place, -1)) {
		if n, notInt := strconv.Atoi(part[1]); notInt == nil {
			err = fmt.Errorf("item %d: %w", n+1, err)
		} else {
			err = fmt.Errorf("%s: %w", part[2]+part[3], err)
		}
	}
	return l.fault(s.Key, err)
}

// step is a part of a place below a setting, as mapstructure writes it:
// "[0].keys[next]".
var step = regexp.MustCompile(`\[(\d+)\]|\[(.*?)\]|\.([^.\[]+)`)

// meant returns the decode hook that gives words the meaning that is wanted, if they have it.
func meant(from, to reflect.Value) (any, error) {
	w, ok := from.Interface().(words)
	if !ok || to.Kind() == reflect.Pointer { // what it points to comes next
		return from.Interface(), nil
	}
	s := string(w)
	switch {
	case to.CanInt() && to.Type().PkgPath() == "": // digits may be grouped, as in TOML
		if n, err := strconv.ParseInt(strings.NewReplacer(",", "", "_", "").Replace(s), 10, 64); err == nil {
			return n, nil
		}
	case to.Kind() == reflect.Float64:
		if n, err := strconv.ParseFloat(s, 64); err == nil {
			return n, nil
		}
	case to.Kind() == reflect.Bool:
		if b, err := strconv.ParseBool(s); err == nil {
			return b, nil
		}
	}
	return s, nil
}

// duration returns mapstructure's decode hook for durations, with advice.
func duration(from, to reflect.Value) (any, error) {
	made, err := mapstructure.DecodeHookExec(mapstructure.StringToTimeDurationHookFunc(), from, to)
	if err != nil {
		return nil, fmt.Errorf("%q is no duration: write it as 90s or 5m", from.Interface())
	}
	return made, nil
}

// fitting returns the decode hook that refuses what mapstructure would convert without a
// word, such as 1.5 to a whole number, and says what is wanted in people's words.
func fitting(from, to reflect.Value) (any, error) {
	if !fits(from, to) {
		raw := from.Interface()
		return nil, fmt.Errorf("%s is %s: %s is wanted", shown(raw), kindOf(raw), wanted(to.Type()))
	}
	return from.Interface(), nil
}

func fits(from, to reflect.Value) bool {
	switch kind := to.Kind(); {
	case kind == reflect.Pointer:
		return true // what it points to comes next
	case kind == reflect.Struct:
		return from.Kind() == reflect.Map
	case to.Type().PkgPath() != "":
		// Of a duration or an amount of memory a number alone does not say enough:
		// another hook has made one of text.
		return reflect.Indirect(from).Type() == to.Type()
	case to.CanInt():
		return from.CanInt() && !to.OverflowInt(from.Int())
	case to.CanFloat():
		return from.CanInt() || from.CanFloat() && !math.IsNaN(from.Float()) && !math.IsInf(from.Float(), 0)
	default:
		return from.Kind() == kind
	}
}

// wanted names a type for people, with an example where its form is not plain.
func wanted(t reflect.Type) string {
	return map[reflect.Type]string{
		reflect.TypeFor[time.Duration]():       `a duration with its unit, such as "90s",`,
		reflect.TypeFor[ByteSize]():            `an amount of memory, such as "4GiB",`,
		reflect.TypeFor[JSONObject]():          `the text of a JSON object, such as '{"priority": 1}',`,
		reflect.TypeFor[string]():              "a string",
		reflect.TypeFor[bool]():                "true or false",
		reflect.TypeFor[int]():                 "a whole number",
		reflect.TypeFor[int64]():               "a whole number",
		reflect.TypeFor[float64]():             "a number",
		reflect.TypeFor[[]int]():               "a list of whole numbers",
		reflect.TypeFor[[]string]():            "a list of strings",
		reflect.TypeFor[[]Profile]():           "a list of tables",
		reflect.TypeFor[Profile]():             "a table",
		reflect.TypeFor[map[string]string]():   "a table of strings",
		reflect.TypeFor[map[string][]string](): "a table of lists",
	}[t]
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

// shown returns a value of the file for people.
func shown(raw any) string {
	if s, ok := raw.(string); ok {
		return strconv.Quote(s)
	}
	return fmt.Sprint(raw)
}
