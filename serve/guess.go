package serve

import (
	"context"
	"net/http"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// takes returns an *apiError for a request that the model cannot answer. Its message says which
// requests the model can answer.
func (m *Model) takes(t dialect, q *request) error {
	if !m.Guesses {
		return nil
	}
	if _, trace := t.(*traces); trace {
		return badRequest("prompt", "The model `%s` does not continue traces of the Code World Model: use nd/1 (--dialect nd1) or chat (--dialect chat).", m.Name)
	}
	if q.N != nil && *q.N > 1 && q.draws() {
		return badRequest("n", "n must be 1 with a temperature: the model `%s` samples one answer for each request. Send several requests with different seeds.", m.Name)
	}
	return nil
}

// options returns the sampling options for the model's answer. For CPython, which does not sample,
// it returns none.
func (m *Model) options(q *request) backend.Options {
	if !m.Guesses {
		return backend.Options{}
	}
	return q.options()
}

// filled answers a prompt for the value of an argument in the first state (--entry). It returns nil
// for any other prompt.
func (m *Model) filled(ctx context.Context, t dialect, q *request) (*answer, error) {
	text, ok := t.(texts)
	if !ok || !m.Guesses {
		return nil, nil
	}
	at, first, ok := text.ReadValue(text.text(q))
	if !ok {
		return nil, nil
	}
	last := len(first.Locals) - 1
	got, err := m.Predictor.Fill(ctx, at, first, []int{last}, q.options())
	if err != nil {
		return nil, err
	}
	return &answer{dialect: t, text: dsl.ValueText(got.First.Locals[last].Value)}, nil
}

// beyondModel returns the error for a request that exceeds the model's own window. The model counts
// other tokens than the server.
func beyondModel(message string) *apiError {
	return &apiError{Message: "The question exceeds the model's window: " + message, Type: "exceed_context_size_error", Code: http.StatusBadRequest}
}

// leastLogprob replaces the logarithm of 0, which JSON cannot represent. vLLM uses the same value.
const leastLogprob = -9999

// tell sets the log probabilities of a choice's tokens, from those of the model's own tokens
// (pieces), which are longer. The token with the first byte of a piece gets the piece's log
// probability; the other tokens keep 0.
func (c *choice) tell(t *tokenizer, pieces []backend.Piece) {
	if c.vague {
		return
	}
	next, begins := 0, 0 // index of a piece, and the offset where it begins
	end := 0
	for i := range c.tokens {
		one := &c.tokens[i]
		end += len(t.text(one.id))
		for next < len(pieces) && begins < end {
			if p := pieces[next].LogProb; p != nil {
				one.logprob = max(one.logprob+*p, leastLogprob)
			}
			begins += len(pieces[next].Text)
			next++
		}
	}
}
