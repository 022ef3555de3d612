package frontend

import (
	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session"
)

// candidates writes the states that a backward move may lead to, and the number of the shown one.
func (e *encoder) candidates(a *session.Answer) {
	list := a.Candidates.List
	e.key("candidate").int(a.Candidate + 1)
	e.key("candidates")
	e.array(len(list), func(i int) {
		c := list[i]
		e.object(func() {
			e.key("state")
			if c.Reply.Stop != nil {
				e.state(&c.Reply.Stop.State)
			} else {
				e.null()
			}
			e.key("probability")
			if c.Probability != nil {
				e.float(*c.Probability)
			} else {
				e.null()
			}
			e.key("drawn").int(c.Drawn)
			e.verification(c.Verification)
		})
	})
}

// verification writes the verdict of a verification, its means, and what differs or is not known.
func (e *encoder) verification(v backend.Verification) {
	e.key("verdict")
	if v.By == 0 {
		e.null()
	} else {
		e.string(v.Verdict.String())
	}
	e.key("by").text(meansName(v.By))
	e.key("difference").text(nonempty(v.Difference))
	e.key("why").text(nonempty(v.Why))
}

func meansName(m backend.Means) *string { return nonempty(m.String()) }

// nonempty returns nil for an empty text.
func nonempty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
