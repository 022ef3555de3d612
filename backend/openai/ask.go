package openai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// question is a request before it is prepared for sending: an nd/1 text to continue, a trace, or a chat.
type question struct {
	prompt  string        // the text, or all messages of the chat
	at      *dsl.Node     // prompt begins with the text of this node
	talk    *conversation // nil for a text and a trace
	pieces  []string      // the texts of a trace's states; nil for other dialects
	stop    string        // the text at which a reply ends
	form    chatForm      // the form of the request for a chat
	options backend.Options
	sample  bool // a sampled answer, of which only the state counts: request no log probabilities
}

// dialect returns the dialect of the question.
func (q *question) dialect() Dialect {
	switch {
	case q.talk != nil:
		return Chat
	case q.pieces != nil:
		return CWM
	}
	return ND1
}

// sink decodes a reply while it streams.
type sink interface {
	// feed decodes the next piece; raw is the whole reply so far. done reports that the reply is
	// complete. The error is a *dsl.DecodeError.
	feed(piece, raw string) (done bool, err error)
	// end is called when the model has stopped by itself.
	end() error
}

// ask sends a question. If the server refuses it as too long and a smaller token limit may help, ask
// sends it once more with that limit.
func (p *Predictor) ask(ctx context.Context, q question, s sink) (*reply, *backend.Error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(p.closing, func() { cancel(errClosed) })()
	if err := p.ready(ctx); err != nil {
		return nil, err
	}
	w, failure := p.write(ctx, q)
	if failure != nil {
		return nil, failure
	}
	send := func() (*reply, *backend.Error) { return p.send(ctx, w.request(p), s) }
	r, failure := send()
	if failure != nil && failure.Kind == backend.TooLong && failure.Status != 0 {
		// The server has reported the exact lengths; a smaller limit may be enough.
		if shorter := p.learnLengths(failure, q.dialect(), len(q.prompt), w.limit); shorter > 0 {
			w.limit = shorter
			r, failure = send()
		}
	}
	if failure != nil {
		if failure.Kind == backend.NoEndpoint && q.talk == nil {
			failure = p.withoutCompletions(ctx, failure)
		} else if r != nil {
			h := p.secrets.hide("")
			failure.Raw, failure.Thoughts = r.raw.String(), h.in(r.thoughts.String())
			ledgerOf(ctx).add(r, failure)
		}
		return r, failure
	}
	if w.limit < w.wanted/4 { // a quarter: with max_tokens as large as the window, limit is always lower
		p.warnOnce("full", "the model's window is nearly full: the reply had %d tokens at most", w.limit)
	}
	p.learnBytes(q.dialect(), len(q.prompt), r.usage.counts().Prompt)
	p.mu.Lock()
	p.unfit = 0
	p.mu.Unlock()
	return r, nil
}

// written is a question that is ready to send.
type written struct {
	question
	text    any   // the prompt as text or as token numbers
	stopIDs []int // tokens that end a reply
	wanted  int   // the configured token limit of a reply
	limit   int   // the token limit of the reply, which is lower if the window has less room
}

// write prepares a question for sending, and checks that it fits the model's window.
func (p *Predictor) write(ctx context.Context, q question) (w written, failure *backend.Error) {
	w = written{question: q, wanted: p.cfg.MaxTokens}
	tokens := 0
	switch q.dialect() {
	case ND1:
		w.text, tokens, failure = p.prompt(ctx, q)
	case CWM:
		w.text, tokens, w.stopIDs, failure = p.tracePrompt(ctx, q)
	}
	if failure != nil {
		return w, failure
	}
	if q.options.MaxTokens != nil {
		w.wanted = *q.options.MaxTokens
	}
	w.limit, failure = p.fit(q.dialect(), w.wanted, len(q.prompt), tokens)
	if failure != nil && p.doubtful(len(q.prompt)) {
		if err := p.ready(ctx); err != nil {
			return w, err
		}
		w.limit, failure = p.fit(q.dialect(), w.wanted, len(q.prompt), tokens)
	}
	return w, failure
}

// request returns the request for a question, with the fields that the server accepts.
func (w *written) request(p *Predictor) request {
	r := request{text: w.prompt, limit: w.limit, lowered: w.limit < w.wanted, dialect: w.dialect(), form: w.form, stopIDs: w.stopIDs}
	switch r.dialect {
	case Chat:
		r.fields = p.chatFields(w.question, w.limit)
	case CWM:
		r.fields = p.traceFields(w.question, w.text, w.limit, w.stopIDs)
	default:
		r.fields = p.fields(w.question, w.text, w.limit)
	}
	if w.sample {
		r.fields["logprobs"] = nil
	}
	return r
}

// reasonHeader is the HTTP header with which npdb's own server reports why a state is unknown.
const reasonHeader = "X-Npdb-Reason"

// request is a question as it is sent.
type request struct {
	fields  map[string]any
	text    string // the prompt as text
	limit   int    // the reply's token limit
	lowered bool   // limit is lower than configured, because of the window
	dialect Dialect
	form    chatForm
	stopIDs []int // tokens that end a reply to a trace
}

// open sends a request and returns the events of its reply.
func (p *Predictor) open(ctx context.Context, q request) (*events, error) {
	res, err := p.do(ctx, http.MethodPost, p.at.base+q.dialect.path(), "text/event-stream", q.fields)
	if err != nil {
		return nil, err
	}
	return read(res)
}

// attempt sends one request and reads its reply. If it fails, it returns the part of the reply that
// was received, or nil.
func (p *Predictor) attempt(ctx context.Context, q request, s sink) (*reply, *backend.Error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timeout := time.AfterFunc(p.cfg.Timeout, func() { cancel(errTimeout) })
	defer timeout.Stop()
	stream, err := p.open(ctx, q)
	if err != nil {
		return nil, p.fault(ctx, err)
	}
	defer stream.Close()
	// Stop idle before it can fire. It is started with the first text, because long prompts and hidden
	// reasoning take time.
	idle := time.AfterFunc(p.cfg.Timeout, func() { cancel(errIdle) })
	idle.Stop()
	defer idle.Stop()
	last := time.AfterFunc(linger, func() { cancel(nil) })
	last.Stop()
	defer last.Stop()
	in := &intake{sink: s, hider: p.secrets.hide(q.text), reply: reply{chat: q.dialect == Chat, dialect: q.dialect, idsWhole: true, reason: stream.header.Get(reasonHeader)}, limit: q.limit, frameSep: p.cfg.Format.Name(dsl.FrameSep), trial: q.dialect == ND1 && p.dialect() == Auto, stopIDs: q.stopIDs}
	if q.dialect == CWM {
		in.vocabulary = p.cfg.Vocabulary
	}
	r := &in.reply
	for {
		c, err := stream.next()
		if err == nil {
			err = in.take(c)
		}
		switch {
		case r.over():
			if r.ended.IsZero() {
				r.ended = time.Now()
				idle.Stop()
				last.Reset(linger)
				if errors.Is(err, errFaulty) { // continue until the usage arrives
					continue
				}
			}
			if err != nil { // an error after a complete reply does not matter
				return r, p.judge(in, q)
			}
		case err == nil:
			if r.pieces > 0 {
				idle.Reset(p.cfg.IdleTimeout)
			}
		case errors.Is(err, io.EOF) && in.events == 0:
			return r, p.failed(backend.ServerFailed, "answers HTTP 200 with a stream that has no event in it. Its log, or that of a proxy before it, may say why")
		case in.fault != nil || errors.Is(err, io.EOF):
			return r, p.judge(in, q)
		case errors.Is(err, io.ErrUnexpectedEOF):
			_ = in.takeText(in.hider.rest())
			return r, p.cut()
		case errors.Is(err, errTooMany):
			return r, p.unended(r, q)
		default:
			_ = in.takeText(in.hider.rest()) // report the first failure
			return r, p.fault(ctx, err)
		}
	}
}
