package python

import "slices"

// Outgoing describes which code outside a statement the statement may run.
type Outgoing uint8

// RunsNothing: no code. RunsOperators: methods such as those that define operators, attributes and
// conversions. RunsCalls: any code.
const (
	RunsNothing Outgoing = iota
	RunsOperators
	RunsCalls
)

// Outgoing returns what the statement on a line may run. For a line that cannot be parsed it
// returns RunsCalls.
func (s *Source) Outgoing(line int) Outgoing {
	if out, ok := s.outgoing[int32(line)]; ok {
		return out
	}
	return RunsCalls
}

// Repeated reports whether a line may have several line events in one run of its code object: it is
// in a loop, or its statement returns to it, as with, decorators and statements over several lines
// do.
func (s *Source) Repeated(line int) bool { return anyAround(s.again, line) }

// Nested reports whether part of a line is in a lambda, a comprehension or a class body. Those run
// in separate frames.
func (s *Source) Nested(line int) bool { return anyAround(s.nested, line) }

func anyAround(spans []span, line int) bool {
	return slices.ContainsFunc(spans, func(l span) bool { return int(l.first) <= line && line <= int(l.last) })
}

// span is a range of lines, including first and last.
type span struct{ first, last int32 }

// calm holds the built-in functions that run at most operators and conversions.
var calm = []string{
	"abs", "bool", "callable", "chr", "divmod", "float", "format", "hash", "hex", "id", "input", "int", "isinstance", "len",
	"ord", "pow", "print", "range", "repr", "round", "str", "type",
}

// outgoingReader finds out what statements may run, which lines repeat, and which run in separate
// frames.
type outgoingReader struct {
	own    []Signature // the functions in the source
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
			out = RunsCalls // also for the body of a generator expression
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

// stores returns what assigning to the targets of a statement may run.
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
				out = RunsCalls // unpacking may iterate over a generator
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
		r.exprs(e.kids) // visit them for the loops in them
		return RunsCalls
	case nodeError, nodeAwait, nodeYield, nodeStarred:
		r.exprs(e.kids)
		return RunsCalls
	}
	return max(RunsOperators, r.exprs(e.kids))
}

// calm reports whether a name is the name of a built-in function that runs at most operators, and
// not of a function in the source.
func (r *outgoingReader) calm(name string) bool {
	return slices.Contains(calm, name) && !slices.ContainsFunc(r.own, func(f Signature) bool { return f.Name == name })
}
