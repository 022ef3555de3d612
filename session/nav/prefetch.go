package nav

import (
	"context"
	"slices"
	"sync"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/score"
)

// Foresight limits prefetching.
type Foresight struct {
	Moves  int // asked ahead at a stop, the likeliest first: 0 is none, 2 all there are
	AtOnce int // of them at the same time; 0 is one
	// Tokens limits the tokens of unused and cancelled answers in a session; 0 is no limit.
	Tokens int
}

// Prefetch requests the results of the user's likely next moves while the user reads. An answer
// belongs to nobody until a move uses it: until then it is not counted, listed, journalled or
// shown, and then it is as if it had been requested by the move.
//
// A session has one for all of its sources. Each question runs on its own goroutine, until it is
// answered or cancelled by another move, an interrupt, a restart or Close, which waits for all.
// Results are stored here, under mu, and the session's goroutine takes them; the goroutines touch
// nothing else of the session.
type Prefetch struct {
	running sync.WaitGroup // of the goroutines

	mu       sync.Mutex // guards what follows
	closed   bool
	wishes   []wish // to be asked, the likeliest first
	asked    []*early
	ready    map[question]early          // answered, and not used yet
	futile   map[question]bool           // declined by the model
	answers  map[*Neural]bool            // the last question was answered
	warnings map[*Neural][]string        // not told yet
	spent    map[*Neural]*score.Prefetch // but for what is ready
	charge   int                         // tokens that no move has used, as far as they are known

	// The user's habits, and the last move that they were learnt from. Only the session's
	// goroutine uses them.
	habits map[habit]int
	learnt Did
}

// wish is a question that the user is likely to ask.
type wish struct {
	question
	by   *asker
	node *dsl.Node
	a    dsl.Action
	size int // of its text in bytes
	// alone: it is for another move than the user's last one.
	alone bool
}

// early is a prefetched question.
type early struct {
	wish
	cancel  context.CancelFunc
	givenUp bool
	joined  bool          // it is the user's own by now
	came    chan struct{} // has a value when latest is another one
	latest  backend.Update
	done    chan struct{} // is closed when reply is there
	reply   reply
}

// want requests the answers to these questions, the likeliest first, and cancels all others.
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

// underWay returns a running question, nil if it is not running.
func (a *Prefetch) underWay(q question) *early {
	for _, e := range a.asked {
		if e.question == q && !e.givenUp {
			return e
		}
	}
	return nil
}

// giveUp cancels a question. Its place is free when its goroutine has ended.
func (e *early) giveUp() {
	e.givenUp = true
	e.cancel()
}

// begin starts as many of the wishes as the limits allow. A model that failed to answer gets no
// more of them until it has answered a question of the user's.
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
		a.ended(e, w.by.put(ctx, backend.Question{At: w.node, Action: w.a, Alone: w.alone}, func(u backend.Update) { a.streams(e, u) }))
	})
}

// count returns the counts of a model.
func (a *Prefetch) count(n *Neural) *score.Prefetch {
	if a.spent == nil {
		a.spent = map[*Neural]*score.Prefetch{}
	}
	if a.spent[n] == nil {
		a.spent[n] = &score.Prefetch{}
	}
	return a.spent[n]
}

// streams records the progress of a reply.
func (a *Prefetch) streams(e *early, u backend.Update) {
	a.mu.Lock()
	e.latest = u
	a.mu.Unlock()
	select {
	case e.came <- struct{}{}:
	default:
	}
}

// ended records the result of a question.
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
		if !e.givenUp && !e.joined { // what is the user's by now is heard there
			a.answers[e.of] = false
		}
	case e.joined: // the user's move has it
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

// withoutWarnings stores a server's warnings for the user's next answer, because this answer may
// never be used and a warning is shown once.
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

// untold returns the stored warnings of a model.
func (a *Prefetch) untold(of *Neural) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.warnings[of]
	delete(a.warnings, of)
	return list
}

// bytesOfToken is the assumed length of a token where the number of tokens is not reported.
const bytesOfToken = 3

// tokens returns the tokens of a question, as far as they are known.
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

// take returns the prefetched answer to the user's question, at once or when it arrives; show
// receives the rest of its stream. ok is false if it was not prefetched. Other questions to this
// model are cancelled. With use false no prefetched answer is used.
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

// join waits for a question that the user has asked by now.
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

// heard records the result of the user's own question.
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

// Spent returns the cost of a model's prefetches.
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
