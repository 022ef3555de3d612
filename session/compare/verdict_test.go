package compare

import (
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestUntold checks that parts that a dialect cannot express are neither right nor wrong,
// unless they are predicted all the same.
func TestUntold(t *testing.T) {
	state := func(locals ...dsl.Local) dsl.Reply {
		return dsl.Reply{Outcome: dsl.Landed, Stop: &dsl.Stop{State: dsl.State{Event: dsl.Return, Kind: dsl.Returned, Line: 2, Locals: locals}}}
	}
	truth := state(dsl.Local{Name: "x", Value: "1"}, dsl.Local{Name: "y", Value: "2"})
	for name, c := range map[string]struct {
		predicted dsl.Reply
		wrong     int
	}{
		"none":  {state(), 0},
		"one":   {state(dsl.Local{Name: "x", Value: "1"}), 0},
		"wrong": {state(dsl.Local{Name: "x", Value: "7"}), 1},
		"extra": {state(dsl.Local{Name: "z", Value: "7"}), 1},
	} {
		told := Compare(c.predicted, truth, All())
		before := told.Count()
		untold := told.Untold()
		if untold.Count() != c.wrong || told.Count() != before || before == c.wrong {
			t.Errorf("%s: %d verdicts of %d say that it is wrong, want %d", name, untold.Count(), before, c.wrong)
		}
		if v, _ := untold.Local("y"); v.Kind != Incomparable || v.Reason == "" || v.Real != "2" {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// TestUnknown checks that a local whose value is unknown on one side is not compared.
func TestUnknown(t *testing.T) {
	unknown := func(name string) dsl.Local { return dsl.Local{Name: name, Hidden: true, Unknown: true} }
	predicted := landed(func(s *dsl.Stop) { s.Locals = []dsl.Local{unknown("n"), {Name: "total", Value: "41"}} })
	truth := landed(func(s *dsl.Stop) { s.Locals[2] = unknown("total") })
	if v := Compare(predicted, truth, All()); v.Count() != 0 {
		t.Errorf("they differ: %s", lines(v))
	}
}
