package session

import (
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// inferring holds the states that a model inferred across the holes of a recording, in branches. While
// a state of a branch is shown, the session walks as in neural mode, and the recording is put aside.
type inferring struct {
	branches []*nav.Predicted
	shown    int             // number of the branch that is walked, from 1; 0 for none
	aside    nav.Source      // the source of the recorded states, while a branch is walked
	rec      Recording       // the recording, while a branch is walked
	open     []nav.Inference // of earlier runs, not compared with the truth yet
}

// begin forgets the branches at the start of a run. What was inferred on them is compared when the
// run records the truth.
func (in *inferring) begin() {
	for _, b := range in.branches {
		in.open = append(in.open, b.Inferences()...)
	}
	in.branches = nil
}

// at returns the branch that begins at a position of the recording, nil if there is none.
func (in *inferring) at(p trace.Position) *nav.Predicted {
	for _, b := range in.branches {
		if edge, _ := b.Edge(); edge == p {
			return b
		}
	}
	return nil
}

// recording returns the recording of the run, nil if nothing runs. The caller holds mu.
func (pr *program) recording() Recording {
	if pr.inferring.shown > 0 {
		return pr.inferring.rec
	}
	return pr.rec
}

// walkAt makes the source of a position's state the source of the states: the recording's, or a
// branch of inferred states.
func (pr *program) walkAt(p trace.Position) {
	in := &pr.inferring
	if p.Inferred == in.shown {
		return
	}
	pr.mu.Lock()
	defer pr.mu.Unlock()
	if in.shown == 0 {
		in.aside, in.rec, pr.rec = pr.nav.Source, pr.rec, nil
	}
	if in.shown = p.Inferred; in.shown > 0 {
		pr.nav.Source = in.branches[in.shown-1]
		return
	}
	pr.nav.Source, pr.rec = in.aside, in.rec
	in.aside, in.rec = nil, nil
}

// sourceOf returns the source that has the state at a position.
func (pr *program) sourceOf(p trace.Position) nav.Source {
	switch in := &pr.inferring; {
	case p.Inferred == in.shown:
		return pr.source()
	case p.Inferred > 0:
		return in.branches[p.Inferred-1]
	default:
		return in.aside
	}
}
