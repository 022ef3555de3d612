package openai

import (
	"context"
	"errors"

	"github.com/npdb/npdb/backend"
)

// minReply is the least number of tokens that a reply is worth asking with.
const minReply = 64

// How far the guess of a text's tokens from its bytes may be off.
const (
	fewerTokens = 0.8
	moreTokens  = 1.05
)

// Ready finds out which model is asked, and its window, as the first question does
// otherwise. The error is a *backend.Error or that of ctx.
func (p *Predictor) Ready(ctx context.Context) error {
	if failure := p.ready(ctx); failure != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return failure
	}
	return nil
}

// ready asks the server what it has, once, where the configuration does not say.
func (p *Predictor) ready(ctx context.Context) *backend.Error {
	p.asking.Lock()
	defer p.asking.Unlock()
	p.mu.Lock()
	needed := !p.listed && (p.model == "" || p.window == 0)
	p.mu.Unlock()
	if !needed {
		return nil
	}
	models, failure := p.models(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if failure != nil {
		if p.model != "" {
			// The question itself will tell what is wrong, if anything is.
			p.listed = failure.Status != 0 && !failure.Retryable()
			return nil
		}
		if failure.Kind != backend.NoEndpoint || p.spoken != CWM {
			return p.unlisted(failure)
		}
		p.model, p.listed = "cwm", true // its own server lists none, and needs no name
		return nil
	}
	p.listed = true
	if p.model == "" && len(models) > 0 {
		p.model = models[0].ID
	}
	if p.model == "" {
		p.listed = false
		return p.failed(backend.NoModel, "lists no model: load one, or name one with --model")
	}
	for _, m := range models {
		if m.ID == p.model && p.window == 0 {
			p.window = m.Window
		}
	}
	return nil
}

// fit returns the limit of a reply's tokens that the window leaves. promptTokens is 0
// where only the prompt's bytes are known. The error is TooLong.
func (p *Predictor) fit(d Dialect, limit, promptBytes, promptTokens int) (int, *backend.Error) {
	p.mu.Lock()
	window, bytes := p.window, p.bytes[d]
	p.mu.Unlock()
	least, most := promptTokens, promptTokens
	if promptTokens == 0 && bytes > 0 {
		guess := float64(promptBytes) / bytes
		least, most = int(guess*fewerTokens), int(guess*moreTokens)
	}
	if window == 0 || most == 0 {
		return limit, nil
	}
	if least+min(limit, minReply) > window {
		return 0, p.failed(backend.TooLong, "cannot be asked: the trajectory has about %d tokens, and the window of %q is %d", most, p.shown(p.name()), window)
	}
	return min(limit, max(window-most, minReply)), nil
}

// doubtful reports whether a question that does not fit is worth another look, and forgets
// the window then: one that was refused before, and is no shorter by now, is asked by who
// has perhaps done what he was told, and serves the model with a larger window.
func (p *Predictor) doubtful(promptBytes int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.unfit
	p.unfit = max(before, promptBytes)
	if p.cfg.Window != 0 || before == 0 || promptBytes < before {
		return false
	}
	p.unfit, p.window, p.listed = 0, 0, false
	return true
}

// learnBytes takes note of how many bytes a token has in a dialect: to a model that was not
// trained on nd/1 each of its special tokens is many.
func (p *Predictor) learnBytes(d Dialect, promptBytes, promptTokens int) {
	if promptTokens > 0 && promptBytes > 0 {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.bytes == nil {
			p.bytes = map[Dialect]float64{}
		}
		p.bytes[d] = float64(promptBytes) / float64(promptTokens)
	}
}

// learnLengths takes note of what a server says that found a question too long.
// It returns a limit of tokens with which it may not be, 0 for none.
func (p *Predictor) learnLengths(failure *backend.Error, d Dialect, promptBytes, limit int) int {
	var said *serverError
	if !errors.As(failure, &said) {
		return 0
	}
	window, prompt := said.lengths()
	p.learnBytes(d, promptBytes, prompt)
	if window > 0 {
		p.mu.Lock()
		if p.window == 0 || window < p.window {
			p.window = window
		}
		p.mu.Unlock()
	}
	shorter := limit / 8
	if prompt > 0 && window > 0 {
		shorter = window - prompt
	}
	if shorter < minReply || shorter >= limit {
		return 0
	}
	return shorter
}
