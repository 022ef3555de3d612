package score

import (
	"fmt"

	"github.com/npdb/npdb/session/compare"
)

// Measure is a part of a predicted state, or the whole, that is judged right or wrong.
type Measure uint8

// The measures. EachLocal counts each local of a state separately; the others count once for each
// state.
const (
	State Measure = iota + 1
	Values
	Outcome
	Event
	Line
	Function
	Stack
	Locals
	EachLocal
	Value
	Exit
)

var measureTable = [...]struct {
	name  string
	label string // name for people
	doc   string
	// fields lists the fields whose verdicts must all be the same; nil means all fields.
	fields []compare.Field
	// always counts the measure as right for every pair of states (for Exit: of ends) without a
	// verdict on its fields, for example a state that has no locals.
	always bool
}{
	State:     {"state", "whole state", "everything: one wrong verdict makes it wrong", nil, false},
	Values:    {"values", "all values", "all locals and the value, wherever the state is", []compare.Field{compare.Local, compare.Value}, true},
	Outcome:   {"outcome", "outcome", "state, end, start", []compare.Field{compare.Outcome}, false},
	Event:     {"event", "event", "the event with the kind of a return", []compare.Field{compare.Event}, false},
	Line:      {"line", "line", "file and line", []compare.Field{compare.Line}, false},
	Function:  {"function", "function", "the function's name", []compare.Field{compare.Function}, false},
	Stack:     {"stack", "stack", "the activations below", []compare.Field{compare.Stack}, false},
	Locals:    {"locals", "all locals", "all locals of a state, and no others; a state without any has them right", []compare.Field{compare.Local}, true},
	EachLocal: {"local", "each local", "each local by itself", []compare.Field{compare.Local}, false},
	Value:     {"value", "value", "what is returned, yielded or raised, in states of which either side has one", []compare.Field{compare.Value}, false},
	Exit:      {"exit", "exit", "exit status and uncaught exception, where both are at the end", []compare.Field{compare.ExitCode, compare.ExitException}, true},
}

// Measures returns all measures in their order.
func Measures() []Measure {
	list := make([]Measure, 0, len(measureTable)-1)
	for m := State; int(m) < len(measureTable); m++ {
		list = append(list, m)
	}
	return list
}

// String returns the measure's name, for example "line".
func (m Measure) String() string {
	if m == 0 || int(m) >= len(measureTable) {
		return fmt.Sprintf("Measure(%d)", uint8(m))
	}
	return measureTable[m].name
}

// Label returns the measure's name for people: "whole state".
func (m Measure) Label() string { return measureTable[m].label }

// Doc returns, for users, what an answer must have right to be correct by this measure.
func (m Measure) Doc() string { return measureTable[m].doc }

// MarshalText writes the measure's name.
func (m Measure) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the measure's name.
func (m *Measure) UnmarshalText(text []byte) error {
	for _, known := range Measures() {
		if known.String() == string(text) {
			*m = known
			return nil
		}
	}
	return fmt.Errorf("there is no measure %q in a score", text)
}

// judge returns the tally of one reply by a measure.
func (m Measure) judge(verdicts compare.Verdicts) Tally {
	var each, whole Tally
	for i := range verdicts {
		if m.covers(verdicts[i].Field) {
			each.add(verdicts[i].Kind)
		}
	}
	switch {
	case m == EachLocal:
		return each
	case each.N > each.Same:
		whole.add(compare.Differs)
	case each.Incomparable > 0:
		whole.add(compare.Incomparable)
	case each.N > 0 || measureTable[m].always && m.applies(verdicts):
		whole.add(compare.Same)
	}
	return whole
}

func (m Measure) covers(f compare.Field) bool {
	fields := measureTable[m].fields
	for _, g := range fields {
		if f == g {
			return true
		}
	}
	return fields == nil
}

// applies reports whether a measure with always set counts for this reply.
func (m Measure) applies(verdicts compare.Verdicts) bool {
	field := compare.Event // has a verdict if both replies are states
	if m == Exit {
		field = compare.ExitCode
	}
	_, ok := verdicts.Of(field)
	return ok
}
