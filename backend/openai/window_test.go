package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
)

func TestFit(t *testing.T) {
	tests := []struct {
		name                 string
		window               int
		bytes                float64
		limit, promptBytes   int
		promptTokens, expect int // expect 0: the prompt is too long
	}{
		{"no window", 0, 4, 2048, 1 << 20, 0, 2048},
		{"nothing learned", 4096, 0, 2048, 1 << 20, 0, 2048},
		{"room", 4096, 4, 2048, 4000, 0, 2048},
		{"less room", 4096, 4, 2048, 12000, 0, 4096 - 3150},
		{"hardly any", 4096, 4, 2048, 16000, 0, minReply},
		{"none", 4096, 4, 2048, 30000, 0, 0},
		{"exact", 4096, 4, 2048, 12000, 4000, 96},
		{"exact, none", 4096, 4, 2048, 12000, 4090, 0},
		{"a small limit", 4096, 4, 5, 12000, 4090, 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := predictor(t, "http://127.0.0.1:1/v1", func(c *Config) { c.Window = tt.window })
			p.bytes = map[Dialect]float64{ND1: tt.bytes}
			got, failure := p.fit(ND1, tt.limit, tt.promptBytes, tt.promptTokens)
			if tt.expect == 0 {
				if failure == nil || failure.Kind != backend.TooLong {
					t.Fatalf("limit %d, error %v", got, failure)
				}
			} else if failure != nil || got != tt.expect {
				t.Errorf("limit %d, error %v, want %d", got, failure, tt.expect)
			}
		})
	}
}

// TestLearnsFromRefusal checks that if a server refuses only the token limit, npdb retries with a lower
// one and remembers the reported lengths.
func TestLearnsFromRefusal(t *testing.T) {
	const vllm = "This model's maximum context length is 4096 tokens. However, you requested %d output tokens and your prompt contains %s input tokens, for a total of more. Please reduce the length."
	tests := []struct {
		name, prompt string
		expect       int // the limit of the second attempt; 0: there is none
	}{
		{"counted", "3996", 100},
		{"not counted to the end", "at least 2049", 256},
		{"no room", "4090", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var limits []int
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/v1/models" {
					w.WriteHeader(http.StatusNotFound)
					return
				}
				limits = append(limits, int(fields(t, r)["max_tokens"].(float64)))
				if len(limits) == 2 {
					streams(whole())(w, r)
					return
				}
				message, _ := json.Marshal(fmt.Sprintf(vllm, limits[0], tt.prompt))
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprintf(w, `{"error":{"message":%s,"type":"BadRequestError","param":"input_tokens","code":400}}`, message)
			}))
			t.Cleanup(s.Close)
			p := predictor(t, s.URL+"/v1", func(c *Config) { c.Model = "nd" })
			got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			if tt.expect == 0 {
				fails(t, err, backend.TooLong, "4096")
				return
			}
			if err != nil || len(limits) != 2 || limits[1] != tt.expect || len(got.Warnings) != 1 || p.window != 4096 {
				t.Errorf("limits %v, %+v, %v, window %d", limits, got, err, p.window)
			}
		})
	}
}

// TestModels checks that the list of models is requested once, and is not needed if the model's name is
// configured.
func TestModels(t *testing.T) {
	tests := []struct {
		name, list, model string
		status            int
		kind              backend.ErrorKind
		window, asked     int
	}{
		{"vLLM", `{"data":[{"id":"nd","max_model_len":4096}]}`, "", 200, 0, 4096, 1},
		{"llama-server", `{"data":[{"id":"nd","meta":{"n_ctx":2048,"n_ctx_train":9999}}]}`, "", 200, 0, 2048, 1},
		{"another model's window", `{"data":[{"id":"other","max_model_len":4096}]}`, "nd", 200, 0, 0, 1},
		{"none listed", `{"data":[]}`, "", 200, backend.NoModel, 0, 2},
		{"no list", `{"detail":"Not Found"}`, "nd", 404, 0, 0, 1},
		{"no list and no name", `{"detail":"Not Found"}`, "", 404, backend.NoEndpoint, 0, 2},
		{"a web page", `<html>`, "", 200, backend.NoEndpoint, 0, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asked := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/v1/models" {
					if got := fields(t, r)["model"]; got != "nd" {
						t.Errorf("model %v", got)
					}
					streams(whole())(w, r)
					return
				}
				asked++
				w.WriteHeader(tt.status)
				io.WriteString(w, tt.list)
			}))
			t.Cleanup(s.Close)
			p := predictor(t, s.URL+"/v1", func(c *Config) { c.Model, c.Retries = tt.model, -1 })
			for range 2 {
				_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
				if tt.kind != 0 {
					fails(t, err, tt.kind)
				} else if err != nil {
					t.Error(err)
				}
			}
			if p.window != tt.window || asked != tt.asked {
				t.Errorf("window %d, asked %d times", p.window, asked)
			}
		})
	}
}

// TestWindowGrows checks that a prompt that did not fit is sent after the server was restarted with a
// larger window.
func TestWindowGrows(t *testing.T) {
	window := 16
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprintf(w, `{"data":[{"id":"nd","max_model_len":%d}]}`, window)
			return
		}
		if window == 16 {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"object":"error","message":"The input (90 tokens) is longer than the model's context length (16 tokens).","type":"BadRequestError","code":400}`)
			return
		}
		streams(whole())(w, r)
	}))
	t.Cleanup(s.Close)
	p := predictor(t, s.URL+"/v1", nil)
	for range 4 {
		_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
		fails(t, err, backend.TooLong, "16")
	}
	window = 4096
	var err error
	for range 2 { // the first may still be refused because of the old window
		if _, err = p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil); err == nil {
			return
		}
	}
	t.Errorf("it is not asked again: %v", err)
}

// TestSaysThatTheWindowIsFull checks the warning that the window is nearly full. It appears if little
// room is left for a reply, but not if the window is only as large as max_tokens from the start.
func TestSaysThatTheWindowIsFull(t *testing.T) {
	for window, want := range map[int]int{2048: 0, 4096: 0, 300: 1} {
		p := predictor(t, server(t, streams(whole())).URL+"/v1", func(c *Config) { c.Window = window })
		// npdb learns the bytes per token from the usage of the first reply.
		said := 0
		for range 3 {
			got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range got.Warnings {
				if strings.Contains(w, "nearly full") {
					said++
				}
			}
		}
		if said != want {
			t.Errorf("a window of %d: it is said %d times, want %d", window, said, want)
		}
	}
}
