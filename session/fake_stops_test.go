package session_test

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// meet runs to a stop before an event, or to that event.
func (f *fake) meet(at, before int, stops []trace.Stop) (trace.Landing, bool) {
	test := &tester{f: f, stops: stops}
	for e := f.edge.Event + 1; e < before && !f.edge.End && len(stops) > 0; e++ {
		f.record(e, false)
		if test.hit(f.tree.At(e)) {
			return test.landing(trace.HitBreakpoint, e-at), true
		}
	}
	return test.landing(trace.Landed, 0), false
}

// tester tests the stops of a move as the tracer does.
type tester struct {
	f     *fake
	stops []trace.Stop
	met   []trace.Met
	stop  int
}

func (t *tester) hit(r statetree.Record) bool {
	for i, s := range t.stops {
		if r.Event != dsl.Line || s.At != (dsl.Location{File: r.File, Line: r.Line}) {
			continue
		}
		n := slices.IndexFunc(t.met, func(m trace.Met) bool { return m.Stop == i })
		if n < 0 {
			n = len(t.met)
			t.met = append(t.met, trace.Met{Stop: i})
		}
		m := &t.met[n]
		m.Hits++
		if s.Condition != "" {
			holds, err := t.f.holds(s.Condition)
			if err != nil {
				m.Error = err.Error()
			} else if !holds {
				continue
			}
		}
		if m.Ignored < s.Ignore && m.Error == "" {
			m.Ignored++
			continue
		}
		t.stop = i
		return true
	}
	return false
}

func (t *tester) landing(why trace.Reason, horizon int) trace.Landing {
	return trace.Landing{Position: t.f.edge, Reason: why, Horizon: horizon, Met: t.met, Stop: t.stop}
}

// holds evaluates NAME == NUMBER in the frame at the live edge.
func (f *fake) holds(condition string) (bool, error) {
	name, want, ok := strings.Cut(condition, " == ")
	if !ok {
		return false, &trace.EvalError{Type: "NameError", Message: condition}
	}
	for _, l := range f.tree.State(f.edge.Event).Locals {
		if l.Name == name {
			return l.Value == want, nil
		}
	}
	return false, &trace.EvalError{Type: "NameError", Message: "name '" + name + "' is not defined"}
}
