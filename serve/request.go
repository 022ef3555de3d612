package serve

import (
	"bytes"
	"encoding/json"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl/chat"
)

// request holds those fields of a request to /v1/completions that npdb reads. Like vLLM it ignores
// other fields. A request to /v1/chat/completions is converted to a request.
type request struct {
	Model            string          `json:"model"`
	Prompt           json.RawMessage `json:"prompt"`
	MaxTokens        *int            `json:"max_tokens"`
	N                *int            `json:"n"`
	Stop             json.RawMessage `json:"stop"`
	StopTokenIDs     []int           `json:"stop_token_ids"`
	IncludeStop      bool            `json:"include_stop_str_in_output"`
	SkipSpecial      *bool           `json:"skip_special_tokens"`
	AddSpecial       *bool           `json:"add_special_tokens"`
	Echo             bool            `json:"echo"`
	Suffix           *string         `json:"suffix"`
	Logprobs         *int            `json:"logprobs"`
	ReturnIDs        bool            `json:"return_token_ids"`
	Stream           bool            `json:"stream"`
	StreamOptions    *streamOptions  `json:"stream_options"`
	IDsInPlaceOfText bool            `json:"return_tokens_as_token_ids"`
	Temperature      *float64        `json:"temperature"`
	TopP             *float64        `json:"top_p"`
	Seed             *int64          `json:"seed"`

	messages []chat.Message // the conversation, in a request to /v1/chat/completions
	prompt   []int
	end      int // the token that ends an answer
	stops    []string
	most     int // maximum number of tokens of an answer
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

const (
	defaultMaxTokens = 16 // vLLM's default
	maxChoices       = 64
	maxStops         = 64
)

// parseRequest reads a request and tokenizes its prompt.
func parseRequest(body []byte, t *tokenizer) (*request, error) {
	r := &request{}
	if err := json.Unmarshal(body, r); err != nil {
		return nil, badRequest("", "The request is no JSON that can be read: %v", err)
	}
	switch {
	case r.Echo:
		return nil, badRequest("echo", "echo is not supported: the prompt is not repeated")
	case r.Suffix != nil && *r.Suffix != "":
		return nil, badRequest("suffix", "suffix is not currently supported")
	case r.MaxTokens != nil && *r.MaxTokens < 1:
		return nil, badRequest("max_tokens", "max_tokens must be at least 1, got %d.", *r.MaxTokens)
	case r.N != nil && (*r.N < 1 || *r.N > maxChoices):
		return nil, badRequest("n", "n must be at least 1 and at most %d, got %d.", maxChoices, *r.N)
	case r.Temperature != nil && *r.Temperature < 0:
		return nil, badRequest("temperature", "temperature must be non-negative, got %v.", *r.Temperature)
	case r.TopP != nil && (*r.TopP <= 0 || *r.TopP > 1):
		return nil, badRequest("top_p", "top_p must be in (0, 1], got %v.", *r.TopP)
	case r.Logprobs != nil && *r.Logprobs < 0:
		return nil, badRequest("logprobs", "`logprobs` must be a positive value.")
	case r.StreamOptions != nil && !r.Stream:
		return nil, badRequest("stream_options", "Stream options can only be defined when `stream=True`.")
	}
	var err error
	if r.stops, err = parseStops(r.Stop); err != nil {
		return nil, err
	}
	if r.prompt, err = parsePrompt(r.Prompt, t, r.AddSpecial == nil || *r.AddSpecial); err != nil {
		return nil, err
	}
	r.end, r.most = endOfText, defaultMaxTokens
	if r.MaxTokens != nil {
		r.most = *r.MaxTokens
	}
	return r, nil
}

// options returns the sampling options of the request. Without a temperature, the model takes
// the most likely token.
func (r *request) options() backend.Options {
	return backend.Options{Temperature: r.Temperature, TopP: r.TopP, Seed: r.Seed}
}

// draws reports whether the same request may get another answer when it is repeated.
func (r *request) draws() bool { return r.Temperature != nil && *r.Temperature > 0 }

// fit returns an error if the request is longer than the window. If the request does not limit the
// length of the answer, the answer may use the rest of the window.
func (r *request) fit(window int) error {
	left := window - len(r.prompt)
	if r.most == 0 {
		r.most = max(left, 1)
	}
	if r.most > left {
		return tooLong(window, len(r.prompt), r.most)
	}
	return nil
}

func parseStops(raw json.RawMessage) ([]string, error) {
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return nil, nil
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		raw, _ = json.Marshal([]string{one})
	}
	var all []string
	if err := json.Unmarshal(raw, &all); err != nil || len(all) > maxStops {
		return nil, badRequest("stop", "stop must be a string or a list of at most %d strings", maxStops)
	}
	for _, stop := range all {
		if stop == "" {
			return nil, badRequest("stop", "stop cannot contain an empty string.")
		}
	}
	return all, nil
}

// parsePrompt parses a prompt: a string, a list of token ids, or a list with one of these.
func parsePrompt(raw json.RawMessage, t *tokenizer, begin bool) ([]int, error) {
	var many []json.RawMessage
	if json.Unmarshal(raw, &many) == nil && len(many) > 0 {
		if first := bytes.TrimSpace(many[0]); len(first) > 0 && (first[0] == '"' || first[0] == '[') {
			if len(many) > 1 {
				return nil, badRequest("prompt", "one prompt a request: there are %d", len(many))
			}
			raw = first
		}
	}
	var text string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &text) == nil {
		return checkPrompt(t.encode(text, begin))
	}
	var ids []int
	if err := json.Unmarshal(raw, &ids); err != nil || ids == nil {
		return nil, badRequest("prompt", "prompt must be a string, a list of token ids, or a list of one of these")
	}
	for _, id := range ids {
		if id < 0 || id >= vocabulary {
			return nil, badRequest("prompt", "Token id %d is out of vocabulary", id)
		}
	}
	return checkPrompt(ids)
}

func checkPrompt(ids []int) ([]int, error) {
	if len(ids) == 0 {
		return nil, badRequest("prompt", "The decoder prompt cannot be empty")
	}
	return ids, nil
}
