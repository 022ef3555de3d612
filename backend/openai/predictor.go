package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/rollout"
	"github.com/npdb/npdb/dsl"
)

// Predictor predicts with a model behind a server. It implements backend.Predictor.
type Predictor struct {
	cfg       Config
	at        endpoint
	secrets   secrets
	jitter    func() float64 // in [0, 1)
	http      *http.Client
	transport *http.Transport
	// authorization is the value of the Authorization header; "" for none.
	authorization string
	ids           *idCache
	trails        rollout.Cache[rollout.Trail] // traces by the key of their history, also of states in between
	stops         rollout.Cache[kept]          // states received in advance, by the key of their question

	closing context.Context // ends at Close
	close   context.CancelFunc

	asking sync.Mutex // held while the server is asked for its models or endpoints
	nature nature     // what a server without completions offers; guarded by asking

	mu     sync.Mutex // guards the fields below
	listed bool       // the server's list of models was requested
	model  string
	window int                 // tokens; 0: unknown
	unfit  int                 // bytes of the longest prompt that did not fit; 0: none since the last reply
	bytes  map[Dialect]float64 // bytes per token, as last measured; 0: unknown
	spoken Dialect
	known  Learnt // what earlier runs have stored
	looked bool   // known was read from the memory
	void   bool   // known has turned out to be outdated
	form   chatForm
	// textAlone reports that the server does not return token numbers.
	textAlone  bool
	oddless    bool            // the last reply had no log probabilities
	oddsTold   bool            // at least one reply had log probabilities
	oddsFailed bool            // the server failed with log probabilities, then succeeded without
	singly     bool            // the server returns only one reply per request
	without    map[string]bool // fields of the request that the server refuses
	warned     map[string]bool
	notices    []string // warnings that are shown with the next prediction
}

var _ backend.Predictor = (*Predictor)(nil)

// Model describes the model. Its name is "" while the server has not been asked for it.
func (p *Predictor) Model() backend.Model {
	d := p.dialect()
	return backend.Model{Name: p.shown(p.name()), Place: p.at.place, Away: p.at.away(), Dialect: d.spoken(), Forwards: d == CWM}
}

// shown returns a model's name for display, without secrets: a server may repeat what it was sent.
func (p *Predictor) shown(name string) string {
	h := p.secrets.hide(p.cfg.Model)
	return h.in(name)
}

func (p *Predictor) name() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.model
}

// Close closes the connections. Questions in progress fail.
func (p *Predictor) Close() error {
	p.close()
	p.transport.CloseIdleConnections()
	return nil
}

// warnOnce adds a warning for thing, unless there was one before. The next prediction shows it,
// because the current request may fail or show no text.
func (p *Predictor) warnOnce(thing, format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.warned[thing] {
		return
	}
	if p.warned == nil {
		p.warned = map[string]bool{}
	}
	p.warned[thing] = true
	p.notices = append(p.notices, fmt.Sprintf(format, args...))
}

// untold returns the warnings that no prediction has contained yet.
func (p *Predictor) untold() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	notices := p.notices
	p.notices = nil
	return notices
}

// Predict predicts the result of an action; see backend.Predictor.
func (p *Predictor) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	ctx, replies := withLedger(ctx)
	shown := false
	tracked := show
	if show != nil {
		tracked = func(u backend.Update) {
			shown = !u.Restarted
			show(u)
		}
	}
	in := func(predict func(context.Context, backend.Question, func(backend.Update)) (*backend.Prediction, error)) func() (*backend.Prediction, error) {
		return func() (*backend.Prediction, error) {
			if shown { // void what the wrong dialect has shown
				tracked(backend.Update{Restarted: true})
			}
			return predict(ctx, q, tracked)
		}
	}
	prediction, err := inDialect(ctx, p, true, in(p.predictText), in(p.predictChat), in(p.predictTrace))
	err = backend.TakeDown(prediction, err, replies.taken())
	if err == nil {
		prediction.Warnings = append(p.untold(), prediction.Warnings...)
	}
	return prediction, err
}

// predictText implements Predict for nd/1 texts.
func (p *Predictor) predictText(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
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
	return p.predicted(reply, start, retries, step, raw, d.Told()), nil
}

// predicted returns the prediction for a reply. told holds the spans of the state's parts in the reply.
func (p *Predictor) predicted(reply *reply, start time.Time, retries int, step dsl.Step, raw string, told dsl.Told) *backend.Prediction {
	h := p.secrets.hide("")
	prediction := &backend.Prediction{
		Step: step, Raw: raw, Usage: reply.usage.counts(), Retries: retries, Thoughts: h.in(reply.thoughts.String()),
		Took: reply.ended.Sub(start), First: reply.first.Sub(start),
	}
	if step.Reply.Outcome == dsl.Unknown && reply.reason != "" {
		prediction.Warnings = append(prediction.Warnings, "Why it is unknown: "+p.secrets.quote(reply.reason))
	}
	if p.cfg.Logprobs {
		end := p.cfg.Format.Name(dsl.FrameSep)
		if reply.chat {
			end = ""
		}
		prediction.Confidence = reply.confidence(end)
		prediction.Sureness = reply.sureness(end, told)
		oddless := len(reply.logprobs) == 0
		p.mu.Lock()
		p.oddless, p.oddsTold = oddless, p.oddsTold || !oddless
		sometimes := p.oddsTold
		p.mu.Unlock()
		switch {
		case prediction.Confidence != nil:
		case oddless && reply.chat && p.cfg.OwnWord:
			p.warnOnce("logprobs", "the server tells no log probabilities: the model is asked to say itself how sure it is (own_word = false leaves that out)")
		case oddless && sometimes:
			p.warnOnce("no logprobs", "the server tells no log probabilities of some replies: such predictions have no confidence")
		case oddless:
			p.warnOnce("logprobs", "the server tells no log probabilities: predictions have no confidence")
		default:
			p.warnOnce("some logprobs", "the server does not tell the probability of each token of a reply: such predictions have no confidence")
		}
	}
	return prediction
}

// withPartial adds the part of a failed reply that could be decoded to its error.
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
