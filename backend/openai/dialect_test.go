package openai

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
)

// Auto finds out what a model is asked by with the first question, and says so once.
func TestAuto(t *testing.T) {
	rambling := piece("x = 1 means that x is one. ", "")
	for _, tt := range []struct {
		name        string
		completions string // "" for none
		status      int    // of completions
		chat        bool   // the server has chats
		asked       string // c: completions, h: chat, in order, of two questions
		warns       string
		fails       backend.ErrorKind // of the first question; 0 for none
	}{
		{"nd/1", whole(), 200, true, "cc", "", 0},
		{"chat alone, in JSON", `{"error":{"message":"This is a chat model and not supported in the v1/completions endpoint. Did you mean to use v1/chat/completions?","type":"invalid_request_error","param":"model","code":null}}`, 404, true, "chh", "chat alone", 0},
		{"chat alone, without a page", "", 404, true, "chh", "chat alone", 0},
		{"a chat model behind completions", strings.Repeat(rambling, 3000), 200, true, "chh", "does not speak nd/1", 0},
		{"a model that says nothing", piece("", `,"finish_reason":"stop"`) + done, 200, true, "chh", "does not speak nd/1", 0},
		{"a faulty state is nd/1 all the same", piece(`<|line_sep|>{"x": "1"}<|action_sep|>7|z<|frame_sep|>`, stopped) + done, 200, true, "cc", "", backend.NoState},
		{"neither", rambling + done, 200, false, "ch", "", backend.NoState},
		{"a model that is not there", `{"error":{"message":"The model nd does not exist","type":"NotFoundError","code":404}}`, 404, true, "cc", "", backend.NoModel},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var asked strings.Builder
			mux := http.NewServeMux()
			mux.HandleFunc("POST /v1/completions", func(w http.ResponseWriter, _ *http.Request) {
				asked.WriteByte('c')
				says(w, tt.status, tt.completions)
			})
			mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
				var body struct {
					Messages []any `json:"messages"`
				}
				if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
					t.Error(err)
				}
				switch {
				case !tt.chat:
					asked.WriteByte('h')
					http.NotFound(w, r)
				case len(body.Messages) == 0: // a look at what there is
					says(w, 400, `{"error":{"message":"messages must not be empty","type":"invalid_request_error"}}`)
				default:
					asked.WriteByte('h')
					says(w, 200, said(secondInChat))
				}
			})
			mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusNotFound)
				io.WriteString(w, "no such page")
			})
			s := httptest.NewServer(mux)
			t.Cleanup(s.Close)
			p := predictor(t, s.URL+"/v1", func(c *Config) { c.Dialect, c.Model, c.Retries = Auto, "nd", -1 })
			q := backend.Question{At: node(t), Action: stepOver}
			got, err := p.Predict(t.Context(), q, func(backend.Update) {})
			if tt.fails != 0 {
				fails(t, err, tt.fails)
			} else {
				landed(t, got, err)
				if text := strings.Join(got.Warnings, "\n"); (tt.warns == "") != (text == "") || !strings.Contains(text, tt.warns) {
					t.Errorf("it warns %q", got.Warnings)
				}
			}
			if tt.name != "neither" {
				if got, err = p.Predict(t.Context(), q, nil); err == nil && len(got.Warnings) > 0 {
					t.Errorf("it warns again: %q", got.Warnings)
				}
			}
			if asked.String() != tt.asked {
				t.Errorf("it was asked %s, want %s", asked.String(), tt.asked)
			}
		})
	}
}

// A dialect that is set is not left.
func TestDialectStays(t *testing.T) {
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		says(w, 400, `{"error":{"message":"messages must not be empty","type":"invalid_request_error"}}`)
	})
	p := predictor(t, s.URL+"/v1", func(c *Config) { c.Dialect, c.Retries = ND1, -1 })
	_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	fails(t, err, backend.NoEndpoint, "answers chat alone", "--dialect chat")
	if _, err := New(Config{BaseURL: s.URL, Dialect: "cobol"}); err == nil || !strings.Contains(err.Error(), "cobol") {
		t.Errorf("the error is %v", err)
	}
}
