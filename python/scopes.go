package python

import (
	"maps"
	"slices"
	"strings"
)

// Scopes holds the names used in the functions of a source text. Module holds the names that the
// module itself binds, without imports, functions and classes.
type Scopes struct {
	Module []string
	list   []Scope
	bodies []codeBody
}

// codeBody is the range of lines of the body of a function or class.
type codeBody struct {
	name        string
	first, last int32
}

// Scope holds the names of a function: Class is the name of its class, or "". Locals are its local
// names: the parameters in the order of co_varnames, then the others in source order. Globals are
// the names that it uses as globals of its module, in source order; they may include built-in
// names.
type Scope struct {
	Class   string
	Locals  []string
	Globals []string

	name        string
	first, last int32
}

// ReadScopes reads a source text. Like Read it never fails, and takes linear time.
func ReadScopes(source []byte) *Scopes {
	r := &scopeReader{}
	body := newParser(decodeSource(source)).statements(false)
	r.functions(body, nil, "")
	module := newFunctionReader(nil)
	module.binds(body)
	return &Scopes{
		Module: slices.DeleteFunc(module.order, func(name string) bool { return module.defined[name] }), list: r.found, bodies: r.bodies,
	}
}

// Around returns the name of the innermost function or class whose body contains a line, or "". The
// header of a def or class belongs to the enclosing code.
func (s *Scopes) Around(line int) string {
	found := codeBody{}
	for _, b := range s.bodies {
		if b.first <= int32(line) && int32(line) <= b.last && b.first >= found.first {
			found = b
		}
	}
	return found.name
}

// At returns the scope of the innermost function with this name around a line. For a lambda or
// comprehension it returns the scope of the enclosing function.
func (s *Scopes) At(function string, line int) (Scope, bool) {
	at := -1
	for i, f := range s.list {
		if f.first <= int32(line) && int32(line) <= f.last && (f.name == function || strings.HasPrefix(function, "<")) && (at < 0 || f.first >= s.list[at].first) {
			at = i
		}
	}
	if at < 0 {
		return Scope{}, false
	}
	found := s.list[at]
	if found.name != function {
		found.Class = ""
	}
	return found, true
}

type scopeReader struct {
	found  []Scope
	bodies []codeBody
}

// body adds the body of a def or class, unless the body is on the line of the header.
func (r *scopeReader) body(s *stmt) {
	if len(s.body) > 0 && firstLine(s.body[0]) > s.line {
		r.bodies = append(r.bodies, codeBody{name: s.def.name, first: firstLine(s.body[0]), last: s.last})
	}
}

// functions reads the functions of a block. outer holds the names of the enclosing functions; class
// is the class whose body the block is, or "".
func (r *scopeReader) functions(body []*stmt, outer map[string]bool, class string) {
	for _, s := range body {
		switch s.kind {
		case stmtDef:
			r.body(s)
			f := newFunctionReader(outer)
			f.globals = globalsOf(s.body)
			f.parameters(s.def.params)
			f.binds(s.body)
			f.reads(s.body, nil)
			locals := slices.DeleteFunc(f.order, func(name string) bool { return slices.Contains(f.globals, name) })
			r.found = append(r.found, Scope{Class: class, Locals: locals, Globals: f.names, name: s.def.name, first: firstLine(s), last: s.last})
			inner := maps.Clone(f.own)
			maps.Copy(inner, outer)
			for _, name := range f.globals {
				delete(inner, name)
			}
			r.functions(s.body, inner, "")
		case stmtClass:
			r.body(s)
			name := s.def.name
			if class != "" {
				name = class + "." + name
			}
			r.functions(s.body, outer, name)
		default:
			for _, block := range s.blocks() {
				r.functions(block, outer, class)
			}
		}
	}
}

// functionReader reads one function, without the functions nested in it.
type functionReader struct {
	own, outer map[string]bool // names that it binds, and names of the enclosing functions
	order      []string        // the names in own, in source order
	defined    map[string]bool // names that imports, functions and classes bind
	globals    []string        // that it declares global
	names      []string        // globals found so far
	seen       map[string]bool
}

func newFunctionReader(outer map[string]bool) *functionReader {
	return &functionReader{own: map[string]bool{}, outer: outer, defined: map[string]bool{}, seen: map[string]bool{}}
}

// bind adds a name that the function binds.
func (f *functionReader) bind(name string) {
	if !f.own[name] {
		f.own[name] = true
		f.order = append(f.order, name)
	}
}

// parameters binds the parameters in the order of co_varnames.
func (f *functionReader) parameters(params []*node) {
	for _, kinds := range [][]ParamKind{{PositionalOnly, PositionalOrKeyword}, {KeywordOnly}, {VarPositional}, {VarKeyword}} {
		for _, p := range params {
			if slices.Contains(kinds, p.value.(ParamKind)) {
				f.bind(p.text)
			}
		}
	}
}

// binds collects the names that statements bind. It treats a nonlocal name like one that the
// function binds, since the name belongs to an enclosing function.
func (f *functionReader) binds(body []*stmt) {
	for _, s := range body {
		for _, t := range s.targets {
			f.target(t)
		}
		for _, e := range s.exprs {
			f.named(e)
		}
		switch s.kind {
		case stmtImport:
			for _, name := range s.names {
				f.bind(name)
				f.defined[name] = true
			}
		case stmtDef, stmtClass:
			f.bind(s.def.name)
			f.defined[s.def.name] = true
			continue
		}
		for _, b := range s.branches {
			if b.as != "" {
				f.bind(b.as)
			}
			for i, e := range b.exprs {
				if s.kind == stmtMatch && i == 0 {
					f.pattern(e)
				} else {
					f.named(e)
				}
			}
		}
		for _, block := range s.blocks() {
			f.binds(block)
		}
	}
}

// target adds the names that an assignment target binds.
func (f *functionReader) target(e *node) {
	if e == nil {
		return
	}
	switch e.kind {
	case nodeName:
		f.bind(e.text)
	case nodeTuple, nodeList, nodeStarred:
		for _, k := range e.kids {
			f.target(k)
		}
	}
}

// named adds the names that := binds in an expression, including its comprehensions.
func (f *functionReader) named(e *node) {
	if e == nil || e.kind == nodeLambda {
		return
	}
	if e.kind == nodeNamed {
		f.target(e.kids[0])
	}
	for _, k := range e.kids {
		f.named(k)
	}
}

// pattern adds the names that a pattern captures.
func (f *functionReader) pattern(e *node) {
	if e == nil {
		return
	}
	kids := e.kids
	switch e.kind {
	case nodeName:
		f.bind(e.text)
	case nodeAttribute:
		return
	case nodeCall:
		kids = kids[1:] // after the class
	case nodeStarred:
		f.bind(e.text)
	}
	for _, k := range kids {
		f.pattern(k)
	}
}

// reads collects the names in statements that are globals.
func (f *functionReader) reads(body []*stmt, in *scoped) {
	for _, s := range body {
		f.all(s.exprs, in)
		f.all(s.targets, in)
		if d := s.def; d != nil { // the parts that are evaluated at the definition
			f.all(d.decorators, in)
			f.all(d.bases, in)
			for _, p := range d.params {
				f.all(p.kids, in)
			}
			f.expr(d.returns, in)
			continue
		}
		for _, b := range s.branches {
			f.all(b.exprs, in)
			f.reads(b.body, in)
		}
		for _, block := range [][]*stmt{s.body, s.orelse, s.final} {
			f.reads(block, in)
		}
	}
}

func (f *functionReader) all(kids []*node, in *scoped) {
	for _, k := range kids {
		f.expr(k, in)
	}
}

// expr collects the names in an expression that are globals. in holds the names of the enclosing
// lambdas and comprehensions.
func (f *functionReader) expr(e *node, in *scoped) {
	if e == nil {
		return
	}
	kids := e.kids
	switch e.kind {
	case nodeName:
		f.name(e.text, in)
	case nodeLambda:
		inner := &scoped{map[string]bool{}, in}
		for _, p := range kids[:len(kids)-1] {
			inner.names[p.text] = true
			f.all(p.kids, in)
		}
		f.expr(kids[len(kids)-1], inner)
		return
	case nodeListComp, nodeSetComp, nodeDictComp, nodeGenerator:
		clauses, element := e.clauses()
		bound := newFunctionReader(nil)
		for _, c := range clauses {
			if len(c.kids) > 1 {
				bound.target(c.kids[1])
			}
		}
		in = &scoped{bound.own, in}
		f.all(element, in)
		kids = clauses
	}
	f.all(kids, in)
}

func (f *functionReader) name(name string, in *scoped) {
	declared := slices.Contains(f.globals, name)
	if f.seen[name] || in.has(name) || !declared && (f.own[name] || f.outer[name]) {
		return
	}
	f.seen[name] = true
	f.names = append(f.names, name)
}
