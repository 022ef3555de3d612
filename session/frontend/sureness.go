package frontend

import (
	"maps"
	"slices"

	"github.com/npdb/npdb/backend"
)

// sureness writes the model's confidence in each part of a state; parts without one are left out.
func (e *encoder) sureness(s *backend.Sureness) {
	e.object(func() {
		e.key("by").string(string(s.By))
		if s.Of > 0 {
			e.key("of").int(s.Of)
		}
		part := func(name string, p *float64) {
			if p != nil {
				e.key(name).float(*p)
			}
		}
		part("whole", s.Whole)
		part("event", s.Event)
		part("line", s.Line)
		part("function", s.Function)
		e.key("locals").object(func() {
			for _, name := range slices.Sorted(maps.Keys(s.Locals)) {
				e.key(name).float(s.Locals[name])
			}
		})
		part("value", s.Value)
	})
}

// checks writes which parts of a predicted state follow from the program's source, and which
// contradict it.
func (e *encoder) checks(c backend.Checks) {
	e.object(func() {
		for _, part := range slices.Sorted(maps.Keys(c)) {
			e.key(part).object(func() {
				e.key("mark").string(string(c[part].Mark))
				if c[part].Computed != "" {
					e.key("computed").string(c[part].Computed)
				}
			})
		}
	})
}
