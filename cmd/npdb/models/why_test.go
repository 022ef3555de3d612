package models

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/config"
)

// TestExplaining checks which model why asks, what is redacted for it, and the message if there is no model.
func TestExplaining(t *testing.T) {
	const here, away = "http://127.0.0.1:1/v1", "https://models.example/v1"
	model := func(url, dialect string) config.Config {
		return config.Config{Model: config.Model{BaseURL: url, Name: "nd", Key: "secret", Prompt: "text", Dialect: dialect}}
	}
	with := func(c config.Config, url, name string) config.Config {
		c.Why = config.Why{BaseURL: url, Name: name}
		return c
	}
	offline := with(config.Config{}, away, "")
	offline.Model.Offline = true
	for name, tt := range map[string]struct {
		c             config.Config
		missing       string
		model, place  string
		redacts, away bool
	}{
		"nothing":             {config.Config{}, "there is no chat model to ask: give", "", "", false, false},
		"a name alone":        {with(config.Config{}, "", "wise"), "there is no chat model to ask: give", "", "", false, false},
		"the chat model":      {model(here, "chat"), "", "nd", here, false, false},
		"a model of any kind": {model(away, "auto"), "", "nd", away, true, true},
		"a trained model":     {model(here, "nd1"), "model.dialect is nd1", "", "", false, false},
		"beside it":           {with(model(here, "cwm"), "", "wise"), "", "wise", here, false, false},
		"elsewhere":           {with(model(here, "nd1"), away, ""), "", "", away, true, true},
		"offline":             {offline, "npdb is offline", "", "", false, false},
	} {
		x, err := Explaining(tt.c)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if tt.missing != "" {
			if x.Talker != nil || !strings.Contains(x.Missing, tt.missing) {
				t.Errorf("%s: %+v", name, x)
			}
			continue
		}
		if m := x.Talker.Model(); m.Name != tt.model || m.Place != tt.place || m.Away != tt.away || (x.Redact != nil) != tt.redacts {
			t.Errorf("%s: %+v, redacts %v", name, m, x.Redact != nil)
		}
		if err := x.Talker.Close(); err != nil {
			t.Error(err)
		}
	}
	if c, err := another(model(here, "nd1"), away, "", ""); err != nil || c.Model.Key != "" {
		t.Errorf("another server gets the key %q, %v", c.Model.Key, err)
	}
}
