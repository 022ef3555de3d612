package main

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// checkKeys reports the keys of a file that are no settings, each with the
// setting that may have been meant.
func checkKeys(keys []string) error {
	var known []string
	for _, s := range settings {
		known = append(known, s.key)
	}
	slices.Sort(keys)
	var faults []string
	for _, key := range keys {
		if slices.ContainsFunc(settings, func(s setting) bool {
			return key == s.key || s.typ.Kind() == reflect.Map && strings.HasPrefix(key, s.key+".")
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

// typo is what to say of an unknown key.
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
	if near := nearest(name, beside); near != "" {
		return fmt.Sprintf("%s: did you mean %s?", name, near)
	}
	if near := nearest(key, known); near != "" {
		return fmt.Sprintf("%s: did you mean %s?", key, near)
	}
	return fmt.Sprintf("there is no setting %s; npdb --help lists them", key)
}

// cutLast cuts a key after its section: "model.name" into "model" and "name".
func cutLast(key string) (section, name string) {
	i := strings.LastIndexByte(key, '.')
	return key[:max(i, 0)], key[i+1:]
}

// nearest is the known word that a mistyped one is likely to stand for, "" if
// none is near: a third of its letters may be wrong.
func nearest(word string, known []string) string {
	best, least := "", (len(word)+2)/3+1
	for _, k := range known {
		if d := edits(word, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// edits is the Levenshtein distance of two words, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substituted := diagonal
			if a[i] != b[j] {
				substituted++
			}
			diagonal = row[j+1]
			row[j+1] = min(substituted, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
