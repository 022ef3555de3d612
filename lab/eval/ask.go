package eval

import (
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
)

// Config says what to measure and how to request answers.
type Config struct {
	Predictor backend.Predictor
	// Identity is the model's name on any server, and Sampling its configured sampling
	// options. A saved answer is used if both are the same.
	Identity, Sampling string
	Digest             string      // of the model's file, SHA-256 in hex; "" for a model on a server
	Format             *dsl.Format // of the model's prompts; nil is nd/1 with its own token names
	Temperature        float64     // as configured
	Seed               *int64      // as configured; each further sample has the next one

	// Oracle records and executes programs. Nothing else runs them, so it must contain
	// them.
	Oracle *cpython.Predictor
	Cache  *Cache // nil saves nothing

	Parallel  int      // concurrent requests; 1 if 0
	Samples   int      // answers to each question, for tasks that draw several; 1 if 0
	Baselines []string // of BaselineNames, or Computing or Checking

	Python python.Version // of the programs, for Computing and Checking

	States   int        // number of places of each program to ask about; 10 if 0
	Moves    []dsl.Move // from each place; all if nil
	Rollout  int        // maximum number of moves in a free rollout; 64 if 0
	Strategy string     // for CruxEval's outputs: one of Strategies
	Only     string     // MeasureOutput or MeasureInput; both if ""
	Steps    int        // maximum number of moves of such a strategy; 256 if 0
	Locals   bool       // predict inputs from the return with its locals, not from its value alone

	// Progress is called with the progress of the measurement, never concurrently.
	Progress func(Progress)
}

// Progress is how far a measurement has come.
type Progress struct {
	Programs, Of int
	Asked, Kept  int // answers, and how many of them were saved earlier
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
	if c.Strategy == "" {
		c.Strategy = Strategies[0]
	}
	if c.Format == nil {
		c.Format = dsl.ND1
	}
	if c.Moves == nil {
		for m := dsl.StepInto; m <= dsl.InvContinue; m++ {
			c.Moves = append(c.Moves, m)
		}
	}
	return c
}

// runner is one measurement. All programs share the limit on concurrent requests.
type runner struct {
	Config
	model *keeping
	turns chan struct{} // one entry for each current request
	runs  chan struct{} // one entry for each program that is being recorded

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
	}, nil
}

// measure asks about n programs, as many at a time as the requests need, and counts the
// complete ones in order. It lists programs for which ask returns Skipped in the result.
// The error is one that every further program would have, or ctx's; then the result is
// incomplete.
func measure[T any](ctx context.Context, r *runner, out *Result, n int, ask func(ctx context.Context, i int) (T, error), count func(i int, made *T)) error {
	made, skipped := make([]*T, n), make([]*Skipped, n)
	g, working := errgroup.WithContext(ctx)
	g.SetLimit(r.Parallel)
	r.progress(func() { r.done, r.of = 0, n })
	for i := range n {
		g.Go(func() error {
			if working.Err() != nil { // it ended while this one waited for its turn
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

// progress updates the progress, and reports it.
func (r *runner) progress(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
	if r.Progress != nil {
		r.Progress(Progress{Programs: r.done, Of: r.of, Asked: r.asked, Kept: int(r.model.kept.Load())})
	}
}

// record returns a program's whole run, if it can be recorded.
func (r *runner) record(ctx context.Context, p *dsl.Program, call string) (*cpython.Whole, error) {
	select {
	case r.runs <- struct{}{}:
		defer func() { <-r.runs }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return r.Oracle.Record(ctx, p, call)
}

// fate is the outcome of a question.
type fate uint8

const (
	answered fate = iota + 1
	invalid       // the answer is not a state, or has no end
	declined      // the model answered unknown
	tooLong       // the prompt does not fit the model's window, so it was not sent
	failed        // there was no complete answer, because of the server
)

// answer is the result of a question.
type answer struct {
	fate       fate
	step       dsl.Step // if it was answered
	confidence *float64
	raw        string // what the model wrote, if that was no state
	noLocals   bool   // the dialect cannot express the state's locals
	computed   bool   // the text decided it, and the model was not asked
	checked    bool   // it was compared with the text as far as that decides it, with this result:
	checks     backend.Checks
}

// beside returns the verdicts on an answer.
func (a answer) beside(truth dsl.Reply) compare.Verdicts {
	verdicts := compare.Compare(a.step.Reply, truth, compare.All())
	if a.noLocals {
		return verdicts.Untold()
	}
	return verdicts
}

// ask asks the model.
func (r *runner) ask(ctx context.Context, at *dsl.Node, a dsl.Action, sample int) (answer, error) {
	return r.askOf(ctx, at, a, sample, func(ctx context.Context, q backend.Question) (*backend.Prediction, error) {
		return r.model.predict(ctx, q, sample)
	})
}

// predicting answers a question with all its options.
type predicting func(ctx context.Context, q backend.Question) (*backend.Prediction, error)

// askOf asks a question as the debugger does: it compacts a text that exceeds the model's
// window. The error is ctx's, or that of a model that cannot be used at all.
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

// judgeAnswer classifies a predictor's answer. The error is one that every further
// question would have.
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
		if failure.Raw != "" { // a reply without room for all of it
			return answer{fate: invalid, raw: failure.Raw}, nil
		}
		return answer{fate: tooLong}, nil
	case backend.Cut, backend.TimedOut, backend.ServerFailed, backend.RateLimited, backend.BadRequest, backend.Unwritable:
		return answer{fate: failed}, nil
	}
	return answer{}, err
}

// Counts are the outcomes of a task's questions.
type Counts struct {
	Asked    int `json:"asked"`
	Invalid  int `json:"invalid"`  // answers that are not a state: wrong
	Declined int `json:"declined"` // unknown answers: neither right nor wrong
	TooLong  int `json:"too_long"` // prompts that do not fit the window: not sent, not counted
	Failed   int `json:"failed"`   // failures of the server: not counted
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
