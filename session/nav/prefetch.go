package nav

import (
	"context"
	"slices"
	"sync"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/score"
)

// Foresight limits how much is requested before the user's moves.
type Foresight struct {
	Moves  int // number of moves to prefetch at a stop: 0 for none, 2 for all
	AtOnce int // number of concurrent requests; 0 means one
	// Tokens limits the tokens of unused and cancelled answers in a session; 0 means no limit.
	Tokens int
}

// Prefetch requests the results of the user's likely next moves while the user reads. Until a move
// uses an answer, the answer is not counted, listed, journalled or shown. From then on it is
// treated as if the move had requested it.
//
// A session has one Prefetch for all its sources. Each question runs in its own goroutine, until it
// is answered or cancelled by another move, an interrupt, a restart or Close. Close waits for all
// of them. The goroutines store their results here, under mu, and the session's goroutine takes
// them; they touch nothing else of the session.
type Prefetch struct {
	running sync.WaitGroup // counts the goroutines

	mu       sync.Mutex // guards the following fields
	closed   bool
	wishes   []wish // questions to request, the likeliest first
	asked    []*early
	ready    map[question]early          // answers that no move has used yet
	futile   map[question]bool           // questions that the model declined
	answers  map[*Neural]bool            // whether the model answered its last question
	warnings map[*Neural][]string        // warnings to show with the next answer
	spent    map[*Neural]*score.Prefetch // costs of each model, without those of ready
	charge   int                         // tokens of answers that no move has used

	// The user's habits, and the last move that they were learnt from. Only the session's goroutine
	// uses these fields.
	habits map[habit]int
	learnt Did
}

// wish is a question to prefetch.
type wish struct {
	question
	by   *asker
	node *dsl.Node
	a    dsl.Action
	size int // length of the text in bytes
	// alone reports that the question is for another kind of move than the user's last one.
	alone bool
}

// early is a prefetched question that was sent.
type early struct {
	wish
	cancel  context.CancelFunc
	givenUp bool
	joined  bool          // the user has made the move and waits for the answer
	came    chan struct{} // has a value when latest has changed
	latest  backend.Update
	done    chan struct{} // closed when reply is set
	reply   reply
}

// want requests the answers to the questions in list, the likeliest first, and cancels all others.
func (a *Prefetch) want(list []wish) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range a.asked {
		if !slices.ContainsFunc(list, func(w wish) bool { return w.question == e.question }) {
			e.giveUp()
		}
	}
	a.wishes = slices.DeleteFunc(list, func(w wish) bool {
		_, ready := a.ready[w.question]
		return ready || a.futile[w.question] || a.underWay(w.question) != nil
	})
	a.begin()
}

// underWay returns the running request for a question, nil if there is none.
func (a *Prefetch) underWay(q question) *early {
	for _, e := range a.asked {
		if e.question == q && !e.givenUp {
			return e
		}
	}
	return nil
}

// giveUp cancels a question. It counts as running until its goroutine has ended.
func (e *early) giveUp() {
	e.givenUp = true
	e.cancel()
}

// begin starts as many of the wishes as the limits allow. A model that failed to answer gets no
// more of them until it has answered a question of the user's own.
func (a *Prefetch) begin() {
	a.wishes = slices.DeleteFunc(a.wishes, func(w wish) bool {
		n := w.by.Neural
		if a.closed || !a.answers[n] || n.Prefetch.Tokens > 0 && a.charge >= n.Prefetch.Tokens {
			return true
		}
		now := 0
		for _, e := range a.asked {
			if e.of == n {
				now++
			}
		}
		if now >= max(n.Prefetch.AtOnce, 1) {
			return false
		}
		a.ask(w)
		return true
	})
}

func (a *Prefetch) ask(w wish) {
	ctx, cancel := context.WithCancel(context.Background())
	e := &early{wish: w, cancel: cancel, came: make(chan struct{}, 1), done: make(chan struct{})}
	a.asked = append(a.asked, e)
	a.count(w.of).Asked++
	a.running.Go(func() {
		defer cancel()
		a.ended(e, w.by.put(ctx, backend.Question{At: w.node, Action: w.a, Answers: w.by.answers, Alone: w.alone}, func(u backend.Update) { a.streams(e, u) }))
	})
}

// count returns the counts of a model's prefetches.
func (a *Prefetch) count(n *Neural) *score.Prefetch {
	if a.spent == nil {
		a.spent = map[*Neural]*score.Prefetch{}
	}
	if a.spent[n] == nil {
		a.spent[n] = &score.Prefetch{}
	}
	return a.spent[n]
}

// streams stores the progress of a reply.
func (a *Prefetch) streams(e *early, u backend.Update) {
	a.mu.Lock()
	e.latest = u
	a.mu.Unlock()
	select {
	case e.came <- struct{}{}:
	default:
	}
}

// ended stores the result of a question.
func (a *Prefetch) ended(e *early, r reply) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = slices.DeleteFunc(a.asked, func(o *early) bool { return o == e })
	e.reply = r
	close(e.done)
	switch {
	case r.err != nil:
		count := a.count(e.of)
		if len(r.discarded) == 0 {
			count.Lost++
		}
		for _, v := range r.discarded {
			count.Discarded.Add(v.Usage, e.of.Prices)
		}
		a.charge += e.tokens()
		if !e.givenUp && !e.joined { // for a joined question, heard records the failure
			a.answers[e.of] = false
		}
	case e.joined: // the user's move takes the reply
	default:
		e.reply.made = a.withoutWarnings(e.of, r.made)
		if a.ready == nil {
			a.ready = map[question]early{}
		}
		a.ready[e.question] = *e
		a.charge += e.tokens()
	}
	a.begin()
}

// withoutWarnings removes the warnings from an answer and stores them for the user's next answer:
// this answer may never be used, and the server gives each warning once.
func (a *Prefetch) withoutWarnings(of *Neural, made *backend.Prediction) *backend.Prediction {
	if made.Step.Reply.Outcome == dsl.Unknown || len(made.Warnings) == 0 {
		return made
	}
	if a.warnings == nil {
		a.warnings = map[*Neural][]string{}
	}
	a.warnings[of] = append(a.warnings[of], made.Warnings...)
	silent := *made
	silent.Warnings = nil
	return &silent
}

// untold returns the stored warnings of a model and forgets them.
func (a *Prefetch) untold(of *Neural) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.warnings[of]
	delete(a.warnings, of)
	return list
}

// bytesOfToken is the assumed length of a token if the server does not report the number of tokens.
const bytesOfToken = 3

// tokens returns the number of tokens of a question and its reply, estimated where it is not
// reported.
func (e *early) tokens() int {
	guess := e.size / bytesOfToken
	discarded := 0
	for _, v := range e.reply.discarded {
		discarded += max(v.Usage.Prompt, 0) + max(v.Usage.Completion, 0)
	}
	if e.reply.made == nil {
		return max(guess, discarded)
	}
	u := e.reply.made.Usage
	if u.Prompt < 0 {
		u.Prompt = guess
	}
	if u.Completion < 0 {
		u.Completion = len(e.reply.made.Raw) / bytesOfToken
	}
	return u.Prompt + u.Completion + discarded
}

// take returns the prefetched answer to the user's question, as soon as it has arrived; show
// receives the rest of its stream. ok is false if the question was not prefetched. Other prefetches
// from this model are cancelled. If use is false, no prefetched answer is used.
func (a *Prefetch) take(ctx context.Context, q question, use bool, show func(backend.Update)) (_ reply, ok bool) {
	a.mu.Lock()
	a.wishes = nil
	var mine *early
	for _, e := range a.asked {
		switch {
		case e.of != q.of:
		case use && e.question == q && !e.givenUp:
			mine, e.joined = e, true
		default:
			e.giveUp()
		}
	}
	e, ready := a.ready[q]
	if ready && use {
		delete(a.ready, q)
		a.count(e.of).Used++
		a.charge -= e.tokens()
	}
	a.mu.Unlock()
	switch {
	case ready && use:
		e.reply.prefetch = true
		return e.reply, true
	case mine == nil:
		return reply{}, false
	}
	return a.join(ctx, mine, show), true
}

// join waits for the answer to a prefetched question that the user has asked meanwhile.
func (a *Prefetch) join(ctx context.Context, e *early, show func(backend.Update)) reply {
	for {
		select {
		case <-e.came:
			a.mu.Lock()
			latest := e.latest
			a.mu.Unlock()
			if show != nil {
				show(latest)
			}
		case <-e.done:
			r := e.reply
			r.prefetch = true
			if r.err == nil {
				a.mu.Lock()
				a.count(e.of).Used++
				a.mu.Unlock()
			}
			return r
		case <-ctx.Done():
			a.mu.Lock()
			e.giveUp()
			a.mu.Unlock()
			return reply{node: e.node, err: ctx.Err()}
		}
	}
}

// heard records whether the user's own question was answered or declined.
func (a *Prefetch) heard(q question, r reply) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.answers == nil {
		a.answers, a.futile = map[*Neural]bool{}, map[question]bool{}
	}
	a.answers[q.of] = r.err == nil
	if r.err == nil && r.made.Step.Reply.Outcome == dsl.Unknown {
		a.futile[q] = true
	}
}

// Stop cancels all prefetches. Any goroutine may call it.
func (a *Prefetch) Stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wishes = nil
	for _, e := range a.asked {
		e.giveUp()
	}
}

// Close cancels all prefetches and waits until they have ended.
func (a *Prefetch) Close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.Stop()
	a.running.Wait()
}

// Spent returns the cost of a model's prefetches. Answers that no move has used yet count as
// unused.
func (a *Prefetch) Spent(n *Neural) score.Prefetch {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := *a.count(n)
	out.Discarded = score.Bill{}
	out.Discarded.Merge(&a.count(n).Discarded)
	for _, e := range a.ready {
		if e.of == n {
			out.Discarded.Add(e.reply.made.Usage, n.Prices)
			for _, v := range e.reply.discarded {
				out.Discarded.Add(v.Usage, n.Prices)
			}
		}
	}
	return out
}
