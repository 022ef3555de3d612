package computed

import (
	"context"
	"strconv"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// Checker asks another predictor for every state, and compares the prediction with the state that the
// program's source determines. It does not check moves for which Predictor would have to request a step.
type Checker struct{ *Predictor }

// NewChecker returns a checker of the predictor of, for programs of Python version v.
func NewChecker(of backend.Predictor, v python.Version) *Checker {
	return &Checker{New(of, v, 0)}
}

// Predict asks the other predictor, computes the state at the same time, and compares the two.
func (c *Checker) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	computing, stop := context.WithCancel(ctx)
	defer stop()
	follows := make(chan *backend.Prediction, 1)
	go func() {
		computed, _ := c.compute(computing, q) // requests no step: New was called with steps 0
		follows <- computed
	}()
	check := func(r dsl.Reply, locals bool) backend.Checks {
		computed := <-follows
		follows <- computed
		if computed == nil || r.Outcome == dsl.Unknown {
			return nil
		}
		return Compare(r, computed.Step.Reply, locals)
	}
	asked := q // a copy, since the goroutine reads q
	asked.Contradictions = func(r dsl.Reply) []string { return check(r, true).Wrong() }
	made, err := c.Predictor.Predictor.Predict(ctx, asked, show)
	if err != nil || made.Step.Reply.Outcome == dsl.Unknown {
		stop()
		<-follows
		return made, err
	}
	made.Checks = check(made.Step.Reply, !made.NoLocals)
	return made, nil
}

// Compare returns the checks of a predicted reply against the computed one. If event, line, function or
// depth differ, it does not compare value and locals. It compares locals only if locals is true.
func Compare(predicted, computed dsl.Reply, locals bool) backend.Checks {
	checks := backend.Checks{}
	checks.Compare("event", event(predicted), event(computed))
	if predicted.Stop == nil || computed.Stop == nil {
		if p, c := predicted.Exit, computed.Exit; p != nil && c != nil {
			compareValue(checks, p.Exception, c.Exception)
		}
		return checks
	}
	p, c := predicted.Stop, computed.Stop
	checks.Compare("line", strconv.Itoa(p.Line), strconv.Itoa(c.Line))
	checks.Compare("function", p.Function, c.Function)
	checks.Compare("depth", strconv.Itoa(len(p.Stack)-1), strconv.Itoa(len(c.Stack)-1))
	if _, contradict := checks.Count(); contradict > 0 {
		return checks
	}
	compareValue(checks, p.Value, c.Value)
	if !locals {
		return checks
	}
	shown := map[string]*string{}
	for _, l := range visible(p.Locals) {
		shown[l.Name] = &l.Value
	}
	for _, l := range visible(c.Locals) {
		checks.CompareLocal(l.Name, shown[l.Name], &l.Value)
		delete(shown, l.Name)
	}
	for name, value := range shown {
		checks.CompareLocal(name, value, nil)
	}
	return checks
}

// event describes the event of a reply, such as "return (yield)", or its outcome, such as "end".
func event(r dsl.Reply) string {
	switch {
	case r.Exit != nil:
		return "end"
	case r.Stop == nil:
		return r.Outcome.String()
	}
	text := r.Stop.Event.String()
	if r.Stop.Event == dsl.Return && r.Stop.Kind != dsl.Returned {
		text += " (" + r.Stop.Kind.String() + ")"
	}
	return text
}

func compareValue(checks backend.Checks, predicted, computed *string) {
	switch {
	case predicted == nil && computed == nil:
	case predicted == nil:
		checks["value"] = backend.Check{Mark: backend.Contradicts, Computed: *computed}
	case computed == nil:
		checks["value"] = backend.Check{Mark: backend.Contradicts}
	default:
		checks.Compare("value", *predicted, *computed)
	}
}
