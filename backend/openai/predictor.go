package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	client "github.com/sashabaranov/go-openai"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/rollout"
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
	trails    rollout.Cache[rollout.Trail] // by what led there: they tell the states that actions passed over
	stops     rollout.Cache[kept]          // by the questions that they answer

	closing context.Context // ends at Close
	close   context.CancelFunc

	asking sync.Mutex // held while the server is asked what it has
	nature nature     // of a server without completions; guarded by asking

	mu     sync.Mutex // guards what follows
	listed bool       // the server was asked for its models
	model  string
	window int                 // tokens; 0: not known
	unfit  int                 // bytes of the longest question that the window has no room for; 0: none since one was answered
	bytes  map[Dialect]float64 // of a token, as seen lately; 0: not known
	spoken Dialect
	known  Learnt // of the model from runs before
	looked bool   // for known
	void   bool   // known holds no more
	form   chatForm
	// textAlone: the server tells no token numbers.
	textAlone  bool
	oddless    bool            // the last answer came without log probabilities
	oddsTold   bool            // an answer has come with them
	oddsFailed bool            // the server has failed once where they were asked for, and not without them
	singly     bool            // the server gives one answer to a request
	without    map[string]bool // fields of the request that the server refuses
	warned     map[string]bool
	notices    []string // for the user, with the next prediction
}

var _ backend.Predictor = (*Predictor)(nil)

// Model names what answers. Its name is "" until the server was asked for one.
func (p *Predictor) Model() backend.Model {
	d := p.dialect()
	return backend.Model{Name: p.shown(p.name()), Place: p.at.place, Away: p.at.away(), Dialect: d.spoken(), Forwards: d == CWM}
}

// shown returns a model's name for people: a server may list what it was sent.
func (p *Predictor) shown(name string) string {
	h := p.secrets.hide(p.cfg.Model)
	return h.in(name)
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

// warnOnce queues a warning the first time it is given. The next prediction shows it,
// because the present request may fail or show no text.
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

// untold returns the notices that no prediction has had yet.
func (p *Predictor) untold() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	notices := p.notices
	p.notices = nil
	return notices
}

// Predict asks what an action leads to: see backend.Predictor.
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
			if shown { // of what the model turned out not to speak
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

// predictText returns Predict by nd/1.
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

// predicted returns the prediction that a reply came to, the parts of which stand where told says.
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
