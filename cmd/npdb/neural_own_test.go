package main

import (
	"reflect"
	"testing"

	"github.com/npdb/npdb/backend/embedded"
)

// The screen names the model before it is asked, where that is known.
func TestModelName(t *testing.T) {
	for _, tt := range []struct {
		model modelConfig
		want  string
	}{
		{modelConfig{BaseURL: "http://127.0.0.1:1/v1", Name: "nd", Prompt: "text"}, "nd"},
		{modelConfig{BaseURL: "http://127.0.0.1:1/v1", Prompt: "text"}, ""},
		{modelConfig{Name: "nd"}, "nd"},
	} {
		if got := (config{Model: tt.model}).modelName(); got != tt.want {
			t.Errorf("%+v: %q", tt.model, got)
		}
	}
	if got := (config{}).modelName(); (got != "") != embedded.HasModel() {
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
		if got := (config{Model: modelConfig{BaseURL: model[0], Name: model[1]}}).hasModel(); got != want {
			t.Errorf("%q: %v", model, got)
		}
	}
}

func TestEmbeddedConfig(t *testing.T) {
	seed, topP := int64(7), 0.25
	got := embeddedConfig(modelConfig{Temperature: 0.5, TopP: &topP, Seed: &seed, MaxTokens: 9, Window: 3, Timeout: 1})
	if want := (embedded.Config{Temperature: 0.5, TopP: topP, Seed: &seed, MaxTokens: 9}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := embeddedConfig(modelConfig{}); got.TopP != 0 || got.Seed != nil {
		t.Errorf("what is not set is %+v", got)
	}
}
