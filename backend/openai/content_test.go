package openai

import (
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
)

// TestContent checks content that is a text, null, or a list of parts, some of which are reasoning.
func TestContent(t *testing.T) {
	part := func(text string) string { return `{"type":"text","text":` + quoted(text) + `}` }
	end := delta("", `,"finish_reason":"stop"`) + usageTold + done
	for _, tt := range []struct{ name, body, thoughts string }{
		{"parts", delta(`"role":"assistant","content":[`+part(secondInChat[:9])+`]`, "") + delta(`"content":[`+part(secondInChat[9:20])+`,`+part(secondInChat[20:])+`]`, "") + end, ""},
		{"Mistral's thoughts are parts", delta(`"content":[{"type":"thinking","thinking":[`+part("x is ")+`,`+part("1")+`]}]`, "") + delta(content(secondInChat), "") + end, "x is 1"},
		{"parts of no stream", `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":[{"type":"thinking","thinking":"so"},` + part(secondInChat) + `]},"finish_reason":"stop"}]}`, "so"},
		{"null, and calls of tools that are none", delta(`"role":"assistant","content":null,"tool_calls":null,"reasoning":null`, `,"logprobs":null,"finish_reason":null`) + delta(content(secondInChat), "") + end, ""},
		{"thoughts of another shape", delta(`"reasoning":{"effort":"low"},"content":""`, "") + delta(content(secondInChat), "") + end, ""},
		{"no delta", `data: {"choices":[{"index":0}],"usage":null}` + "\n\n" + delta(content(secondInChat), "") + `data: {"choices":[{"index":0,"finish_reason":"stop"}]}` + "\n\n" + done, ""},
		{"another choice", `data: {"choices":[{"index":1,"delta":{"content":"no"}}]}` + "\n\n" + delta(content(secondInChat), "") + end, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := chats(t, func(w http.ResponseWriter, _ map[string]any) { says(w, 200, tt.body) })
			got, err := inChat(t, s, nil).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			landed(t, got, err)
			if got.Raw != secondInChat || got.Thoughts != tt.thoughts {
				t.Errorf("raw %q, thoughts %q", got.Raw, got.Thoughts)
			}
		})
	}
}

// TestThoughtsHaveNoConfidence checks that the probabilities of reasoning tokens do not count for the
// answer.
func TestThoughtsHaveNoConfidence(t *testing.T) {
	logprob := func(token, value string) string {
		return `,"logprobs":{"content":[{"token":` + quoted(token) + `,"logprob":` + value + `}]}`
	}
	for _, thought := range []string{"so", "naïve"} {
		body := delta(`"reasoning_content":`+quoted(thought), logprob(thought, "-2")) + delta(content(secondInChat), logprob(secondInChat, "-0.5")) + delta("", `,"finish_reason":"stop"`) + done
		s := chats(t, func(w http.ResponseWriter, _ map[string]any) { says(w, 200, body) })
		got, err := inChat(t, s, func(c *Config) { c.Logprobs = true }).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
		landed(t, got, err)
		if got.Confidence == nil || math.Abs(*got.Confidence-math.Exp(-0.5)) > 1e-9 {
			t.Errorf("after %q the confidence is %v: %s", thought, got.Confidence, strings.Join(got.Warnings, ", "))
		}
	}
}
