package models

import (
	"reflect"
	"testing"

	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/sampled"
)

// TestModelNames checks that the screen shows the model's name before any request, if it is known.
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
		if got := Names(tt.c); got != tt.want {
			t.Errorf("%+v: %q", tt.c, got)
		}
	}
	if got := Names(config.Config{}); (got != "") != embedded.HasModel() {
		t.Errorf("npdb's own model is called %q", got)
	}
}

// TestHasModel checks that a name means a model on a server. Without a name and an
// endpoint it is the model in the binary.
func TestHasModel(t *testing.T) {
	own := embedded.HasModel()
	for model, want := range map[[2]string]bool{
		{"", ""}: own, {"", "nd"}: false, {"http://127.0.0.1:1/v1", ""}: true, {"http://127.0.0.1:1/v1", "nd"}: true,
	} {
		if got := HasModel(config.Config{Model: config.Model{BaseURL: model[0], Name: model[1]}}); got != want {
			t.Errorf("%q: %v", model, got)
		}
	}
}

// TestForesight checks that moves are prefetched if that costs nothing, or if the user
// configured it.
func TestForesight(t *testing.T) {
	const here, socket, away = "http://127.0.0.1:1/v1", "unix:///run/model.sock", "https://models.example/v1"
	none, one := 0, 1
	for _, tt := range []struct {
		url  string
		set  *int
		want int
	}{{here, nil, 2}, {socket, nil, 2}, {away, nil, 0}, {here, &none, 0}, {away, &one, 1}} {
		n, err := New(config.Config{Model: config.Model{BaseURL: tt.url, Prompt: "text", Prefetch: tt.set, PrefetchAtOnce: 3, PrefetchTokens: 9}})
		if err != nil {
			t.Fatal(err)
		}
		if want := (nav.Foresight{Moves: tt.want, AtOnce: 3, Tokens: 9}); n.Prefetch != want {
			t.Errorf("%s: %+v", tt.url, n.Prefetch)
		}
		if err := n.Predictor.Close(); err != nil {
			t.Error(err)
		}
	}
	if got := foresight(config.Model{}, false); got.Moves != 0 {
		t.Errorf("the model that npdb carries is asked ahead by itself: %+v", got)
	}
}

// TestSampledModel checks that a session uses the configured number of samples, and npdb
// eval does not.
func TestSampledModel(t *testing.T) {
	seed := int64(7)
	c := config.Config{Model: config.Model{BaseURL: "http://127.0.0.1:1/v1", Prompt: "text", Temperature: .5, Seed: &seed}}
	for samples, pasts := range map[int]int{0: 5, 1: 1, 7: 7} {
		c.Model.Samples = samples
		n, err := ForSession(c)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := n.Predictor.(*sampled.Predictor)
		if !ok || got.Answers != samples || got.Pasts != pasts || got.Temperature != .5 || got.Seed != &seed {
			t.Errorf("%d samples: %+v", samples, n.Predictor)
		}
		if err := n.Predictor.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestForwardModel checks that a session verifies pasts by asking a model forward only if the model is
// on this machine.
func TestForwardModel(t *testing.T) {
	for url, want := range map[string]bool{"http://127.0.0.1:1/v1": true, "https://models.example/v1": false} {
		n, err := ForSession(config.Config{Model: config.Model{BaseURL: url, Prompt: "text"}})
		if err != nil {
			t.Fatal(err)
		}
		if n.Verify.Model != want {
			t.Errorf("%s: %v", url, n.Verify.Model)
		}
		if err := n.Predictor.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestComputingModel checks that a session computes states before it asks the model if this is
// configured, also with samples, and that the second model and npdb eval never compute.
func TestComputingModel(t *testing.T) {
	c := config.Config{
		Model:   config.Model{BaseURL: "http://127.0.0.1:1/v1", Prompt: "text", Samples: 5, Compute: "on"},
		Against: config.Against{BaseURL: "http://127.0.0.1:2/v1", Name: "other"},
	}
	for _, m := range []struct {
		name string
		make func(config.Config) (*nav.Neural, error)
		want bool
	}{{"a session", ForSession, true}, {"the second model", Against, false}, {"npdb eval", New, false}} {
		n, err := m.make(c)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := n.Predictor.(*computed.Predictor)
		if ok != m.want {
			t.Errorf("%s: %T", m.name, n.Predictor)
		}
		if ok {
			if _, samples := got.Predictor.(*sampled.Predictor); !samples {
				t.Errorf("%s asks a %T", m.name, got.Predictor)
			}
		}
		if err := n.Predictor.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestEmbeddedConfig(t *testing.T) {
	seed, topP := int64(7), 0.25
	got := EmbeddedConfig(config.Config{PythonVersion: "3.11", Model: config.Model{Temperature: 0.5, TopP: &topP, Seed: &seed, MaxTokens: 9, Window: 3, Timeout: 1}})
	if want := (embedded.Config{Temperature: 0.5, TopP: topP, Seed: &seed, MaxTokens: 9, Python: python.Version{Major: 3, Minor: 11}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := EmbeddedConfig(config.Config{}); got.TopP != 0 || got.Seed != nil {
		t.Errorf("what is not set is %+v", got)
	}
}
