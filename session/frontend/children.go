package frontend

import "github.com/npdb/npdb/session"

// children writes the child processes that info children lists.
func (e *encoder) children(list []session.ChildProcess) {
	e.key("children")
	e.array(len(list), func(i int) {
		c := &list[i]
		e.object(func() {
			e.key("number").int(c.Number)
			e.key("pid").int(c.Pid)
			e.key("args")
			e.array(len(c.Args), func(i int) { e.string(c.Args[i]) })
			e.key("forked").bool(c.Forked)
			e.key("event").int(c.Event)
			e.key("state").string(string(c.State))
			e.key("exception").text(optional(c.Exception))
			e.key("shown").bool(c.Shown)
		})
	})
}
