// Package difference describes how the state that a run reached differs from the state that a claim
// names, in one line.
package difference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// Result is the result of a comparison. If the states are equal, Text and Why are empty.
type Result struct {
	// Text describes the first difference: "x: 2 instead of 3".
	Text string
	// Why is the reason why the states cannot be compared. It is set only if no difference was found.
	Why string
}

// Same reports whether the states are equal.
func (r Result) Same() bool { return r.Text == "" && r.Why == "" }

// Of compares the state that a run reached with the claimed one. It compares values by python.SameValue
// and locals by name. It skips locals that are hidden in the claimed state, lines of callers that one
// state lacks, and a line 0. A value that the run does not know (an unknown local, a return or an
// exception without a value) cannot be compared.
func Of(run, claimed *dsl.Stop) Result {
	if text := place(run, claimed); text != "" {
		return Result{Text: text}
	}
	found, why := Values(run, claimed)
	switch len(found) {
	case 0:
		return Result{Why: why}
	case 1:
		return Result{Text: found[0]}
	}
	return Result{Text: fmt.Sprintf("%s (and %d more)", found[0], len(found)-1)}
}

// Values is like Of for two states at the same place. found holds one text for each value that differs.
// why is the reason why a value cannot be compared, "" if all can.
func Values(run, claimed *dsl.Stop) (found []string, why string) {
	add := func(name, got, want string) {
		same, decided := python.SameValue(got, want)
		switch {
		case !decided && why == "":
			why = name + " is too long to be compared"
		case decided && !same:
			found = append(found, name+": "+pair(got, want))
		}
	}
	switch got, want := run.Value, claimed.Value; {
	case want == nil: // these events have no value
	case got == nil:
		why = "the value is not decided"
	case run.Event == dsl.Exception && python.SameRaised(*got, *want):
	default:
		same, decided := python.SameValue(*got, *want)
		switch {
		case !decided:
			why = "the value is too long to be compared"
		case !same:
			found = append(found, verb(run)+" "+pair(*got, *want))
		}
	}
	locals(run, claimed, func(name string, got, want *dsl.Local) {
		switch {
		case got != nil && got.Unknown:
			why = name + " is not decided"
		case got == nil:
			found = append(found, name+": no value instead of "+shorten(want.Value))
		case want == nil:
			found = append(found, name+": "+shorten(got.Value)+" instead of no value")
		default:
			add(name, got.Value, want.Value)
		}
	})
	return found, why
}

// place describes how two states differ in place or kind of event, "" if they do not.
func place(run, claimed *dsl.Stop) string {
	switch {
	case run.Event != claimed.Event || run.Kind != claimed.Kind:
		return Event(run) + " instead of " + Event(claimed)
	case run.Function != claimed.Function:
		return "in " + run.Function + " instead of " + claimed.Function
	case otherFile(run.File, claimed.File):
		return "in " + run.File + " instead of " + claimed.File
	case len(run.Stack) != len(claimed.Stack):
		return fmt.Sprintf("depth %d instead of %d", len(run.Stack)-1, len(claimed.Stack)-1)
	case run.Line != claimed.Line && claimed.Line > 0:
		return fmt.Sprintf("line %d instead of %d", run.Line, claimed.Line)
	}
	for i, f := range run.Stack {
		g := claimed.Stack[i]
		switch {
		case f.Function != g.Function:
			return "called from " + f.Function + " instead of " + g.Function
		case otherFile(f.File, g.File):
			return "called from " + f.File + " instead of " + g.File
		case f.Line != g.Line && f.Line > 0 && g.Line > 0:
			return fmt.Sprintf("called from line %d instead of %d", f.Line, g.Line)
		}
	}
	return ""
}

// otherFile reports whether both file names are known and differ.
func otherFile(a, b string) bool { return a != "" && b != "" && a != b }

// Event describes the event of a state: "line 4", "returns 3", "raises ValueError('x')".
func Event(s *dsl.Stop) string {
	switch {
	case s.Event == dsl.Line:
		return fmt.Sprintf("line %d", s.Line)
	case s.Event == dsl.Call:
		return "a call of " + s.Function
	case s.Kind == dsl.Unwound:
		return "an exception leaves " + s.Function
	case s.Value == nil:
		return verb(s) + " a value"
	}
	return verb(s) + " " + shorten(*s.Value)
}

// verb returns the verb that describes the event of s in a message.
func verb(s *dsl.Stop) string {
	switch {
	case s.Event == dsl.Exception:
		return "raises"
	case s.Kind == dsl.Yielded:
		return "yields"
	}
	return "returns"
}

// locals calls visit for each local that claimed does not hide: first those of claimed, then those that
// only run has. got or want is nil if that state lacks the name.
func locals(run, claimed *dsl.Stop, visit func(name string, got, want *dsl.Local)) {
	for i := range claimed.Locals {
		if want := &claimed.Locals[i]; !want.Hidden && !want.Unknown {
			visit(want.Name, named(run.Locals, want.Name), want)
		}
	}
	for i := range run.Locals {
		if got := &run.Locals[i]; named(claimed.Locals, got.Name) == nil && (!got.Hidden || got.Unknown) {
			visit(got.Name, got, nil)
		}
	}
}

func named(locals []dsl.Local, name string) *dsl.Local {
	at := slices.IndexFunc(locals, func(l dsl.Local) bool { return l.Name == name })
	if at < 0 {
		return nil
	}
	return &locals[at]
}

// pair returns "GOT instead of WANT". It omits a long common beginning.
func pair(got, want string) string {
	x, y := []rune(got), []rune(want)
	from := 0
	for from < min(len(x), len(y)) && x[from] == y[from] {
		from++
	}
	if from -= longest / 3; from > 0 && max(len(x), len(y)) > longest {
		got, want = "…"+string(x[from:]), "…"+string(y[from:])
	}
	return shorten(got) + " instead of " + shorten(want)
}

// longest is the number of characters of a value that a difference shows.
const longest = 60

// shorten returns the beginning of a value's text, on one line.
func shorten(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
