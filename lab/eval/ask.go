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
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/score"
)

// Config says what is measured and how it is asked.
type Config struct {
	Predictor backend.Predictor
	// Identity names the model wherever it is asked, and Sampling what is configured of
	// how it answers: kept answers are taken where both are the same.
	Identity, Sampling string
	Digest             string      // of the model's file, SHA-256 in hex; "" for a server's
	Format             *dsl.Format // as the model reads it; nil is nd/1 with its own names
	Temperature        float64     // as it is configured
	Seed               *int64      // likewise; each sample has the next

	// Oracle records and executes programs: nothing else runs any. It has to contain
	// them.
	Oracle *cpython.Predictor
	Cache  *Cache // nil keeps nothing

	Parallel  int      // requests at a time; 1 when 0
	Samples   int      // answers to each question, where a task draws several; 1 when 0
	Baselines []string // of BaselineNames

	States   int        // how many places of each program are asked about; 10 when 0
	Moves    []dsl.Move // from each; all of them when nil
	Rollout  int        // how many moves a free rollout has at most; 64 when 0
	Strategy string     // of CruxEval's outputs: of Strategies
	Only     string     // MeasureOutput or MeasureInput; both when ""
	Steps    int        // how many moves such a strategy may take; 256 when 0
	Locals   bool       // inputs are predicted from the return with its locals, not from its value alone

	// Progress is told how far a measurement has come, by one goroutine at a time.
	Progress func(Progress)
}

// Progress is how far a measurement has come.
type Progress struct {
	Programs, Of int
	Asked, Kept  int // answers, and those of them that were kept from earlier
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

// runner is one measurement. Questions of all programs share the requests that may be
// under way at a time.
type runner struct {
	Config
	model *keeping
	turns chan struct{} // a request under way
	runs  chan struct{} // a program that is recorded

	mu       sync.Mutex // guards what follows
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
		if !slices.Contains(BaselineNames(), name) {
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

// measure asks of n programs, so many at a time that the requests find work, and has those
// of which all was asked counted, in their order. A program of which ask returns Skipped is
// listed in the result. The error is one that every further program would have, or ctx's:
// the result then lacks what was left.
func measure[T any](ctx context.Context, r *runner, out *Result, n int, ask func(ctx context.Context, i int) (T, error), count func(i int, made *T)) error {
	made, skipped := make([]*T, n), make([]*Skipped, n)
	g, working := errgroup.WithContext(ctx)
	g.SetLimit(r.Parallel)
	r.progress(func() { r.done, r.of = 0, n })
	for i := range n {
		g.Go(func() error {
			if working.Err() != nil { // it was, while this one waited for its turn
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

// progress changes how far the measurement has come, and tells of it.
func (r *runner) progress(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
	if r.Progress != nil {
		r.Progress(Progress{Programs: r.done, Of: r.of, Asked: r.asked, Kept: int(r.model.kept.Load())})
	}
}

// record returns a program's whole run, where it has one.
func (r *runner) record(ctx context.Context, p *dsl.Program, call string) (*cpython.Whole, error) {
	select {
	case r.runs <- struct{}{}:
		defer func() { <-r.runs }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return r.Oracle.Record(ctx, p, call)
}

// fate is what became of a question.
type fate uint8

const (
	answered fate = iota + 1
	invalid       // with what is no state, or has no end
	declined      // the model says that it cannot say
	tooLong       // it does not fit the model's window, and was not asked
	failed        // there was no whole answer: the server's fault
)

// answer is what came of a question.
type answer struct {
	fate       fate
	step       dsl.Step // of an answered one
	confidence *float64
	noLocals   bool // the model's language has no words for those of the state
}

// beside returns the verdicts on an answered question.
func (a answer) beside(truth dsl.Reply) compare.Verdicts {
	verdicts := compare.Compare(a.step.Reply, truth, compare.All())
	if a.noLocals {
		return verdicts.Untold()
	}
	return verdicts
}

// ask asks a question as a debugger does: a text that has outgrown the model's window is
// compacted. The error is ctx's, or that of a model that cannot be asked at all.
func (r *runner) ask(ctx context.Context, at *dsl.Node, a dsl.Action, sample int) (answer, error) {
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
		made, err := r.model.predict(ctx, q, sample)
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

// judgeAnswer judges a predictor's answer. The error is one that every further
// question would have.
func judgeAnswer(made *backend.Prediction, err error) (answer, error) {
	if err == nil {
		if made.Step.Reply.Outcome == dsl.Unknown {
			return answer{fate: declined}, nil
		}
		return answer{fate: answered, step: made.Step, confidence: made.Confidence, noLocals: made.NoLocals}, nil
	}
	var failure *backend.Error
	if !errors.As(err, &failure) {
		return answer{}, err
	}
	switch failure.Kind {
	case backend.NoState, backend.Endless:
		return answer{fate: invalid}, nil
	case backend.TooLong:
		if failure.Raw != "" { // there was a reply, and no room for all of it
			return answer{fate: invalid}, nil
		}
		return answer{fate: tooLong}, nil
	case backend.Cut, backend.TimedOut, backend.ServerFailed, backend.RateLimited, backend.BadRequest, backend.Unwritable:
		return answer{fate: failed}, nil
	}
	return answer{}, err
}

// Counts are what became of a task's questions.
type Counts struct {
	Asked    int `json:"asked"`
	Invalid  int `json:"invalid"`  // answers that are no state: wrong
	Declined int `json:"declined"` // answers that decline: apart from right and wrong
	TooLong  int `json:"too_long"` // questions that do not fit the window: not asked, apart
	Failed   int `json:"failed"`   // the server failed: apart
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
