package pasts

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/python"
)

const (
	defaultRuns    = 20000
	firstBatch     = 40
	batchSize      = 150
	mostKept       = 60 // candidates kept in the population, from which mutations start
	perResult      = 3  // of these, the most with the same result
	mostCandidates = 40000
	mostFound      = 2000
	fruitless      = 40 // number of batches without a new candidate after which the search ends
)

// search is a search in progress.
type search struct {
	q    Question
	o    Options
	uses *python.Uses

	wanted    value // zero if the wanted result is an exception or cannot be parsed as a literal
	want      string
	known     []*value // by parameter; nil if it is to be found
	derived   []made
	small     []made
	elsewhere []value
	calls     [][]value // arguments of other calls

	mutator    *mutator
	first      *combinations
	queue      []candidate // run before the combinations
	paired     []candidate // run between the combinations
	tried      map[string]bool
	population []*candidate
	found      []*candidate
	nearest    *candidate
	result     Result
	began      time.Time
	firstTime  time.Time
}

// candidate is a list of arguments, and the result of running the function with them.
type candidate struct {
	args        []value
	texts       []string
	from        string
	sources     []string // how each argument was made; nil for mutations
	probability float64  // probability that the model assigns to it
	outcome     backend.CallOutcome
	got         value
	distance    float64
}

// Search searches for arguments that lead to the wanted result. Every candidate in Result.Found was run
// and led to it. With equal seeds and without time limits the result is always the same.
//
// The error is the reason why the question cannot be searched, or an error of Question.Run. If ctx ends,
// Search returns what it found so far.
func Search(ctx context.Context, q Question, o Options) (Result, error) {
	s, err := newSearch(q, o)
	if err != nil {
		return Result{}, err
	}
	limited := ctx
	if o.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, o.Time)
		defer cancel()
	}
	if err := s.run(limited); err != nil && limited.Err() == nil {
		return s.result, err
	}
	if err := s.rank(context.WithoutCancel(ctx)); err != nil {
		return s.result, err
	}
	s.result.Took = time.Since(s.began)
	return s.result, nil
}

// run runs batches of candidates until a limit is reached.
func (s *search) run(ctx context.Context) error {
	runs := cmp.Or(s.o.Runs, defaultRuns)
	size := firstBatch
	for vain := 0; s.result.Tried < runs && ctx.Err() == nil && vain < fruitless && !s.enough(); {
		batch := s.batch(min(size, runs-s.result.Tried))
		size = batchSize
		if vain++; len(batch) == 0 {
			continue
		}
		vain = 0
		texts := make([][]string, len(batch))
		for i, c := range batch {
			texts[i] = c.texts
		}
		outcomes, err := s.q.Run(ctx, texts)
		if err != nil {
			return err
		}
		if len(outcomes) != len(batch) {
			return fmt.Errorf("%d candidates have %d outcomes", len(batch), len(outcomes))
		}
		s.take(batch, outcomes)
	}
	return nil
}

// enough reports whether a limit for the time or the runs after the first success is reached.
func (s *search) enough() bool {
	if s.result.FirstAfter == 0 {
		return false
	}
	return len(s.found) >= mostFound || s.o.MoreRuns > 0 && s.result.Tried >= s.result.FirstAfter+s.o.MoreRuns ||
		s.o.MoreTime > 0 && time.Since(s.firstTime) > s.o.MoreTime
}

// batch returns up to size candidates that were not tried yet.
func (s *search) batch(size int) (batch []*candidate) {
	add := func(c *candidate) {
		c.texts = make([]string, len(c.args))
		for i, v := range c.args {
			if c.texts[i] = v.Text(); len(c.texts[i]) > mostText || !s.fits(i, v) {
				return
			}
		}
		if key := strings.Join(c.texts, "\x00"); !s.tried[key] && len(s.tried) < mostCandidates {
			s.tried[key] = true
			batch = append(batch, c)
		}
	}
	for ; len(s.queue) > 0 && len(batch) < size; s.queue = s.queue[1:] {
		add(&s.queue[0])
	}
	for ; len(s.paired) > 0 && s.result.Tried > 0 && len(batch) < size/2; s.paired = s.paired[1:] {
		add(&s.paired[0])
	}
	if len(s.population) == 0 || s.mutator.chance(0.6) {
		for len(batch) < size {
			options, ok := s.first.next()
			if !ok {
				break
			}
			c := &candidate{}
			for _, o := range options {
				c.args = append(c.args, o.value)
				c.sources = append(c.sources, o.from)
				if c.from == "" || c.from == fromGiven || c.from == fromNatural || c.from == fromCommon {
					c.from = o.from
				}
			}
			add(c)
		}
	}
	for range 2 * size {
		if len(s.population) == 0 || len(batch) >= size {
			break
		}
		add(s.changed())
	}
	return batch
}

// changed returns a mutation of a candidate of the population, of a better one more often.
func (s *search) changed() *candidate {
	m := s.mutator
	parent := s.population[min(int(m.random.ExpFloat64()/0.12), len(s.population)-1)]
	c := &candidate{args: slices.Clone(parent.args), from: fromMutation}
	times := 1
	if m.chance(0.3) {
		times = 3
	}
	for range times {
		i := m.random.IntN(max(1, len(c.args)))
		if i >= len(c.args) || s.known[i] != nil {
			continue
		}
		switch r := m.random.Float64(); {
		case r < 0.35 && parent.outcome.Value != "":
			c.args[i] = m.residual(c.args[i], parent.got)
			c.from = fromResidual
		case r < 0.45:
			other := s.population[m.random.IntN(len(s.population))]
			c.args[i] = other.args[m.random.IntN(len(other.args))]
		default:
			c.args[i] = m.mutate(c.args[i])
		}
	}
	return c
}

// take stores the outcomes of a batch.
func (s *search) take(batch []*candidate, outcomes []backend.CallOutcome) {
	for i, c := range batch {
		s.result.Tried++
		c.outcome = outcomes[i]
		switch {
		case c.outcome.Refused != "":
			s.result.Refused++
			continue
		case s.leadsHere(c):
			if s.found = append(s.found, c); s.result.FirstAfter == 0 {
				s.result.FirstAfter, s.firstTime = s.result.Tried, time.Now()
			}
		}
		c.distance = s.distance(c)
		if s.nearest == nil || c.distance < s.nearest.distance {
			s.nearest = c
		}
		if c.outcome.Value != "" || s.q.Returned == nil {
			c.distance += lengthCost * math.Sqrt(float64(len(strings.Join(c.texts, ", "))))
			s.population = append(s.population, c)
		}
	}
	s.thin()
}

// lengthCost times the length of the arguments is added to the distance, so that mutations start from
// the shorter one of two candidates whose results are equally distant.
const lengthCost = 0.002

// leadsHere reports whether the function led to the wanted result with these arguments.
func (s *search) leadsHere(c *candidate) bool {
	if s.q.Returned == nil {
		return python.SameRaised(c.outcome.Exception, s.want)
	}
	if c.outcome.Value == "" {
		return false
	}
	read, ok := python.ReadPlain(c.outcome.Value)
	if !ok {
		return c.outcome.Value == s.want
	}
	c.got = read
	return read.Text() == s.want
}

func (s *search) distance(c *candidate) float64 {
	switch {
	case s.q.Returned == nil && c.outcome.Exception != "":
		return textDistance(c.outcome.Exception, s.want)
	case s.q.Returned == nil || c.outcome.Value == "":
		return 2 * far
	}
	return distance(c.got, s.wanted)
}

// thin reduces the population to the best candidates, with few for the same result.
func (s *search) thin() {
	slices.SortStableFunc(s.population, func(a, b *candidate) int { return cmp.Compare(a.distance, b.distance) })
	of := map[string]int{}
	kept := s.population[:0]
	for _, c := range s.population {
		result := c.outcome.Value + "\x00" + c.outcome.Exception
		if of[result] < perResult && len(kept) < mostKept {
			of[result]++
			kept = append(kept, c)
		}
	}
	clear(s.population[len(kept):])
	s.population = kept
}
