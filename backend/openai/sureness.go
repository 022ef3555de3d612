package openai

import (
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// sureness returns how sure the model was of the parts of the reply, which ends with end, or has
// all of the text where end is "". Nil where none is known to belong to a part.
func (r *reply) sureness(end string, told dsl.Told) *backend.Sureness {
	pieces := r.spelled(end)
	if pieces == nil {
		return nil
	}
	return backend.Measure(pieces, told)
}

// spelled returns the tokens of the reply up to its end. Nil where they do not spell the text:
// characters that are cut into several, told otherwise than by their bytes.
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
