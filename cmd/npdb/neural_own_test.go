package main

import (
	"reflect"
	"testing"

	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/config"
)

// The screen names the model before it is asked, where that is known.
func TestModelNames(t *testing.T) {
	for _, tt := range []struct {
		c    config.Config
		want string
	}{
		{config.Config{Model: config.Model{BaseURL: "http://127.0.0.1:1/v1", Name: "nd", Prompt: "text"}}, "nd"},
		{config.Config{Model: config.Model{BaseURL: "http://127.0.0.1:1/v1", Prompt: "text"}}, ""},
		{config.Config{Model: config.Model{Name: "nd"}}, "nd"},
		{config.Config{Model: config.Model{Name: "nd"}, Against: config.Against{Name: "other"}}, "nd beside other"},
		{config.Config{Model: config.Model{BaseURL: "http://127.0.0.1:1/v1", Prompt: "text"}, Against: config.Against{BaseURL: "http://127.0.0.1:2/v1"}}, "a model beside another model"},
		{config.Config{Mode: config.ModeNeural, Model: config.Model{Name: "nd"}, Against: config.Against{Name: "other"}}, "nd"},
	} {
		if got := modelNames(tt.c); got != tt.want {
			t.Errorf("%+v: %q", tt.c, got)
		}
	}
	if got := modelNames(config.Config{}); (got != "") != embedded.HasModel() {
		t.Errorf("npdb's own model is called %q", got)
	}
}

// A name is that of a server's model; without one and without an endpoint there is
// npdb's own.
func TestHasModel(t *testing.T) {
	own := embedded.HasModel()
	for model, want := range map[[2]string]bool{
		{"", ""}: own, {"", "nd"}: false, {"http://127.0.0.1:1/v1", ""}: true, {"http://127.0.0.1:1/v1", "nd"}: true,
	} {
		if got := hasModel(config.Config{Model: config.Model{BaseURL: model[0], Name: model[1]}}); got != want {
			t.Errorf("%q: %v", model, got)
		}
	}
}

func TestEmbeddedConfig(t *testing.T) {
	seed, topP := int64(7), 0.25
	got := embeddedConfig(config.Model{Temperature: 0.5, TopP: &topP, Seed: &seed, MaxTokens: 9, Window: 3, Timeout: 1})
	if want := (embedded.Config{Temperature: 0.5, TopP: topP, Seed: &seed, MaxTokens: 9}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := embeddedConfig(config.Model{}); got.TopP != 0 || got.Seed != nil {
		t.Errorf("what is not set is %+v", got)
	}
}
