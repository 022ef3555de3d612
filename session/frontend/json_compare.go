package frontend

import (
	"encoding/json"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/nav"
)

// both writes the fields of side-by-side mode: the true state, the verdicts and the score.
func (e *encoder) both(a *session.Answer) {
	b := a.Beside
	e.key("real").object(func() {
		e.key("state").state(a.State)
		e.key("stack").frames(a.Stack)
	})
	if b.Exit != nil {
		e.key("predicted_exit").exit(b.Exit)
	}
	if b.Failure != "" {
		e.key("failure").string(b.Failure)
	}
	e.key("guided").bool(b.Guided)
	e.key("referee").string(b.Referee)
	e.key("verdicts").verdicts(b.Verdicts)
	e.key("score").score(b)
}

// visit writes the place of the shown state in the history.
func (e *encoder) visit(a *session.Answer) {
	e.key("visit").int(a.Visit)
	e.key("parent")
	if a.Parent > 0 {
		e.int(a.Parent)
	} else {
		e.null()
	}
	if a.Run > 0 {
		e.key("run").int(a.Run)
	}
}

// difference writes the comparison of the shown state with another one of the history.
func (e *encoder) difference(d *session.Difference) {
	e.key("difference").object(func() {
		if d.Run != nil {
			e.run(d.Run)
		} else {
			e.key("visit").int(d.Visit.Number)
		}
		e.key("state").state(d.State)
		if d.Exit != nil {
			e.key("exit").exit(d.Exit)
		}
		e.key("verdicts").verdicts(d.Verdicts)
	})
}

// run writes at which moment of another run a state is.
func (e *encoder) run(m *session.RunMoment) {
	e.key("run").object(func() {
		e.key("name").string(m.Name)
		e.key("event").int(m.Event)
		e.key("exact").bool(m.Exact)
		e.key("divergence")
		if m.Divergence != nil {
			e.string(m.Divergence.Sentence())
		} else {
			e.null()
		}
	})
}

func (e *encoder) verdicts(list compare.Verdicts) {
	e.array(len(list), func(i int) { e.verdict(list[i]) })
}

// verdict writes the result of comparing one field; it leaves out the values if they are the same.
func (e *encoder) verdict(v compare.Verdict) {
	e.object(func() {
		e.key("field").string(v.Field.String())
		if v.Field == compare.Local {
			e.key("name").string(v.Name)
		}
		e.key("verdict").string(v.Kind.String())
		if v.Kind != compare.Same {
			e.key("predicted").string(v.Predicted)
			e.key("real").string(v.Real)
		}
		if v.Rule != "" {
			e.key("rule").string(v.Rule)
		}
		if v.Own != "" {
			e.key("own").string(v.Own)
		}
		if v.Reason != "" {
			e.key("reason").string(v.Reason)
		}
	})
}

// score writes the model's accuracy figures.
func (e *encoder) score(b *nav.Beside) {
	raw, err := json.Marshal(b.Score)
	if err != nil {
		e.null()
		return
	}
	e.b.Write(raw)
}
