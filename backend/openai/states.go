package openai

import (
	"crypto/sha256"
	"math"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/rollout"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// kept is a state from the reply to an earlier question, which answers a later question.
type kept struct {
	step       dsl.Step
	raw        string
	confidence *float64
	sureness   *backend.Sureness
}

var _ backend.Keeper = (*Predictor)(nil)

// Keeps reports whether the state for q was in the reply to an earlier question; see
// backend.Keeper.
func (p *Predictor) Keeps(q backend.Question) bool {
	_, k := p.keptFor(q)
	return k != nil
}

// keptFor returns the key of a question and the state stored for it, or nil. It returns nil for a
// question with sampling options, because only the likeliest state is stored.
func (p *Predictor) keptFor(q backend.Question) (rollout.Key, *kept) {
	if p.cfg.Stops < 2 || !drawnAsEver(q.Options) {
		return rollout.Key{}, nil
	}
	key, err := keyOfQuestion(q.At, q.Action)
	if err != nil {
		return key, nil
	}
	return key, p.stops.Get(key)
}

// drawnAsEver reports whether a question sets no sampling options of its own.
func drawnAsEver(o backend.Options) bool { return o == backend.Options{} }

// keyOfQuestion returns a hash of a question: of the program, its history and the action.
func keyOfQuestion(at *dsl.Node, a dsl.Action) (rollout.Key, error) {
	prompt, err := at.Prompt(a)
	return sha256.Sum256([]byte(prompt)), err
}

// atOnce returns the maximum number of states in the reply to a question. It is more than one only
// for moves that the user is likely to repeat.
func (p *Predictor) atOnce(q backend.Question) int {
	switch q.Action.Move {
	case dsl.StepInto, dsl.StepOver, dsl.InvStepInto, dsl.InvStepOver:
		if drawnAsEver(q.Options) && !q.Alone {
			return p.cfg.Stops
		}
	}
	return 1
}

// fromBefore returns the prediction from a stored state, without a request, or nil if none is stored.
func (p *Predictor) fromBefore(q backend.Question) *backend.Prediction {
	_, k := p.keptFor(q)
	if k == nil {
		return nil
	}
	wire, err := q.At.Reply(q.Action, k.step.Reply)
	if err != nil {
		return nil
	}
	return &backend.Prediction{Step: k.step, Raw: k.raw, Wire: wire, Confidence: k.confidence, Sureness: k.sureness, Kept: true}
}

// keepRest stores the states of a reply after the first one. Each is stored for the question that it
// answers: the same action from the state before it.
func (p *Predictor) keepRest(q backend.Question, talk *conversation, r *reply, parts []chat.Part) {
	raw := r.raw.String()
	at, err := q.At.Append(parts[0].Step)
	for i, part := range parts[1:] {
		if err != nil {
			return
		}
		var key rollout.Key
		if key, err = keyOfQuestion(at, q.Action); err != nil {
			return
		}
		k := &kept{step: part.Step, raw: raw[part.At.From:part.At.To]}
		k.confidence, k.sureness = p.sureOf(talk, r, part, parts[i].At.To)
		p.stops.Put(key, k)
		at, err = at.Append(part.Step)
	}
}

// sureOf returns the model's confidence in one state of a reply, and in its parts, given all states
// before it. The state before it ends at offset from. Unknown confidences are nil.
func (p *Predictor) sureOf(talk *conversation, r *reply, part chat.Part, from int) (confidence *float64, s *backend.Sureness) {
	if p.cfg.Logprobs {
		if pieces := r.spelled(""); pieces != nil {
			confidence = probability(pieces, from, part.At.To)
			s = backend.Measure(pieces, part.Told(r.raw.String()))
		}
	}
	if talk.sure && s == nil {
		if word := chat.Sure(r.raw.String()[part.At.From:part.At.To]); word != nil {
			s = &backend.Sureness{By: backend.OwnWord, Whole: word}
		}
	}
	return confidence, s
}

// probability returns the probability of a part of a text: the product over the tokens that begin
// between from and to. It returns nil if one of them is unknown.
func probability(pieces []backend.Piece, from, to int) *float64 {
	sum, at := 0.0, 0
	for _, piece := range pieces {
		if at >= from && at < to {
			if piece.LogProb == nil {
				return nil
			}
			sum += *piece.LogProb
		}
		at += len(piece.Text)
	}
	c := min(math.Exp(sum), 1)
	return &c
}

// decode decodes an answer: a list of states, or one state.
func (c *conversation) decode(q backend.Question, text string) ([]chat.Part, error) {
	if c.states > 0 {
		return chat.DecodeStates(q.At, q.Action, c.states, text)
	}
	step, err := chat.Decode(q.At, q.Action, text)
	if err != nil {
		return nil, err
	}
	return []chat.Part{{Step: step}}, nil
}

// salvages reports whether a truncated reply contains at least one complete state. Then the reply
// counts as successful.
func (c *conversation) salvages(r *reply, failure *backend.Error, read func(text string) error) bool {
	if c.states == 0 || r == nil || failure == nil || !unfinished(failure) || read(r.raw.String()) != nil {
		return false
	}
	if r.ended.IsZero() {
		r.ended = time.Now()
	}
	return true
}
