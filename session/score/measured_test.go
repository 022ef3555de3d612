package score

import (
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// TestMeasuredSays checks that the short text shows the first set, and the long one all.
// Unmeasured moves are omitted, and a share that is not exactly 100% is not rounded to it.
func TestMeasuredSays(t *testing.T) {
	m := &backend.Measured{Sets: []backend.MeasuredSet{
		{Name: "A", Moves: map[string]backend.MeasuredShare{"step_over": {N: 2791, Same: 2361}, "continue": {}, "inv_continue": {N: 2791, Same: 2790}}},
		{Name: "B", Moves: map[string]backend.MeasuredShare{"step_over": {N: 8, Same: 8}, "step_into": {N: 3, Same: 1}}},
	}}
	for _, c := range []struct {
		of          *backend.Measured
		move        dsl.Move
		short, long string
	}{
		{m, dsl.StepOver, "step_over 85% right", "step_over is right in 84.6% of 2,791 (A), 100.0% of 8 (B)"},
		{m, dsl.InvContinue, "inv_continue 99% right", "inv_continue is right in 99.9% of 2,791 (A)"},
		{m, dsl.StepInto, "", "step_into is right in 33.3% of 3 (B)"},
		{m, dsl.Continue, "", ""},
		{m, 0, "", ""},
		{&backend.Measured{}, dsl.StepOver, "", ""},
		{nil, dsl.StepOver, "", ""},
	} {
		if short, long := MeasuredShort(c.of, c.move), MeasuredLong(c.of, c.move); short != c.short || long != c.long {
			t.Errorf("%v: %q and %q, not %q and %q", c.move, short, long, c.short, c.long)
		}
	}
}
