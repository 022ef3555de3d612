package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/npdb/npdb/backend"
)

// speakers is the part of a message that names what npdb can step with.
const speakers = "What speaks nd/1: npdb serve, and a model that was trained on it, behind vLLM, SGLang, llama-server or Ollama (docs/servers.md)"

// nature is what a server without a completions endpoint offers.
type nature uint8

const (
	unasked    nature = iota
	nothing           // nothing of this API was found
	modelsOnly        // it lists its models
	chatOnly
)

// chatAlone returns the error for a server or a model that supports only chat.
func (p *Predictor) chatAlone(because string) *backend.Error {
	return p.failed(backend.NoEndpoint, "answers chat alone%s, and texts of nd/1 go to /completions: ask it by chat (--dialect chat). "+speakers, because)
}

// withoutCompletions returns the error for a server without a completions endpoint. It checks what
// else the server offers, because the address may still be right.
func (p *Predictor) withoutCompletions(ctx context.Context, failure *backend.Error) *backend.Error {
	var said *serverError
	told := errors.As(failure, &said) && said.isForChat()
	if told || failure.Status >= 300 && failure.Status < 400 { // it redirects
		return failure
	}
	p.asking.Lock()
	defer p.asking.Unlock()
	if p.nature == unasked {
		p.nature = p.look(ctx)
	}
	because := toldBy(failure)
	var e *backend.Error
	switch p.nature {
	case chatOnly:
		e = p.chatAlone(because)
	case modelsOnly:
		e = p.failed(backend.NoEndpoint, "lists its models and has no /completions%s, which npdb needs. "+speakers, because)
	default:
		return failure
	}
	e.Status, e.Err = failure.Status, failure.Err
	return e
}

// look determines what a server offers. The caller must hold p.asking.
func (p *Predictor) look(ctx context.Context) nature {
	// A request without messages costs nothing, and a chat endpoint refuses it.
	body, failure := p.call(ctx, http.MethodPost, p.at.base+"/chat/completions", map[string]any{"model": p.name(), "messages": []any{}})
	if failure == nil {
		if e, ok := decodeEnvelope(body); ok {
			failure = p.reported(e, e.Code)
		}
	}
	var said *serverError
	switch {
	case ctx.Err() != nil:
		return unasked
	case failure == nil:
		var answer struct {
			Choices json.RawMessage `json:"choices"`
		}
		if json.Unmarshal(body, &answer) == nil && answer.Choices != nil {
			return chatOnly
		}
	case failure.Kind == backend.BadRequest, failure.Kind == backend.ServerFailed && errors.As(failure, &said):
		return chatOnly
	}
	if _, failure := p.models(ctx); failure == nil {
		return modelsOnly
	}
	return nothing
}

// toldBy returns the status and message of a refusal in parentheses, or "" if the server sent
// neither.
func toldBy(failure *backend.Error) string {
	var parts []string
	if failure.Status != 0 {
		parts = append(parts, fmt.Sprintf("HTTP %d", failure.Status))
	}
	var said *serverError
	if errors.As(failure, &said) && said.Message != "" {
		parts = append(parts, strings.TrimSuffix(said.Message, "."))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ": ") + ")"
}
