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

// reply is the received part of the reply to a request.
type reply struct {
	chat     bool
	dialect  Dialect
	raw      strings.Builder
	thoughts strings.Builder // the model's reasoning before the answer
	complete bool            // the sink has decoded the whole reply
	finish   string          // why the server stopped; "" before that
	usage    *usage
	logprobs []tokenLogprob
	ids      []int
	idsWhole bool // each piece of text came with its token numbers
	pieces   int  // number of pieces of text; each has at least one token
	bare     int  // pieces without log probabilities
	first    time.Time
	ended    time.Time
	reason   string // why the state is unknown, as the server says
}

// over reports whether the text of the reply is complete.
func (r *reply) over() bool { return r.complete || endsReply(r.finish) }

const (
	// maxTokenBytes is an upper bound for the average length of a vocabulary's tokens, in bytes. It
	// limits the length of a reply.
	maxTokenBytes = 16
	// minMaxBytes is the smallest limit for the length of a reply, in bytes.
	minMaxBytes = 64 << 10
	// maxAfterFault is the number of bytes that are still read after the first error in a reply, to
	// show them to the user.
	maxAfterFault = 4 << 10
	// trialAfterFault replaces maxAfterFault while it is unknown whether the model speaks nd/1.
	trialAfterFault = 64
	// linger limits the wait for the end of the stream (usage and [DONE]) after the reply is
	// complete. A connection can be reused only if the stream was read to its end.
	linger = 250 * time.Millisecond
)

// The reasons to stop reading a reply.
var (
	errEnough  = errors.New("the reply is there")
	errFaulty  = errors.New("the reply is faulty")
	errTooMany = errors.New("the reply does not end")
)

// intake assembles a reply from its pieces.
type intake struct {
	reply      reply
	sink       sink
	hider      hider
	limit      int // token limit of the reply
	frameSep   string
	stopIDs    []int
	vocabulary *Vocabulary // decodes token numbers; set for traces only
	trial      bool        // the reply decides whether the model speaks nd/1
	events     int         // number of events read
	fault      error       // the error of the sink
	faultAt    int         // offset in the reply at which the fault was found
}

// take adds one piece to the reply. The error is errEnough, errFaulty or errTooMany.
func (in *intake) take(c chunk) error {
	in.events++
	r := &in.reply
	if c.Usage != nil {
		r.usage = c.Usage
	}
	for _, ch := range c.Choices {
		if ch.Index.value != 0 {
			continue
		}
		if r.complete && ch.text() != "" {
			return errEnough // the server continues after the end
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
	if in.vocabulary != nil && len(ch.Tokens) > 0 { // the piece's text may lack special tokens
		ch.Text = in.vocabulary.Text(ch.Tokens)
	}
	if r.finish == finishLength && len(ids) > 0 && slices.Contains(in.stopIDs, ids[len(ids)-1]) {
		r.finish = finishStop // fgserve always reports finishLength
	}
	if r.complete {
		return nil
	}
	if ch.thought() == "" || ch.text() != "" { // otherwise the tokens are reasoning
		r.logprobs = append(r.logprobs, ch.Logprobs.tokens()...)
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
		if ch.Logprobs.shape() == "" {
			r.bare++
		}
	}
	text := in.hider.feed(ch.text())
	if r.finish != "" {
		text += in.hider.rest()
	}
	return in.takeText(text)
}

// maxBytes returns the limit for the length of the reply, and for that of the reasoning.
func (in *intake) maxBytes() int { return max(in.limit*maxTokenBytes, minMaxBytes) }

// takeText appends text without secrets to the reply.
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

// judge returns the error for a reply that has ended, or nil if it is valid. A reply without a
// finish reason is valid if its text is complete.
func (p *Predictor) judge(in *intake, q request) *backend.Error {
	r := &in.reply
	if r.ended.IsZero() {
		r.ended = time.Now()
	}
	if !r.complete {
		_ = in.takeText(in.hider.rest()) // an error of the sink is in in.fault
	}
	switch {
	case r.complete:
		return nil
	case in.fault != nil:
		return p.noState(r, in.fault)
	case r.finish == "" && (r.dialect == CWM || in.sink.end() != nil):
		// Without a finish reason a CWM reply counts as cut, because a truncated frame can look like a
		// complete, different frame. A reply in another dialect that decodes needs no finish reason.
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

// unended returns the error for a reply that reached its token limit, or that ended earlier because
// the window was full. In the second case the prompt must become shorter.
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

// cutShort reports whether the server ended a reply before its token limit because the window was
// full. It returns false if npdb knows that the window had room left.
func (p *Predictor) cutShort(r *reply, q request) bool {
	told := r.usage.counts()
	prompt, tokens := told.Prompt, told.Completion
	if prompt < 0 {
		prompt = len(q.text) // an upper bound
	}
	if tokens < 0 {
		tokens = r.pieces // a lower bound
	}
	p.mu.Lock()
	window := p.window
	p.mu.Unlock()
	if window > 0 && prompt+tokens+minReply < window {
		return false // the server has a limit of its own
	}
	return tokens < q.limit
}

// hiddenTokens matches an nd/1 state without its special tokens: an optional stack, the locals, and a
// line.
var hiddenTokens = regexp.MustCompile(`^\s*(?:(?:\[\[.*\]\]|"[^"\n]*"))?\{[^\n]*\}[a-z]*:?\d+\|`)

// noState returns the error for a reply that is not a valid state, with the likely reason.
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

// noProbability is the log probability that servers send for a probability of 0 or an unknown one.
const noProbability = -9999

// known returns the log probability of a token, or nil if it is unknown.
func (t tokenLogprob) known() *float64 {
	if t.Logprob.value <= noProbability {
		return nil
	}
	return t.Logprob.pointer()
}

// confidence returns the probability of the reply: the product over the tokens before and including
// the first end, or over all tokens if end is "". It returns nil if one of these probabilities is
// unknown, because a partial product is not the probability of the whole.
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
			break // the last token ends the model's turn and has no text in the reply
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

// covered reports whether the tokens with known probabilities spell the reply, up to end if that is not
// "". Servers write tokens that are parts of a character in different ways. For those, covered only
// requires that each piece came with its tokens.
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
