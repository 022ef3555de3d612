package python

import (
	"maps"
	"slices"
)

// reference visits a code object in the order of its instructions and collects the names that it
// uses. The order matters: a local variable gets its index where it is first used (CPython,
// Python/compile.c and Python/codegen.c).
type reference struct {
	version  Version
	lazy     bool // annotations are strings
	class    bool // visits a class body
	order    []string
	seen     map[string]bool
	outside  map[string]bool // the seen names, without those that only belong to a comprehension
	own      map[string]bool // names that the current comprehension binds
	bound    map[string]bool // names that the code object binds
	captured map[string]bool // names that nested code objects need
	noted    map[string]bool // names that only annotations without instructions mention
	loop     bool            // visits a comprehension with its own frame: := binds a name of the enclosing function
	outer    map[string]bool // names that := in a comprehension binds in the enclosing function
	loops    map[string]bool // names that inlined comprehensions bind
}

func newReference(v Version, lazy bool) *reference {
	return &reference{
		version: v, lazy: lazy, seen: map[string]bool{}, outside: map[string]bool{}, bound: map[string]bool{}, captured: map[string]bool{}, noted: map[string]bool{},
	}
}

// inner returns a reference for a nested code object.
func (r *reference) inner() *reference { return newReference(r.version, r.lazy) }

func (r *reference) name(name string) {
	if !r.own[name] {
		r.outside[name] = true
	}
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
		r.annotation(s.exprs[0])
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
			f := newFunctionReader(nil)
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

// definition records a def or class statement: the expressions that are evaluated at the
// definition, the name that it binds, and the outer names that its body uses.
func (r *reference) definition(s *stmt) {
	d := s.def
	r.exprs(d.decorators)
	r.exprs(d.bases)
	inner := r.inner()
	for _, p := range d.params {
		r.expr(p.fallback())
		inner.binds(p.text)
	}
	for _, p := range annotated(d.params) {
		r.evaluated(p.kids[0])
	}
	if s.kind == stmtDef {
		r.evaluated(d.returns)
	}
	inner.class = s.kind == stmtClass
	inner.block(s.body)
	declared := &code{}
	declared.declare(s.body)
	for name := range declared.global {
		delete(inner.outside, name)
		delete(inner.captured, name)
	}
	for name := range declared.nonlocal {
		delete(inner.bound, name)
		r.captured[name] = true // even if nothing uses it
	}
	r.needs(inner, s.kind == stmtClass)
	r.binds(d.name)
}

// annotation records the names in the annotation of a variable. The annotation of a local variable
// is not evaluated.
func (r *reference) annotation(e *node) {
	switch {
	case r.lazy:
	case r.version.Minor >= 14 && r.class:
		r.evaluated(e)
	case r.version.Minor < 14:
		inner := r.inner()
		inner.expr(e)
		maps.Copy(r.noted, inner.outside)
	}
}

// evaluated records the names in an annotation that is evaluated: in this code object, or since
// 3.14 in a separate one.
func (r *reference) evaluated(e *node) {
	switch {
	case r.lazy || e == nil:
	case r.version.Minor >= 14:
		inner := r.inner()
		inner.expr(e)
		r.needs(inner, false)
	default:
		r.expr(e)
	}
}

// needs records the names that a nested code object reads from outside. Names that a class body
// binds are not visible in code objects inside the class.
func (r *reference) needs(inner *reference, class bool) {
	for _, names := range []map[string]bool{inner.outside, inner.noted} {
		for name := range names {
			if !inner.bound[name] {
				r.captured[name] = true
			}
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
		inner := r.inner()
		for _, p := range e.kids[:last] {
			r.expr(p.fallback())
			inner.binds(p.text)
		}
		inner.expr(e.kids[last])
		r.needs(inner, false)
	case nodeListComp, nodeSetComp, nodeDictComp, nodeGenerator:
		clauses, _ := e.clauses()
		r.expr(clauses[0].kids[0])
		if r.version.Inlines() && e.kind != nodeGenerator {
			r.inlined(e)
			return
		}
		inner := r.inner()
		inner.loop, inner.outer = true, map[string]bool{}
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

// inlined records the names of an inlined comprehension. The names that it binds are visible only
// in the comprehension.
func (r *reference) inlined(e *node) {
	bound, own := r.bound, r.own
	r.bound, r.own = map[string]bool{}, maps.Clone(own)
	if r.own == nil {
		r.own = map[string]bool{}
	}
	clauses, _ := e.clauses()
	binds := map[string]bool{}
	for _, c := range clauses {
		namesOf(c.kids[1], binds)
	}
	for name := range binds {
		if r.own[name] = true; r.seen[name] && !bound[name] && !r.loops[name] {
			delete(r.seen, name) // until now it was an outer name, which has no place among the locals
			r.order = slices.DeleteFunc(r.order, func(n string) bool { return n == name })
		}
	}
	r.rounds(e)
	r.own = own
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

// rounds records the names of a comprehension, except those in its first iterable.
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

// target records the names in an assignment target.
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
