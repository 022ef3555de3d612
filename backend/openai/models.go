package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/npdb/npdb/backend"
)

// listedModel is an entry of a server's list of models.
type listedModel struct {
	ID     string
	Window int // in tokens; 0 if unknown
}

// UnmarshalJSON reads an object or a bare name. A value of an unexpected type counts as
// unknown.
func (m *listedModel) UnmarshalJSON(data []byte) error {
	*m = listedModel{ID: text(data)}
	var raw struct {
		ID    json.RawMessage `json:"id"`
		Name  json.RawMessage `json:"name"` // Ollama's own list
		Model json.RawMessage `json:"model"`
		// vLLM and SGLang, OpenRouter and Together, Groq, Mistral and LM Studio
		MaxModelLen      count           `json:"max_model_len"`
		ContextLength    count           `json:"context_length"`
		ContextWindow    count           `json:"context_window"`
		MaxContextLength count           `json:"max_context_length"`
		Meta             json.RawMessage `json:"meta"`
	}
	if !bytes.HasPrefix(data, []byte("{")) {
		if !bytes.HasPrefix(data, []byte(`"`)) {
			m.ID = ""
		}
		return nil
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	var meta struct {
		Context count `json:"n_ctx"` // llama-server
	}
	_ = json.Unmarshal(raw.Meta, &meta) // it may be missing or of another type
	m.ID = ""
	for _, name := range []json.RawMessage{raw.ID, raw.Model, raw.Name} {
		if m.ID == "" && bytes.HasPrefix(name, []byte(`"`)) {
			m.ID = text(name)
		}
	}
	// Prefer the server's setting to the model's maximum.
	for _, n := range []count{raw.MaxModelLen, meta.Context, raw.ContextLength, raw.ContextWindow, raw.MaxContextLength} {
		if m.Window == 0 {
			m.Window = int(n)
		}
	}
	return nil
}

// count is a number of tokens, or 0 if unknown.
type count int

// mostTokens is more than any model's window.
const mostTokens = 1 << 40

// UnmarshalJSON never fails.
func (c *count) UnmarshalJSON(data []byte) error {
	var n json.Number
	*c = 0
	if json.Unmarshal(bytes.Trim(data, `"`), &n) == nil {
		if f, err := n.Float64(); err == nil && f >= 1 && f < mostTokens {
			*c = count(f)
		}
	}
	return nil
}

// models requests the list of models, which comes in an object or as a bare list.
func (p *Predictor) models(ctx context.Context) ([]listedModel, *backend.Error) {
	body, failure := p.call(ctx, http.MethodGet, p.at.base+"/models", nil)
	if failure != nil {
		return nil, failure
	}
	var list []listedModel
	if json.Unmarshal(body, &list) != nil {
		var object struct {
			Data   []listedModel `json:"data"`
			Models []listedModel `json:"models"`
		}
		if said, ok := decodeEnvelope(body); ok {
			return nil, p.reported(said, said.Code)
		}
		if json.Unmarshal(body, &object) != nil {
			return nil, p.refused(&refusal{status: http.StatusOK, body: body})
		}
		if list = object.Data; len(list) == 0 {
			list = object.Models
		}
	}
	named := list[:0]
	for _, m := range list {
		if m.ID != "" {
			named = append(named, m)
		}
	}
	return named, nil
}

// unlisted returns the error if the model's name is needed but the server has no list of
// models.
func (p *Predictor) unlisted(failure *backend.Error) *backend.Error {
	if failure.Kind != backend.NoEndpoint && (failure.Kind != backend.NoModel || failure.Status == 0) || failure.Status >= 300 && failure.Status < 400 {
		return failure
	}
	e := p.failed(backend.NoEndpoint, "does not list its models at /models%s. Name one with --model, or check --base-url%s", toldBy(failure), p.hintV1())
	e.Status, e.Err = failure.Status, failure.Err
	return e
}
