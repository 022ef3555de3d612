package openai

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/npdb/npdb/backend"
)

// Memory stores the dialect of each model between runs. Its methods may be called concurrently.
type Memory interface {
	// Recall returns what is stored for a model on a server, false if nothing is.
	Recall(endpoint, model string) (Learnt, bool)
	// Keep replaces what is stored for the model, or deletes it if l has no dialect.
	Keep(endpoint, model string, l Learnt) error
}

// Learnt is the dialect of a model, as Auto found it, and why.
type Learnt struct {
	Dialect Dialect   `json:"dialect"`
	Why     string    `json:"why"`
	When    time.Time `json:"when"`
}

// Spoken returns the name of the dialect for display.
func (l Learnt) Spoken() string { return l.Dialect.spoken() }

// recalled returns what earlier runs have stored for the model. It returns the zero value if
// nothing is stored, or if this run has found it outdated.
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

// inMemory looks up the model in the memory. It ignores invalid entries.
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

// speaksAgainst reports whether a failure shows that the model no longer speaks the stored dialect.
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

// forget marks the stored dialect as outdated for this run. A newly found dialect replaces it.
func (p *Predictor) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.void = true
}

// remember stores the dialect that was found, unless it is stored already.
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

// Found is the dialect that Auto will use after a probe.
type Found struct {
	Learnt
	Before *Learnt `json:"before,omitempty"` // what earlier runs had stored
	Unkept string  `json:"unkept,omitempty"` // why the finding could not be stored
}

// rethink replaces what is stored for the model by the result of a probe. If no dialect works, it
// deletes what is stored. It returns nil if the dialect is not Auto, or there is no memory, or
// nothing was found and nothing was stored.
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
