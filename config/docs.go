package config

import (
	_ "embed"
	"regexp"
	"strings"
)

// source is the file whose comments document the settings.
//
//go:embed config.go
var source string

// docs has the comments of the settings by key, each on one line, and those of the sections by
// name.
var docs = fieldComments(source)

// declared matches the line of a type, or of a field with its key.
var declared = regexp.MustCompile("^type ([A-Z]\\w+) struct|mapstructure:\"(\\w+)\"")

// fieldComments returns the comments of the fields of Config and of its sections, whose types are
// called as they are.
func fieldComments(source string) map[string]string {
	found := map[string]string{}
	var section string
	var comment []string
	for line := range strings.Lines(source) {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, "// "); ok {
			comment = append(comment, text)
			continue
		}
		if names := declared.FindStringSubmatch(line); names != nil && names[1] != "" {
			section = strings.TrimPrefix(strings.ToLower(names[1])+".", "config.")
		} else if names != nil {
			found[section+names[2]] = strings.Join(comment, " ")
		}
		comment = nil
	}
	return found
}
