package openai

import (
	"context"
	"errors"
	"sync"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

var _ backend.Sampler = (*Predictor)(nil)

// samplesAtOnce is the maximum number of sample requests in progress.
const samplesAtOnce = 4

// drawn is one sampled answer. reply is nil if the model gave no valid reply. usage includes the
// tokens of invalid replies.
type drawn struct {
	reply *dsl.Reply
	usage backend.Usage
}

// Sample samples further answers; see backend.Sampler. Without a seed, it requests all of them at
// once if the server supports that. With a seed it does not, because some servers would return the
// same answer n times.
func (p *Predictor) Sample(ctx context.Context, q backend.Question, n int) (backend.Samples, error) {
	return inDialect(ctx, p, true,
		func() (backend.Samples, error) { return p.sampleTexts(ctx, q, n) },
		func() (backend.Samples, error) { return p.sampleChats(ctx, q, n) },
		func() (backend.Samples, error) {
			return p.oneByOne(ctx, q, n, func(q backend.Question) (drawn, error) {
				ctx, replies := withLedger(ctx)
				made, _, err := p.trace(ctx, q, nil)
				if err != nil {
					return drawn{usage: replies.with(backend.Usage{})}, err
				}
				return drawn{&made.Step.Reply, replies.with(made.Usage)}, nil
			})
		})
}

// sampleTexts implements Sample for nd/1 texts.
func (p *Predictor) sampleTexts(ctx context.Context, q backend.Question, n int) (backend.Samples, error) {
	prompt, err := q.At.Prompt(q.Action)
	if err != nil {
		return backend.Samples{}, &backend.Error{Kind: backend.Unwritable, Message: "the question cannot be written: " + err.Error(), Err: err}
	}
	return p.sample(ctx, q, question{prompt: prompt, at: q.At, sample: true}, n, func() (sink, func() dsl.Reply) {
		d := q.At.Decode(q.Action)
		return &stateSink{d: d}, func() dsl.Reply {
			step, _ := d.Step()
			return step.Reply
		}
	})
}

// sampleChats implements Sample for chats. It does not ask the model to correct an invalid answer.
func (p *Predictor) sampleChats(ctx context.Context, q backend.Question, n int) (backend.Samples, error) {
	talk, err := p.talk(q, 1)
	if err != nil {
		return backend.Samples{}, err
	}
	return p.sample(ctx, q, question{prompt: talk.text(), at: q.At, talk: talk, sample: true}, n, func() (sink, func() dsl.Reply) {
		var parts []chat.Part
		s := &textSink{read: func(text string) (err error) {
			parts, err = talk.decode(q, text)
			return err
		}}
		return s, func() dsl.Reply { return parts[0].Step.Reply }
	})
}

// sample samples n answers to the question q. reader returns a sink for one answer, and a function
// that returns the decoded reply.
func (p *Predictor) sample(ctx context.Context, asked backend.Question, q question, n int, reader func() (sink, func() dsl.Reply)) (backend.Samples, error) {
	var out backend.Samples
	if n > 1 && asked.Options.Seed == nil && p.cfg.Seed == nil && !p.answersSingly() {
		together := q
		together.options = asked.Options
		var whole bool
		if out, whole = p.together(ctx, together, n, reader); whole {
			return out, nil
		}
	}
	rest, err := p.oneByOne(ctx, asked, n-out.Len(), func(one backend.Question) (drawn, error) {
		q := q
		q.options = one.Options
		ctx, replies := withLedger(ctx)
		var r *reply
		var got func() dsl.Reply
		_, err := p.retry(ctx, func() (failure *backend.Error) {
			fresh := func() (s sink) {
				s, got = reader()
				return s
			}
			if q.talk != nil {
				r, failure = p.askChat(ctx, q, fresh)
			} else {
				r, failure = p.ask(ctx, q, fresh())
			}
			return failure
		}, nil)
		if err != nil {
			return drawn{usage: replies.with(backend.Usage{})}, err
		}
		answer := got()
		return drawn{&answer, replies.with(r.usage.counts())}, nil
	})
	if out.Len() == 0 {
		return rest, err
	}
	out.Replies, out.Invalid = append(out.Replies, rest.Replies...), out.Invalid+rest.Invalid
	out.Usage = out.Usage.Plus(rest.Usage)
	return out, err
}

func (p *Predictor) answersSingly() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.singly
}

// together samples n answers with one request. whole is false if there are fewer. If the server
// returned too few or refused the request, together sets p.singly, and later answers are sampled
// one by one.
func (p *Predictor) together(ctx context.Context, q question, n int, reader func() (sink, func() dsl.Reply)) (out backend.Samples, whole bool) {
	p.mu.Lock()
	q.form = p.form
	p.mu.Unlock()
	w, failure := p.write(ctx, q)
	if failure != nil {
		return out, false
	}
	r := w.request(p)
	r.fields["n"] = n
	c, failure := p.unstreamed(ctx, r.dialect, r.fields)
	if failure != nil || len(c.Choices) < n {
		if failure == nil || refusesRequest(failure) || failure.Status == 0 && failure.Kind == backend.BadRequest {
			p.mu.Lock()
			p.singly = true
			p.mu.Unlock()
		}
		if failure != nil {
			return out, false
		}
	}
	out.Usage = c.Usage.counts()
	for _, ch := range c.Choices[:min(n, len(c.Choices))] {
		s, got := reader()
		in := &intake{sink: s, hider: p.secrets.hide(q.prompt), reply: reply{chat: q.talk != nil, dialect: q.dialect()}, limit: r.limit, frameSep: p.cfg.Format.Name(dsl.FrameSep)}
		if err := in.takeChoice(ch); err != nil || p.judge(in, r) != nil {
			out.Invalid++
			continue
		}
		out.Replies = append(out.Replies, got())
	}
	return out, out.Len() == n
}

// oneByOne samples answers with one request each, several of them at the same time.
func (p *Predictor) oneByOne(ctx context.Context, q backend.Question, n int, draw func(backend.Question) (drawn, error)) (out backend.Samples, err error) {
	seed := int64(0)
	switch {
	case q.Options.Seed != nil:
		seed = *q.Options.Seed
	case p.cfg.Seed != nil:
		seed = *p.cfg.Seed
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	places := make(chan struct{}, samplesAtOnce)
	replies := make([]*dsl.Reply, n)
	for i := range n {
		one := q
		own := seed + int64(i) + 1
		one.Options.Seed = &own
		places <- struct{}{}
		mu.Lock()
		over := err != nil
		mu.Unlock()
		if over {
			break
		}
		all.Go(func() {
			defer func() { <-places }()
			d, failed := draw(one)
			mu.Lock()
			defer mu.Unlock()
			out.Usage = out.Usage.Plus(d.usage)
			var failure *backend.Error
			switch {
			case failed == nil:
				replies[i] = d.reply
			case errors.As(failed, &failure) && failure.Answered():
				out.Invalid++
			default:
				err = failed
			}
		})
	}
	all.Wait()
	for _, r := range replies { // in the order of their seeds
		if r != nil {
			out.Replies = append(out.Replies, *r)
		}
	}
	return out, err
}
