package frontend

import (
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace/provenance"
	"github.com/npdb/npdb/trace/query"
)

// provenance writes the hops of a chain, the latest first. A value that is not known is null, and so
// are the event and the place of a hop that has none.
func (e *encoder) provenance(hops []session.Hop) {
	e.key("provenance")
	e.array(len(hops), func(i int) {
		h := hops[i]
		e.object(func() {
			e.key("kind").string(string(h.Kind))
			e.key("expression").string(h.Expression)
			e.key("value")
			e.reading(h.Value)
			e.hopPlace(h.Hop)
			if h.Visit > 0 {
				e.key("visit").int(h.Visit)
			}
			e.key("certain").bool(h.Certain)
			e.key("computed").bool(h.Computed)
			e.key("times").int(h.Times)
			e.key("inputs")
			e.array(len(h.Inputs), func(i int) {
				e.object(func() {
					e.key("expression").string(h.Inputs[i].Expression)
					e.key("value")
					e.reading(h.Inputs[i].Value)
					e.key("followed").bool(h.Inputs[i].Followed)
				})
			})
			e.key("end").text(optional(string(h.End)))
			if h.Note != "" {
				e.key("note").string(h.Note)
			}
			if h.Inferred != nil {
				e.inferred(h.Inferred)
			}
		})
	})
}

// inferred writes how the states of a hop were inferred.
func (e *encoder) inferred(f *session.Inferred) {
	e.key("inferred").object(func() {
		e.key("steps").int(f.Steps)
		e.key("probability")
		if f.Probability != nil {
			e.float(*f.Probability)
		} else {
			e.null()
		}
		e.verification(f.Verification)
	})
}

// hopPlace writes where a hop happened.
func (e *encoder) hopPlace(h provenance.Hop) {
	if h.By.Event < 0 {
		for _, key := range []string{"event", "file", "line", "source", "function"} {
			e.key(key).null()
		}
		return
	}
	e.key("event").int(h.By.Event)
	e.key("file").string(h.By.File)
	e.key("line").int(h.By.Line)
	e.key("source").string(h.Source)
	e.key("function").string(h.By.Function)
}

// reading writes a value, or null if there is none.
func (e *encoder) reading(r query.Reading) {
	if r.OK {
		e.string(r.Text)
	} else {
		e.null()
	}
}
