package serve

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/npdb/npdb/dsl/chat"
)

// chatRequest holds those fields of a request to /v1/chat/completions (as documented by OpenAI)
// that npdb reads. It ignores other fields. response_format is only validated, because the prompt
// already determines the form of the answer. If CPython answers, temperature, top_p and seed are
// only validated too, because the answer is certain.
type chatRequest struct {
	Model         string          `json:"model"`
	Messages      []chatTurn      `json:"messages"`
	MaxTokens     *int            `json:"max_tokens"`
	MaxCompletion *int            `json:"max_completion_tokens"`
	N             *int            `json:"n"`
	Stop          json.RawMessage `json:"stop"`
	Temperature   *float64        `json:"temperature"`
	TopP          *float64        `json:"top_p"`
	Seed          *int64          `json:"seed"`
	Logprobs      *bool           `json:"logprobs"`
	TopLogprobs   *int            `json:"top_logprobs"`
	Stream        bool            `json:"stream"`
	StreamOptions *streamOptions  `json:"stream_options"`
	Format        *responseFormat `json:"response_format"`
}

// chatTurn is a message of a request. Its content is a string or a list of parts.
type chatTurn struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type responseFormat struct {
	Type   string `json:"type"`
	Schema *struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
		Strict *bool           `json:"strict"`
	} `json:"json_schema"`
}

const (
	mostTemperature = 2
	mostTopLogprobs = 20
)

// parseChat reads a request and tokenizes its conversation.
func parseChat(body []byte, t *tokenizer) (*request, error) {
	c := &chatRequest{}
	if err := json.Unmarshal(body, c); err != nil {
		return nil, badRequest("", "The request is no JSON that can be read: %v", err)
	}
	most := c.MaxTokens
	if c.MaxCompletion != nil {
		most = c.MaxCompletion
	}
	switch {
	case c.MaxTokens != nil && *c.MaxTokens < 1:
		return nil, badRequest("max_tokens", "max_tokens must be at least 1, got %d.", *c.MaxTokens)
	case c.MaxCompletion != nil && *c.MaxCompletion < 1:
		return nil, badRequest("max_completion_tokens", "max_completion_tokens must be at least 1, got %d.", *c.MaxCompletion)
	case c.N != nil && (*c.N < 1 || *c.N > maxChoices):
		return nil, badRequest("n", "n must be at least 1 and at most %d, got %d.", maxChoices, *c.N)
	case c.Temperature != nil && (*c.Temperature < 0 || *c.Temperature > mostTemperature):
		return nil, badRequest("temperature", "temperature must be at least 0 and at most %d, got %v.", mostTemperature, *c.Temperature)
	case c.TopP != nil && (*c.TopP < 0 || *c.TopP > 1):
		return nil, badRequest("top_p", "top_p must be at least 0 and at most 1, got %v.", *c.TopP)
	case c.TopLogprobs != nil && (c.Logprobs == nil || !*c.Logprobs):
		return nil, badRequest("top_logprobs", "top_logprobs can only be given when `logprobs` is true.")
	case c.TopLogprobs != nil && (*c.TopLogprobs < 0 || *c.TopLogprobs > mostTopLogprobs):
		return nil, badRequest("top_logprobs", "top_logprobs must be at least 0 and at most %d, got %d.", mostTopLogprobs, *c.TopLogprobs)
	case c.StreamOptions != nil && !c.Stream:
		return nil, badRequest("stream_options", "Stream options can only be defined when `stream=True`.")
	}
	if err := c.Format.check(); err != nil {
		return nil, err
	}
	r := &request{Model: c.Model, N: c.N, Stream: c.Stream, StreamOptions: c.StreamOptions, Temperature: c.Temperature, TopP: c.TopP, Seed: c.Seed, end: endOfTurn}
	if most != nil {
		r.most = *most
	}
	if c.Logprobs != nil && *c.Logprobs {
		r.Logprobs = c.TopLogprobs
		if r.Logprobs == nil {
			r.Logprobs = new(int)
		}
	}
	var err error
	if r.stops, err = parseStops(c.Stop); err != nil {
		return nil, err
	}
	if len(c.Messages) == 0 {
		return nil, badRequest("messages", "messages must be a list of at least one message")
	}
	for i, m := range c.Messages {
		one, err := m.message(i)
		if err != nil {
			return nil, err
		}
		r.messages = append(r.messages, one)
	}
	r.prompt = t.conversation(r.messages)
	return r, nil
}

// check returns an error for a response format that OpenAI's API does not support.
func (f *responseFormat) check() error {
	if f == nil {
		return nil
	}
	switch f.Type {
	case "text", "json_object":
		return nil
	case "json_schema":
		if f.Schema == nil || f.Schema.Name == "" {
			return badRequest("response_format", "response_format of the type json_schema needs a json_schema with a name")
		}
		return nil
	}
	return badRequest("response_format", "the type of response_format must be text, json_object or json_schema, not %q", f.Type)
}

// message converts a turn to a message of a conversation. Developer messages count as
// system messages.
func (m *chatTurn) message(i int) (chat.Message, error) {
	role := m.Role
	switch role {
	case "developer":
		role = "system"
	case "system", "user", "assistant":
	default:
		return chat.Message{}, badRequest("messages", "messages[%d]: the role must be system, developer, user or assistant, not %q", i, role)
	}
	var parts []struct {
		Type string  `json:"type"`
		Text *string `json:"text"`
	}
	var text *string
	switch {
	case json.Unmarshal(m.Content, &text) == nil && text != nil:
		return chat.Message{Role: role, Content: *text}, nil
	case bytes.HasPrefix(m.Content, []byte("[")) && json.Unmarshal(m.Content, &parts) == nil:
		var texts []string
		for _, p := range parts {
			if p.Type != "text" || p.Text == nil {
				return chat.Message{}, badRequest("messages", "messages[%d]: a part of the content must be of the type text, and have a text", i)
			}
			texts = append(texts, *p.Text)
		}
		return chat.Message{Role: role, Content: strings.Join(texts, "\n")}, nil
	}
	return chat.Message{}, badRequest("messages", "messages[%d]: the content must be a text, or a list of parts {\"type\": \"text\", \"text\": …}", i)
}
