package openai

import (
	"context"
	"errors"

	"github.com/npdb/npdb/backend"
)

// minReply is the smallest token limit with which npdb requests a reply.
const minReply = 64

// Bounds of the ratio between the real number of a text's tokens and the estimate from its bytes.
const (
	fewerTokens = 0.8
	moreTokens  = 1.05
)

// Ready asks the server for the model and its window. Otherwise the first question does that. The
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

// ready asks the server, once, for the model and the window if the configuration does not name
// them.
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
			// If something is really wrong, the question itself reports it.
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

// fit returns the token limit of a reply, as far as the window has room for it. promptTokens is 0 if
// only the prompt's length in bytes is known. The error is of kind TooLong.
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

// doubtful reports whether to ask the server for its window again, because a prompt does not fit. It
// does so from the second time on, unless the prompt has become shorter: the user may have restarted the
// server with a larger window.
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

// learnBytes records the number of bytes per token in a dialect. It depends on the dialect, because
// models that were not trained on nd/1 need many tokens for each of its special tokens.
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

// learnLengths records the window and the prompt's length that a server reports when it refuses a
// prompt. It returns a smaller token limit for a retry, or 0 if there is none.
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
