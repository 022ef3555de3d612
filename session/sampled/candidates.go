package sampled

import (
	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
)

// Candidates merges the answers to an inverse action that show the same state. The probability of a
// state is the model's own if it is known, else the share of the answers.
func Candidates(answers backend.Samples) *backend.Candidates {
	out := &backend.Candidates{Answers: answers.Len()}
	for i, reply := range answers.Replies {
		var confidence *float64
		if i < len(answers.Confidences) {
			confidence = answers.Confidences[i]
		}
		if reply.Outcome != dsl.Unknown {
			out.List = Merge(out.List, Drawn(reply, confidence))
		}
	}
	Weigh(out)
	return out
}

// Drawn returns the candidate of one answer. confidence is the model's confidence in it, nil if it is
// unknown.
func Drawn(reply dsl.Reply, confidence *float64) backend.Candidate {
	return backend.Candidate{Reply: reply, Drawn: 1, Probability: confidence, Told: confidence != nil}
}

// Merge adds a candidate to a list: to the one that shows the same state, or else as a new one.
func Merge(list []backend.Candidate, c backend.Candidate) []backend.Candidate {
	for i, known := range list {
		if !Same(c.Reply, known.Reply) {
			continue
		}
		list[i].Drawn += c.Drawn
		if !known.Told {
			list[i].Told, list[i].Probability = c.Told, c.Probability
		}
		return list
	}
	return append(list, c)
}

// Same reports whether two replies show the same state. Their values are compared as in side-by-side
// mode.
func Same(a, b dsl.Reply) bool { return compare.Compare(a, b, compare.All()).Count() == 0 }

// Weigh sets the probability of the candidates for which the model reported none: their share of the
// answers.
func Weigh(c *backend.Candidates) {
	for i, one := range c.List {
		if !one.Told && one.Drawn > 0 {
			share := float64(one.Drawn) / float64(c.Answers)
			c.List[i].Probability = &share
		}
	}
}
