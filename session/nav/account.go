package nav

import (
	"slices"
	"sync"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session/score"
)

// Accounts is what the answers that the user asked for took in a session, by model. Any
// goroutine may call its methods.
type Accounts struct {
	mu sync.Mutex
	of map[*Neural]*Account
}

// Account is what one model's answers took.
type Account struct {
	score.Spent
	// Prefetched tells that the last answer was asked before the user came to it.
	Prefetched bool
	// WasKept tells that it came with the reply to an earlier question.
	WasKept bool
}

// add adds what a question took, an answer or replies that were none. One that failed, or was
// given up, before anything came of a reply tells nothing of what it took.
func (a *Accounts) add(n *Neural, r reply) {
	if r.err != nil && len(r.discarded) == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	account := a.account(n)
	account.DiscardedBy(r.discarded, r.err == nil, n.Prices)
	if r.err != nil {
		return
	}
	if r.made.Kept {
		account.Kept++
	} else {
		account.Answered(r.made.Usage, r.made.Took, n.Prices)
	}
	account.Prefetched, account.WasKept = r.prefetch, r.made.Kept
}

// filled adds what it took to fill in values.
func (a *Accounts) filled(n *Neural, f *backend.Filled, err error) {
	var took []backend.Usage
	discarded := backend.DiscardedBy(nil, err)
	if err == nil {
		took, discarded = f.Took, f.Discarded
	}
	if len(took)+len(discarded) == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	account := a.account(n)
	account.DiscardedBy(discarded, err == nil, n.Prices)
	for _, u := range took {
		account.Add(u, n.Prices)
	}
}

// account returns that of a model.
func (a *Accounts) account(n *Neural) *Account {
	if a.of == nil {
		a.of = map[*Neural]*Account{}
	}
	if a.of[n] == nil {
		a.of[n] = &Account{}
	}
	return a.of[n]
}

// Of returns a model's account, a copy.
func (a *Accounts) Of(n *Neural) Account {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.of[n] == nil {
		return Account{}
	}
	out := *a.of[n]
	out.Bill = score.Bill{}
	out.Bill.Merge(&a.of[n].Bill)
	out.Took = slices.Clone(out.Took)
	return out
}
