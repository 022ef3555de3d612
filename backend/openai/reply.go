package openai

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl/chat"
)

// reply is what came of a question.
type reply struct {
	chat     bool
	dialect  Dialect
	raw      strings.Builder
	thoughts strings.Builder // of a model that thinks before it answers
	complete bool            // the sink has all
	finish   string          // why the server stopped; "" as long as it did not
	usage    *usage
	logprobs []tokenLogprob
	ids      []int
	idsWhole bool // each piece of text came with its ids
	pieces   int  // of text: each has a token at least
	bare     int  // of them came without log probabilities
	first    time.Time
	ended    time.Time
	reason   string // why the server says that it is unknown
}

// over reports whether nothing of the reply's text is to come.
func (r *reply) over() bool { return r.complete || endsReply(r.finish) }

const (
	// maxTokenBytes bounds a reply by its tokens: no vocabulary in use has longer
	// ones on average.
	maxTokenBytes = 16
	// minMaxBytes is the least bound of a reply.
	minMaxBytes = 64 << 10
	// maxAfterFault is how much of a reply is read after its first fault, for
	// people to look at, in bytes.
	maxAfterFault = 4 << 10
	// trialAfterFault is the same where it is only to be seen whether that was nd/1.
	trialAfterFault = 64
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
	reply      reply
	sink       sink
	hider      hider
	limit      int // tokens
	frameSep   string
	stopIDs    []int
	vocabulary *Vocabulary // where a trace is asked for
	trial      bool        // whether the model speaks nd/1 is not known: what follows a fault tells
	events     int         // that were read
	fault      error       // the sink's
	faultAt    int         // bytes
}

// take reads one piece. The error is errNoChunk, a *serverError, or one of those
// above.
func (in *intake) take(data []byte) error {
	in.events++
	c, err := decodeChunk(data)
	if err != nil {
		return err
	}
	r := &in.reply
	if c.Usage != nil {
		r.usage = c.Usage
	}
	for _, ch := range c.Choices {
		if ch.Index.value != 0 {
			continue
		}
		if r.complete && ch.text() != "" {
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
	if finish := finishNamed(ch.FinishReason); finish != "" {
		r.finish = finish
	}
	ids := slices.Concat(ch.TokenIDs, ch.Tokens)
	if in.vocabulary != nil && len(ch.Tokens) > 0 { // its text may hide special tokens
		ch.Text = in.vocabulary.Text(ch.Tokens)
	}
	if r.finish == finishLength && len(ids) > 0 && slices.Contains(in.stopIDs, ids[len(ids)-1]) {
		r.finish = finishStop // fgserve says so of each
	}
	if r.complete {
		return nil
	}
	if ch.thought() == "" || ch.text() != "" { // else they are those of thoughts
		r.logprobs = append(r.logprobs, ch.Logprobs.tokens...)
	}
	r.ids = append(r.ids, ch.TokenIDs...)
	if thought := ch.thought(); thought != "" {
		r.thoughts.WriteString(thought)
		if r.pieces++; r.pieces > in.limit+1 || r.thoughts.Len() > in.maxBytes() {
			return errTooMany
		}
	}
	if ch.text() != "" {
		if r.first.IsZero() {
			r.first = time.Now()
		}
		r.idsWhole = r.idsWhole && len(ch.TokenIDs) > 0
		r.pieces++
		if len(ch.Logprobs.tokens) == 0 {
			r.bare++
		}
	}
	text := in.hider.feed(ch.text())
	if r.finish != "" {
		text += in.hider.rest()
	}
	return in.takeText(text)
}

// maxBytes bounds what a model says, and what it thinks.
func (in *intake) maxBytes() int { return max(in.limit*maxTokenBytes, minMaxBytes) }

// takeText takes what can be shown of a piece.
func (in *intake) takeText(text string) error {
	r := &in.reply
	r.idsWhole = r.idsWhole && !in.hider.found
	if text == "" {
		return nil
	}
	r.raw.WriteString(text)
	if in.fault == nil {
		r.complete, in.fault = in.sink.feed(text, r.raw.String())
		if in.fault != nil {
			in.faultAt = r.raw.Len() - len(text)
		}
	}
	switch size := r.raw.Len(); {
	case r.complete:
	case in.fault != nil && (size-in.faultAt > maxAfterFault || in.trial && size-in.faultAt > trialAfterFault || strings.Contains(r.raw.String()[in.faultAt:], in.frameSep)):
		return errFaulty
	case r.pieces > in.limit+1 || size > in.maxBytes():
		return errTooMany
	}
	return nil
}

// judge returns the error for a finished reply, nil for a good one. A reply without a finish
// reason counts if its text is whole.
func (p *Predictor) judge(in *intake, q request) *backend.Error {
	r := &in.reply
	if r.ended.IsZero() {
		r.ended = time.Now()
	}
	if !r.complete {
		_ = in.takeText(in.hider.rest()) // what it says of the text, judge says
	}
	switch {
	case r.complete:
		return nil
	case in.fault != nil:
		return p.noState(r, in.fault)
	case r.finish == "" && (r.dialect == CWM || in.sink.end() != nil):
		// A frame that is cut may look like another one; what else is whole needs no word.
		return p.cut()
	case r.finish == "":
		return nil
	case r.finish == finishLength:
		return p.unended(r, q)
	case r.finish == "abort", r.finish == "error":
		return p.failed(backend.ServerFailed, "gave the question up (%q). Its log may say why", r.finish)
	case r.finish == finishFilter:
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

// unended returns a reply that has its limit of tokens, or was cut before that for want of
// room: then the text is to be a shorter one.
func (p *Predictor) unended(r *reply, q request) *backend.Error {
	switch {
	case q.lowered:
		return p.failed(backend.TooLong, "had no room for the whole reply: the model's window is full")
	case r.thoughts.Len() > 0 && r.raw.Len() == 0:
		return &backend.Error{
			Kind:    backend.Endless,
			Message: fmt.Sprintf("the model has thought until its %d tokens (max_tokens) were used, and gave no answer: raise --max-tokens, or have it think less (extra = '{\"reasoning_effort\": \"low\"}')", q.limit),
		}
	case r.finish == finishLength && p.cutShort(r, q):
		return p.failed(backend.TooLong, "ended the reply before it had its %d tokens (max_tokens): the model's window is full, or the server has a limit of its own", q.limit)
	}
	return &backend.Error{
		Kind:    backend.Endless,
		Message: fmt.Sprintf("the model's reply did not end within %d tokens (max_tokens): raise --max-tokens if states of this program are that long", q.limit),
	}
}

// cutShort reports whether the server has ended a reply before its limit of tokens, at
// the end of the window as far as that is known.
func (p *Predictor) cutShort(r *reply, q request) bool {
	told := r.usage.counts()
	prompt, tokens := told.Prompt, told.Completion
	if prompt < 0 {
		prompt = len(q.text) // it has no more
	}
	if tokens < 0 {
		tokens = r.pieces // it has no fewer
	}
	p.mu.Lock()
	window := p.window
	p.mu.Unlock()
	if window > 0 && prompt+tokens+minReply < window {
		return false // the server has a limit of its own
	}
	return tokens < q.limit
}

// hiddenTokens is a state without its special tokens: a stack or not, locals and a line.
var hiddenTokens = regexp.MustCompile(`^\s*(?:(?:\[\[.*\]\]|"[^"\n]*"))?\{[^\n]*\}[a-z]*:?\d+\|`)

// noState describes in what way a reply is none.
func (p *Predictor) noState(r *reply, fault error) *backend.Error {
	e := &backend.Error{Kind: backend.NoState, Err: fault}
	raw := r.raw.String()
	var wrong *chat.Error
	switch {
	case errors.As(fault, &wrong) && strings.TrimSpace(raw) == "":
		e.Message = "the model said nothing: it stopped at once"
	case errors.As(fault, &wrong):
		e.Message = "the model's answer is no state: " + p.secrets.quote(wrong.Message)
	case r.dialect == CWM && !p.hasTokens(raw):
		e.Message = "the model writes no frames of a trace: it is no Code World Model, or its server hides special tokens. `npdb doctor` tells which"
	case r.dialect == CWM:
		e.Message = "the model's reply is no frame of a trace: " + fault.Error()
	case raw == "":
		e.Message = "the model said nothing: it stopped at once. Perhaps it does not speak nd/1. " + speakers
	case hiddenTokens.MatchString(raw):
		e.Message = "the model's reply has no special tokens: the server hides them, or the model does not speak nd/1. `npdb doctor` tells which"
	case !p.hasTokens(raw):
		e.Message = "the model answers in words of its own: it does not speak nd/1. " + speakers
	default:
		e.Message = "the model's reply is no state: " + fault.Error()
	}
	return e
}

// noProbability is what servers tell in place of the logarithm of a probability of 0,
// or of one that they do not know.
const noProbability = -9999

// known returns the logarithm of a token's probability, nil where the server has none.
func (t tokenLogprob) known() *float64 {
	if t.Logprob == nil || math.IsNaN(*t.Logprob) || *t.Logprob <= noProbability {
		return nil
	}
	return t.Logprob
}

// confidence returns the probability of the reply: of its tokens up to the one that ends it,
// of all where end is "".
// Nil where that of one is not known: a part of the product is no probability of the
// whole.
func (r *reply) confidence(end string) *float64 {
	var sum float64
	var text strings.Builder
	for i, t := range r.logprobs {
		logprob := t.known()
		if logprob == nil {
			return nil
		}
		sum += *logprob
		if end == "" && i > 0 && i == len(r.logprobs)-1 && text.String() == r.raw.String() {
			break // the token that ends the model's turn is told, and is no text
		}
		text.WriteString(t.text())
		if end != "" && strings.HasSuffix(text.String(), end) {
			break
		}
	}
	if len(r.logprobs) == 0 || !r.covered(text.String(), end) {
		return nil
	}
	confidence := min(math.Exp(sum), 1)
	return &confidence
}

// covered reports whether the tokens whose probabilities are known spell the reply. Its
// end may be missing on either side. A token that is a part of a character is told in
// several ways: then each piece must have come with its tokens.
func (r *reply) covered(tokens, end string) bool {
	raw := r.raw.String()
	if end != "" {
		raw, _, _ = strings.Cut(raw, end)
		tokens, _, _ = strings.Cut(tokens, end)
	}
	if strings.ContainsRune(raw, utf8.RuneError) || strings.ContainsRune(tokens, utf8.RuneError) || strings.Contains(tokens, `bytes:\x`) || isASCII(raw) != isASCII(tokens) {
		return r.bare == 0
	}
	return tokens == raw
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
