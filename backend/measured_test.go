package backend

import (
	"testing"

	"github.com/npdb/npdb/dsl"
)

// The short word is of the first set, the long one of all; of what was not measured nothing
// is said.
func TestMeasuredSays(t *testing.T) {
	m := &Measured{Sets: []MeasuredSet{
		{Name: "A", Moves: map[string]MeasuredShare{"step_over": {N: 2791, Same: 2361}, "continue": {}}},
		{Name: "B", Moves: map[string]MeasuredShare{"step_over": {N: 8, Same: 8}, "step_into": {N: 3, Same: 1}}},
	}}
	for _, c := range []struct {
		of          *Measured
		move        dsl.Move
		short, long string
	}{
		{m, dsl.StepOver, "step_over 85% right", "step_over is right in 84.6% of 2,791 (A), 100.0% of 8 (B)"},
		{m, dsl.StepInto, "", "step_into is right in 33.3% of 3 (B)"},
		{m, dsl.Continue, "", ""},
		{m, 0, "", ""},
		{&Measured{}, dsl.StepOver, "", ""},
		{nil, dsl.StepOver, "", ""},
	} {
		if short, long := c.of.Short(c.move), c.of.Long(c.move); short != c.short || long != c.long {
			t.Errorf("%v: %q and %q, not %q and %q", c.move, short, long, c.short, c.long)
		}
	}
}
