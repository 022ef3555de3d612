package backend

import (
	"context"

	"github.com/npdb/npdb/dsl"
)

// CallSearch describes a search for calls of a function that end in the state Now.
type CallSearch struct {
	Program *dsl.Program
	Now     *dsl.Stop         // a return, or the exception that leaves the function
	Known   map[string]string // the arguments that are known, as reprs by parameter
	Seen    [][]dsl.Local     // arguments of other calls of this function in this session
	Samples []Candidate       // calls that a model proposed
}

// FoundCalls is the result of a CallSearch.
type FoundCalls struct {
	List []Candidate // calls that lead to Now, the likeliest first
	Said string      // a sentence for the user: what was tried and found
}

// Searcher searches for calls that lead to a state.
type Searcher interface {
	// Search returns the calls that it found, after a few seconds at most. The error is the reason why
	// calls of this function cannot be searched for.
	Search(ctx context.Context, q CallSearch) (FoundCalls, error)
}

// CallOutcome is the result of running or computing one call. Exactly one field is set.
type CallOutcome struct {
	Value     string // the repr of the returned value
	Exception string // the repr of the exception that left the function, SystemExit included
	Refused   string // why the call could not be made, or why its result is not known
}
