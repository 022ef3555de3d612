package pasts

import (
	"context"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// Question asks which arguments a function was called with.
type Question struct {
	Program *dsl.Program
	File    int // the file of the function, an index into Program.Files
	Line    int // on which it begins, with its first decorator or its def
	// Known holds the arguments that are known, as reprs by parameter. The search keeps them.
	Known map[string]string
	// Returned is the repr of the value that the function returned. If it is nil, Raised is the repr of
	// the exception that left it.
	Returned *string
	Raised   *string
	// Values are reprs of values that were seen elsewhere in the run of the program.
	Values []string
	// Seen are arguments of other calls of the function, as reprs in the order of its parameters.
	Seen [][]string
	// Samples are arguments that a model proposed. They are run first.
	Samples []Sample
	// Run runs candidates. It returns one outcome for each, in their order.
	Run func(ctx context.Context, candidates [][]string) ([]backend.CallOutcome, error)
	// Alone makes the search run each candidate that it reports once more, in a batch of its own. Set it
	// if a call can change what later calls of its batch do.
	Alone bool
}

// Sample is a proposal of a model: arguments as reprs in the order of the parameters, and how often
// the model proposes them.
type Sample struct {
	Args        []string
	Probability float64
}

// Options limits a search. The search ends at the first limit that it reaches.
type Options struct {
	Runs int           // the number of candidates to run; 0 stands for 20,000
	Time time.Duration // 0 for no limit. With a limit the result depends on the machine
	// MoreRuns and MoreTime limit the search after the first success. 0 stands for no limit.
	MoreRuns int
	MoreTime time.Duration
	Seed     uint64
	Keep     int // the number of candidates in Result.Found; 0 stands for 50
}

// Result is the result of a search.
type Result struct {
	Params []string // the names of the function's parameters, in the order of the text
	Found  []Found  // candidates that lead to the wanted result, the likeliest first
	// Hits is the number of candidates that led to the wanted result. Found may hold fewer.
	Hits  int
	Tried int // candidates that were run
	// Refused is the number of those that could not be run, or whose result was not known.
	Refused int
	Took    time.Duration
	// FirstAfter is the number of candidates run up to the first success, 0 if there is none.
	FirstAfter int
	// Nearest is the candidate whose result is most similar to the wanted one, if none was found.
	Nearest *Near
}

// Found is a candidate that was run and led to the wanted result.
type Found struct {
	Args  []string // reprs, in the order of Result.Params
	From  string   // how the candidate was made
	Score float64  // the sum of Parts
	Parts Parts
}

// Near is a candidate with another result than the wanted one.
type Near struct {
	Args    []string
	Outcome backend.CallOutcome
}
