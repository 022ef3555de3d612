package frontend

import "github.com/npdb/npdb/session"

// loop writes rows of the table of a loop. A value that a name does not have is null.
func (e *encoder) loop(p *session.LoopPage) {
	e.key("loop").object(func() {
		e.key("kind").string(p.Kind)
		e.key("file").string(p.File)
		e.key("line").int(p.Line)
		e.key("function").string(p.Function)
		e.key("run")
		if p.Run > 0 {
			e.int(p.Run)
		} else {
			e.null()
		}
		e.key("runs").int(p.Runs)
		e.key("iterations").int(p.Iterations)
		if p.Filter != "" {
			e.key("filter").object(func() {
				e.key("text").string(p.Filter)
				e.key("searched").int(p.Scanned)
				e.key("found").int(p.Matches)
				e.key("unknown").int(p.Unknown)
			})
		}
		e.key("columns")
		e.array(len(p.Columns), func(i int) {
			e.object(func() {
				e.key("name").string(p.Columns[i].Name)
				e.key("numeric").bool(p.Columns[i].Numeric)
				if p.Columns[i].Spark != "" {
					e.key("sparkline").string(p.Columns[i].Spark)
				}
			})
		})
		e.key("without_columns")
		e.array(len(p.More), func(i int) { e.string(p.More[i]) })
		e.key("first").int(p.First)
		e.key("rows")
		e.array(len(p.Rows), func(i int) { e.loopRow(&p.Rows[i]) })
	})
}

func (e *encoder) loopRow(r *session.LoopRow) {
	e.object(func() {
		e.key("run").int(r.Run)
		e.key("iteration").int(r.Number)
		e.key("event").int(r.Event)
		e.key("end").int(r.End)
		e.key("over").bool(!r.Open)
		e.key("here").bool(r.Here)
		e.key("origin").string(r.Origin.String())
		if r.Visit > 0 {
			e.key("visit").int(r.Visit)
		}
		e.key("values")
		e.array(len(r.Values), func(i int) { e.reading(r.Values[i]) })
	})
}
