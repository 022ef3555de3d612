package config

import (
	"encoding/json"
	"reflect"
	"strings"
)

// object is a JSON object of a JSON Schema.
type object = map[string]any

// table returns the schema of a TOML table that may have these members and no others.
func table(members object) object {
	return object{"type": "object", "properties": members, "additionalProperties": false}
}

// Schema returns the JSON Schema of config.toml (draft 2020-12), indented. Editors with support for
// TOML use it to check and complete settings.
func Schema() ([]byte, error) {
	sections := map[string]object{"": {}}
	for _, s := range settings {
		section, name := cutLast(s.Key)
		if sections[section] == nil {
			sections[section] = object{}
			below := table(sections[section])
			below["description"] = docs[section]
			sections[""][section] = below
		}
		sections[section][name] = s.schema()
	}
	root := table(sections[""])
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "npdb's config.toml"
	return json.MarshalIndent(root, "", "  ")
}

// schema returns the schema of a setting's value.
func (s Setting) schema() object {
	o := schemaOf(s.typ)
	o["description"] = docs[s.Key]
	if len(s.oneof) > 0 {
		o["enum"] = s.oneof
	}
	if s.def != "" {
		o["default"] = s.parse(s.def)
	}
	bounded := o
	if items, ok := o["items"].(object); ok {
		bounded = items
	}
	for word, bound := range map[string]string{"minimum": s.tag.Get("min"), "maximum": s.tag.Get("max")} {
		if bound != "" {
			bounded[word] = json.RawMessage(bound)
		}
	}
	return o
}

// schemaOf returns the schema of values of type t, as config.toml spells them.
func schemaOf(t reflect.Type) object {
	o := object{"type": formOf(t).json}
	switch t.Kind() {
	case reflect.Slice:
		o["items"] = schemaOf(t.Elem())
	case reflect.Map:
		o["additionalProperties"] = schemaOf(t.Elem())
	case reflect.Struct:
		members := object{}
		for i := range t.NumField() {
			members[strings.ToLower(t.Field(i).Name)] = schemaOf(t.Field(i).Type)
		}
		return table(members)
	}
	return o
}
