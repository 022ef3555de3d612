package backend

import "github.com/npdb/npdb/dsl"

// Candidate is one of several states to which an inverse action may lead. Execution is many-to-one:
// different pasts can lead to the same state.
type Candidate struct {
	Reply dsl.Reply
	// Drawn is the number of the model's answers that are this state; 0 if a search found it.
	Drawn int
	// Probability is the model's probability of this state, 0 to 1: its own, or else the share of its
	// answers. It is nil if a search found the state.
	Probability *float64
	Told        bool // the model itself told the probability
	Found       int  // its place among the results of a search, from 1; 0 if no search found it
	// Verification is the result of following the state forward to the one that it was inferred from.
	// Its By is 0 if the state was not verified.
	Verification Verification
}

// Candidates are the states to which an inverse action may lead, the one to show first.
type Candidates struct {
	List    []Candidate
	Answers int // number of answers that the model gave, invalid ones included
	// Search describes what a search tried and found; "" if none was made.
	Search string
}
