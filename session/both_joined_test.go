//go:build unix

package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/session"
)

// prompts is a predictor that stores the latest prompt.
type prompts struct {
	backend.Predictor
	latest string
}

func (p *prompts) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	p.latest, _ = q.At.Prompt(q.Action)
	return p.Predictor.Predict(ctx, q, show)
}

// TestBothJoinsKnowing lets a model that reads only its text join in the middle: it must
// know what comes next, whatever led there.
func TestBothJoinsKnowing(t *testing.T) {
	interpreter, oracle := remembering(t, cpython.Config{})
	for name, commands := range map[string][]string{
		"steps":          {"s 4", "n 2", "r"},
		"breakpoint":     {"b 14", "c", "c", "s"},
		"condition":      {"b 14, price == 7", "c", "s 2"},
		"count":          {"b 14", "ignore 1 2", "c"},
		"back and forth": {"b 14", "c", "c", "rs 2", "c", "rc"},
		"in the past":    {"tbreak 19", "c", "goto 0", "b 13", "c", "c"},
		"temporary":      {"tbreak 8", "c", "r"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &prompts{Predictor: oracle}
			b := besideOf(t, interpreter, "cart.py", []byte(addsUp), p)
			for _, command := range append(append([]string{"mode real"}, commands...), "mode both", "s") {
				b.s.Line(t.Context(), command, func(a *session.Answer) { b.last = a })
				if b.last.Err != nil {
					t.Fatalf("%s: %v", command, b.last.Err)
				}
			}
			if !b.last.Beside.Compared || !b.last.Beside.Verdicts.Same() {
				t.Errorf("%s\n%s", b.last.Beside.Sentence, p.latest)
			}
		})
	}
}

// TestBothJoinsAfterEdit checks that a text begins after an edit, because no action led
// there.
func TestBothJoinsAfterEdit(t *testing.T) {
	interpreter, oracle := remembering(t, cpython.Config{})
	p := &prompts{Predictor: oracle}
	b := besideOf(t, interpreter, "cart.py", []byte(addsUp), p)
	for _, command := range []string{"mode real", "b 13", "c", "!total = 1000", "s", "mode both", "s"} {
		b.s.Line(t.Context(), command, func(a *session.Answer) { b.last = a })
	}
	if !strings.Contains(p.latest, "<|compact_sep|>") || !strings.Contains(p.latest, `"total": "1000"`) || strings.Contains(p.latest, `"total": "0"`) {
		t.Error(p.latest)
	}
}
