package policy

import (
	"math/rand/v2"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/dataset/recorder"
)

// Plan describes the walk that a text should show.
type Plan struct {
	// Start lists the events whose states begin the text: the callers' states, and last the
	// state where the walk begins. It is empty if the text begins with the first state of
	// the run.
	Start []int
	// Inverse reports that the walk changes its direction, so that it also goes backwards.
	Inverse bool
	// Single is the probability that the next action is a single step (step_into or step_over).
	// Otherwise it is chosen by Settings.Actions, which may also yield a single step.
	Single float64
	// Ask replaces the walk by a question about a call.
	Ask Question
}

// Question is a kind of question about the call with which a text begins.
type Question uint8

// NoQuestion is an ordinary walk. The others ask for the return value of the call: AskReturn by
// step_return, AskBreakpoint by a breakpoint on the line that returns and a step from there.
const (
	NoQuestion Question = iota
	AskReturn
	AskBreakpoint
)

// ForProgram returns the settings for one program. It chooses the share of single steps, so that it is
// the same in all walks through the program.
func (s *Settings) ForProgram(rng *rand.Rand) *Settings {
	own := *s
	own.Single = []Weighted{{s.single(rng), 1}}
	return &own
}

func (s *Settings) single(rng *rand.Rand) float64 {
	weights := make([]float64, len(s.Single))
	for i, w := range s.Single {
		weights[i] = w.Weight
	}
	return s.Single[weighted(rng, weights)].Share
}

// Draw returns a random plan for a walk through a recording. If the recording contains no states, Write
// returns no text for it.
func Draw(rng *rand.Rand, s *Settings, r *recorder.Recording) Plan {
	n := r.Tree.Len()
	if n == 0 {
		return Plan{Single: s.single(rng)}
	}
	if chance(rng, s.Question) {
		if p, ok := s.question(rng, r); ok {
			return p
		}
	}
	p := Plan{Single: s.single(rng)}
	if chance(rng, s.Compacted) {
		p.Start = s.compacted(rng, r, rng.IntN(n))
	}
	p.Inverse = chance(rng, s.Inverse)
	return p
}

// question returns a plan for a question about a random call. ok is false if the recording contains no
// call.
func (s *Settings) question(rng *rand.Rand, r *recorder.Recording) (p Plan, ok bool) {
	var calls []int
	for i := range r.Tree.Len() {
		if at := r.Tree.At(i); at.Event == dsl.Call && r.Tree.CallEvent(at.Activation) == i {
			calls = append(calls, i)
		}
	}
	if len(calls) == 0 {
		return p, false
	}
	p = Plan{Single: s.single(rng), Ask: AskReturn}
	if calls[0] > 0 || chance(rng, s.Compacted) {
		p.Start = s.compacted(rng, r, calls[rng.IntN(len(calls))])
	}
	if chance(rng, s.Breakpoint) {
		p.Ask = AskBreakpoint
	}
	return p, true
}

// compacted returns the events of the states with which a text begins in the middle of a run, at an
// event. Usually these are the current states of all callers. Otherwise some of the callers' states are
// old, and some are missing.
func (s *Settings) compacted(rng *rand.Rand, r *recorder.Recording, event int) []int {
	frames := r.Tree.Stack(event)
	frames = frames[:len(frames)-1]
	stale := len(frames) > 0 && chance(rng, s.Stale)
	seen := 1.0
	if stale {
		seen = s.Seen[rng.IntN(len(s.Seen))]
	}
	var start []int
	for _, f := range frames {
		i := f.Event
		if stale {
			for ; i >= 0; i-- {
				if r.Tree.At(i).Activation == f.Activation && rng.Float64() < seen {
					break
				}
			}
		}
		if i >= 0 {
			start = append(start, i)
		}
	}
	return append(start, event)
}

// chance returns true with probability p.
func chance(rng *rand.Rand, p float64) bool { return rng.Float64() < p }

// weighted returns a random index of weights, with a probability proportional to its weight.
func weighted(rng *rand.Rand, weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	x := rng.Float64() * sum
	last := 0
	for i, w := range weights {
		if w == 0 {
			continue
		}
		if x < w {
			return i
		}
		x -= w
		last = i
	}
	return last // only reached because of rounding
}
