package provenance

import (
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// run is one execution of a statement.
type run struct {
	act    uint32
	scope  query.Scope
	stored *python.Stored
	src    *source
	file   int
	start  int // the activation's event before the statement
	end    int // its first event after the statement, -1 if there is none yet
	failed bool
	typed  bool // there is no statement: the user typed the expression
	vague  bool // where it began is not certain: a statement of several lines in a loop

	earlier []string // names that earlier statements of the same line bind
}

// codeScope returns the scope in the source text of an activation's code, or -1 for a lambda, a
// comprehension or code without a file.
func (f *Finder) codeScope(act uint32) (file, scope int) {
	code := f.tree.Code(f.tree.CodeOf(act))
	if code.IsModule() {
		return code.File, 0
	}
	if src := f.source(code.File); src.Has(code.FirstLine) && code.Name != "" && code.Name[0] != '<' {
		return code.File, code.FirstLine
	}
	return code.File, -1
}

// runAt returns the execution of a statement that a frame is at.
func (f *Finder) runAt(frame statetree.StackFrame) (run, bool) {
	if frame.Event < 0 {
		return run{}, false
	}
	return f.runOf(frame.Event)
}

// runOf returns the execution of a statement to which an activation's own event belongs.
func (f *Finder) runOf(event int) (run, bool) {
	at := f.tree.At(event)
	for at.Event != dsl.Line {
		if event = f.tree.Previous(event); event < 0 {
			return run{}, false
		}
		at = f.tree.At(event)
	}
	file, scope := f.codeScope(at.Activation)
	src := f.source(file)
	st, ok := src.At(at.Line)
	if !ok || scope != st.Scope {
		return run{}, false
	}
	r := run{act: at.Activation, scope: f.past.ScopeOf(at.Activation), stored: st, src: src, file: file, start: event}
	events := 1
	for st.Line != st.Last || src.repeats(st) {
		before := f.tree.Previous(r.start)
		if before < 0 || f.tree.At(before).Event != dsl.Line || !inside(f.tree.At(before).Line, st) {
			break
		}
		r.start, events = before, events+1
	}
	r.end, r.failed = f.after(event, st, src.repeats(st))
	if r.vague = events > st.Last-st.Line+2; st.Line == st.Last {
		r.vague = events > 1 && (slices.Contains(loops, f.firstWord(file, st.Line)) || f.firstWord(file, st.Line-1) == "while")
	}
	return r, true
}

// loops are the words with which a line begins that may run again and again without another event
// of its activation between. So may the line behind while True.
var loops = []string{"for", "while", "async"}

// repeats reports whether a statement has a line event for each iteration of a comprehension, as it has from
// Python 3.12 on, where comprehensions are no functions.
func (s *source) repeats(st *python.Stored) bool {
	has, known := s.comprehensions[st]
	if !known {
		has = slices.ContainsFunc(st.Exprs, comprehends)
		s.comprehensions[st] = has
	}
	return has
}

func comprehends(t python.Term) bool {
	return t.Kind() == python.ComprehensionTerm || slices.ContainsFunc(t.Terms(), comprehends)
}

func inside(line int, st *python.Stored) bool { return st.Line <= line && line <= st.Last }

// after returns the first event of an activation behind a statement, -1 if there is none yet.
// failed reports that an exception was raised in it. repeats is that of the source.
func (f *Finder) after(event int, st *python.Stored, repeats bool) (end int, failed bool) {
	act := f.tree.At(event).Activation
	for {
		event = f.onward(event, act)
		if event < 0 {
			return -1, false
		}
		at := f.tree.At(event)
		switch {
		case at.Event == dsl.Exception:
			return event, true
		case at.Event == dsl.Return && at.Kind == dsl.Unwound:
			return event, true
		case at.Event == dsl.Line && (st.Line != st.Last || repeats) && inside(at.Line, st):
			continue
		}
		return event, false
	}
}

// onward returns the next event of an activation apart from its yields and resumptions, or -1.
func (f *Finder) onward(event int, act uint32) int {
	out := f.tree.Land(event, dsl.Action{Move: dsl.StepOver})
	if out.Boundary != statetree.NoBoundary || f.tree.At(out.Event).Activation != act {
		return -1
	}
	return out.Event
}

// locations returns the lines of statements.
func locations(file int, statements []*python.Stored) []dsl.Location {
	var at []dsl.Location
	for _, st := range statements {
		for line := st.Line; line <= st.Last; line++ {
			at = append(at, dsl.Location{File: file, Line: line})
		}
	}
	return at
}
