package python

import (
	"maps"
	"slices"
)

// reference walks a code in the order of its instructions and notes the names that it uses
// (CPython, Python/compile.c and Python/codegen.c: a local gets its place where it is first used).
type reference struct {
	inlines  bool // comprehensions belong to the code
	order    []string
	seen     map[string]bool
	bound    map[string]bool // names that the code binds
	captured map[string]bool // names that codes within it need
	loop     bool            // the code is a comprehension: := binds a name around it
	outer    map[string]bool // names that := in a comprehension binds here
	loops    map[string]bool // names that comprehensions which belong to the code bind
}

func (r *reference) name(name string) {
	if !r.seen[name] {
		r.seen[name] = true
		r.order = append(r.order, name)
	}
}

func (r *reference) binds(name string) {
	r.bound[name] = true
	r.name(name)
}

func (r *reference) block(body []*stmt) {
	for _, s := range body {
		r.stmt(s)
	}
}

func (r *reference) stmt(s *stmt) {
	switch s.kind {
	case stmtAugAssign:
		r.expr(s.targets[0])
		r.exprs(s.exprs)
		r.target(s.targets[0])
	case stmtAnnAssign:
		if len(s.exprs) > 1 {
			r.expr(s.exprs[1])
		}
		if t := s.targets[0]; t.kind == nodeName {
			r.bound[t.text] = true
			if len(s.exprs) > 1 {
				r.name(t.text)
			}
		} else {
			r.target(t)
		}
	case stmtImport:
		for _, name := range s.names {
			r.binds(name)
		}
	case stmtDef, stmtClass:
		r.definition(s)
	case stmtFor:
		r.exprs(s.exprs)
		r.target(s.targets[0])
		r.block(s.body)
		r.block(s.orelse)
	case stmtWith:
		for i, e := range s.exprs {
			r.expr(e)
			if s.targets[i] != nil {
				r.target(s.targets[i])
			}
		}
		r.block(s.body)
	case stmtTry:
		r.block(s.body)
		r.block(s.orelse)
		for _, b := range s.branches {
			r.exprs(b.exprs)
			if b.as != "" {
				r.binds(b.as)
			}
			r.block(b.body)
		}
		r.block(s.final)
	case stmtIf:
		for _, b := range s.branches {
			r.exprs(b.exprs)
			r.block(b.body)
		}
		r.block(s.orelse)
	case stmtMatch:
		r.exprs(s.exprs)
		for _, b := range s.branches {
			f := &functionReader{own: map[string]bool{}}
			f.pattern(b.exprs[0])
			for _, name := range slices.Sorted(maps.Keys(f.own)) {
				r.binds(name)
			}
			r.exprs(b.exprs[1:])
			r.block(b.body)
		}
	default:
		r.exprs(s.exprs)
		for _, t := range s.targets {
			r.target(t)
		}
		for _, block := range s.blocks() {
			r.block(block)
		}
	}
}

// definition records a def or class statement: the expressions that are evaluated at the definition,
// the name that it binds, and the outer names that its body uses.
func (r *reference) definition(s *stmt) {
	d := s.def
	r.exprs(d.decorators)
	r.exprs(d.bases)
	inner := &reference{inlines: r.inlines, seen: map[string]bool{}, bound: map[string]bool{}, captured: map[string]bool{}}
	for _, p := range d.params {
		r.expr(p.fallback())
		inner.binds(p.text)
	}
	inner.block(s.body)
	declared := &code{}
	declared.declare(s.body)
	for name := range declared.global {
		delete(inner.seen, name)
		delete(inner.captured, name)
	}
	for name := range declared.nonlocal {
		delete(inner.bound, name)
	}
	r.needs(inner, s.kind == stmtClass)
	r.binds(d.name)
}

// needs notes the names that a code within takes from outside. What a class binds, codes within
// it do not see.
func (r *reference) needs(inner *reference, class bool) {
	for name := range inner.seen {
		if !inner.bound[name] {
			r.captured[name] = true
		}
	}
	for name := range inner.captured {
		if class || !inner.bound[name] {
			r.captured[name] = true
		}
	}
}

func (r *reference) exprs(list []*node) {
	for _, e := range list {
		r.expr(e)
	}
}

func (r *reference) expr(e *node) {
	if e == nil {
		return
	}
	switch e.kind {
	case nodeName:
		r.name(e.text)
	case nodeNamed:
		r.expr(e.kids[1])
		if r.loop {
			r.name(e.kids[0].text)
			r.outer[e.kids[0].text] = true
			return
		}
		r.target(e.kids[0])
	case nodeLambda:
		last := len(e.kids) - 1
		inner := &reference{inlines: r.inlines, seen: map[string]bool{}, bound: map[string]bool{}, captured: map[string]bool{}}
		for _, p := range e.kids[:last] {
			r.expr(p.fallback())
			inner.binds(p.text)
		}
		inner.expr(e.kids[last])
		r.needs(inner, false)
	case nodeListComp, nodeSetComp, nodeDictComp, nodeGenerator:
		clauses, _ := e.clauses()
		r.expr(clauses[0].kids[0])
		if r.inlines && e.kind != nodeGenerator {
			r.inlined(e)
			return
		}
		inner := &reference{
			inlines: r.inlines, seen: map[string]bool{}, bound: map[string]bool{}, captured: map[string]bool{},
			loop: true, outer: map[string]bool{},
		}
		inner.rounds(e)
		r.needs(inner, false)
		for name := range inner.outer {
			if r.loop {
				r.outer[name] = true
			} else {
				r.bound[name] = true
			}
		}
	default:
		r.exprs(e.kids)
	}
}

// inlined notes the names of a comprehension that belongs to the code: what it binds, only it reads.
func (r *reference) inlined(e *node) {
	bound := r.bound
	r.bound = map[string]bool{}
	r.rounds(e)
	if r.loops == nil {
		r.loops = map[string]bool{}
	}
	walrus := map[string]bool{}
	assigned(e, walrus)
	for name := range r.bound {
		if walrus[name] {
			bound[name] = true
		} else {
			r.loops[name] = true
		}
	}
	r.bound = bound
}

// assigned collects the names that := binds in an expression.
func assigned(e *node, names map[string]bool) {
	if e == nil {
		return
	}
	if e.kind == nodeNamed {
		names[e.kids[0].text] = true
	}
	for _, k := range e.kids {
		assigned(k, names)
	}
}

// rounds notes the names of a comprehension, without its first iterable.
func (r *reference) rounds(e *node) {
	clauses, element := e.clauses()
	for i, c := range clauses {
		if i > 0 {
			r.expr(c.kids[0])
		}
		r.target(c.kids[1])
		r.exprs(c.kids[2:])
	}
	r.exprs(element)
}

// target notes the names of an assignment's target.
func (r *reference) target(e *node) {
	switch e.kind {
	case nodeName:
		r.binds(e.text)
	case nodeTuple, nodeList, nodeStarred:
		for _, k := range e.kids {
			r.target(k)
		}
	default:
		r.exprs(e.kids)
	}
}
