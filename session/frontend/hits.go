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
