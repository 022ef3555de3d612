package frontend

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

// threads writes the threads that info threads lists.
func (e *encoder) threads(list []session.Thread) {
	e.key("threads")
	e.array(len(list), func(i int) {
		t := &list[i]
		e.object(func() {
			e.key("name").string(t.Name)
			e.key("ident")
			if t.Ident == 0 {
				e.null()
			} else {
				e.int(t.Ident)
			}
			e.key("recorded").bool(t.Recorded)
			e.key("at").threadPlace(t.At)
			if t.Inside != nil {
				e.key("inside").threadPlace(t.Inside)
			}
		})
	})
}

func (e *encoder) threadPlace(f *dsl.Frame) {
	if f == nil {
		e.null()
		return
	}
	e.frame(*f)
}
