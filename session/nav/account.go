package nav

import (
	"slices"
	"sync"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session/score"
)

// Accounts sums the cost of the answers that the user's moves requested in a session, by model. Its
// methods may be called from any goroutine.
type Accounts struct {
	mu sync.Mutex
	of map[*Neural]*Account
}

// Account is the cost of one model's answers in a session.
type Account struct {
	score.Spent
	// Prefetched reports that the last answer was requested before the user made the move.
	Prefetched bool
	// WasKept reports that the last answer came with the reply to an earlier question.
	WasKept bool
}

// add adds the cost of a reply to a question, including invalid replies. A question that failed or
// was cancelled before anything was received has no known cost.
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
	account.Checked.Check(r.made.Checks, r.discarded)
	switch {
	case r.made.Computed:
		account.Computed++
	case r.made.Kept:
		account.Kept++
	default:
		account.Answered(r.made.Usage, r.made.Took, n.Prices)
	}
	account.Prefetched, account.WasKept = r.prefetch, r.made.Kept
}

// filled adds the cost of asking a model for the arguments that --entry leaves open.
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

// Judged adds the cost of requests for a verdict. made is nil if the model gave no verdict.
func (a *Accounts) Judged(n *Neural, made *backend.Judgement, err error) {
	discarded := backend.DiscardedBy(nil, err)
	if made != nil {
		discarded = made.Discarded
	}
	if made == nil && len(discarded) == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	account := a.account(n)
	account.DiscardedBy(discarded, err == nil, n.Prices)
	if made != nil {
		account.Add(made.Usage, n.Prices)
	}
}

// account returns the account of a model.
func (a *Accounts) account(n *Neural) *Account {
	if a.of == nil {
		a.of = map[*Neural]*Account{}
	}
	if a.of[n] == nil {
		a.of[n] = &Account{}
	}
	return a.of[n]
}

// Of returns a copy of a model's account.
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
