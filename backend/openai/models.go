package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"

	client "github.com/sashabaranov/go-openai"

	"github.com/npdb/npdb/backend"
)

// listedModel is an entry of a server's list of models. It adds the window, which go-openai does not
// have.
type listedModel struct {
	client.Model

	Name  string `json:"name"` // Ollama's own list
	Alias string `json:"model"`
	// The window, as reported by vLLM and SGLang, by OpenRouter and Together, by Groq, and by
	// Mistral and LM Studio.
	MaxModelLen      number `json:"max_model_len"`
	ContextLength    number `json:"context_length"`
	ContextWindow    number `json:"context_window"`
	MaxContextLength number `json:"max_context_length"`
	Meta             struct {
		Context number `json:"n_ctx"` // llama-server
	} `json:"meta"`
}

// UnmarshalJSON reads an object, or a bare name. It ignores values of unexpected types.
func (m *listedModel) UnmarshalJSON(data []byte) error {
	type object listedModel
	_ = json.Unmarshal(data, (*object)(m))
	_ = json.Unmarshal(data, &m.ID)
	m.ID = cmp.Or(m.ID, m.Alias, m.Name)
	return nil
}

// window returns the window in tokens, or 0 if it is unknown. It prefers the value with which the server
// was started over the model's maximum.
func (m *listedModel) window() int {
	for _, n := range []number{m.MaxModelLen, m.Meta.Context, m.ContextLength, m.ContextWindow, m.MaxContextLength} {
		if tokens := n.count(); tokens > 0 {
			return tokens
		}
	}
	return 0
}

// models requests the list of models. Servers send it in an object or as a bare list.
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
	return slices.DeleteFunc(list, func(m listedModel) bool { return m.ID == "" }), nil
}

// unlisted returns the error for a server without a list of models, if the configuration does not
// name the model.
func (p *Predictor) unlisted(failure *backend.Error) *backend.Error {
	if failure.Kind != backend.NoEndpoint && (failure.Kind != backend.NoModel || failure.Status == 0) || failure.Status >= 300 && failure.Status < 400 {
		return failure
	}
	e := p.failed(backend.NoEndpoint, "does not list its models at /models%s. Name one with --model, or check --base-url%s", toldBy(failure), p.hintV1())
	e.Status, e.Err = failure.Status, failure.Err
	return e
}
