package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/npdb/npdb/internal/suggest"
)

// checkKeys reports the keys of a file that are no settings, each with the
// setting that may have been meant.
func checkKeys(keys []string) error {
	var known []string
	for _, s := range settings {
		known = append(known, s.Key)
	}
	slices.Sort(keys)
	var faults []string
	for _, key := range keys {
		if slices.ContainsFunc(settings, func(s Setting) bool {
			return key == s.Key || s.typ.Kind() == reflect.Map && strings.HasPrefix(key, s.Key+".")
		}) {
			continue
		}
		faults = append(faults, typo(key, known))
	}
	if len(faults) > 0 {
		return errors.New(strings.Join(faults, "; "))
	}
	return nil
}

// typo returns what to say of an unknown key.
func typo(key string, known []string) string {
	section, name := cutLast(key)
	for _, k := range known {
		s, n := cutLast(k)
		switch {
		case strings.HasPrefix(key, k+"."):
			return fmt.Sprintf("there is no setting %s: %s is no section", key, k)
		case s == key:
			return fmt.Sprintf("%s is a section: write [%s] and its settings below it", key, key)
		case n == name && s != section && s != "":
			return fmt.Sprintf("there is no setting %s; %s belongs under [%s]", key, n, s)
		case n == name && s != section:
			return fmt.Sprintf("there is no setting %s; %s belongs at the top of the file, before any [section]", key, n)
		}
	}
	// A name that is nearly one of the same section; then of any.
	var beside []string
	for _, k := range known {
		if s, n := cutLast(k); s == section {
			beside = append(beside, n)
		}
	}
	if near := suggest.Nearest(name, beside); near != "" {
		return fmt.Sprintf("%s: did you mean %s?", name, near)
	}
	if near := suggest.Nearest(key, known); near != "" {
		return fmt.Sprintf("%s: did you mean %s?", key, near)
	}
	return fmt.Sprintf("there is no setting %s; npdb config --help lists them", key)
}

// unknownField returns what to say of a name that a table in a list has and its type has not.
func unknownField(name string, of reflect.Type) error {
	names := make([]string, of.NumField())
	for i := range names {
		names[i] = of.Field(i).Tag.Get("mapstructure")
	}
	if near := suggest.Nearest(name, names); near != "" {
		return fmt.Errorf("%s: did you mean %s?", name, near)
	}
	return fmt.Errorf("there is no %s here: there are %s", name, strings.Join(names, ", "))
}

// cutLast cuts a key after its section: "model.name" into "model" and "name".
func cutLast(key string) (section, name string) {
	i := strings.LastIndexByte(key, '.')
	return key[:max(i, 0)], key[i+1:]
}
