package openai

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// ledger has the replies that one question took and that were no answers: a question is
// asked again after a broken reply, once more after a wrong one, and in another dialect.
// It goes with the question's context, for requests are made in several places.
type ledger struct {
	mu        sync.Mutex
	discarded []backend.Discarded
}

type ledgerKey struct{}

func withLedger(ctx context.Context) (context.Context, *ledger) {
	l := &ledger{}
	return context.WithValue(ctx, ledgerKey{}, l), l
}

// ledgerOf returns that of a question, nil where nobody keeps one.
func ledgerOf(ctx context.Context) *ledger {
	l, _ := ctx.Value(ledgerKey{}).(*ledger)
	return l
}

// add takes down a failure and what there was of its reply.
func (l *ledger) add(r *reply, failure *backend.Error) {
	if l == nil || r == nil {
		return
	}
	v := backend.Discarded{Usage: r.usage.counts()}
	switch failure.Kind {
	case backend.NoState, backend.Endless:
		v.Invalid, v.Outside = true, outside(failure.Err)
	default:
		if r.pieces == 0 && r.usage == nil {
			return // it was refused, or nothing came
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.discarded = append(l.discarded, v)
}

// addUsed takes down the tokens of replies that were followed and have led nowhere.
func (l *ledger) addUsed(u backend.Usage) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.discarded = append(l.discarded, backend.Discarded{Usage: u})
}

// takeBack forgets the last reply: what there is of it is of use.
func (l *ledger) takeBack() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.discarded = l.discarded[:max(len(l.discarded)-1, 0)]
}

// pardon marks the replies so far as no fault of the model's: it does not speak the dialect
// that it was asked in.
func (l *ledger) pardon() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.discarded {
		l.discarded[i].Invalid, l.discarded[i].Outside = false, false
	}
}

// with returns the tokens of a reply, and of all that was taken down.
func (l *ledger) with(u backend.Usage) backend.Usage {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range l.discarded {
		u = u.Plus(v.Usage)
	}
	return u
}

// taken returns all that was taken down.
func (l *ledger) taken() []backend.Discarded {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.discarded)
}

// outside reports whether a reply was no state for a line that the program does not have.
func outside(fault error) bool {
	var wrong *chat.Error
	if errors.As(fault, &wrong) {
		return wrong.Outside
	}
	return dsl.Outside(fault)
}
