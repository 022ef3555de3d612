package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/score"
	"github.com/npdb/npdb/trace/contain"
)

// Config describes what to measure, and how to ask for answers.
type Config struct {
	Predictor backend.Predictor
	// Identity is the model's name, independent of the server. Sampling holds its configured sampling
	// options. A saved answer is reused only if both are equal.
	Identity, Sampling string
	Digest             string      // SHA-256 of the model's file in hex; "" for a model on a server
	Format             *dsl.Format // format of the prompts; nil means nd/1 with its own token names
	Temperature        float64     // the configured temperature
	Seed               *int64      // configured seed of the first sample; each further one adds 1

	// Oracle records and executes programs with CPython. It must run them in a containment. Apart from
	// Contained below, nothing else in this package runs programs.
	Oracle *cpython.Predictor
	Cache  *Cache // saves answers for later runs; nil to save none

	Parallel  int      // number of concurrent requests; 0 means 1
	Samples   int      // number of answers to each question, for tasks that sample several; 0 means 1
	Baselines []string // names from BaselineNames, or Computing or Checking

	Python python.Version // version that Computing and Checking assume for the programs

	States   int        // number of places in each program to ask about; 0 means 10
	Moves    []dsl.Move // moves to ask for from each place; nil means all but the block and function moves
	Rollout  int        // maximum number of moves in a free rollout; 0 means 64
	Strategy string     // how CruxEval's outputs are reached: one of Strategies
	Only     string     // measures only MeasureOutput or only MeasureInput; "" means both
	Steps    int        // maximum number of moves to reach an output; 0 means 256
	Locals   bool       // show all locals at the return, not only its value, when inputs are predicted

	// Verify selects how pasts are verified: VerifyText or VerifyRun. With it, MeasureCruxEval searches
	// for inputs; "" means VerifyOff. For MeasureInverse, "" means VerifyText. Contained is the
	// containment in which VerifyRun runs candidates. Runs limits the candidates of one search; 0 means
	// the limits of a session.
	Verify    string
	Runs      int
	Contained *contain.Containment

	// Progress is called when the measurement has made progress, never concurrently.
	Progress func(Progress)
}

// Progress reports how far a measurement has come: how many of the programs are done.
type Progress struct {
	Programs, Of int
	Asked, Kept  int // number of answers, and how many of them are from the cache
}

func (c Config) orDefault() Config {
	set := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	set(&c.Parallel, 1)
	set(&c.Samples, 1)
	set(&c.States, 10)
	set(&c.Rollout, 64)
	set(&c.Steps, 256)
	c.Verify = cmp.Or(c.Verify, VerifyOff)
	if c.Strategy == "" {
		c.Strategy = Strategies[0]
	}
	if c.Format == nil {
		c.Format = dsl.ND1
	}
	if c.Moves == nil {
		for m := range dsl.Moves() {
			if m.Repeats() == 0 { // so that results stay comparable with earlier ones
				c.Moves = append(c.Moves, m)
			}
		}
	}
	return c
}

// runner is the state of one measurement. All programs share its limit on concurrent
// requests.
type runner struct {
	Config
	model *keeping
	turns chan struct{} // limits requests: it holds one entry for each that is running
	runs  chan struct{} // limits recordings: it holds one entry for each that is running

	searches chan struct{} // holds an entry while a search runs

	mu       sync.Mutex // guards the fields below
	done, of int
	asked    int
	invalid  score.Invalid
}

func newRunner(c Config) (*runner, error) {
	c = c.orDefault()
	if c.Samples > 1 && c.Temperature <= 0 {
		return nil, fmt.Errorf("%d samples at temperature 0 are the same answer over and over: give --temperature, such as 0.8", c.Samples)
	}
	for _, name := range c.Baselines {
		if name != Computing && name != Checking && !slices.Contains(BaselineNames(), name) {
			return nil, fmt.Errorf("there is no such baseline as %q; there are %s", name, strings.Join(BaselineNames(), ", "))
		}
	}
	return &runner{
		Config: c,
		model:  &keeping{Predictor: c.Predictor, cache: c.Cache, identity: c.Identity, sampling: c.Sampling},
		turns:  make(chan struct{}, c.Parallel),
		runs:   make(chan struct{}, runtime.GOMAXPROCS(0)),

		searches: make(chan struct{}, 1),
	}, nil
}

// measure calls ask for n programs concurrently, and then count for those that are complete, in order.
// If ask returns a *Skipped for a program, the program is listed in out. Any other error ends the
// measurement, because further programs would fail too, and leaves the result incomplete.
func measure[T any](ctx context.Context, r *runner, out *Result, n int, ask func(ctx context.Context, i int) (T, error), count func(i int, made *T)) error {
	made, skipped := make([]*T, n), make([]*Skipped, n)
	g, working := errgroup.WithContext(ctx)
	g.SetLimit(r.Parallel)
	r.progress(func() { r.done, r.of = 0, n })
	for i := range n {
		g.Go(func() error {
			if working.Err() != nil { // the measurement ended while this program waited
				return working.Err()
			}
			one, err := ask(working, i)
			switch {
			case err == nil:
				made[i] = &one
			case working.Err() != nil:
				return working.Err()
			case !errors.As(err, &skipped[i]):
				return err
			}
			r.progress(func() { r.done++ })
			return nil
		})
	}
	err := g.Wait()
	if err == nil {
		err = ctx.Err()
	}
	out.Complete = err == nil
	r.mu.Lock()
	out.Invalid = r.invalid
	r.mu.Unlock()
	for i := range n {
		switch {
		case skipped[i] != nil:
			out.Skipped = append(out.Skipped, *skipped[i])
		case made[i] != nil:
			out.N++
			count(i, made[i])
		}
	}
	return err
}

// progress changes the counts by calling change, and reports the new progress.
func (r *runner) progress(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
	if r.Progress != nil {
		r.Progress(Progress{Programs: r.done, Of: r.of, Asked: r.asked, Kept: int(r.model.kept.Load())})
	}
}

// record runs a program, or a call in it, and returns its recording. It fails if the
// program cannot be recorded.
func (r *runner) record(ctx context.Context, p *dsl.Program, call string) (*cpython.Whole, error) {
	select {
	case r.runs <- struct{}{}:
		defer func() { <-r.runs }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return r.Oracle.Record(ctx, p, call)
}

// fate is the way in which a question was answered, or failed.
type fate uint8

const (
	answered fate = iota + 1
	invalid       // the answer is not a valid state, or it never ended
	declined      // the model answered that it does not know
	tooLong       // the prompt does not fit into the model's window, so it was not sent
	failed        // the server failed, so the answer is missing or incomplete
)

// answer is the outcome of a question.
type answer struct {
	fate       fate
	step       dsl.Step // the predicted step, if fate is answered
	confidence *float64
	raw        string // the text of an answer that is not a state
	noLocals   bool   // the model's format cannot express locals
	computed   bool   // computed from the program's source, without the model
	checked    bool   // compared with what the program's source determines; checks holds the result
	checks     backend.Checks
}

// beside compares the answer with the true reply. It ignores locals that the model's format cannot
// express.
func (a answer) beside(truth dsl.Reply) compare.Verdicts {
	verdicts := compare.Compare(a.step.Reply, truth, compare.All())
	if a.noLocals {
		return verdicts.Untold()
	}
	return verdicts
}

// ask asks the model a question, or returns the saved answer.
func (r *runner) ask(ctx context.Context, at *dsl.Node, a dsl.Action, sample int) (answer, error) {
	return r.askOf(ctx, at, a, sample, func(ctx context.Context, q backend.Question) (*backend.Prediction, error) {
		return r.model.predict(ctx, q, sample)
	})
}

// predicting is a function that answers a question.
type predicting func(ctx context.Context, q backend.Question) (*backend.Prediction, error)

// askOf asks a question like the debugger: if the prompt exceeds the model's window, it asks again with
// a compacted text. It returns an error only if ctx has ended or the model cannot be used at all.
func (r *runner) askOf(ctx context.Context, at *dsl.Node, a dsl.Action, sample int, answers predicting) (answer, error) {
	select {
	case r.turns <- struct{}{}:
		defer func() { <-r.turns }()
	case <-ctx.Done():
		return answer{}, ctx.Err()
	}
	q := backend.Question{At: at, Action: a}
	if r.Seed != nil {
		seed := *r.Seed + int64(sample)
		q.Options.Seed = &seed
	}
	var discarded []backend.Discarded
	predict := func() (answer, error) {
		made, err := answers(ctx, q)
		discarded = append(discarded, backend.DiscardedBy(made, err)...)
		return judgeAnswer(made, err)
	}
	got, err := predict()
	if err == nil && got.fate == tooLong {
		if short, e := at.Compact(); e == nil && short.Len() < at.Len() {
			q.At = short
			got, err = predict()
		}
	}
	r.progress(func() {
		r.asked++
		r.invalid.Add(discarded, err == nil && (got.fate == answered || got.fate == declined))
	})
	return got, err
}

// judgeAnswer converts a prediction, or the error in its place, to an answer. It returns an
// error only if every further question would fail too.
func judgeAnswer(made *backend.Prediction, err error) (answer, error) {
	if err == nil {
		if made.Step.Reply.Outcome == dsl.Unknown {
			return answer{fate: declined}, nil
		}
		return answer{fate: answered, step: made.Step, confidence: made.Confidence, noLocals: made.NoLocals, computed: made.Computed, checks: made.Checks}, nil
	}
	var failure *backend.Error
	if !errors.As(err, &failure) {
		return answer{}, err
	}
	switch failure.Kind {
	case backend.NoState, backend.Endless:
		return answer{fate: invalid, raw: failure.Raw}, nil
	case backend.TooLong:
		if failure.Raw != "" { // the window had no room for the whole reply
			return answer{fate: invalid, raw: failure.Raw}, nil
		}
		return answer{fate: tooLong}, nil
	case backend.Cut, backend.TimedOut, backend.ServerFailed, backend.RateLimited, backend.BadRequest, backend.Unwritable:
		return answer{fate: failed}, nil
	}
	return answer{}, err
}

// Counts counts the questions of a task by their outcome.
type Counts struct {
	Asked    int `json:"asked"`
	Invalid  int `json:"invalid"`  // answers that are not a state; they count as wrong
	Declined int `json:"declined"` // answers "unknown"; they count neither as right nor as wrong
	TooLong  int `json:"too_long"` // prompts too long to be sent; wrong in CruxEval, else not counted
	Failed   int `json:"failed"`   // questions that the server failed to answer; they do not count
}

func (c *Counts) add(f fate) {
	c.Asked++
	switch f {
	case invalid:
		c.Invalid++
	case declined:
		c.Declined++
	case tooLong:
		c.TooLong++
	case failed:
		c.Failed++
	}
}

func (c *Counts) merge(o Counts) {
	c.Asked += o.Asked
	c.Invalid += o.Invalid
	c.Declined += o.Declined
	c.TooLong += o.TooLong
	c.Failed += o.Failed
}
