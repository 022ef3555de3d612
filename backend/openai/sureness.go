package openai

import (
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// sureness returns the model's confidence in the parts of the reply before the first end, or of the
// whole reply if end is "". It returns nil if the reported tokens do not spell the reply.
func (r *reply) sureness(end string, told dsl.Told) *backend.Sureness {
	pieces := r.spelled(end)
	if pieces == nil {
		return nil
	}
	return backend.Measure(pieces, told)
}

// spelled returns the tokens of the reply before the first end, or all if end is "". It returns nil
// if they do not spell the reply: a character may be split into several tokens whose bytes the
// server does not report.
func (r *reply) spelled(end string) []backend.Piece {
	raw := r.raw.String()
	if end != "" {
		raw, _, _ = strings.Cut(raw, end)
	}
	pieces := make([]backend.Piece, 0, len(r.logprobs))
	spelled := 0
	for _, t := range r.logprobs {
		if spelled >= len(raw) {
			break
		}
		text := t.text()
		if rest := raw[spelled:]; !strings.HasPrefix(text, rest) && !strings.HasPrefix(rest, text) {
			return nil
		}
		spelled += len(text)
		pieces = append(pieces, backend.Piece{Text: text, LogProb: t.known()})
	}
	if len(pieces) == 0 || spelled < len(raw) {
		return nil
	}
	return pieces
}
