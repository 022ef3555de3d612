package statetree

import (
	"testing"

	"github.com/npdb/npdb/dsl"
)

// dying returns the run of a module that calls a function which raises: line, call, exception,
// unwinding, exception, unwinding.
func dying() *Tree {
	tree := New()
	tree.AddFile(File{Name: "p.py", Source: []byte("def f():\n    1 / 0\nf()\n")})
	module, f := tree.AddCode(Code{Name: "<module>"}), tree.AddCode(Code{Name: "f"})
	tree.Enter(module)
	tree.Event(dsl.Line, 3, dsl.NoReturn, nil)
	tree.Enter(f)
	tree.Event(dsl.Call, 1, dsl.NoReturn, nil)
	for range 2 {
		tree.Event(dsl.Exception, 2, dsl.NoReturn, []byte("ZeroDivisionError()"))
		tree.Event(dsl.Return, 2, dsl.Unwound, nil)
	}
	tree.Finish()
	return tree
}

func TestSpots(t *testing.T) {
	const n, fatal = 6, 2
	end, mortem := Spot{Event: n, End: true}, Spot{Event: fatal, PostMortem: true, Died: true}
	over := Spot{Event: n, End: true, Died: true}
	for name, test := range map[string]struct {
		from    Spot
		move    dsl.Move
		fatal   int
		to      Spot
		stays   bool
		horizon int
	}{
		"a step":                             {Spot{Event: 1}, dsl.StepInto, fatal, Spot{Event: 2}, false, 1},
		"a step to the fatal event, again":   {Spot{Event: 1, Died: true}, dsl.StepInto, fatal, Spot{Event: 2, Died: true}, false, 1}, // it was already shown
		"a step back":                        {Spot{Event: 4}, dsl.InvStepOver, fatal, Spot{Event: 0}, false, 4},
		"to the end":                         {Spot{Event: 1}, dsl.Continue, -1, end, false, 4},
		"to the end from the last":           {Spot{Event: 5}, dsl.StepInto, -1, end, false, 0},
		"to the death":                       {Spot{Event: 0}, dsl.Continue, fatal, mortem, false, 2},
		"to the death, back":                 {Spot{Event: 5}, dsl.StepInto, fatal, mortem, false, 3},
		"to the death once":                  {Spot{Event: 0, Died: true}, dsl.Continue, fatal, over, false, 5},
		"from the death by a step":           {mortem, dsl.StepInto, fatal, over, false, 3},
		"from the death back":                {mortem, dsl.InvStepInto, fatal, Spot{Event: 1, Died: true}, false, 1},
		"from the death by nothing":          {mortem, dsl.InvBreakpoint, fatal, mortem, true, 0},
		"from the end":                       {end, dsl.StepInto, fatal, end, false, 0},
		"from the end back":                  {over, dsl.InvStepInto, fatal, Spot{Event: 5, Died: true}, false, 1},
		"from the end to the start":          {end, dsl.InvContinue, -1, Spot{}, false, 6},
		"from the start":                     {Spot{}, dsl.InvStepOver, -1, Spot{}, true, 0},
		"forward of what is known to be end": {over, dsl.StepOver, -1, over, false, 0},
	} {
		to, stays := dying().Move(test.from, dsl.Action{Move: test.move}, test.fatal)
		if to != test.to || stays != test.stays || test.from.Horizon(to) != test.horizon {
			t.Errorf("%s: to %+v, stays: %v, %d events; want %+v, %v, %d", name, to, stays, test.from.Horizon(to), test.to, test.stays, test.horizon)
		}
	}
	empty := New()
	empty.Finish()
	if to, stays := empty.Move(Spot{}, dsl.Action{Move: dsl.StepInto}, -1); to != (Spot{End: true}) || stays {
		t.Errorf("without an event it comes to %+v, stays: %v", to, stays)
	}
	if to, stays := empty.Move(Spot{End: true}, dsl.Action{Move: dsl.InvContinue}, -1); to != (Spot{End: true}) || !stays {
		t.Errorf("back from there to %+v, stays: %v", to, stays)
	}
}
