package frontend

import (
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
)

// peek writes where a move is predicted to lead.
func (e *encoder) peek(g *session.Guess) {
	e.key("peek").object(func() {
		e.key("action").string(g.Action.String())
		e.key("state").state(g.State)
		e.key("stack").frames(g.Stack)
		e.key("origin").string(g.Origin.String())
		e.key("changed")
		e.array(len(g.Changed), func(i int) { e.string(g.Changed[i]) })
		e.key("recorded").bool(g.Recorded)
		if g.Exit != nil {
			e.key("exit").exit(g.Exit)
		}
		if g.Confidence != nil {
			e.key("confidence").float(*g.Confidence)
		}
		if g.Sureness != nil {
			e.key("confidences").sureness(g.Sureness)
		}
		if len(g.Checks) > 0 {
			e.key("checks").checks(g.Checks)
		}
	})
}

// peeked writes how guesses of peek compare with where their moves led.
func (e *encoder) peeked(pairs []nav.Pair) {
	e.key("peeked")
	e.array(len(pairs), func(i int) {
		p := &pairs[i]
		e.object(func() {
			e.key("action").string(p.Action.String())
			if p.Inferred {
				e.key("inferred").bool(true)
			}
			if p.Candidate > 0 {
				e.key("candidate").int(p.Candidate)
			}
			if p.Failure != "" {
				e.key("failure").string(p.Failure)
			}
			e.key("verdicts")
			e.array(len(p.Verdicts), func(i int) { e.verdict(p.Verdicts[i]) })
		})
	})
}
