package openai

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// Dialect is the language in which a model is asked.
type Dialect string

// ND1 sends a text of nd/1 to /completions, for models that were trained on it. Chat sends
// a conversation to /chat/completions (package dsl/chat), for all others. Auto begins with
// nd/1, and goes over to chat where a server answers chat alone, or its model answers the
// first question with what is no nd/1.
const (
	ND1  Dialect = "nd1"
	Chat Dialect = "chat"
	Auto Dialect = "auto"
)

// Dialects are all of them.
func Dialects() []Dialect { return []Dialect{Auto, ND1, Chat} }

// dialect is the one to ask in: Auto as long as it is not known.
func (p *Predictor) dialect() Dialect {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spoken
}

// settle keeps a dialect in which the model has answered, where there was a choice.
func (p *Predictor) settle(d Dialect) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spoken == Auto {
		p.spoken = d
	}
}

// inDialect asks in the model's dialect. Where that is not known yet nd/1 comes first; a
// failure that tells of a model without it is followed by a chat, whose own failure counts
// only where there is such an endpoint.
func inDialect[T any](ctx context.Context, p *Predictor, nd1 func() (T, error), inChat func() (T, error)) (answer T, changed []string, err error) {
	switch p.dialect() {
	case Chat:
		answer, err = inChat()
		return answer, nil, err
	case ND1:
		answer, err = nd1()
		return answer, nil, err
	}
	answer, err = nd1()
	if err == nil {
		p.settle(ND1)
		return answer, nil, nil
	}
	why := p.speaksNoND1(err)
	if why == "" || ctx.Err() != nil {
		return answer, nil, err
	}
	first := err
	answer, err = inChat()
	var failure *backend.Error
	if errors.As(err, &failure) && failure.Kind == backend.NoEndpoint {
		return answer, nil, first
	}
	switch {
	case failure != nil && failure.Kind == backend.NoState:
		failure.Message = "the model does not speak nd/1, and by chat " + failure.Message + ". " + speakers
	case err == nil:
		p.settle(Chat)
		changed = p.warnOnce("dialect", "%s: it is asked by chat from now on (--dialect chat does so at once)", why)
	}
	return answer, changed, err
}

// speaksNoND1 says of a failure in what way it tells that the model does not speak nd/1;
// "" where it does not.
func (p *Predictor) speaksNoND1(err error) string {
	var failure *backend.Error
	if !errors.As(err, &failure) {
		return ""
	}
	switch failure.Kind {
	case backend.NoEndpoint:
		p.asking.Lock()
		defer p.asking.Unlock()
		var said *serverError
		if p.nature == chatOnly || errors.As(failure, &said) && said.isForChat() {
			return "The server answers chat alone"
		}
	case backend.NoState, backend.Endless:
		if !p.hasTokens(failure.Raw) {
			return "The model does not speak nd/1"
		}
	}
	return ""
}

// hasTokens reports whether a text has a token of nd/1.
func (p *Predictor) hasTokens(text string) bool {
	return slices.ContainsFunc(dsl.Tokens(), func(t dsl.Token) bool { return strings.Contains(text, p.cfg.Format.Name(t)) })
}
