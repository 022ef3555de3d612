package doctor

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/config"
)

// TestSecond checks that the second model is examined like the first one, with its own
// name and server.
func TestSecond(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("sk-sEcret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, text, key string
	}{
		{"its own key", "key_file = '/keys/second'\n", "set, from /keys/second"},
		{"the first one's", "", "set, from " + file},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := &Given{Config: loaded(t, "[model]\nbase_url = 'http://127.0.0.1:1/v1'\n[against]\nname = 'two'\n"+tt.text, "--key-file", file)}
			var asked config.Model
			g.Second = func() (config.Model, error) {
				m := g.Config.Model
				m.Name = "two"
				return m, nil
			}
			g.Endpoint = func(m config.Model) (Server, error) {
				asked = m
				return server{found: &openai.Capabilities{Model: m.Name, Items: []openai.Capability{item("speaks nd/1", openai.Yes)}}}, nil
			}
			facts := g.second(t.Context())
			documented(t, "against", facts)
			wants(t, fact(t, facts, "model", ""), Right, "two")
			wants(t, fact(t, facts, "endpoint", ""), Right, "http://127.0.0.1:1/v1")
			wants(t, fact(t, facts, "key", ""), Right, tt.key)
			wants(t, fact(t, facts, "answer", ""), Right, "can be stepped")
			if asked.Name != "two" {
				t.Errorf("asked was %+v", asked)
			}
		})
	}
}

// TestSecondFails checks that npdb doctor fails if the second model cannot be reached, but
// not if none is configured.
func TestSecondFails(t *testing.T) {
	g := &Given{
		Config: loaded(t, "[against]\nname = 'two'\n"),
		Second: func() (config.Model, error) { return config.Model{}, errors.New("there is no endpoint") },
	}
	f := fact(t, g.second(t.Context()), "answer", "")
	if wants(t, f, Wrong, "there is no endpoint"); !f.Fails || f.Do == "" {
		t.Errorf("%+v", f)
	}
	g.Config = loaded(t, "[model]\nbase_url = 'http://127.0.0.1:1/v1'\n")
	f = fact(t, g.second(t.Context()), "model", "")
	if wants(t, f, Right, "none: --against"); f.Fails {
		t.Errorf("%+v", f)
	}
	wants(t, fact(t, (&Given{}).second(t.Context()), "model", ""), Note, "not asked")
}

// TestSecondIsShown checks that the section of the second model is shown if one is
// configured, or if it is named.
func TestSecondIsShown(t *testing.T) {
	one, two := loaded(t, "[model]\nbase_url = 'http://127.0.0.1:1/v1'\n"), loaded(t, "[against]\nbase_url = 'http://127.0.0.1:2/v1'\n")
	for _, tt := range []struct {
		name   string
		config *config.Loaded
		names  []string
		want   bool
	}{
		{"one model", one, nil, false},
		{"one model, by name", one, []string{"against"}, true},
		{"two models", two, nil, true},
		{"two models, others by name", two, []string{"npdb", "model"}, false},
		{"no configuration", nil, nil, false},
	} {
		names := []string{}
		for _, c := range (&Given{Config: tt.config}).wanted(tt.names) {
			names = append(names, c.name)
		}
		if slices.Contains(names, "against") != tt.want {
			t.Errorf("%s: %s", tt.name, strings.Join(names, ", "))
		}
	}
}
