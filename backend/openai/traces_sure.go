package openai

import (
	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/rollout"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
)

// write adds a text to what the requests of a question have come to, and the tokens that
// spell it: nil where they are not known, or it was given.
func (t *traced) write(text string, tokens []backend.Piece) {
	t.raw.WriteString(text)
	if tokens == nil {
		tokens = []backend.Piece{{Text: text}}
	}
	t.tokens = append(t.tokens, tokens...)
}

// hear takes down a reply as far as its frames were followed, and how probable that much of
// it was.
func (t *traced) hear(r *reply, s *frameSink) {
	from := t.raw.Len()
	for _, f := range s.heard {
		t.heard.Add(f.at, f.told, from)
	}
	if s.ended {
		t.heard.End(dsl.Span{From: from + s.used - len(cwm.StopOfTrace), To: from + s.used})
	}
	raw := r.raw.String()
	raw = raw[:min(s.used, len(raw))] // a server may keep the end of the last frame to itself
	probable, tokens := r.confidence(""), r.spelled("")
	if tokens != nil {
		tokens = firstOf(tokens, len(raw))
		probable = probability(tokens, 0, len(raw))
		t.known = true
	}
	t.write(raw, tokens)
	t.confidence = times(t.confidence, probable)
}

// firstOf returns the tokens of the first bytes of a text. One that reaches over their end is cut.
func firstOf(tokens []backend.Piece, size int) []backend.Piece {
	for i, token := range tokens {
		if size -= len(token.Text); size <= 0 {
			tokens = tokens[:i+1]
			tokens[i].Text = token.Text[:len(token.Text)+size]
			break
		}
	}
	return tokens
}

// sureness returns how sure the model was of the parts of the reply that all its frames have come
// to, in which an action has landed at a trail. Nil where no probabilities were told.
func (t *traced) sureness(landed *rollout.Trail, r dsl.Reply) *backend.Sureness {
	if !t.known {
		return nil
	}
	return backend.Measure(t.tokens, t.heard.Told(t.at, landed, r))
}

// times multiplies probabilities, nil for one that is not known.
func times(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	c := *a * *b
	return &c
}
