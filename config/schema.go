package config

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// object is a part of a JSON Schema.
type object = map[string]any

// Schema returns the JSON Schema of config.toml (draft 2020-12), indented. Editors with support
// for TOML check and complete settings by it.
func Schema() ([]byte, error) {
	root := object{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "npdb's config.toml",
	}
	section(root)
	for _, s := range settings {
		at := root
		path := strings.Split(s.Key, ".")
		for _, name := range path[:len(path)-1] {
			members := at["properties"].(object)
			below, ok := members[name].(object)
			if !ok {
				below = object{}
				section(below)
				members[name] = below
			}
			at = below
		}
		at["properties"].(object)[path[len(path)-1]] = s.schema()
	}
	return json.MarshalIndent(root, "", "  ")
}

// section makes a schema that of a table of settings.
func section(o object) {
	o["type"], o["properties"], o["additionalProperties"] = "object", object{}, false
}

// schema returns the schema of a setting's value.
func (s Setting) schema() object {
	o := schemaOf(s.typ)
	o["description"] = docs[s.Key]
	if len(s.oneof) > 0 {
		o["enum"] = s.oneof
	}
	if s.def != "" {
		o["default"] = s.def
		if o["type"] != "string" {
			o["default"] = json.RawMessage(s.def) // a number or a truth value, which TOML and JSON write alike
		}
	}
	return o
}

// schemaOf returns the schema of a Go type as config.toml has it.
func schemaOf(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[time.Duration](), reflect.TypeFor[ByteSize](), reflect.TypeFor[JSONObject]():
		return object{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		return object{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.Struct:
		o := object{}
		section(o)
		for i := range t.NumField() {
			o["properties"].(object)[t.Field(i).Tag.Get("mapstructure")] = schemaOf(t.Field(i).Type)
		}
		return o
	}
	return object{"type": "string"}
}
