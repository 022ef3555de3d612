package openai

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// Dialect is the format of questions to a model.
type Dialect string

// ND1 sends an nd/1 text to /completions, for models that were trained on it. CWM sends a trace of the
// Code World Model (package backend/rollout) to /completions. Chat sends a conversation (package
// dsl/chat) to /chat/completions, for all other models.
//
// Auto starts with nd/1, or with a trace if the model's name is that of a Code World Model. It changes
// to chat if the server supports only chat, refuses the first question, or if the model's reply is not
// nd/1. With a Memory, later runs start with the dialect that was found.
const (
	ND1  Dialect = "nd1"
	CWM  Dialect = "cwm"
	Chat Dialect = "chat"
	Auto Dialect = "auto"
)

// Dialects returns all dialects.
func Dialects() []Dialect { return []Dialect{Auto, ND1, Chat, CWM} }

// spoken returns the name of a dialect for display; it is "" for Auto.
func (d Dialect) spoken() string {
	switch d {
	case ND1:
		return "nd/1"
	case Auto:
		return ""
	}
	return string(d)
}

// path returns the path below the API's root to which requests in this dialect go.
func (d Dialect) path() string {
	if d == Chat {
		return "/chat/completions"
	}
	return "/completions"
}

// dialect returns the dialect to use, or Auto while it is not known.
func (p *Predictor) dialect() Dialect {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spoken
}

// settle stores the dialect that Auto has found, and why. It warns the user if the dialect is not nd/1.
func (p *Predictor) settle(d Dialect, why string) {
	p.mu.Lock()
	found := p.spoken == Auto
	if found {
		p.spoken = d
	}
	known, void := p.known.Dialect, p.void
	p.mu.Unlock()
	if !found {
		return
	}
	p.remember(d, why)
	how := "--dialect " + string(d) + " does so at once"
	if p.cfg.Memory != nil {
		how = "npdb remembers it"
	}
	switch {
	case d == known && !void && d != ND1:
		p.warnOnce("dialect", "%s: it is asked by %s, as last time (npdb doctor finds it out anew)", why, by[d])
	case d != ND1:
		p.warnOnce("dialect", "%s: it is asked by %s from now on (%s)", why, by[d], how)
	case void:
		p.warnOnce("dialect", "%s: it is asked by it from now on, not by %s as last time (%s)", why, by[known], how)
	}
}

// by maps dialects to their names in messages.
var by = map[Dialect]string{ND1: "nd/1", Chat: "chat", CWM: "traces"}

// Reasons for choosing a dialect.
const (
	hasND1       = "The model speaks nd/1"
	namedTraces  = "The model's name is that of a Code World Model"
	chatsAlone   = "The server answers chat alone"
	refusesTexts = "The server refuses texts of nd/1" // Azure and DeepSeek word this differently
	noND1        = "The model does not speak nd/1"
)

// inDialect asks in the model's dialect. As long as Auto has not found it, inDialect first tries the
// dialect that an earlier run found, or traces if the model's name suggests them, then nd/1. If the
// failure shows that the model does not speak nd/1, it tries chat. It returns the failure of the chat
// only if the server has a chat endpoint. tells reports whether a valid answer to nd1 shows that the
// model speaks nd/1.
func inDialect[T any](ctx context.Context, p *Predictor, tells bool, nd1, inChat, inTraces func() (T, error)) (answer T, err error) {
	switch p.dialect() {
	case Chat:
		return inChat()
	case ND1:
		return nd1()
	case CWM:
		return inTraces()
	}
	known := p.recalled(ctx)
	if ask := map[Dialect]func() (T, error){Chat: inChat, CWM: inTraces}[known.Dialect]; ask != nil {
		answer, err = ask()
		if err == nil && tells {
			p.settle(known.Dialect, known.Why)
		}
		if ctx.Err() != nil || !speaksAgainst(err) {
			return answer, err
		}
		p.forget()
		ledgerOf(ctx).pardon()
	}
	if known.Dialect != CWM && known.Dialect != ND1 && p.isNamedCWM(ctx) {
		answer, err = inTraces()
		var failure *backend.Error
		if err == nil && tells {
			p.settle(CWM, namedTraces)
		}
		if err == nil || !errors.As(err, &failure) || failure.Kind != backend.NoState {
			return answer, err
		}
		ledgerOf(ctx).pardon()
	}
	answer, err = nd1()
	if err == nil {
		if tells {
			p.settle(ND1, hasND1)
		}
		return answer, nil
	}
	why := p.speaksNoND1(err)
	if why == "" || ctx.Err() != nil {
		return answer, err
	}
	first := err
	ledgerOf(ctx).pardon()
	answer, err = inChat()
	var failure *backend.Error
	if err != nil && !errors.As(err, &failure) {
		return answer, err // ctx has ended
	}
	alone := why == chatsAlone
	if err == nil && (alone || tells) || alone && answered(failure) {
		p.settle(Chat, why)
	}
	switch {
	case err == nil, alone:
		return answer, err
	case failure.Kind == backend.NoEndpoint, why == refusesTexts:
		return answer, first
	case answered(failure), failure.Kind == backend.BadRequest:
		failure.Message = "the model does not speak nd/1, and by chat " + failure.Message + ". " + speakers
	}
	return answer, err
}

// answered reports whether the model replied, but not with a valid state.
func answered(failure *backend.Error) bool {
	return failure != nil && (failure.Kind == backend.NoState || failure.Kind == backend.Endless)
}

// speaksNoND1 returns the reason for which a failure shows that the model does not speak nd/1, or "" if
// it does not show that.
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
			return chatsAlone
		}
	case backend.BadRequest:
		if failure.Status >= http.StatusBadRequest {
			return refusesTexts
		}
	case backend.NoState, backend.Endless:
		if !p.hasTokens(failure.Raw) {
			return noND1
		}
	}
	return ""
}

// isNamedCWM reports whether the model's name is that of a Code World Model.
func (p *Predictor) isNamedCWM(ctx context.Context) bool {
	return p.ready(ctx) == nil && namedCWM.MatchString(p.name())
}

var namedCWM = regexp.MustCompile(`(?i)(?:^|[^a-z])cwm(?:[^a-z]|$)`)

// hasTokens reports whether a text contains a special token of nd/1.
func (p *Predictor) hasTokens(text string) bool {
	return slices.ContainsFunc(dsl.Tokens(), func(t dsl.Token) bool { return strings.Contains(text, p.cfg.Format.Name(t)) })
}
