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

// speakers names what npdb can step with.
const speakers = "What speaks nd/1: npdb serve, and a model that was trained on it, behind vLLM, SGLang, llama-server or Ollama (docs/servers.md)"

// nature is what a server without completions turned out to be.
type nature uint8

const (
	unasked    nature = iota
	nothing           // nothing of this API was found
	modelsOnly        // it lists its models
	chatOnly
)

// chatAlone returns the failure of a question to a server, or a model, that takes chat only.
func (p *Predictor) chatAlone(because string) *backend.Error {
	return p.failed(backend.NoEndpoint, "answers chat alone%s, and texts of nd/1 go to /completions: ask it by chat (--dialect chat). "+speakers, because)
}

// withoutCompletions returns the failure of a question that found nothing to answer it,
// after a look at what the server has instead: the address may be right all the same.
func (p *Predictor) withoutCompletions(ctx context.Context, failure *backend.Error) *backend.Error {
	var said *serverError
	told := errors.As(failure, &said) && said.isForChat()
	if told || failure.Status >= 300 && failure.Status < 400 { // it sends one elsewhere
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

// look finds out what a server has. p.asking is held.
func (p *Predictor) look(ctx context.Context) nature {
	// No message is no question: it costs nothing, and is refused where chat is.
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

// toldBy returns, in brackets, how a server refused; "" if it did not say.
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
