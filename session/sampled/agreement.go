package sampled

import (
	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
)

// agreement returns, for the whole shown reply and for each part of it, the share of all answers
// that agree with it. The shown reply counts as one of the answers. An invalid answer counts as
// disagreeing in every part.
func agreement(shown dsl.Reply, others backend.Samples) *backend.Sureness {
	all := make([]compare.Verdicts, len(others.Replies))
	for i, other := range others.Replies {
		all[i] = compare.Compare(other, shown, compare.All())
	}
	of := others.Len() + 1
	share := func(same func(compare.Verdicts) bool) *float64 {
		n := 1
		for _, v := range all {
			if same(v) {
				n++
			}
		}
		p := float64(n) / float64(of)
		return &p
	}
	field := func(f compare.Field) *float64 { return share(func(v compare.Verdicts) bool { return agrees(v.Of(f)) }) }
	s := &backend.Sureness{By: backend.Agreement, Of: of}
	s.Whole = share(func(v compare.Verdicts) bool { return v.Count() == 0 })
	stop := shown.Stop
	if stop == nil {
		s.Event = field(compare.Outcome)
		if shown.Exit != nil {
			s.Value = share(func(v compare.Verdicts) bool {
				raised, ok := v.Of(compare.ExitException)
				return agrees(v.Of(compare.ExitCode)) && (!ok || agrees(raised, true))
			})
		}
		return s
	}
	s.Event, s.Line, s.Function = field(compare.Event), field(compare.Line), field(compare.Function)
	if stop.Value != nil {
		s.Value = field(compare.Value)
	}
	for _, l := range stop.Locals {
		if !l.Hidden {
			s.SetLocal(l.Name, share(func(v compare.Verdicts) bool { return agrees(v.Local(l.Name)) }))
		}
	}
	return s
}

// agrees reports whether a verdict exists (ok) and finds no difference.
func agrees(v compare.Verdict, ok bool) bool { return ok && !v.Kind.Wrong() }
