package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// The limits of checks.
const (
	assertEvents = 1000 // events in a call at which asserts are evaluated
	assertRuns   = 500  // runs before a failed assert that are searched for changes of its names
)

// failedAssert is an assert whose condition is false at an event. It contradicts the run that contains the
// assert, and the runs that last changed the names in the assert.
type failedAssert struct {
	python.Assert
	runs []int // indexes in blockTable.runs
}

// against returns the reasons that contradict a run: asserts that fail with its values, and values whose
// type is not the annotated one.
func (t *blockTable) against(ctx context.Context, c *blockCall, i int, r *BlockRow) (why []string) {
	if !c.checked {
		t.checkAsserts(ctx, c)
	}
	for _, a := range c.asserts {
		if slices.Contains(a.runs, i) {
			why = append(why, fmt.Sprintf("line %d: assert %s fails", a.Line, shorten(a.Condition, historyShown)))
		}
	}
	values := r.Out
	if i == c.first { // the first run is also checked for wrong arguments
		values = append(slices.Clone(r.In), r.Out...)
	}
	for k, l := range values {
		if a := t.facts.Annotation(t.code, l.Name); a.Contradicts(l.Value) {
			verb := "is"
			if k < len(values)-len(r.Out) {
				verb = "came in as"
			}
			why = append(why, fmt.Sprintf("%s %s %s, which is not of type %s", l.Name, verb, shorten(l.Value, historyShown), a.Text()))
		}
	}
	if r.Returned != nil {
		if a := t.facts.Returns(t.code); a.Contradicts(*r.Returned) {
			why = append(why, fmt.Sprintf("the result is %s, which is not of type %s", shorten(*r.Returned, historyShown), a.Text()))
		}
	}
	return why
}

// checkAsserts evaluates the asserts of a call at the events that reach them.
func (t *blockTable) checkAsserts(ctx context.Context, c *blockCall) {
	c.checked = true
	room := assertEvents
	for _, a := range t.facts.Asserts(t.code) {
		for _, e := range c.On(a.Line, a.Line) {
			if room--; room < 0 {
				return
			}
			holds, err := c.holds(ctx, a.Condition, e.Event)
			if err != nil || holds {
				continue
			}
			c.asserts = append(c.asserts, failedAssert{a, t.blamed(c, a, e.Event)})
		}
	}
}

// blamed returns the run that contains a failed assert and, for each name in the assert, the last run up to
// that event that changed the name.
func (t *blockTable) blamed(c *blockCall, a python.Assert, event int) (runs []int) {
	names := slices.Clone(a.Names)
	for i := c.first + c.runs - 1; i >= c.first; i-- {
		run := t.runs[i]
		switch {
		case run.Event > event:
			continue
		case len(runs) == 0:
			runs = append(runs, i)
		case len(names) == 0 || len(runs) > 0 && runs[0]-i > assertRuns:
			return runs
		}
		end, _ := run.End(c)
		out, _ := t.changes(c, run.Event, min(end, event))
		before := len(names)
		names = slices.DeleteFunc(names, func(name string) bool {
			return slices.ContainsFunc(out, func(l dsl.Local) bool { return l.Name == name })
		})
		if len(names) < before && !slices.Contains(runs, i) {
			runs = append(runs, i)
		}
	}
	return runs
}
