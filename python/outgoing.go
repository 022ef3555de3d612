package python

import "slices"

// Outgoing says which code outside of a statement it may run.
type Outgoing uint8

// Nothing; methods that define operators, attributes, conversions and the like; anything.
const (
	RunsNothing Outgoing = iota
	RunsOperators
	RunsCalls
)

// Outgoing returns what the statement on a line may run. A line that cannot be parsed may run
// anything.
func (s *Source) Outgoing(line int) Outgoing {
	if out, ok := s.outgoing[int32(line)]; ok {
		return out
	}
	return RunsCalls
}

// Repeated reports whether a line may have more than one line event in one run of its code: it is
// in a loop, or its statement returns to it, as with, decorators and statements of several lines
// do.
func (s *Source) Repeated(line int) bool { return anyAround(s.again, line) }

// Nested reports whether a part of a line is in a lambda, a comprehension or a class body, which
// run in frames of their own.
func (s *Source) Nested(line int) bool { return anyAround(s.nested, line) }

func anyAround(spans []span, line int) bool {
	return slices.ContainsFunc(spans, func(l span) bool { return int(l.first) <= line && line <= int(l.last) })
}

// span is some lines, the first and the last included.
type span struct{ first, last int32 }

// calm are built-in functions that run at most operators and conversions.
var calm = []string{
	"abs", "bool", "callable", "chr", "divmod", "float", "format", "hash", "hex", "id", "input", "int", "isinstance", "len",
	"ord", "pow", "print", "range", "repr", "round", "str", "type",
}

// outgoingReader finds what statements may run, which lines repeat, and what runs in a frame of
// its own.
type outgoingReader struct {
	own    []Signature // the functions of the text
	lines  map[int32]Outgoing
	again  []span
	nested []span
}

func (r *outgoingReader) block(list []*stmt) {
	for _, s := range list {
		r.stmt(s)
	}
}

func (r *outgoingReader) mark(first, last int32, out Outgoing) {
	for ; first <= last; first++ {
		r.lines[first] = max(r.lines[first], out)
	}
}

func (r *outgoingReader) stmt(s *stmt) {
	out := max(r.exprs(s.exprs), r.stores(s))
	last := s.last
	for _, e := range s.exprs {
		if e != nil && e.kind != nodeError && len(s.body) > 0 {
			last = e.last
		}
	}
	switch s.kind {
	case stmtBroken, stmtImport, stmtWith, stmtRaise, stmtClass:
		out = RunsCalls
	case stmtFor, stmtWhile:
		if s.kind == stmtFor {
			out = RunsCalls // of a generator's body too
		}
		r.again = append(r.again, span{s.line, s.last})
	case stmtDef:
		out = RunsNothing
		if len(s.def.decorators) > 0 {
			out = RunsCalls
		}
		for _, p := range s.def.params {
			out = max(out, r.exprs(p.kids))
		}
	case stmtIf, stmtMatch, stmtTry:
		last = s.line
	}
	if len(s.body) > 0 {
		last = min(last, max(s.line, s.body[0].line-1))
	}
	r.mark(s.line, last, out)
	first := s.line
	if s.def != nil && len(s.def.decorators) > 0 {
		first = s.def.decorators[0].line
	}
	if s.kind == stmtWith || first < last {
		r.again = append(r.again, span{first, last})
	}
	if s.kind == stmtClass {
		r.nested = append(r.nested, span{s.line, s.last})
	}
	for _, b := range s.branches {
		under := r.exprs(b.exprs)
		if s.kind == stmtMatch {
			under = max(under, RunsOperators)
		}
		end := b.line
		for _, e := range b.exprs {
			if e != nil {
				end = max(end, e.last)
			}
		}
		r.mark(b.line, end, under)
		r.block(b.body)
	}
	for _, b := range [][]*stmt{s.body, s.orelse, s.final} {
		r.block(b)
	}
}

// stores returns what the targets of a statement may run.
func (r *outgoingReader) stores(s *stmt) Outgoing {
	out := RunsNothing
	if s.kind == stmtAugAssign || s.kind == stmtAssert || s.kind == stmtWhile {
		out = RunsOperators
	}
	for _, t := range s.targets {
		if t == nil {
			continue
		}
		switch t.kind {
		case nodeName:
		case nodeTuple, nodeList:
			if len(s.exprs) == 0 || s.exprs[0].kind != nodeTuple {
				out = RunsCalls // it may be a generator that is unpacked
			}
			out = max(out, r.exprs(t.kids))
		default:
			out = max(out, r.expr(t), RunsOperators)
		}
	}
	return out
}

func (r *outgoingReader) exprs(list []*node) Outgoing {
	out := RunsNothing
	for _, e := range list {
		out = max(out, r.expr(e))
	}
	return out
}

func (r *outgoingReader) expr(e *node) Outgoing {
	if e == nil {
		return RunsNothing
	}
	switch e.kind {
	case nodeConstant, nodeName:
		return RunsNothing
	case nodeLambda:
		r.nested = append(r.nested, span{e.line, e.last})
		r.exprs(e.kids)
		return RunsNothing
	case nodeTuple, nodeList, nodeNamed, nodeKeyword:
		return r.exprs(e.kids)
	case nodeListComp, nodeSetComp, nodeDictComp, nodeGenerator:
		r.again = append(r.again, span{e.line, e.last})
		r.nested = append(r.nested, span{e.line, e.last})
		r.exprs(e.kids)
		return RunsCalls
	case nodeCall:
		if callee := e.kids[0]; callee.kind == nodeName && r.calm(callee.text) {
			return max(RunsOperators, r.exprs(e.kids[1:]))
		}
		r.exprs(e.kids) // for the loops in them
		return RunsCalls
	case nodeError, nodeAwait, nodeYield, nodeStarred:
		r.exprs(e.kids)
		return RunsCalls
	}
	return max(RunsOperators, r.exprs(e.kids))
}

// calm reports whether a name is that of a built-in function that runs no other code.
func (r *outgoingReader) calm(name string) bool {
	return slices.Contains(calm, name) && !slices.ContainsFunc(r.own, func(f Signature) bool { return f.Name == name })
}
