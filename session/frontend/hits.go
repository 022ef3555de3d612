package frontend

import "github.com/npdb/npdb/session"

// hits writes the events of a logpoint. A value that the recording does not have is null.
func (e *encoder) hits(hits []session.Hit) {
	e.key("hits")
	e.array(len(hits), func(i int) {
		h := hits[i]
		e.object(func() {
			e.key("event").int(h.Event)
			e.key("text").string(h.Text)
			e.key("values")
			e.array(len(h.Values), func(k int) {
				v := h.Values[k]
				e.object(func() {
					e.key("expression").string(v.Expression)
					if e.key("value"); v.Error != "" {
						e.null()
						e.key("error").string(v.Error)
						return
					}
					e.string(v.Value)
				})
			})
		})
	})
}

// printed writes lines of the program's output. The event of a line from before the first event is null.
func (e *encoder) printed(lines []session.PrintedLine) {
	e.key("printed")
	e.array(len(lines), func(i int) {
		e.object(func() {
			if e.key("event"); lines[i].Event < 0 {
				e.null()
			} else {
				e.int(lines[i].Event)
			}
			e.key("stream").string(lines[i].Stream)
			e.key("text").string(lines[i].Text)
		})
	})
}
