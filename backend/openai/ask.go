package openai

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"time"

	client "github.com/sashabaranov/go-openai"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// question is one text to be continued, or a chat.
type question struct {
	prompt  string        // the text, or all that the chat says
	at      *dsl.Node     // the place that prompt begins with
	talk    *conversation // nil for a text
	pieces  []string      // of a trace, whose texts these are; else nil
	stop    string        // at which a reply to it ends
	form    chatForm      // of talk
	options backend.Options
	sample  bool // its answer is counted, and not shown: how probable it was is not asked
}

// dialect returns what it is written in.
func (q *question) dialect() Dialect {
	switch {
	case q.talk != nil:
		return Chat
	case q.pieces != nil:
		return CWM
	}
	return ND1
}

// sink takes a reply apart while it streams.
type sink interface {
	// feed takes the next piece; raw is all that came, piece included. done says
	// that nothing more is needed. The error is a *dsl.DecodeError.
	feed(piece, raw string) (done bool, err error)
	// end says that the model itself has stopped.
	end() error
}

// ask sends a question once, and again only where its length needs another
// limit of tokens.
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
		// The server knows better; the limit alone may be what is too much.
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
	if w.limit < w.wanted/4 { // a window as large as max_tokens has room for less of them from the start
		p.warnOnce("full", "the model's window is nearly full: the reply had %d tokens at most", w.limit)
	}
	p.learnBytes(q.dialect(), len(q.prompt), r.usage.counts().Prompt)
	p.mu.Lock()
	p.unfit = 0
	p.mu.Unlock()
	return r, nil
}

// written is a question that is ready to be sent.
type written struct {
	question
	text    any // or numbers
	stopIDs []int
	wanted  int // of the reply's tokens, as the user has it
	limit   int // what there is room for of them
}

// write makes a question ready, and holds it to the model's window.
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

// request returns the question as the server takes it by now.
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

// fields returns the body of a request, as the servers name its parts. Each ignores
// what it does not know.
func (p *Predictor) fields(q question, prompt any, limit int) map[string]any {
	c := p.cfg
	names := make([]string, 0, len(dsl.Tokens()))
	for _, t := range dsl.Tokens() {
		names = append(names, c.Format.Name(t))
	}
	f := map[string]any{
		"model": p.name(), "prompt": prompt, "max_tokens": limit, "temperature": c.Temperature,
		"stream": true, "stream_options": map[string]any{"include_usage": true},
		// A value ends at its quote, which cannot be a stop: an escaped one is none.
		// A model that declines still stops at <|frame_sep|>.
		"stop": []string{c.Format.Name(dsl.FrameSep)},
		// vLLM and SGLang hide special tokens, and the text they stop at.
		"skip_special_tokens": false, "spaces_between_special_tokens": false,
		"include_stop_str_in_output": true, "no_stop_trim": true,
		"preserved_tokens": names, // llama-server hides all others
	}
	p.drawn(f, q.options)
	if len(c.StopIDs) > 0 {
		f["stop_token_ids"] = c.StopIDs
	}
	if c.Logprobs {
		f["logprobs"] = 1
	}
	if c.Prompt == IDs {
		f["return_token_ids"] = true
	} else if c.AddSpecialTokens != nil {
		f["add_special_tokens"] = *c.AddSpecialTokens
	}
	return p.adapted(f)
}

// drawn sets in a request how its reply is sampled.
func (p *Predictor) drawn(f map[string]any, o backend.Options) {
	if o.Temperature != nil {
		f["temperature"] = *o.Temperature
	}
	if o.TopP != nil {
		f["top_p"] = *o.TopP
	} else if p.cfg.TopP != 0 {
		f["top_p"] = p.cfg.TopP
	}
	if o.Seed != nil {
		f["seed"] = *o.Seed
	} else if p.cfg.Seed != nil {
		f["seed"] = *p.cfg.Seed
	}
}

// adapted leaves out of a request's fields what the server refuses, and has the user's own
// in it.
func (p *Predictor) adapted(f map[string]any) map[string]any {
	p.mu.Lock()
	for name := range p.without {
		f[name] = nil
	}
	p.mu.Unlock()
	maps.Copy(f, p.cfg.Extra)
	return f
}

// reasonHeader is where npdb's own server says why an answer is unknown.
const reasonHeader = "X-Npdb-Reason"

// request is a question as it is sent.
type request struct {
	fields  map[string]any
	text    string // of the question
	limit   int    // of the reply's tokens
	lowered bool   // the window leaves less than a reply may have
	dialect Dialect
	form    chatForm
	stopIDs []int // the tokens at which a reply to a trace ends
}

// replyStream is the data of a reply's events, one after the other.
type replyStream interface {
	RecvRaw() ([]byte, error)
	Header() http.Header
	Close() error
}

// open sends a request. What it gives go-openai are placeholders: the fields have the
// real ones. go-openai refuses some models' names and prompts that are numbers.
func (p *Predictor) open(ctx context.Context, q request) (replyStream, error) {
	ctx = withFields(ctx, q.fields)
	if q.dialect == Chat {
		return p.client.CreateChatCompletionStream(ctx, client.ChatCompletionRequest{Model: "model"})
	}
	return p.client.CreateCompletionStream(ctx, client.CompletionRequest{Model: "model", Prompt: ""})
}

// attempt sends one request and reads its reply. With an error comes what there was
// of the reply, nil if nothing.
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
	idle := time.AfterFunc(p.cfg.Timeout, func() { cancel(errIdle) }) // not so soon that it could fire here
	idle.Stop()                                                       // until the first word: a long question takes its time, as do silent thoughts
	defer idle.Stop()
	last := time.AfterFunc(linger, func() { cancel(nil) })
	last.Stop()
	defer last.Stop()
	in := &intake{sink: s, hider: p.secrets.hide(q.text), reply: reply{chat: q.dialect == Chat, dialect: q.dialect, idsWhole: true, reason: stream.Header().Get(reasonHeader)}, limit: q.limit, frameSep: p.cfg.Format.Name(dsl.FrameSep), trial: q.dialect == ND1 && p.dialect() == Auto, stopIDs: q.stopIDs}
	if q.dialect == CWM {
		in.vocabulary = p.cfg.Vocabulary
	}
	r := &in.reply
	for {
		data, err := stream.RecvRaw()
		if err == nil {
			err = in.take(data)
		}
		switch {
		case r.over():
			if r.ended.IsZero() {
				r.ended = time.Now()
				idle.Stop()
				last.Reset(linger)
				if errors.Is(err, errFaulty) { // what it took is still to be told
					continue
				}
			}
			if err != nil { // whatever it is: all that matters is there
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
			_ = in.takeText(in.hider.rest()) // the failure is another one
			return r, p.fault(ctx, err)
		}
	}
}
