package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
)

func TestProbeChat(t *testing.T) {
	named := `{"name":"npdb"}`
	cached := strings.Replace(usageTold, `"cached_tokens":16`, `"cached_tokens":0`, 1)
	for _, tt := range []struct {
		name    string
		dialect Dialect
		handle  func(w http.ResponseWriter, body map[string]any)
		want    map[string]Verdict
	}{
		{"all", Chat, func(w http.ResponseWriter, body map[string]any) {
			answer := secondInChat
			if format, _ := json.Marshal(body["response_format"]); strings.Contains(string(format), `"enum":["npdb"]`) {
				answer = named
			}
			says(w, 200, delta(`"reasoning":"hm"`, "")+said(answer))
		}, map[string]Verdict{canChat: Yes, canThink: Yes, canStream: Yes, canSchema: Yes, canTellUsage: Yes, canTellCached: Yes, canLogprobs: No}},
		{"found by auto; schemas are ignored", Auto, func(w http.ResponseWriter, body map[string]any) {
			if messages, _ := body["messages"].([]any); len(messages) == 0 {
				says(w, 400, `{"error":{"message":"messages must not be empty","type":"invalid_request_error"}}`)
				return
			}
			says(w, 200, delta(content(secondInChat), `,"finish_reason":"stop"`)+cached+done)
		}, map[string]Verdict{canSpeak: No, canChat: Yes, canThink: No, canStream: No, canSchema: No, canTellCached: No}},
		{"schemas are refused, nothing is told", Chat, func(w http.ResponseWriter, body map[string]any) {
			if body["response_format"] != nil {
				says(w, 400, `{"error":{"message":"response_format is not supported","type":"invalid_request_error"}}`)
				return
			}
			says(w, 200, delta(content(strings.Replace(secondInChat, `"1"`, `"2"`, 1)), `,"finish_reason":"stop"`)+done)
		}, map[string]Verdict{canChat: Yes, canSchema: No, canTellUsage: No, canTellCached: Undecided}},
		{"words", Chat, func(w http.ResponseWriter, _ map[string]any) { says(w, 200, said("Let me see.")) }, map[string]Verdict{canChat: No, canSchema: No}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := chats(t, tt.handle)
			found, err := predictor(t, s.URL+"/v1", func(c *Config) { c.Dialect, c.Retries = tt.dialect, -1 }).Probe(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range tt.want {
				if got := found.verdict(name); got != want {
					t.Errorf("%s: %s, want %s", name, got, want)
				}
			}
			if found.Usable() != (tt.want[canChat] == Yes) {
				t.Errorf("usable: %v", found.Usable())
			}
			seen := map[string]bool{}
			for _, item := range found.Items {
				if seen[item.Name] {
					t.Errorf("%s comes twice", item.Name)
				}
				seen[item.Name] = true
			}
		})
	}
}

// TestProbeChatFails checks that a probe fails if no chat can be sent.
func TestProbeChatFails(t *testing.T) {
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error":{"message":"no key"}}`)
	})
	_, err := predictor(t, s.URL+"/v1", func(c *Config) { c.Dialect, c.Retries = Chat, -1 }).Probe(t.Context())
	fails(t, err, backend.Unauthorized, "wants a key")
}

// TestProbeSchemaOfThinker checks that the schema is undecided if the model still reasons when it
// reaches the limit of tokens.
func TestProbeSchemaOfThinker(t *testing.T) {
	s := chats(t, func(w http.ResponseWriter, body map[string]any) {
		if format, _ := json.Marshal(body["response_format"]); strings.Contains(string(format), `"enum":["npdb"]`) {
			says(w, 200, delta(`"reasoning":"A debugger, so"`, `,"finish_reason":"length"`)+done)
			return
		}
		says(w, 200, said(secondInChat))
	})
	found, err := predictor(t, s.URL+"/v1", func(c *Config) { c.Dialect, c.Retries = Chat, -1 }).Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := found.verdict(canSchema); got != Undecided {
		t.Errorf("a schema binds: %s", got)
	}
}

// TestProbeRefusedTexts checks a server that refuses nd/1 texts in its own words: chat is tried, and the
// words are reported.
func TestProbeRefusedTexts(t *testing.T) {
	url := both(t, always(400, `{"error":{"message":"The completion operation does not work with the specified model"}}`), always(200, said(secondInChat)))
	found, err := predictor(t, url, inAuto).Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !found.Usable() || found.verdict(canSpeak) != No {
		t.Errorf("it found %+v", found.Items)
	}
	for _, item := range found.Items {
		if item.Name == canSpeak && !strings.Contains(item.Seen, "The completion operation does not work") {
			t.Errorf("it says %q", item.Seen)
		}
	}
	found, err = predictor(t, both(t, always(400, `{"error":{"message":"the first word"}}`), always(400, `{"error":{"message":"the last word"}}`)), inAuto).Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if told := fmt.Sprint(found.Rows()); found.Usable() || !strings.Contains(told, "the first word") || !strings.Contains(told, "the last word") {
		t.Errorf("it found %s", told)
	}
}
