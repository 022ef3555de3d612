package openai

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/npdb/npdb/backend"
)

// chunk is one piece of a streamed reply from vLLM, SGLang, llama-server or Ollama. Their
// formats differ only in the log probabilities.
type chunk struct {
	Object  string          `json:"object"`
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Message json.RawMessage `json:"message"` // of a flat error
}

type choice struct {
	Index        number   `json:"index"`
	Text         string   `json:"text"`
	FinishReason word     `json:"finish_reason"`
	Logprobs     logprobs `json:"logprobs"`
	TokenIDs     tokenIDs `json:"token_ids"`
	PromptIDs    tokenIDs `json:"prompt_token_ids"`
	Tokens       tokenIDs `json:"tokens"`  // fgserve's
	Delta        message  `json:"delta"`   // of a chat
	Message      message  `json:"message"` // of a chat that is not streamed
}

// message is the part of a choice that only chats have. Reasoning comes in one of two
// fields or inside the content.
type message struct {
	Content          words `json:"content"`
	Refusal          words `json:"refusal"`
	Reasoning        words `json:"reasoning"`         // vLLM, Ollama, OpenRouter
	ReasoningContent words `json:"reasoning_content"` // llama-server, SGLang, DeepSeek
}

// words is a text or, as Mistral sends it, a list of parts. Any other value is read as
// empty.
type words struct{ text, thought string }

// UnmarshalJSON never fails.
func (w *words) UnmarshalJSON(data []byte) error {
	*w = words{}
	if json.Unmarshal(data, &w.text) == nil {
		return nil
	}
	var parts []struct {
		Text     string `json:"text"`
		Thinking words  `json:"thinking"`
	}
	_ = json.Unmarshal(data, &parts) // keep the parts that could be read
	for _, p := range parts {
		w.text += p.Text
		w.thought += p.Thinking.text
	}
	return nil
}

func (c *choice) text() string {
	return c.Text + c.Delta.Content.text + c.Message.Content.text + c.Delta.Refusal.text + c.Message.Refusal.text
}

func (c *choice) thought() string {
	for _, m := range []message{c.Delta, c.Message} {
		for _, thought := range []string{m.Reasoning.text, m.ReasoningContent.text, m.Content.thought} {
			if thought != "" {
				return thought
			}
		}
	}
	return ""
}

type usage struct{ prompt, cached, completion number }

// UnmarshalJSON never fails.
func (u *usage) UnmarshalJSON(data []byte) error {
	var raw struct {
		Prompt     number          `json:"prompt_tokens"`
		Completion number          `json:"completion_tokens"`
		Details    json.RawMessage `json:"prompt_tokens_details"`
	}
	var details struct {
		Cached number `json:"cached_tokens"`
	}
	_ = json.Unmarshal(data, &raw) // a value of another type counts as unknown
	_ = json.Unmarshal(raw.Details, &details)
	*u = usage{raw.Prompt, details.Cached, raw.Completion}
	return nil
}

// counts returns the usage, with -1 for unknown numbers.
func (u *usage) counts() backend.Usage {
	if u == nil {
		return backend.Usage{Prompt: -1, Cached: -1, Completion: -1}
	}
	return backend.Usage{Prompt: u.prompt.count(), Cached: u.cached.count(), Completion: u.completion.count()}
}

// tokenLogprob is a token of a reply and its log probability, which is nil if the server
// does not report it.
type tokenLogprob struct {
	Token   string
	Bytes   tokenIDs // a token may be a part of a character; nil if not reported
	Logprob *float64
}

// UnmarshalJSON reads a token of the chat shape.
func (t *tokenLogprob) UnmarshalJSON(data []byte) error {
	var raw struct {
		Token   string   `json:"token"`
		Bytes   tokenIDs `json:"bytes"`
		Logprob number   `json:"logprob"`
	}
	err := json.Unmarshal(data, &raw)
	*t = tokenLogprob{raw.Token, raw.Bytes, raw.Logprob.pointer()}
	return err
}

// text returns the token as it occurs in the reply.
func (t tokenLogprob) text() string {
	if len(t.Bytes) == 0 {
		return t.Token
	}
	var b strings.Builder
	for _, c := range t.Bytes {
		b.WriteByte(byte(c))
	}
	return b.String()
}

// logprobShape names the two formats in which servers report log probabilities.
type logprobShape string

const (
	completionsShape logprobShape = "completions" // vLLM: parallel lists
	chatShape        logprobShape = "chat"        // llama-server: a list of objects
)

type logprobs struct {
	shape  logprobShape // "" for none
	tokens []tokenLogprob
}

// UnmarshalJSON reads either format. It reads anything else as empty.
func (l *logprobs) UnmarshalJSON(data []byte) error {
	var raw struct {
		Tokens        []string       `json:"tokens"`
		TokenLogprobs []number       `json:"token_logprobs"`
		Content       []tokenLogprob `json:"content"`
	}
	*l = logprobs{}
	if json.Unmarshal(data, &raw) != nil {
		return nil //nolint:nilerr // log probabilities are optional
	}
	switch {
	case len(raw.Content) > 0:
		l.shape, l.tokens = chatShape, raw.Content
	case len(raw.Tokens) > 0 && len(raw.Tokens) == len(raw.TokenLogprobs):
		l.shape = completionsShape
		for i, token := range raw.Tokens {
			l.tokens = append(l.tokens, tokenLogprob{Token: token, Logprob: raw.TokenLogprobs[i].pointer()})
		}
	}
	return nil
}

// errNoChunk means that a piece of a stream is not a JSON object.
var errNoChunk = errors.New("a piece of the stream is no JSON object")

// decodeChunk decodes one piece of a stream. If the piece reports a server error,
// decodeChunk returns it as a *serverError.
func decodeChunk(data []byte) (chunk, error) {
	var c chunk
	if json.Unmarshal(data, &c) != nil || !strings.HasPrefix(strings.TrimSpace(string(data)), "{") {
		return chunk{}, errNoChunk
	}
	if told := c.Error != nil && string(c.Error) != "null"; told || c.Object == "error" || c.Choices == nil && c.Message != nil {
		if e, ok := decodeEnvelope(data); ok {
			return chunk{}, &e
		}
		return chunk{}, errNoChunk
	}
	return c, nil
}
