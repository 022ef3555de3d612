package openai

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/rollout"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
)

// maxRounds is the maximum number of requests for one question.
const maxRounds = 10_000

// keyOf returns a hash of the parts of a history that a trace shows. So a recorded state has the same
// key as the model's, although it has locals at a return.
func keyOf(n *dsl.Node) (key rollout.Key) {
	h := sha256.New()
	t := n.Trajectory()
	for _, f := range t.Program.Files {
		fmt.Fprintf(h, "%q%q", f.Name, f.Lines)
	}
	for _, s := range t.Steps {
		fmt.Fprintf(h, "\n%s %v %d", s.Action, s.Edit, s.Reply.Outcome)
		stop := s.Reply.Stop
		if stop == nil {
			continue
		}
		value := ""
		if stop.Value != nil {
			value = *stop.Value
		}
		fmt.Fprintf(h, " %d %d %d %d %q", stop.Event, stop.Kind, stop.Line, stop.Depth, value)
		if stop.Event == dsl.Return || stop.Event == dsl.Exception {
			continue
		}
		for _, l := range stop.Locals {
			if !l.Hidden {
				fmt.Fprintf(h, "%q%q", l.Name, l.Value)
			}
		}
	}
	h.Sum(key[:0])
	return key
}

// noTrace returns the error for a question that a trace cannot express.
func noTrace(err error) *backend.Error {
	return &backend.Error{Kind: backend.Unwritable, Message: "the question cannot be written for the Code World Model: " + err.Error(), Err: err}
}

// untoldLocals is the warning for states whose locals a trace cannot show.
const untoldLocals = "The Code World Model tells no locals at returns and exceptions: none are shown there."

// traced is the combined result of all requests for one question.
type traced struct {
	at         *rollout.Trail
	raw        strings.Builder
	tokens     []backend.Piece // the tokens of raw; unknown text is one token
	heard      rollout.Heard
	known      bool // the probabilities of at least one reply are known
	usage      backend.Usage
	confidence *float64
	first      time.Time
	retries    int
}

// predictTrace implements Predict for traces. It sends as many requests as the action needs.
func (p *Predictor) predictTrace(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	made, at, err := p.trace(ctx, q, show)
	if err != nil {
		return nil, err
	}
	next, err := q.At.Append(made.Step)
	if err != nil {
		return nil, noTrace(err)
	}
	p.trails.Put(keyOf(next), at)
	return made, nil
}

// trace requests frames until the action lands. It returns the prediction and the trail up to its
// state.
func (p *Predictor) trace(ctx context.Context, q backend.Question, show func(backend.Update)) (_ *backend.Prediction, _ *rollout.Trail, err error) {
	began := time.Now()
	at := p.trails.Get(keyOf(q.At))
	anew := at == nil
	if anew {
		if at, err = rollout.Begin(q.At); err != nil {
			return nil, nil, noTrace(err)
		}
	}
	course, err := rollout.Set(at, q.Action)
	if err != nil {
		return nil, nil, &backend.Error{Kind: backend.Unwritable, Message: err.Error(), Err: err}
	}
	certain := 1.0
	made := &traced{at: at, confidence: &certain}
	defer func() {
		if err != nil && !made.first.IsZero() {
			ledgerOf(ctx).addUsed(made.usage)
		}
	}()
	for range maxRounds {
		ask, reply, landed := course.Look(made.at)
		if ask.From != nil {
			made.at = ask.From
		}
		if reply == nil {
			if err := p.roll(ctx, course, ask, q, made, show); err != nil {
				return nil, nil, err
			}
			continue
		}
		prediction, err := p.landed(q, made, *reply, landed, began)
		if err == nil && anew && at.Lost() {
			prediction.Warnings = append(prediction.Warnings, "The trace that the model is given begins here anew: what ran before, and what it led to beside these states, is lost to the model.")
		}
		return prediction, landed, err
	}
	return nil, nil, &backend.Error{Kind: backend.Endless, Message: "the model has not come to where " + q.Action.String() + " leads", Raw: made.raw.String()}
}

// landed returns the prediction for an action that has landed.
func (p *Predictor) landed(q backend.Question, made *traced, reply dsl.Reply, at *rollout.Trail, began time.Time) (*backend.Prediction, error) {
	step := dsl.Step{Action: q.Action, Reply: reply}
	wire, err := q.At.Reply(q.Action, reply)
	if err != nil {
		return nil, noTrace(err)
	}
	h := p.secrets.hide("")
	out := &backend.Prediction{
		Step: step, Raw: h.in(made.raw.String()), Wire: wire, Usage: made.usage, Retries: made.retries, Took: time.Since(began),
	}
	if !made.first.IsZero() {
		out.First = made.first.Sub(began)
	}
	if p.cfg.Logprobs {
		out.Confidence, out.Sureness = made.confidence, made.sureness(at, reply)
	}
	if reply.Outcome == dsl.Ended && !at.Over() && reply.Exit.Exception == nil {
		out.Warnings = append(out.Warnings, ends)
	}
	if at.Doubt() != "" {
		out.Warnings = append(out.Warnings, at.Doubt())
	}
	if stop := reply.Stop; stop != nil && (stop.Event == dsl.Return || stop.Event == dsl.Exception) {
		out.NoLocals = true
		p.warnOnce("untold locals", untoldLocals)
	}
	return out, nil
}

// roll requests the next frames, and appends those that are needed to the trail made.at.
func (p *Predictor) roll(ctx context.Context, course *rollout.Course, ask rollout.Ask, q backend.Question, made *traced, show func(backend.Update)) error {
	from := made.at
	pieces := from.Pieces()
	if ask.Forced {
		pieces = append(pieces, cwm.ForcedReturn)
		made.write(cwm.ForcedReturn, nil)
	}
	stop := cwm.StopOfTrace
	if ask.Single {
		stop = cwm.StopOfFrame
	}
	before := made.raw.String()
	var again func()
	if show != nil {
		again = func() { show(backend.Update{Restarted: true}) }
	}
	var sink *frameSink
	var r *reply
	retries, err := p.retry(ctx, func() *backend.Error {
		sink = &frameSink{at: from, ask: ask, course: course, d: from.Decode(ask.Forced), before: before, show: show}
		var failure *backend.Error
		r, failure = p.ask(ctx, question{prompt: strings.Join(pieces, ""), pieces: pieces, stop: stop, options: q.Options}, sink)
		if failure != nil && sink.at != from && unfinished(failure) {
			ledgerOf(ctx).takeBack()
			return nil // use the frames that were received
		}
		return failure
	}, again)
	made.retries += retries
	var failure *backend.Error
	if r != nil && r.reason != "" {
		err = nil
	}
	if errors.As(err, &failure) {
		failure.Raw = before + failure.Raw
	}
	if err != nil {
		return err
	}
	if r.reason != "" { // npdb's own server declined and sent no frame
		return &backend.Error{Kind: backend.NoState, Message: "the server says that the trace does not tell what comes next: " + p.secrets.quote(r.reason), Raw: before}
	}
	made.at = sink.at
	made.hear(r, sink)
	made.usage = made.usage.Plus(r.usage.counts())
	if made.first.IsZero() {
		made.first = r.first
	}
	if made.confidence == nil && p.cfg.Logprobs {
		p.warnOnce("logprobs", "the server does not tell the probability of each token of a reply: such predictions have no confidence")
	}
	return nil
}

// unfinished reports whether a reply failed only because it is incomplete.
func unfinished(failure *backend.Error) bool {
	switch failure.Kind {
	case backend.Endless, backend.Cut:
		return true
	case backend.TooLong:
		return failure.Status == 0
	}
	return false
}

// frameSink decodes the frames of a reply, and appends them to a trail.
type frameSink struct {
	at     *rollout.Trail
	ask    rollout.Ask
	course *rollout.Course
	d      *cwm.Decoder
	before string // the text of the earlier replies
	show   func(backend.Update)
	over   bool    // no further text is needed
	heard  []heard // the frames that were appended to the trail
	ended  bool    // the model has ended the trace
	used   int     // length of the text up to the last appended frame
}

// heard is a frame of the reply: the trail that ends with it, and the spans of its parts.
type heard struct {
	at   *rollout.Trail
	told cwm.Told
}

func (s *frameSink) feed(piece, raw string) (done bool, err error) {
	frames, ended, err := s.d.Feed(piece)
	for _, f := range frames {
		next, err := s.at.Follow(f, s.ask.Forced)
		if err != nil {
			return false, err
		}
		s.at, s.used = next, f.Told.End
		s.heard = append(s.heard, heard{next, f.Told})
		ask, reply, _ := s.course.Look(next)
		if s.over = s.ask.Single || reply != nil || ask.Forced != s.ask.Forced || ask.Single != s.ask.Single || ask.From != nil; s.over {
			break
		}
	}
	if ended && !s.over {
		s.at, s.over, s.ended = s.at.Exit(), true, true
		s.used += len(cwm.StopOfTrace)
	}
	if s.show != nil {
		u := backend.Update{Raw: s.before + raw}
		if len(frames) > 0 {
			u.Reply = dsl.Reply{Outcome: dsl.Landed, Stop: s.at.State()}
			u.Known = dsl.KnownEvent | dsl.KnownStack | dsl.KnownLocals | dsl.KnownLine | dsl.KnownValue
		}
		s.show(u)
	}
	if s.over {
		return true, nil
	}
	return false, err
}

// ends is the warning if the model ends the trace before the program has ended.
const ends = "The model ends the trace within a function: what the program's exit status is, it does not tell."

// end adds the separator, which a server may omit because it is the stop text.
func (s *frameSink) end() error {
	if s.d.Unread() != "" {
		if _, err := s.feed(cwm.StopOfFrame, ""); err != nil || s.over {
			return err
		}
	}
	if s.d.Unread() != "" || s.over || !s.moved() {
		return &dsl.DecodeError{Kind: dsl.Truncated, Message: "the text ends where it should have a whole frame"}
	}
	return nil
}

// moved reports whether at least one frame was decoded.
func (s *frameSink) moved() bool { return s.d.Count() > 0 }

// tracePrompt returns the prompt of a trace: token numbers, with each piece tokenized separately as in
// training, or the text if the server does not return token numbers. stops holds the tokens that end a
// reply.
func (p *Predictor) tracePrompt(ctx context.Context, q question) (prompt any, tokens int, stops []int, failure *backend.Error) {
	p.mu.Lock()
	asText := p.textAlone
	p.mu.Unlock()
	if !asText {
		idsOf := p.idsOf
		if v := p.cfg.Vocabulary; v != nil {
			idsOf = v.pieces
		}
		ids, failure := idsOf(ctx, q.pieces, false)
		if failure == nil {
			for _, stop := range slices.Compact([]string{q.stop, cwm.StopOfTrace}) {
				more, failure := idsOf(ctx, []string{stop}, false)
				if failure != nil {
					return nil, 0, nil, failure
				}
				if len(more) == 1 {
					stops = append(stops, more[0])
				}
			}
			return ids, len(ids), stops, nil
		}
		if failure.Kind != backend.NoEndpoint {
			return nil, 0, nil, failure
		}
		p.mu.Lock()
		p.textAlone = true
		p.mu.Unlock()
		p.warnOnce("text alone", "the server tells no token numbers (/tokenize): traces are sent as text, in which other tokens may stand than the model was trained on")
	}
	text := q.prompt
	if p.cfg.AddSpecialTokens == nil || *p.cfg.AddSpecialTokens { // the server adds the BOS token
		text = strings.TrimPrefix(text, cwm.Beginning)
	}
	return text, 0, nil, nil
}
