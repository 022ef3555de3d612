package openai

import (
	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/rollout"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
)

// write appends text and the tokens that spell it. tokens is nil if they are unknown, or if the
// text is a part of the prompt.
func (t *traced) write(text string, tokens []backend.Piece) {
	t.raw.WriteString(text)
	if tokens == nil {
		tokens = []backend.Piece{{Text: text}}
	}
	t.tokens = append(t.tokens, tokens...)
}

// hear adds a reply and its probabilities, up to the last frame that was used.
func (t *traced) hear(r *reply, s *frameSink) {
	from := t.raw.Len()
	for _, f := range s.heard {
		t.heard.Add(f.at, f.told, from)
	}
	if s.ended {
		t.heard.End(dsl.Span{From: from + s.used - len(cwm.StopOfTrace), To: from + s.used})
	}
	raw := r.raw.String()
	raw = raw[:min(s.used, len(raw))] // a server may omit the end of the last frame
	probable, tokens := r.confidence(""), r.spelled("")
	if tokens != nil {
		tokens = firstOf(tokens, len(raw))
		probable = probability(tokens, 0, len(raw))
		t.known = true
	}
	t.write(raw, tokens)
	t.confidence = times(t.confidence, probable)
}

// firstOf returns the tokens of the first size bytes of a text. It truncates a token that crosses this
// offset.
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

// sureness returns the model's confidence in the parts of the state r. It returns nil if no
// probabilities were reported.
func (t *traced) sureness(landed *rollout.Trail, r dsl.Reply) *backend.Sureness {
	if !t.known {
		return nil
	}
	return backend.Measure(t.tokens, t.heard.Told(t.at, landed, r))
}

// times multiplies probabilities; the result is nil if either is nil.
func times(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	c := *a * *b
	return &c
}
