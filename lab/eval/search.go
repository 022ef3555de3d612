package eval

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/backend/pasts"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// The ways to verify the inputs that a search proposes: compute the calls from the program's source, or
// run them in a containment.
const (
	VerifyText = "text"
	VerifyRun  = "run"
	VerifyOff  = "off" // no search
)

// The searches that are measured: without the model; with the model's samples as the first candidates;
// and with the model's samples as the only candidates.
const (
	SearchAlone   = "alone"
	SearchSampler = "sampler"
	SearchSamples = "samples"
)

// Searches lists the searches that are measured, in the order of their table.
var Searches = []string{SearchAlone, SearchSampler, SearchSamples}

// Searched is the result of searching for the inputs of problems. Every found input is verified: the
// function returns the output for it.
type Searched struct {
	Found Share `json:"found"` // a verified input
	First Share `json:"first"` // problems whose first verified input is their own
	Five  Share `json:"five"`  // problems whose own input is among the first five
	// Plausible counts the problems whose first verified input resembles their own input (see
	// plausible).
	Plausible Share `json:"plausible"`
	Hits      int   `json:"hits"`  // median number of verified inputs, over the problems that have some
	Tried     int   `json:"tried"` // number of verified candidates of all problems
	Undecided int   `json:"undecided"`
	// Median and Slow are the duration of a search in seconds: the median, and the 90th percentile.
	Median float64 `json:"median"`
	Slow   float64 `json:"slow"`

	hits    []int
	seconds []float64
}

// searched holds the results of one problem, by search.
type searched map[string]pasts.Result

// search searches for the input of a problem in each of the measured ways. given is the state at the
// call's return; samples holds the inputs that the model predicted.
func (r *runner) search(ctx context.Context, p *Program, given *dsl.Stop, want string, samples []attempt) (searched, error) {
	select {
	case r.searches <- struct{}{}: // a search uses all processors
		defer func() { <-r.searches }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	f, ok := signature(p.Text.Files[0].Lines, p.Function)
	if !ok {
		return nil, nil
	}
	q := pasts.Question{Program: p.Text, Line: f.Line, Returned: &want}
	if args, ok := pasts.Arguments(f, given.Locals); ok && r.Locals {
		q.Seen = [][]string{args} // a session knows this call too
	}
	end, err := r.verifier(ctx, p, f, &q)
	if err != nil {
		return searched{SearchAlone: {}, SearchSampler: {}, SearchSamples: {}}, nil // the program cannot be run, or no call can be computed
	}
	defer end()
	made := searched{}
	for _, way := range Searches {
		o := r.searching()
		if way != SearchAlone {
			q.Samples = samplesOf(samples, f)
		}
		if way == SearchSamples {
			o.Runs = len(q.Samples)
		}
		if way == SearchSamples && o.Runs == 0 {
			made[way] = pasts.Result{}
			continue
		}
		if made[way], err = pasts.Search(ctx, q, o); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// searching returns the limits of a search: those of a session, unless the configuration has others.
func (r *runner) searching() pasts.Options {
	if r.Runs > 0 {
		return pasts.Options{Runs: r.Runs}
	}
	return pasts.Patient()
}

// verifier sets how q runs its candidates. The caller must call end after the search.
func (r *runner) verifier(ctx context.Context, p *Program, f python.Signature, q *pasts.Question) (end func(), err error) {
	file, names := p.Text.Files[0].Name, make([]string, len(f.Params))
	for i, param := range f.Params {
		names[i] = param.Name
	}
	if r.Verify == VerifyText {
		q.Run, err = pasts.ByText(p.Text, r.Python, file, f.Name, f.Line, names)
		return func() {}, err
	}
	caller, err := cpython.NewCaller(ctx, r.Contained, p.Text, file, f.Name, f.Line)
	if err != nil {
		return nil, err
	}
	q.Alone = true
	if q.Run, err = pasts.ByRun(caller, names); err != nil {
		_ = caller.Close()
		return nil, err
	}
	return func() { _ = caller.Close() }, nil
}

// samplesOf returns the inputs that a model predicted, with the arguments in the order of the
// parameters.
func samplesOf(attempts []attempt, f python.Signature) (samples []pasts.Sample) {
	for _, a := range attempts {
		if a.last.got.fate != answered || a.last.got.step.Reply.Stop == nil {
			continue
		}
		if args, ok := pasts.Arguments(f, a.last.got.step.Reply.Stop.Locals); ok {
			samples = append(samples, pasts.Sample{Args: args, Probability: 1 / float64(len(attempts))})
		}
	}
	return samples
}

// search adds the results of the searches for one problem.
func (r *Result) search(m *predicted) {
	for way, got := range m.searched {
		if r.Search == nil {
			r.Search = map[string]*Searched{}
		}
		if r.Search[way] == nil {
			r.Search[way] = &Searched{}
		}
		r.Search[way].add(got, m.own)
	}
}

// add adds the result for one problem. own holds the problem's own arguments.
func (s *Searched) add(got pasts.Result, own []string) {
	s.Tried += got.Tried
	s.Undecided += got.Refused
	place := slices.IndexFunc(got.Found, func(f pasts.Found) bool { return sameArguments(f.Args, own) })
	s.Found.add(len(got.Found) > 0)
	s.First.add(place == 0)
	s.Five.add(place >= 0 && place < 5)
	s.Plausible.add(len(got.Found) > 0 && plausible(got.Found[0].Args, own))
	s.seconds = append(s.seconds, got.Took.Seconds())
	slices.Sort(s.seconds)
	s.Median, s.Slow = percentile(s.seconds, 0.5), percentile(s.seconds, 0.9)
	if got.Hits > 0 {
		s.hits = append(s.hits, got.Hits)
		slices.Sort(s.hits)
		s.Hits = s.hits[len(s.hits)/2]
	}
}

func sameArguments(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool { return python.CanonicalText(x) == python.CanonicalText(y) })
}

// plausible reports whether arguments resemble the own ones: they have the same types, are empty where
// those are empty, and are at most three times as long or short.
func plausible(args, own []string) bool {
	return slices.EqualFunc(args, own, func(a, b string) bool {
		x, ok := python.ReadPlain(a)
		y, also := python.ReadPlain(b)
		if !ok || !also {
			return a == b
		}
		m, n := length(x), length(y)
		return x.Kind == y.Kind && (m == 0) == (n == 0) && m <= 3*n && n <= 3*m
	})
}

// length returns the length of a text or container, 0 for other values.
func length(v python.Plain) int {
	if v.Kind == python.StrKind {
		return utf8.RuneCountInString(v.Str)
	}
	return len(v.Items)
}

// checkVerify returns an error if inputs cannot be verified in the configured way.
func (r *runner) checkVerify() error {
	switch r.Verify {
	case VerifyOff, VerifyText:
		return nil
	case VerifyRun:
		if r.Contained != nil {
			return nil
		}
	}
	return fmt.Errorf("--verify %q: use %s, %s or %s", r.Verify, VerifyText, VerifyRun, VerifyOff)
}
