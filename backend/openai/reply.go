package openai

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/npdb/npdb/backend"
)

// reply is what came of a question.
type reply struct {
	raw      strings.Builder
	complete bool   // the sink has all
	finish   string // why the server stopped; "" as long as it did not
	usage    *usage
	logprobs []tokenLogprob
	ids      []int
	idsWhole bool // each piece of text came with its ids
	pieces   int  // of text: each has a token at least
	first    time.Time
	ended    time.Time
	warnings []string
}

// over reports whether nothing of the reply's text is to come.
func (r *reply) over() bool { return r.complete || r.finish != "" }

const (
	// maxTokenBytes bounds a reply by its tokens: no vocabulary in use has longer
	// ones on average.
	maxTokenBytes = 16
	// minMaxBytes is the least bound of a reply.
	minMaxBytes = 64 << 10
	// maxAfterFault is how much of a reply is read after its first fault, for
	// people to look at, in bytes.
	maxAfterFault = 4 << 10
	// linger is how long the server has for its last words (usage, the end of the
	// stream) when the reply is there. They also let the connection be used again.
	linger = 250 * time.Millisecond
)

// Why a reply is read no further.
var (
	errEnough  = errors.New("the reply is there")
	errFaulty  = errors.New("the reply is faulty")
	errTooMany = errors.New("the reply does not end")
)

// intake gathers a reply from its pieces.
type intake struct {
	reply    reply
	sink     sink
	limit    int // tokens
	frameSep string
	fault    error // the sink's
	faultAt  int   // bytes
}

// take reads one piece. The error is errNoChunk, a *serverError, or one of those
// above.
func (in *intake) take(data []byte) error {
	c, err := decodeChunk(data)
	if err != nil {
		return err
	}
	r := &in.reply
	if c.Usage != nil {
		r.usage = c.Usage
	}
	for _, ch := range c.Choices {
		if ch.Index != 0 {
			continue
		}
		if r.complete && ch.Text != "" {
			return errEnough // the server goes on past the end
		}
		if err := in.takeChoice(ch); err != nil {
			return err
		}
	}
	return nil
}

func (in *intake) takeChoice(ch choice) error {
	r := &in.reply
	if ch.FinishReason != nil && *ch.FinishReason != "" {
		r.finish = *ch.FinishReason
	}
	if r.complete {
		return nil
	}
	r.logprobs = append(r.logprobs, ch.Logprobs.tokens...)
	r.ids = append(r.ids, ch.TokenIDs...)
	if ch.Text == "" {
		return nil
	}
	if r.first.IsZero() {
		r.first = time.Now()
	}
	r.idsWhole = r.idsWhole && len(ch.TokenIDs) > 0
	r.pieces++
	r.raw.WriteString(ch.Text)
	if in.fault == nil {
		r.complete, in.fault = in.sink.feed(ch.Text, r.raw.String())
		if in.fault != nil {
			in.faultAt = r.raw.Len() - len(ch.Text)
		}
	}
	switch size := r.raw.Len(); {
	case r.complete:
	case in.fault != nil && (size-in.faultAt > maxAfterFault || strings.Contains(r.raw.String()[in.faultAt:], in.frameSep)):
		return errFaulty
	case r.pieces > in.limit+1 || size > max(in.limit*maxTokenBytes, minMaxBytes):
		return errTooMany
	}
	return nil
}

// judge says what a reply is that nothing more comes of.
func (p *Predictor) judge(in *intake, limit int) *backend.Error {
	r := &in.reply
	switch {
	case r.complete:
		return nil
	case in.fault != nil:
		return p.noState(r, in.fault)
	case r.finish == "":
		return p.cut()
	case r.finish == "length":
		return p.endless(limit)
	case r.finish == "abort", r.finish == "error":
		return p.failed(backend.ServerFailed, "gave the question up (%q). Its log may say why", r.finish)
	case r.finish == "content_filter":
		return p.failed(backend.BadRequest, "has filtered the reply")
	}
	if err := in.sink.end(); err != nil {
		return p.noState(r, err)
	}
	return nil
}

func (p *Predictor) cut() *backend.Error {
	return p.failed(backend.Cut, "broke its reply off in the middle. Its log may say why")
}

func (p *Predictor) endless(limit int) *backend.Error {
	return &backend.Error{
		Kind:    backend.Endless,
		Message: fmt.Sprintf("the model's reply did not end within %d tokens (max_tokens): raise --max-tokens if states of this program are that long", limit),
	}
}

// noState says in what way a reply is none.
func (p *Predictor) noState(r *reply, fault error) *backend.Error {
	e := &backend.Error{Kind: backend.NoState, Err: fault}
	raw := r.raw.String()
	switch {
	case raw == "":
		e.Message = "the model said nothing: it stopped at once. Does it speak nd/1?"
	case !strings.Contains(raw, "<|") && strings.ContainsAny(raw, `{"`):
		e.Message = "the model's reply has no special tokens: the server hides them, or the model does not speak nd/1. `npdb probe` tells which"
	default:
		e.Message = "the model's reply is no state: " + fault.Error()
	}
	return e
}

// confidence is the probability of the reply: of its tokens up to the one that
// ends it. Nil where a token's is not known.
func (r *reply) confidence(end string) *float64 {
	var sum float64
	var text strings.Builder
	for _, t := range r.logprobs {
		if t.Logprob == nil {
			return nil
		}
		sum += *t.Logprob
		text.WriteString(t.Token)
		if strings.HasSuffix(text.String(), end) {
			break
		}
	}
	if len(r.logprobs) == 0 {
		return nil
	}
	confidence := min(math.Exp(sum), 1)
	return &confidence
}
