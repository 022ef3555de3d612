package openai

import (
	"context"
	"errors"

	"github.com/npdb/npdb/backend"
)

// minReply is the smallest token limit with which npdb asks for a reply.
const minReply = 64

// Error bounds for estimating a text's tokens from its bytes.
const (
	fewerTokens = 0.8
	moreTokens  = 1.05
)

// Ready finds out the model and its window, which otherwise the first question does. The
// error is a *backend.Error or the error of ctx.
func (p *Predictor) Ready(ctx context.Context) error {
	if failure := p.ready(ctx); failure != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return failure
	}
	return nil
}

// ready queries the server once for what the configuration does not say.
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
			// The question itself reports any real fault.
			p.listed = failure.Status != 0 && !failure.Retryable()
			return nil
		}
		if failure.Kind != backend.NoEndpoint || p.spoken != CWM {
			return p.unlisted(failure)
		}
		p.model, p.listed = "cwm", true // fgserve lists no models and needs no name
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
			p.window = m.window()
		}
	}
	return nil
}

// fit returns the token limit of a reply that the window leaves. promptTokens is 0 if only
// the prompt's bytes are known. The error is TooLong.
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

// doubtful reports whether to query the server's window again for a question that does not
// fit. It does so if such a question was refused before and is not shorter now: the user
// may have restarted the server with a larger window.
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

// learnBytes records the number of bytes per token in a dialect. It varies: models that
// were not trained on nd/1 need many tokens for each of its special tokens.
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

// learnLengths records the lengths that a server reports when it refuses a question. It
// returns a smaller token limit to retry with, or 0 if there is none.
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
