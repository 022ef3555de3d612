package pasts

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

func newSearch(q Question, o Options) (*search, error) {
	s := &search{q: q, o: o, tried: map[string]bool{}, began: time.Now()}
	if q.File < 0 || q.File >= len(q.Program.Files) {
		return nil, fmt.Errorf("the program has no file %d", q.File)
	}
	switch {
	case q.Returned != nil:
		s.want = *q.Returned
		s.wanted, _ = python.ReadPlain(s.want)
		s.want = python.CanonicalText(s.want)
	case q.Raised != nil:
		s.want = *q.Raised
	default:
		return nil, errors.New("neither a returned value nor an exception is given")
	}
	uses, ok := python.ReadUses(sourceOf(q.Program.Files[q.File]), q.Line, s.wanted)
	if !ok {
		return nil, fmt.Errorf("no function begins on line %d", q.Line)
	}
	s.uses = uses
	for i, f := range q.Program.Files {
		if i != q.File {
			uses.Calls = append(uses.Calls, python.ReadCalls(sourceOf(f), uses.Signature.Name)...)
		}
	}
	for _, p := range uses.Signature.Params {
		s.result.Params = append(s.result.Params, p.Name)
	}
	if err := s.fix(); err != nil {
		return nil, err
	}
	s.prepare()
	return s, nil
}

// sourceOf returns the source of a file as one text.
func sourceOf(f dsl.SourceFile) []byte { return []byte(strings.Join(f.Lines, "\n") + "\n") }

// fix parses the known arguments.
func (s *search) fix() error {
	s.known = make([]*value, len(s.result.Params))
	for name, text := range s.q.Known {
		i := slices.Index(s.result.Params, name)
		if i < 0 {
			return fmt.Errorf("%s() has no parameter %s", s.uses.Signature.Name, name)
		}
		v, ok := python.ReadPlain(text)
		if !ok {
			return fmt.Errorf("the argument %s is %s: only literals can be passed", name, text)
		}
		s.known[i] = &v
	}
	return nil
}

// prepare collects the values from which candidates are made.
func (s *search) prepare() {
	s.mutator = &mutator{random: rand.New(rand.NewPCG(s.o.Seed, 1)), wanted: s.wanted}
	if s.q.Returned != nil && (s.wanted.Kind != python.OtherKind || s.wanted.Str != "") {
		s.derived = derive(s.wanted, s.uses.Literals)
	} else {
		s.derived = s.ofException()
	}
	s.small = smallValues(s.uses.Literals)
	for _, text := range s.q.Values {
		if v, ok := python.ReadPlain(text); ok {
			s.elsewhere = append(s.elsewhere, v)
		}
	}
	pieces := leaves(s.wanted, nil)
	for _, m := range s.derived[:min(20, len(s.derived))] {
		pieces = append(pieces, m.value)
	}
	for _, l := range slices.Concat(s.uses.Literals, s.elsewhere) {
		pieces = leaves(l, pieces)
	}
	pieces = append(pieces, python.PlainStr("a"), python.PlainInt(0), python.PlainInt(1))
	s.mutator.pieces = distinct(pieces)
	pools := make([][]option, len(s.known))
	for i, v := range s.known {
		switch {
		case v != nil:
			pools[i] = []option{{made{*v, fromGiven}, v.Text(), 0}}
		default:
			pools[i] = s.pool(s.uses.Params[i])
		}
		pools[i] = s.shaped(i, pools[i])
	}
	s.first = newCombinations(pools)
	s.pairs(pools)
	s.seed()
}

// shaped removes options that a parameter cannot have: *args is a tuple, **kwargs a dict with str keys.
func (s *search) shaped(i int, options []option) []option {
	return slices.DeleteFunc(options, func(o option) bool { return !s.fits(i, o.value) })
}

func (s *search) fits(i int, v value) bool {
	switch s.uses.Signature.Params[i].Kind {
	case python.VarPositional:
		return v.Kind == python.TupleKind
	case python.VarKeyword:
		return v.Kind == python.DictKind && !slices.ContainsFunc(v.Keys, func(k value) bool { return k.Kind != python.StrKind })
	}
	return true
}

// ofException returns values derived from the message of the wanted exception: its quoted parts and its
// numbers.
func (s *search) ofException() []made {
	text := s.want
	if _, rest, ok := strings.Cut(text, "("); ok {
		if v, ok := python.ReadPlain("[" + strings.TrimSuffix(rest, ")") + "]"); ok {
			d := &deriver{seen: map[string]bool{}}
			for _, p := range leaves(v, nil)[1:] {
				d.add("the exception's text", p)
				if p.Kind == python.StrKind {
					d.digits(p.Str)
				}
			}
			return d.out
		}
	}
	return nil
}

// seed queues the model's samples, and candidates from the arguments of other calls.
func (s *search) seed() {
	add := func(args []string, from string, probability float64) {
		c := candidate{from: from, probability: probability}
		for i, text := range args {
			v, ok := python.ReadPlain(text)
			if !ok || i >= len(s.known) {
				return
			}
			if s.known[i] != nil {
				v = *s.known[i]
			}
			c.args = append(c.args, v)
		}
		if len(c.args) == len(s.known) {
			s.queue = append(s.queue, c)
			if from != fromSample {
				s.calls = append(s.calls, c.args)
			}
		}
	}
	samples := slices.SortedStableFunc(slices.Values(s.q.Samples), func(a, b Sample) int { return cmp.Compare(b.Probability, a.Probability) })
	for _, sample := range samples {
		add(sample.Args, fromSample, sample.Probability)
	}
	for _, args := range s.q.Seen {
		add(args, fromCall, 0)
	}
	for _, text := range s.uses.Calls {
		if args, ok := s.bound(text); ok {
			add(args, fromCall, 0)
		}
	}
}

// bound parses a call and returns its arguments in the order of the parameters. The bool is false if it
// cannot.
func (s *search) bound(text string) ([]string, bool) {
	call, err := python.ParseCall(text)
	if err != nil {
		return nil, false
	}
	locals, missing, err := call.Bind(s.uses.Signature)
	if err != nil || len(missing) > 0 {
		return nil, false
	}
	args := make([]string, len(s.result.Params))
	for i, name := range s.result.Params {
		at := slices.IndexFunc(locals, func(l dsl.Local) bool { return l.Name == name })
		if at < 0 {
			return nil, false
		}
		args[i] = locals[at].Value
	}
	return args, true
}
