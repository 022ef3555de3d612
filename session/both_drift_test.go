//go:build unix

package session_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
)

const addsUp = `# What a cart costs, when
# all that is in it costs
# twice as much with taxes.


def taxed(price):
    with_tax = price * 2
    return with_tax


def cost(prices):
    total = 0
    for price in prices:
        total += taxed(price)
    return total


due = cost([9, 5, 7, 1])
paid = due + 4
`

// planted is a predictor with one wrong reply: in its reply number at, counted from 0, a
// local has a wrong value.
type planted struct {
	backend.Predictor
	at          int
	name, value string
	asked       int
	was         string
}

func (p *planted) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	made, err := p.Predictor.Predict(ctx, q, show)
	p.asked++
	if err != nil || p.asked != p.at+1 {
		return made, err
	}
	stop := *made.Step.Reply.Stop
	stop.Locals = append([]dsl.Local(nil), stop.Locals...)
	for i := range stop.Locals {
		if stop.Locals[i].Name == p.name {
			p.was, stop.Locals[i].Value = stop.Locals[i].Value, p.value
		}
	}
	made.Step.Reply.Stop = &stop
	made.Raw, err = q.At.Reply(q.Action, made.Step.Reply)
	return made, err
}

// plantedAt returns a session on addsUp beside a model that once predicts 41 in place of
// 42, and continues from the states in its prompt.
func plantedAt(t *testing.T, move int) (*beside, *planted) {
	t.Helper()
	interpreter := pythons.Any(t)
	drift := cpython.New(cpython.Config{Python: interpreter, Drift: true, Timeout: time.Minute})
	t.Cleanup(func() {
		if err := drift.Close(); err != nil {
			t.Error(err)
		}
	})
	p := &planted{Predictor: drift, at: move, name: "total", value: "41"}
	return besideOf(t, interpreter, "cart.py", []byte(addsUp), p), p
}

// The move after which total is 42, the last time at line 14.
const plantedMove = 23

func TestBothFreeDrifts(t *testing.T) {
	b, p := plantedAt(t, plantedMove)
	const first = "First divergence: line 14 of cart.py, total = 41, actually 42, after 23 moves."
	for !b.last.Done {
		a := b.do("s")
		switch same := a.Beside.Verdicts.Same(); {
		case b.moves <= plantedMove && (!same || a.Beside.First != ""):
			t.Fatalf("move %d: %s", b.moves, a.Beside.Sentence)
		case b.moves > plantedMove && a.Beside.First != first:
			t.Fatalf("move %d: %s", b.moves, a.Beside.First)
		case b.moves > plantedMove && a.State != nil && a.State.Function != "taxed" && same:
			t.Errorf("move %d: the wrong value did not last: %+v", b.moves, a.Beside.State)
		}
	}
	if p.was != "42" {
		t.Errorf("41 was planted in place of %q", p.was)
	}
	if a := b.do("divergence first"); a.Err != nil || a.State.Line != 14 || a.State.Locals[1].Value != "42" || a.Beside.State.Locals[1].Value != "41" {
		t.Errorf("%+v %+v", a, a.Beside)
	}
	if a := b.do("score"); !strings.Contains(said(a), first) {
		t.Errorf("%s", said(a))
	}
}

func TestBothGuidedDoesNotDrift(t *testing.T) {
	b, _ := plantedAt(t, plantedMove)
	b.do("walk guided")
	for !b.last.Done {
		a := b.do("s")
		if wrong := a.Beside.Verdicts.Count(); wrong != map[bool]int{true: 1}[b.moves == plantedMove+1] {
			t.Errorf("move %d: %s", b.moves, a.Beside.Sentence)
		}
	}
	if s := b.last.Beside; !strings.Contains(s.First, "line 14 of cart.py, total = 41, actually 42") {
		t.Errorf("%s", s.First)
	}
}

// TestBothResynchronized ends the drift with one command.
func TestBothResynchronized(t *testing.T) {
	b, _ := plantedAt(t, plantedMove)
	for b.moves < plantedMove+1 {
		b.do("s")
	}
	if b.last.Beside.Verdicts.Same() {
		t.Fatal("there is nothing to put right")
	}
	b.do("resync")
	for !b.last.Done {
		if a := b.do("s"); !a.Beside.Verdicts.Same() {
			t.Errorf("move %d: %s", b.moves, a.Beside.Sentence)
		}
	}
}

// TestBothDriftBackwards checks that a free model's mistake also persists backwards, up to
// the mispredicted move.
func TestBothDriftBackwards(t *testing.T) {
	b, _ := plantedAt(t, plantedMove)
	for b.moves < plantedMove+1 {
		b.do("s")
	}
	if a := b.do("rs"); !a.Beside.Verdicts.Same() {
		t.Errorf("before it: %s", a.Beside.Sentence)
	}
	if a := b.do("back"); a.Beside.Verdicts.Same() || a.Beside.State.Locals[1].Value != "41" {
		t.Errorf("shown again: %s", a.Beside.Sentence)
	}
}
