package openai

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// TestFields checks the fields of a request for various configurations and options.
func TestFields(t *testing.T) {
	seed, topP, temperature, limit, no := int64(7), 0.5, 0.0, 9, false
	format, err := dsl.NewFormat(map[string]string{"call_sep": "<|reserved_special_token_9|>"})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		change  func(*Config)
		options backend.Options
		want    map[string]string // the field's JSON; "" for no such field
	}{
		{"defaults", nil, backend.Options{}, map[string]string{
			"model": `"nd"`, "stream": "true", "temperature": "0", "max_tokens": "2048", "top_p": "", "seed": "", "logprobs": "",
			"stop": `["<|frame_sep|>"]`, "stop_token_ids": "", "add_special_tokens": "", "return_token_ids": "", "skip_special_tokens": "false",
		}},
		{"configured", func(c *Config) {
			c.Temperature, c.TopP, c.Seed, c.MaxTokens, c.Logprobs, c.StopIDs, c.AddSpecialTokens = 0.7, 0.9, &seed, 5, true, []int{3}, &no
		}, backend.Options{}, map[string]string{
			"temperature": "0.7", "top_p": "0.9", "seed": "7", "max_tokens": "5", "logprobs": "1", "stop_token_ids": "[3]", "add_special_tokens": "false",
		}},
		{"options win", func(c *Config) { c.Temperature, c.TopP, c.MaxTokens = 0.7, 0.9, 5 }, backend.Options{Temperature: &temperature, TopP: &topP, Seed: &seed, MaxTokens: &limit}, map[string]string{
			"temperature": "0", "top_p": "0.5", "seed": "7", "max_tokens": "9",
		}},
		{"the user's own fields win", func(c *Config) {
			c.Extra = map[string]any{"temperature": 0.1, "top_k": 40, "preserved_tokens": nil}
		}, backend.Options{}, map[string]string{"temperature": "0.1", "top_k": "40", "preserved_tokens": ""}},
		{"a name that go-openai refuses", func(c *Config) { c.Model = "gpt-4" }, backend.Options{}, map[string]string{"model": `"gpt-4"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got map[string]any
			s := server(t, func(w http.ResponseWriter, r *http.Request) {
				got = fields(t, r)
				if r.Header.Get("X-Team") != "debug" || r.Header.Get("Authorization") != "" {
					t.Errorf("headers %v", r.Header)
				}
				streams(whole())(w, r)
			})
			p := predictor(t, s.URL+"/v1", func(c *Config) {
				c.Headers = map[string]string{"X-Team": "debug"}
				if tt.change != nil {
					tt.change(c)
				}
			})
			if _, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver, Options: tt.options}, nil); err != nil {
				t.Fatal(err)
			}
			for name, want := range tt.want {
				value, ok := got[name]
				text, _ := json.Marshal(value)
				var wanted any
				if json.Unmarshal([]byte(want), &wanted); ok != (want != "") || ok && string(text) != mustMarshal(wanted) {
					t.Errorf("%s is %s, want %s", name, text, want)
				}
			}
		})
	}
	p := predictor(t, "http://127.0.0.1:1/v1", func(c *Config) { c.Format = format })
	if names := p.fields(question{}, "", 1)["preserved_tokens"].([]string); len(names) != len(dsl.Tokens()) || !slices.Contains(names, "<|reserved_special_token_9|>") {
		t.Errorf("preserved tokens %q", names)
	}
}

func mustMarshal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestUnwritableQuestion checks that a question that nd/1 cannot express fails without a request.
func TestUnwritableQuestion(t *testing.T) {
	p := predictor(t, "http://127.0.0.1:1/v1", nil)
	_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{File: 5, Line: 1}}}}, nil)
	fails(t, err, backend.Unwritable, "cannot be written")
}
