package config

import (
	"bytes"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSchema checks that the schema accepts what Load accepts, and rejects unknown settings and
// values of a wrong type.
func TestSchema(t *testing.T) {
	raw, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("config.json", parsed); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	for text, fits := range map[string]bool{
		"":                                       true,
		"mode = 'both'\naudit = 7":               true,
		"mode = 'maybe'":                         false,
		"mood = 'both'":                          false,
		"mouse = 'yes'":                          false,
		"[model]\ntimeout = '90s'":               true,
		"[model]\ntimeout = 90":                  false,
		"[model]\ntemperature = 0.7":             true,
		"[model]\nstop_token_ids = [1, 2]":       true,
		"[model]\nstop_token_ids = ['a']":        false,
		"[model]\nstop_token_ids = [-1]":         false,
		"[model]\nstops = 64":                    true,
		"[model]\nstops = 65":                    false,
		"audit = -1":                             false,
		"[model]\nbase = 'x'":                    false,
		"[model.tokens]\nframe_sep = '<|a|>'":    true,
		"[keys]\nstep = ['s']":                   true,
		"[[profiles]]\nnames = 'mine'":           false,
		"[limits]\nmemory = '2GB'\nslowdown = 3": true,

		"[[profiles]]\nname = 'mine'\nbase = 'pudb'\n[profiles.keys]\nnext = ['n']": true,
	} {
		var value map[string]any
		if err := toml.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if value == nil {
			value = map[string]any{}
		}
		if err := schema.Validate(plainJSON(value)); (err == nil) != fits {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// plainJSON converts the result of go-toml to the types that a JSON decoder returns.
func plainJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			out[k] = plainJSON(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = plainJSON(x)
		}
		return out
	}
	return v
}

// TestSchemaHasEverySetting checks that each setting has a description and a type.
func TestSchemaHasEverySetting(t *testing.T) {
	for _, s := range Settings() {
		if o := s.schema(); o["description"] == "" || o["type"] == nil {
			t.Errorf("%s: %v", s.Key, o)
		}
	}
}
