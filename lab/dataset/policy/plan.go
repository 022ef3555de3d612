package policy

import (
	"math/rand/v2"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/dataset/recorder"
)

// Plan is the kind of walk to make.
type Plan struct {
	// Start lists the events of the states with which the text begins, the current one
	// last. It is empty if the text begins with the first state.
	Start []int
	// Inverse says that the walk turns and goes backwards.
	Inverse bool
	// Single is the share of step_into and step_over in addition to those from
	// Settings.Actions.
	Single float64
	// Ask replaces the walk by a question.
	Ask Question
}

// Question is the kind of question about the call with which a text begins.
type Question uint8

// No question, but a walk. Or the return value of the call, requested by step_return, or
// by a breakpoint on the line at which it returns and a step from there.
const (
	NoQuestion Question = iota
	AskReturn
	AskBreakpoint
)

// ForProgram returns the settings for one program, in which the share of single steps is
// drawn once for all its walks.
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

// Draw draws a plan for a walk through a recording. A recording without a state has no
// walks.
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

// question draws a question about a call. ok is false if the recording has no call.
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

// compacted draws the given states of a text that begins at an event. Usually they are the
// current states of all activations below; otherwise some are old, and some are missing.
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

// chance returns true with a probability.
func chance(rng *rand.Rand, p float64) bool { return rng.Float64() < p }

// weighted draws one of the weights' indexes.
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
	return last // because of rounding
}
