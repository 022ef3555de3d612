package frontend

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

// blocks writes rows of the table of a function's blocks.
func (e *encoder) blocks(p *session.BlocksPage) {
	e.key("blocks").object(func() {
		e.key("function").string(p.Function)
		e.key("file").string(p.File)
		e.key("line").int(p.Line)
		e.key("last").int(p.Last)
		if p.Task != "" {
			e.key("task").string(p.Task)
		}
		e.key("blocks").int(p.Blocks)
		e.key("calls").int(p.Calls)
		e.key("runs").int(p.Runs)
		e.key("more").bool(p.More)
		if p.JudgeFailed != "" {
			e.key("judge_failed").string(p.JudgeFailed)
		}
		e.key("first").int(p.First)
		e.key("rows")
		e.array(len(p.Rows), func(i int) { e.blockRow(&p.Rows[i]) })
	})
}

func (e *encoder) blockRow(r *session.BlockRow) {
	e.object(func() {
		e.key("call").int(r.Call)
		e.key("number").int(r.Number)
		e.key("block").int(r.Block)
		e.key("lines")
		e.array(len(r.Lines), func(i int) { e.int(r.Lines[i]) })
		e.key("event").int(r.Event)
		e.key("end").int(r.End)
		e.key("over").bool(!r.Open)
		e.key("here").bool(r.Here)
		e.key("origin").string(r.Origin.String())
		if r.Visit > 0 {
			e.key("visit").int(r.Visit)
		}
		e.key("in").texts(r.In)
		e.key("out").texts(r.Out)
		e.key("gone")
		e.array(len(r.Gone), func(i int) { e.string(r.Gone[i]) })
		if r.Returned != nil {
			e.key("returned").string(*r.Returned)
		}
		if r.Raised != nil {
			e.key("raised").string(*r.Raised)
		}
		e.key("verdict")
		switch r.Checked() {
		case session.Contradicts:
			e.string("contradicts")
		case session.NothingAgainst:
			e.string("nothing_against")
		default:
			e.null()
		}
		e.key("against")
		e.array(len(r.Against), func(i int) { e.string(r.Against[i]) })
		if v := r.Verdict; v != nil {
			e.key("judgement").object(func() {
				e.key("correct").bool(v.Correct)
				e.key("why").string(v.Why)
				e.key("model").string(v.Model)
			})
		}
	})
}

// texts writes names and values as an object.
func (e *encoder) texts(list []dsl.Local) {
	e.object(func() {
		for _, l := range list {
			e.key(l.Name).string(l.Value)
		}
	})
}
