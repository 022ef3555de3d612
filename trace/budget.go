package trace

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Budget bounds how much one move records, with Options.Repeat. When it is spent, the program runs on
// unrecorded up to the move's landing, unless it does what cannot be repeated. Zero values mean no
// bound.
type Budget struct {
	Events int
	Time   time.Duration
}

// spending is the budget of the move under way.
type spending struct {
	move   []string // the request, nil if no budget bounds it
	events int      // the event at which the budget is spent
	met    []Met    // of the part that was recorded
	timer  *time.Timer
}

// spend begins the budget of a move. Steps, and moves that watch expressions, have none: they
// cannot run unrecorded.
func (r *Recording) spend(move []string) {
	b := r.opts.Budget
	if !r.opts.Repeat || b == (Budget{}) || move[0] != "move" || move[1] == "any" || move[1] == "calls" || move[1] == "count" {
		return
	}
	for at := 5; at < len(move); at += 5 {
		if move[at] == "" {
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spending = spending{move: move}
	if b.Events > 0 {
		r.spending.events = r.tree.Len() + b.Events
	}
	if b.Time > 0 {
		r.spending.timer = time.AfterFunc(b.Time, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.spending.move != nil {
				r.proc.memory.setFlag(hdrPause, 1)
			}
		})
	}
}

// spent ends the budget of the move under way and returns its request, nil if it had none.
func (r *Recording) spent() (move []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if move = r.spending.move; move != nil {
		if r.spending.timer != nil {
			r.spending.timer.Stop()
		}
		r.spending.move = nil
		r.proc.memory.setFlag(hdrPause, 0)
	}
	return move
}

// overBudget reports whether a stop is that of a budget. It has then sent the request for the rest of
// the move.
func (r *Recording) overBudget(m message) bool {
	move := r.spent()
	if move == nil || reasons[m.field(0)] != LimitReached || r.full() {
		return false
	}
	r.came(Landed)
	move = slices.Clone(move)
	_, met := metIn(m)
	for _, one := range met {
		if at := 5 + 5*one.Stop + 4; at < len(move) {
			ignore, _ := strconv.Atoi(move[at])
			move[at] = strconv.Itoa(max(ignore-one.Ignored, 0))
		}
	}
	r.spending.met = met
	if no := r.repeatable(false); no != nil {
		r.tellOnce("npdb goes on recording, because " + no.Why + ": the program could not be run again for its past")
	} else {
		r.tellOnce(fmt.Sprintf("after %d recorded events the program runs on at its own speed; a move back makes its past (--record always records all)", r.tree.Len()))
		move = fast(move)
		r.hole.Store(true)
	}
	r.began(move)
	_ = r.tell(move...) // if the tracer has exited, the messages end next
	return true
}

// full reports whether the recording has reached its limits.
func (r *Recording) full() bool {
	return r.tree.Len() >= r.limits.Events || r.tree.Bytes() >= r.limits.Bytes
}

// tellOnce adds a notice unless it was given already.
func (r *Recording) tellOnce(words string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.toldOnce, words) {
		r.toldOnce = append(r.toldOnce, words)
		r.notices = append(r.notices, words)
	}
}

// metIn returns the stop that ended a move and those that it met, from the tracer's message.
func metIn(m message) (stop int, met []Met) {
	number := func(i int) int {
		n, _ := strconv.Atoi(m.field(i)) // 0 if no stop was hit: the field is empty
		return max(n, 0)
	}
	for f := 3; f+3 < len(m.fields); f += 4 {
		met = append(met, Met{Stop: number(f), Hits: number(f + 1), Ignored: number(f + 2), Error: m.field(f + 3)})
	}
	return number(2), met
}

// withEarlier adds what the recorded part of a move met.
func (r *Recording) withEarlier(met []Met) []Met {
	for _, one := range r.spending.met {
		if i := slices.IndexFunc(met, func(m Met) bool { return m.Stop == one.Stop }); i >= 0 {
			met[i].Hits += one.Hits
			met[i].Ignored += one.Ignored
		} else {
			met = append(met, one)
		}
	}
	r.spending.met = nil
	return met
}
