package pasts

import (
	"context"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// Question asks with which arguments a function was called.
type Question struct {
	Program *dsl.Program
	File    int // the file of the function, an index into Program.Files
	Line    int // the line on which it begins: that of its first decorator or its def
	// Known holds the known arguments, as reprs by parameter. The search does not vary them.
	Known map[string]string
	// Returned is the repr of the value that the function returned. If it is nil, Raised is the repr of
	// the exception that left it.
	Returned *string
	Raised   *string
	// Values are reprs of values that occur elsewhere in the run of the program.
	Values []string
	// Seen are arguments of other calls of the function, as reprs in the order of its parameters.
	Seen [][]string
	// Samples are arguments that a model proposed. They are run first.
	Samples []Sample
	// Run runs candidates. It returns one outcome for each, in the same order.
	Run func(ctx context.Context, candidates [][]string) ([]backend.CallOutcome, error)
	// Alone makes the search run each candidate once more, in a batch of its own, before it reports it.
	// Set it if a call can change the results of later calls in its batch.
	Alone bool
}

// Sample is a model's proposal: arguments as reprs in the order of the parameters, and how often the
// model proposes them, from 0 to 1.
type Sample struct {
	Args        []string
	Probability float64
}

// Options limits a search. The search ends at the first limit that it reaches.
type Options struct {
	Runs int           // the number of candidates to run; 0 stands for 20,000
	Time time.Duration // 0 for no limit. With a limit the result depends on the machine's speed
	// MoreRuns and MoreTime limit the search after the first success. 0 stands for no limit.
	MoreRuns int
	MoreTime time.Duration
	Seed     uint64
	Keep     int // the number of candidates in Result.Found; 0 stands for 50
}

// Result is the result of a search.
type Result struct {
	Params []string // the names of the function's parameters, in the order of the source
	Found  []Found  // candidates that lead to the wanted result, the likeliest first
	// Hits is the number of candidates that led to the wanted result. Found may contain fewer.
	Hits  int
	Tried int // candidates that were run
	// Refused is the number of candidates that could not be run, or whose result was not known.
	Refused int
	Took    time.Duration
	// FirstAfter is the number of candidates that were run up to the first success; 0 if there was none.
	FirstAfter int
	// Nearest is the candidate with the result most similar to the wanted one, if none led to the wanted
	// one.
	Nearest *Near
}

// Found is a candidate that was run and led to the wanted result.
type Found struct {
	Args  []string // reprs, in the order of Result.Params
	From  string   // how the candidate was made
	Score float64  // the sum of Parts
	Parts Parts
}

// Near is a candidate that led to another result than the wanted one.
type Near struct {
	Args    []string
	Outcome backend.CallOutcome
}
