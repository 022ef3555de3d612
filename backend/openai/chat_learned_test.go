package openai

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl/chat"
)

const noStateInChat = `{"outcome":"state","event":"line","line":7,"locals":[]}`

// TestChatLearnsFromWrongAnswers checks that npdb remembers a form that the server refused, and warns
// about it, even if the model's first answer is invalid.
func TestChatLearnsFromWrongAnswers(t *testing.T) {
	answers := []string{noStateInChat, secondInChat, secondInChat}
	s := chats(t, func(w http.ResponseWriter, body map[string]any) {
		switch {
		case body["max_tokens"] != nil:
			says(w, 400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens"}}`)
		case body["temperature"] != nil:
			says(w, 400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model.","type":"invalid_request_error","param":"temperature"}}`)
		default:
			says(w, 200, said(answers[0]))
			answers = answers[1:]
		}
	})
	p := inChat(t, s, nil)
	got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	landed(t, got, err)
	if len(s.asked) != 4 {
		t.Errorf("the first question takes %d requests, want 4: two that are refused, and two answers", len(s.asked))
	}
	if told := strings.Join(got.Warnings, "\n"); !strings.Contains(told, "left out from now on: temperature") || !strings.Contains(told, "once more") {
		t.Errorf("it warns %q", got.Warnings)
	}
	got, err = p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	landed(t, got, err)
	if len(s.asked) != 5 || len(got.Warnings) > 0 {
		t.Errorf("the second question takes %d requests, and warns %q", len(s.asked)-4, got.Warnings)
	}
}

// TestChatKeepsItsForm checks that a chat is not sent again in another form if the server refused it for
// another reason.
func TestChatKeepsItsForm(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status int
		said   string
		extra  map[string]any
		kind   backend.ErrorKind
		asked  int
	}{
		{"vLLM, too long", 400, "'max_tokens' or 'max_completion_tokens' is too large: 2048. This model's maximum context length is 512 tokens and your request has 500 input tokens (2048 > 512 - 500).", nil, backend.TooLong, 1},
		{"too often", 429, "Rate limit reached for structured outputs", nil, backend.RateLimited, 1},
		{"no such model", 404, "The model `structured-1` does not exist", nil, backend.NoModel, 1},
		{"the user's own form", 400, "Invalid schema for response_format 'mine'", map[string]any{"response_format": map[string]any{"type": "json_schema"}}, backend.BadRequest, 1},
		{"the user's own limit", 400, "Use 'max_completion_tokens' instead of 'max_tokens'", map[string]any{"max_tokens": 9}, backend.BadRequest, 1},
		{"the user's own way to bind", 400, "guided_json is not supported", map[string]any{"guided_json": map[string]any{}}, backend.BadRequest, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
				says(w, tt.status, fmt.Sprintf(`{"error":{"message":%q}}`, tt.said))
			})
			_, err := inChat(t, s, func(c *Config) { c.Extra = tt.extra }).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			fails(t, err, tt.kind)
			if len(s.asked) != tt.asked {
				t.Errorf("it was asked %d times, want %d", len(s.asked), tt.asked)
			}
		})
	}
}

// TestChatFormBesideExtra checks that a field that the user adds to requests does not prevent npdb from
// trying another form.
func TestChatFormBesideExtra(t *testing.T) {
	for _, tt := range []struct {
		name    string
		extra   map[string]any
		refuses func(map[string]any) bool
		said    string
	}{
		{"an old template", map[string]any{"user": "me"}, func(body map[string]any) bool {
			first, _ := body["messages"].([]any)[0].(map[string]any)
			return first["role"] == "system"
		}, "Conversation roles must alternate user/assistant/user/assistant/..."},
		{"a limit for models that think", map[string]any{"max_completion_tokens": 9000}, func(body map[string]any) bool { return body["max_tokens"] != nil }, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."},
		{"OpenRouter, where no provider takes a schema", nil, func(body map[string]any) bool { return body["response_format"] != nil }, "No endpoints found that can handle the requested parameters. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing"},
		{"Groq, where the model did not keep to it", nil, func(body map[string]any) bool { return body["response_format"] != nil }, "Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details."},
		{"Gemini, of the same by another name", nil, func(body map[string]any) bool { return body["response_format"] != nil }, "Unknown name \"additionalProperties\" at 'generation_config.response_schema'"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := chats(t, func(w http.ResponseWriter, body map[string]any) {
				status := http.StatusBadRequest
				if strings.HasPrefix(tt.said, "No endpoints") {
					status = http.StatusNotFound
				}
				if tt.refuses(body) {
					says(w, status, fmt.Sprintf(`{"error":{"message":%q,"code":%d}}`, tt.said, status))
					return
				}
				says(w, 200, said(secondInChat))
			})
			got, err := inChat(t, s, func(c *Config) { c.Extra = tt.extra }).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			landed(t, got, err)
			for name, value := range tt.extra {
				if got := s.asked[len(s.asked)-1][name]; fmt.Sprint(got) != fmt.Sprint(value) {
					t.Errorf("the user's %s is %v", name, got)
				}
			}
		})
	}
}

// TestChatHasNoRoomForCorrection checks that if the window has no room for a correction, the error is
// that of the first answer. The question itself fitted, so it need not be compacted.
func TestChatHasNoRoomForCorrection(t *testing.T) {
	n := 0
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		if n++; n == 1 {
			says(w, 200, said(noStateInChat))
			return
		}
		says(w, 400, `{"error":{"message":"This model's maximum context length is 1000 tokens. However, your messages resulted in 1010 tokens.","code":"context_length_exceeded"}}`)
	})
	_, err := inChat(t, s, nil).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	fails(t, err, backend.NoState, "the program has no line 7")
}

// TestSilentThoughts checks that the idle time does not run while the model reasons without sending
// text.
func TestSilentThoughts(t *testing.T) {
	gone := make(chan struct{})
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		says(w, 200, delta(`"role":"assistant","content":""`, ""))
		w.(http.Flusher).Flush() //nolint:forcetypeassert // it is a Flusher
		<-gone
	})
	defer close(gone)
	p := inChat(t, s, func(c *Config) { c.IdleTimeout, c.Timeout = 1, 1e8 })
	_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	fails(t, err, backend.TimedOut, "--timeout")
}

// TestBytesByDialect checks that the bytes per token are measured for each dialect: nd/1's special
// tokens are many tokens for a model that was not trained on it.
func TestBytesByDialect(t *testing.T) {
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) { says(w, 200, said(secondInChat)) })
	p := inChat(t, s, func(c *Config) { c.Window, c.MaxTokens = 4000, 500 })
	p.learnBytes(ND1, 4000, 4000)
	got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	landed(t, got, err)
}

// TestNoChatModel checks the error for a model without chat.
func TestNoChatModel(t *testing.T) {
	for _, message := range []string{
		"This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?",
		"This model is only supported in v1/responses and not in v1/chat/completions.",
	} {
		s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
			says(w, 404, fmt.Sprintf(`{"error":{"message":%q,"type":"invalid_request_error","param":"model","code":null}}`, message))
		})
		_, err := inChat(t, s, nil).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
		if e := fails(t, err, backend.NoModel, message[:20]); strings.Contains(e.Message, "--dialect chat") {
			t.Errorf("it is told to chat: %s", e.Message)
		}
	}
}

// TestThoughtsOfFailuresHideSecrets checks that a key that the model repeats in its reasoning is hidden
// if the reply fails.
func TestThoughtsOfFailuresHideSecrets(t *testing.T) {
	const key = "sk-very-secret-1234567890"
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		says(w, 200, delta(`"reasoning":"the key is sk-very-"`, "")+delta(`"reasoning":"secret-1234567890"`, `,"finish_reason":"length"`)+done)
	})
	_, err := inChat(t, s, func(c *Config) { c.Key = key }).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	if e := fails(t, err, backend.Endless); e.Thoughts != "the key is [secret]" {
		t.Errorf("it thought %q", e.Thoughts)
	}
}

// TestLongThoughts checks that the length of the reasoning is limited in bytes.
func TestLongThoughts(t *testing.T) {
	piece := delta(`"reasoning":`+quoted(strings.Repeat("and so on ", 1000)), "")
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		says(w, 200, strings.Repeat(piece, 100)+delta(content(secondInChat), `,"finish_reason":"stop"`)+done)
	})
	_, err := inChat(t, s, nil).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	if e := fails(t, err, backend.Endless, "--max-tokens"); len(e.Thoughts) > 2*minMaxBytes {
		t.Errorf("%d bytes of thoughts were read", len(e.Thoughts))
	}
}

// TestChatThinksTheWindowFull checks that if the reasoning fills the window, the error asks for a
// shorter prompt, because a larger token limit would not help.
func TestChatThinksTheWindowFull(t *testing.T) {
	answers := []string{said(secondInChat), delta(`"reasoning":"hm"`, `,"finish_reason":"length"`) + done}
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		says(w, 200, answers[0])
		answers = answers[1:]
	})
	p := inChat(t, s, func(c *Config) { c.Window, c.MaxTokens = 110, 100 }) // the question takes 30 tokens of the window
	q := backend.Question{At: node(t), Action: stepOver}
	got, err := p.Predict(t.Context(), q, nil)
	landed(t, got, err)
	_, err = p.Predict(t.Context(), q, nil)
	fails(t, err, backend.TooLong, "the model's window is full")
}

// TestChatSystem checks that a configured system message replaces npdb's own.
func TestChatSystem(t *testing.T) {
	for system, want := range map[string]string{"": chat.System, "You are a debugger.": "You are a debugger."} {
		var got any
		s := chats(t, func(w http.ResponseWriter, body map[string]any) {
			got = body["messages"].([]any)[0].(map[string]any)["content"]
			says(w, http.StatusOK, said(secondInChat))
		})
		p := inChat(t, s, func(c *Config) { c.System = system })
		prediction, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
		landed(t, prediction, err)
		if got != want {
			t.Errorf("it is %q, want %q", got, want)
		}
	}
}
