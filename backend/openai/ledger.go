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

// ledger records the replies to one question that could not be used: broken replies, invalid
// answers, and answers in the wrong dialect. It is stored in the question's context, because
// requests are made in several places.
type ledger struct {
	mu        sync.Mutex
	discarded []backend.Discarded
}

type ledgerKey struct{}

func withLedger(ctx context.Context) (context.Context, *ledger) {
	l := &ledger{}
	return context.WithValue(ctx, ledgerKey{}, l), l
}

// ledgerOf returns the ledger of a question, or nil if it has none.
func ledgerOf(ctx context.Context) *ledger {
	l, _ := ctx.Value(ledgerKey{}).(*ledger)
	return l
}

// add records a failed reply, as far as it was received.
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
			return // the request was refused, or no reply was received
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.discarded = append(l.discarded, v)
}

// addUsed records the tokens of valid replies that led to no result.
func (l *ledger) addUsed(u backend.Usage) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.discarded = append(l.discarded, backend.Discarded{Usage: u})
}

// addContradicted records a reply that contradicted the program's source.
func (l *ledger) addContradicted(r *reply) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.discarded = append(l.discarded, backend.Discarded{Usage: r.usage.counts(), Contradicted: true})
}

// takeBack removes the last record, because the received part of its reply is used.
func (l *ledger) takeBack() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.discarded = l.discarded[:max(len(l.discarded)-1, 0)]
}

// pardon clears Invalid and Outside of all records: the model was asked in a dialect that it does
// not speak, so they should not count as its errors.
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

// with returns the sum of u and the tokens of all recorded replies.
func (l *ledger) with(u backend.Usage) backend.Usage {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range l.discarded {
		u = u.Plus(v.Usage)
	}
	return u
}

// taken returns all records.
func (l *ledger) taken() []backend.Discarded {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.discarded)
}

// outside reports whether a reply was invalid because it names a line that the program does not
// have.
func outside(fault error) bool {
	var wrong *chat.Error
	if errors.As(fault, &wrong) {
		return wrong.Outside
	}
	return dsl.Outside(fault)
}
