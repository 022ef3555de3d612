package frontend

import "github.com/npdb/npdb/session"

// explanation writes a model's answer to why: the claims with their verdicts, and the usage. The answer's text is
// in the field result.
func (e *encoder) explanation(x *session.Explanation) {
	e.key("explanation").object(func() {
		e.key("model").text(nonempty(x.Model))
		e.key("predicted").bool(x.Predicted)
		e.key("cut").text(nonempty(x.Cut))
		e.key("usage").object(func() {
			e.key("prompt")
			e.count(x.Usage.Prompt)
			e.key("completion")
			e.count(x.Usage.Completion)
		})
		e.key("claims")
		e.array(len(x.Claims), func(i int) { e.claim(&x.Claims[i]) })
	})
}

// count writes a number, or null if it is negative, which means unknown.
func (e *encoder) count(n int) {
	if n < 0 {
		e.null()
		return
	}
	e.int(n)
}

func (e *encoder) claim(c *session.Claim) {
	e.object(func() {
		e.key("text").string(c.Text)
		e.key("event")
		e.count(c.Event)
		if c.Visit > 0 {
			e.key("visit").int(c.Visit)
		}
		e.key("name").text(nonempty(c.Name))
		e.key("said").text(nonempty(c.Said))
		e.key("found").text(nonempty(c.Found))
		e.key("verdict").string(string(c.Verdict))
		if c.Why != "" {
			e.key("why").string(c.Why)
		}
		if c.Origin != 0 {
			e.key("origin").string(c.Origin.String())
		}
	})
}
