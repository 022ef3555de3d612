package openai

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/npdb/npdb/backend"
)

// Memory keeps from one run to the next how models are asked. Its methods may be called
// from several goroutines.
type Memory interface {
	// Recall is what was found out of a model at an endpoint, false where nothing was.
	Recall(endpoint, model string) (Learnt, bool)
	// Keep keeps it in the place of what was known; without a dialect that is forgotten.
	Keep(endpoint, model string, l Learnt) error
}

// Learnt is how a model is asked, as Auto has found it out.
type Learnt struct {
	Dialect Dialect   `json:"dialect"`
	Why     string    `json:"why"`
	When    time.Time `json:"when"`
}

// Spoken names the dialect for people.
func (l Learnt) Spoken() string { return l.Dialect.spoken() }

// recalled returns what is known of the model from runs before, the zero one where nothing is,
// or it turned out to hold no more.
func (p *Predictor) recalled(ctx context.Context) Learnt {
	if p.cfg.Memory == nil || p.ready(ctx) != nil {
		return Learnt{}
	}
	p.mu.Lock()
	looked, known, void := p.looked, p.known, p.void
	p.mu.Unlock()
	if !looked {
		known = p.inMemory()
		p.mu.Lock()
		p.looked, p.known = true, known
		p.mu.Unlock()
	}
	if void {
		return Learnt{}
	}
	return known
}

// inMemory looks the model up.
func (p *Predictor) inMemory() Learnt {
	known, ok := p.cfg.Memory.Recall(p.at.place, p.shown(p.name()))
	switch known.Dialect {
	case ND1, CWM, Chat:
		if ok && known.Why != "" {
			return known
		}
	}
	return Learnt{}
}

// speaksAgainst reports whether a failure tells that a model is not to be asked any more as
// it was in runs before.
func speaksAgainst(err error) bool {
	var failure *backend.Error
	if !errors.As(err, &failure) {
		return false
	}
	switch failure.Kind {
	case backend.NoEndpoint, backend.NoState:
		return true
	case backend.BadRequest:
		return failure.Status >= http.StatusBadRequest
	}
	return false
}

// forget drops, for this run, what earlier runs learnt about the model. New findings
// replace it.
func (p *Predictor) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.void = true
}

// remember keeps what was found out, unless that is what is known.
func (p *Predictor) remember(d Dialect, why string) {
	p.mu.Lock()
	same := p.known.Dialect == d && !p.void
	p.mu.Unlock()
	if p.cfg.Memory == nil || same {
		return
	}
	if err := p.keep(Learnt{Dialect: d, Why: why, When: p.cfg.Now().UTC().Truncate(time.Second)}); err != nil {
		p.warnOnce("memory", "%s", upper(err.Error()))
	}
}

func (p *Predictor) keep(l Learnt) error {
	return p.cfg.Memory.Keep(p.at.place, p.shown(p.name()), l)
}

// Found is how Auto asks a model from now on, by what Probe found.
type Found struct {
	Learnt
	Before *Learnt `json:"before,omitempty"` // what was known of it from earlier runs
	Unkept string  `json:"unkept,omitempty"` // why it cannot be kept
}

// rethink replaces what is known of the model by what a probe found, and forgets a model
// that cannot be stepped at all. It returns nil if there is no choice of dialects, no
// memory, or nothing to remember.
func (p *Predictor) rethink(found *Capabilities, why string) *Found {
	if p.cfg.Memory == nil || p.cfg.Dialect != Auto {
		return nil
	}
	f := &Found{}
	switch {
	case found.verdict(canTrace) == Yes:
		f.Dialect, f.Why = CWM, namedTraces
	case found.verdict(canSpeak) == Yes:
		f.Dialect, f.Why = ND1, hasND1
	case found.verdict(canChat) == Yes:
		f.Dialect, f.Why = Chat, why
	}
	if before := p.inMemory(); before.Dialect != "" {
		f.Before = &before
	}
	if f.Dialect == "" && f.Before == nil {
		return nil
	}
	f.When = p.cfg.Now().UTC().Truncate(time.Second)
	if err := p.keep(f.Learnt); err != nil {
		f.Unkept = err.Error()
	}
	return f
}

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
