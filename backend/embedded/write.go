package embedded

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/npdb/npdb/backend"
)

// writing is a reply that is being written.
type writing struct {
	engine   *engine
	closing  context.Context // done when the engine must not be used any more
	sequence *sequence
	pending  []int // tokens that the engine has not computed yet
	spot     spot
	drawing  drawing
	limit    int                // maximum number of tokens in the reply
	say      func(piece string) // called with each new piece of the reply's text

	raw    strings.Builder
	tokens []int
	odds   []float64 // log probabilities of the tokens; 0 for determined tokens
	cached int       // number of the prompt's tokens that were cached
	prompt int       // number of tokens of the prompt
}

// Reasons for an incomplete reply.
var (
	errFull    = errors.New("the window is full")
	errTooMany = errors.New("the reply has its limit of tokens")
	errRepeats = errors.New("the reply repeats itself")
	errStuck   = errors.New("no token can follow") // a bug in this package
)

// write continues a prompt until the reply is complete. It appends determined text without
// computing it, and computes these tokens later, together with the next token that is not
// determined.
func (w *writing) write(ctx context.Context, prompt []int) error {
	e := w.engine
	if len(prompt) >= e.Size.Window {
		return errFull
	}
	w.sequence = e.pool.take(prompt)
	w.cached, w.prompt = len(w.sequence.tokens), len(prompt)
	w.pending = append(w.pending, prompt[w.cached:]...)
	e.crew.begin()
	defer e.crew.end()
	for {
		if err := w.append(); err != nil {
			return err
		}
		if w.spot.done() {
			return nil
		}
		if err := w.compute(ctx); err != nil {
			return err
		}
		var after spot
		id, probability := w.drawing.choose(e.logits, func(id int) bool {
			after = w.spot
			return after.token(ours, id)
		})
		if id < 0 {
			return errStuck
		}
		at := len(w.tokens)
		if err := w.take(id); err != nil {
			return err
		}
		w.odds[at] = math.Log(probability)
	}
}

// append appends the tokens of the text that must come next.
func (w *writing) append() error {
	after := w.spot
	ids, _ := ours.begin(nil, after.determined())
	return w.take(ids...)
}

// take appends tokens to the reply and calls say with their text.
func (w *writing) take(ids ...int) error {
	before := w.raw.Len()
	defer func() {
		if piece := w.raw.String()[before:]; piece != "" && w.say != nil {
			w.say(piece)
		}
	}()
	for _, id := range ids {
		if !w.spot.token(ours, id) {
			return errStuck
		}
		if len(w.tokens) == w.limit {
			return errTooMany
		}
		w.tokens, w.odds = append(w.tokens, id), append(w.odds, 0)
		w.pending = append(w.pending, id)
		w.raw.WriteString(ours.words[id])
	}
	return nil
}

// compute computes the pending tokens in batches. It can be cancelled between batches.
func (w *writing) compute(ctx context.Context) error {
	e := w.engine
	if len(w.sequence.tokens)+len(w.pending) > e.Size.Window {
		if repeats(w.tokens) {
			return errRepeats
		}
		return errFull
	}
	for len(w.pending) > 0 {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case w.closing.Err() != nil:
			return errClosed
		}
		n := min(len(w.pending), batch)
		e.compute(w.sequence, w.pending[:n])
		w.pending = w.pending[n:]
	}
	w.pending = w.pending[:0]
	return nil
}

// used returns the number of tokens that the reply used.
func (w *writing) used() backend.Usage {
	return backend.Usage{Prompt: w.prompt, Cached: w.cached, Completion: len(w.tokens)}
}

// confidence returns the probability of the whole reply. Determined tokens count as 1.
func (w *writing) confidence() float64 {
	var sum float64
	for _, odds := range w.odds {
		sum += odds
	}
	return math.Exp(sum)
}

// pieces returns the tokens of the reply. Determined tokens have the probability 1.
func (w *writing) pieces() []backend.Piece {
	pieces := make([]backend.Piece, len(w.tokens))
	for i, id := range w.tokens {
		pieces[i] = backend.Piece{Text: ours.words[id], LogProb: &w.odds[i]}
	}
	return pieces
}

// repeats reports whether the reply ends with many repetitions of a few tokens, so that a larger window
// would not help.
func repeats(tokens []int) bool {
	const end, longest = 192, 48
	if len(tokens) < end {
		return false
	}
	tokens = tokens[len(tokens)-end:]
	for period := 1; period <= longest; period++ {
		if slices.Equal(tokens[period:], tokens[:end-period]) {
			return true
		}
	}
	return false
}
