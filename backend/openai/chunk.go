package openai

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	client "github.com/sashabaranov/go-openai"

	"github.com/npdb/npdb/backend"
)

// chunk is one piece of a streamed reply, or a whole reply, to a completion or a chat. Its types add
// fields that go-openai does not have, and replace those that go-openai does not decode exactly.
type chunk struct {
	client.CompletionResponse

	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Message json.RawMessage `json:"message"` // in an error that is not nested
}

type choice struct {
	client.CompletionChoice

	Index     number   `json:"index"`
	Logprobs  logprobs `json:"logprobs"` // for completions and chats; go-openai has two types
	TokenIDs  tokenIDs `json:"token_ids"`
	PromptIDs tokenIDs `json:"prompt_token_ids"`
	Tokens    tokenIDs `json:"tokens"`  // token ids in fgserve's replies
	Delta     message  `json:"delta"`   // a piece of a streamed chat
	Message   message  `json:"message"` // the reply to a chat that is not streamed
}

// message holds the part of a choice that only chats have. Depending on the server, the reasoning
// is in one of two fields or in the content.
type message struct {
	client.ChatCompletionStreamChoiceDelta // its reasoning_content: llama-server, SGLang, DeepSeek

	Content   words  `json:"content"`   // go-openai cannot read a list of parts
	Reasoning string `json:"reasoning"` // vLLM, Ollama, OpenRouter
}

// words is a text, or a list of parts as Mistral sends it. Any other JSON value is decoded as empty.
type words struct{ text, thought string }

// UnmarshalJSON never fails. A value of another type becomes empty.
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
	return c.Text + c.Delta.Content.text + c.Message.Content.text + c.Delta.Refusal + c.Message.Refusal
}

func (c *choice) thought() string {
	for _, m := range []message{c.Delta, c.Message} {
		if thought := cmp.Or(m.Reasoning, m.ReasoningContent, m.Content.thought); thought != "" {
			return thought
		}
	}
	return ""
}

// usage distinguishes numbers that the server does not report from 0, which go-openai does not.
type usage struct {
	Prompt     number `json:"prompt_tokens"`
	Completion number `json:"completion_tokens"`
	Details    struct {
		Cached number `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// counts returns the usage, with -1 for unknown numbers.
func (u *usage) counts() backend.Usage {
	if u == nil {
		u = &usage{}
	}
	return backend.Usage{Prompt: u.Prompt.count(), Cached: u.Details.Cached.count(), Completion: u.Completion.count()}
}

// tokenLogprob holds a token of a reply and its log probability, which may be unknown; go-openai
// would read that as 0.
type tokenLogprob struct {
	client.ChatCompletionTokenLogprob

	Logprob number `json:"logprob"`
}

// text returns the token's text as it occurs in the reply. It may be only a part of a character.
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

// logprobs holds the log probabilities of a reply's tokens, in one of the two shapes in which
// servers report them.
type logprobs struct {
	Tokens        []string       `json:"tokens"` // of completions (vLLM): lists of equal length
	TokenLogprobs []number       `json:"token_logprobs"`
	Content       []tokenLogprob `json:"content"` // of chats, and of llama-server
}

// UnmarshalJSON never fails: values of unexpected types are not log probabilities.
func (l *logprobs) UnmarshalJSON(data []byte) error {
	type plain logprobs // without this method
	if json.Unmarshal(data, (*plain)(l)) != nil {
		*l = logprobs{}
	}
	return nil
}

// shape returns the name of the shape, or "" if there are no log probabilities.
func (l *logprobs) shape() string {
	switch {
	case len(l.Content) > 0:
		return "chat"
	case len(l.Tokens) > 0 && len(l.Tokens) == len(l.TokenLogprobs):
		return "completions"
	}
	return ""
}

func (l *logprobs) tokens() []tokenLogprob {
	if l.shape() != "completions" {
		return l.Content
	}
	tokens := make([]tokenLogprob, len(l.Tokens))
	for i, token := range l.Tokens {
		tokens[i].Token, tokens[i].Logprob = token, l.TokenLogprobs[i]
	}
	return tokens
}

// errNoChunk reports a piece of a stream that is not a JSON object as expected.
var errNoChunk = errors.New("a piece of the stream is no JSON object")

// vital holds the values without which a piece of a stream is useless: its texts, and the objects
// that contain them. It is decoded separately, because encoding/json reports only the first value
// of a wrong type.
type vital struct {
	Choices []struct {
		Text    *string   `json:"text"`
		Delta   *struct{} `json:"delta"`
		Message *struct{} `json:"message"`
	} `json:"choices"`
}

// decodeChunk decodes one piece of a stream. It ignores values of unexpected types, unless they are
// vital. If the piece is an error object, decodeChunk returns it as a *serverError.
func decodeChunk(data []byte) (chunk, error) {
	var c chunk
	var invalid *json.SyntaxError
	var skipped *json.UnmarshalTypeError
	err := json.Unmarshal(data, &c)
	if errors.As(err, &invalid) {
		data = repaired(data)
		err = json.Unmarshal(data, &c)
	}
	if err != nil && (!errors.As(err, &skipped) || json.Unmarshal(data, &vital{}) != nil) {
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
