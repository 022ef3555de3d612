package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/cmd/npdb/models"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/dsl"
)

// TestAgainstConfig checks that the second model is requested from its own server with its
// own name, and never with the first model's key.
func TestAgainstConfig(t *testing.T) {
	var keys []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Authorization")+r.Header.Get("X-Team"))
		http.Error(w, `{"error": {"message": "no"}}`, http.StatusBadRequest)
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("sk-other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	first := config.Model{BaseURL: "http://127.0.0.1:1/v1", Name: "one", Key: "sk-one", MaxTokens: 9, Headers: []string{"X-Team: red"}, Prompt: "text", Timeout: 1e10, IdleTimeout: 1e10}
	here := first
	here.BaseURL = server.URL + "/v1"
	for _, tt := range []struct {
		name  string
		model config.Model
		other config.Against
		want  string
	}{
		{"another server", first, config.Against{BaseURL: server.URL + "/v1", Name: "two"}, ""},
		{"its key", first, config.Against{BaseURL: server.URL + "/v1", Name: "two", KeyFile: file}, "Bearer sk-other"},
		{"the same server, its key", here, config.Against{BaseURL: here.BaseURL, KeyFile: file}, "Bearer sk-otherred"},
		{"the same server", here, config.Against{Name: "two"}, "Bearer sk-onered"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			keys = nil
			n, err := models.Against(config.Config{Model: tt.model, Against: tt.other})
			if err != nil {
				t.Fatal(err)
			}
			defer n.Predictor.Close()
			node, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: []string{"x = 1"}}}})
			if err != nil {
				t.Fatal(err)
			}
			stop := dsl.State{Event: dsl.Line, File: "p.py", Line: 1, Source: "x = 1", Function: "<module>"}
			node, err = node.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &dsl.Stop{State: stop, Stack: []dsl.Frame{{Function: "<module>", File: "p.py", Line: 1}}}}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := n.Predictor.Predict(t.Context(), backend.Question{At: node, Action: dsl.Action{Move: dsl.StepInto}}, nil); err == nil {
				t.Error("a refused question is answered")
			}
			if len(keys) == 0 || keys[len(keys)-1] != tt.want {
				t.Errorf("the server was given %q, want %q", keys, tt.want)
			}
		})
	}
	if _, err := models.Against(config.Config{Model: first, Against: config.Against{BaseURL: server.URL, KeyFile: file + "no"}}); err == nil {
		t.Error("a key that is not there is none")
	}
}

func TestTwoModelsAreBoth(t *testing.T) {
	for _, tt := range []struct{ mode, against, want string }{
		{"", "two", config.ModeBoth}, {"", "", config.ModeNeural}, {config.ModeReal, "two", config.ModeReal},
	} {
		c := config.Config{Mode: tt.mode, Model: config.Model{BaseURL: "http://x/v1"}, Against: config.Against{Name: tt.against}}
		if got := c.DefaultMode(); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}
