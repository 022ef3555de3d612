package openai

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	client "github.com/sashabaranov/go-openai"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// Predictor asks a model behind a server. It is a backend.Predictor.
type Predictor struct {
	cfg       Config
	at        endpoint
	secrets   secrets
	jitter    func() float64 // in [0, 1)
	client    *client.Client
	http      client.HTTPDoer
	transport *http.Transport
	ids       *idCache

	closing context.Context // ends at Close
	close   context.CancelFunc

	asking sync.Mutex // held while the server is asked what it has
	mu     sync.Mutex // guards what follows
	listed bool       // the server was asked for its models
	model  string
	window int     // tokens; 0: not known
	bytes  float64 // of a token, as seen lately; 0: not known
	warned map[string]bool
}

var _ backend.Predictor = (*Predictor)(nil)

// Model names what answers. Its name is "" until the server was asked for one.
func (p *Predictor) Model() backend.Model {
	return backend.Model{Name: p.name(), Place: p.at.place, Away: p.at.away()}
}

func (p *Predictor) name() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.model
}

// Close gives up the connections. Questions under way fail.
func (p *Predictor) Close() error {
	p.close()
	p.transport.CloseIdleConnections()
	return nil
}

// warnOnce says a thing the first time.
func (p *Predictor) warnOnce(warning string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.warned[warning] {
		return nil
	}
	if p.warned == nil {
		p.warned = map[string]bool{}
	}
	p.warned[warning] = true
	return []string{warning}
}

// Predict asks what an action leads to: see backend.Predictor.
func (p *Predictor) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	start := time.Now()
	prompt, err := q.At.Prompt(q.Action)
	if err != nil {
		return nil, &backend.Error{Kind: backend.Unwritable, Message: "the question cannot be written: " + err.Error(), Err: err}
	}
	var (
		reply *reply
		d     *dsl.Decoder
	)
	ask := func() *backend.Error {
		d = q.At.Decode(q.Action)
		var failure *backend.Error
		reply, failure = p.ask(ctx, question{prompt: prompt, at: q.At, options: q.Options}, &stateSink{d: d, show: show})
		return failure
	}
	var again func()
	if show != nil {
		again = func() { show(backend.Update{Restarted: true}) }
	}
	retries, err := p.retry(ctx, ask, again)
	if err != nil {
		return nil, p.withPartial(err, d)
	}
	step, _ := d.Step()
	raw := reply.raw.String()
	if d.Read() < len(raw) {
		raw = raw[:d.Read()]
	}
	p.keepIDs(q.At, step, reply)
	prediction := &backend.Prediction{
		Step: step, Raw: raw, Usage: reply.usage.counts(), Retries: retries,
		Took: reply.ended.Sub(start), First: reply.first.Sub(start), Warnings: reply.warnings,
	}
	if p.cfg.Logprobs {
		if prediction.Confidence = reply.confidence(p.cfg.Format.Name(dsl.FrameSep)); prediction.Confidence == nil {
			prediction.Warnings = append(prediction.Warnings, p.warnOnce("the server tells no log probabilities: predictions have no confidence")...)
		}
	}
	return prediction, nil
}

// withPartial gives an error what could be read of the reply that failed.
func (p *Predictor) withPartial(err error, d *dsl.Decoder) error {
	var failure *backend.Error
	if errors.As(err, &failure) && d != nil {
		switch failure.Kind {
		case backend.Cut, backend.Endless, backend.NoState:
			failure.Reply, failure.Known = d.Partial()
		}
	}
	return err
}

// stateSink decodes a state while it streams.
type stateSink struct {
	d    *dsl.Decoder
	show func(backend.Update)
}

func (s *stateSink) feed(piece, raw string) (done bool, err error) {
	err = s.d.Feed(piece)
	if s.show != nil {
		r, known := s.d.Partial()
		s.show(backend.Update{Reply: r, Known: known, Raw: raw})
	}
	return s.d.Done(), err
}

func (s *stateSink) end() error { return s.d.Close(true) }
