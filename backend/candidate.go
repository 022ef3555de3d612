package backend

import "github.com/npdb/npdb/dsl"

// Candidate is one of several states to which an inverse action may lead: different pasts can lead to
// the same state.
type Candidate struct {
	Reply dsl.Reply
	// Drawn is the number of the model's sampled answers that equal this state; 0 if only a search found
	// it.
	Drawn int
	// Probability is the probability that the model assigns to this state, from 0 to 1: the one that the
	// model stated, or else the share of its answers. It is nil if a search found the state.
	Probability *float64
	Told        bool // the model stated Probability itself
	Found       int  // rank among the results of a search, from 1; 0 if no search found it
	// Verification is the result of following the program from this state to the state that it was
	// inferred from. Its By is 0 if the candidate was not verified.
	Verification Verification
}

// Candidates lists the states to which an inverse action may lead, the one to show first at the front.
type Candidates struct {
	List    []Candidate
	Answers int // number of answers that the model gave, invalid ones included
	// Search is a sentence on what a search tried and found; "" if there was no search.
	Search string
}
