package python

import (
	"maps"
	"slices"
)

// codeKind says what a code object is of.
type codeKind uint8

const (
	moduleCode codeKind = iota
	functionCode
	classCode
	plainCode // a lambda, a comprehension or a generator expression
)

// code is a code object: what def, class, lambda, a comprehension or the module compile to.
type code struct {
	kind       codeKind
	name, qual string // co_name, co_qualname
	first      int32  // co_firstlineno
	params     []Param
	fallbacks  []*node // the parameters, with their defaults
	body       []*stmt
	expr       *node // of a plainCode: a lambda's body, or the comprehension
	generator  bool
	cell       bool // a class body that returns the cell of __class__
	docstring  bool // body begins with one

	owner            *class          // the class whose method it is
	bound            map[string]bool // names that are local to it
	global, nonlocal map[string]bool // names that it declares
	order            []string        // of the names in states: co_varnames, co_cellvars, co_freevars
}

// definitionCode returns the code of a def or class. outer is the code around it, owner that of
// the names around it.
func (in *Interpreter) definitionCode(s *stmt, outer *activation) *code {
	if c := in.codes[s]; c != nil {
		return c
	}
	c := &code{name: s.def.name, first: firstLine(s), body: s.body, generator: s.def.generator}
	c.qual = outer.code.inside(c.name)
	if s.kind == stmtClass {
		c.kind, c.cell = classCode, in.needsClass(s)
		c.declare(s.body)
	} else {
		c.kind = functionCode
		c.docstring = len(s.body) > 0 && (&lineMarker{}).isDocstring(s.body[0])
		c.params, c.fallbacks = paramsOf(s.def.params), s.def.params
		c.declare(s.body)
		c.bind(in.version, outer.names, func(r *reference) { r.block(s.body) })
	}
	in.codes[s] = c
	return c
}

// lambdaCode returns the code of a lambda.
func (in *Interpreter) lambdaCode(e *node, outer *activation) *code {
	if c := in.codes[e]; c != nil {
		return c
	}
	last := len(e.kids) - 1
	c := &code{kind: plainCode, name: "<lambda>", qual: outer.code.inside("<lambda>"), first: e.line, expr: e.kids[last]}
	c.params, c.fallbacks = paramsOf(e.kids[:last]), e.kids[:last]
	c.bind(in.version, outer.names, func(r *reference) { r.expr(c.expr) })
	in.codes[e] = c
	return c
}

// comprehensionCode returns the code of a comprehension that is a frame of its own.
func (in *Interpreter) comprehensionCode(e *node, outer *activation) *code {
	if c := in.codes[e]; c != nil {
		return c
	}
	if hasNamed(e) {
		panic(refused(":=", "in a comprehension"))
	}
	name := map[nodeKind]string{nodeListComp: "<listcomp>", nodeSetComp: "<setcomp>", nodeDictComp: "<dictcomp>", nodeGenerator: "<genexpr>"}[e.kind]
	c := &code{kind: plainCode, name: name, qual: outer.code.inside(name), first: e.line, expr: e, generator: e.kind == nodeGenerator}
	c.params = []Param{{Name: ".0", Kind: PositionalOnly}}
	c.bind(in.version, outer.names, func(r *reference) { r.rounds(e) })
	in.codes[e] = c
	return c
}

// hasNamed reports whether an expression has a :=.
func hasNamed(e *node) bool {
	return e != nil && (e.kind == nodeNamed || slices.ContainsFunc(e.kids, hasNamed))
}

// inside returns the qualified name of a definition in the code.
func (c *code) inside(name string) string {
	switch c.kind {
	case moduleCode:
		return name
	case classCode:
		return c.qual + "." + name
	case plainCode:
		if c.name != "<lambda>" {
			return c.qual + "." + name
		}
	}
	return c.qual + ".<locals>." + name
}

// declare collects the names of global and nonlocal statements.
func (c *code) declare(body []*stmt) {
	c.global, c.nonlocal = map[string]bool{}, map[string]bool{}
	var walk func(body []*stmt)
	walk = func(body []*stmt) {
		for _, s := range body {
			switch s.kind {
			case stmtDef, stmtClass:
				continue
			case stmtGlobal:
				for _, name := range s.names {
					c.global[name] = true
				}
			case stmtNonlocal:
				for _, name := range s.names {
					c.nonlocal[name] = true
				}
			}
			for _, block := range s.blocks() {
				walk(block)
			}
		}
	}
	walk(body)
}

// bind finds the local names of the code, and the order in which a frame has its names.
func (c *code) bind(v Version, outer *scope, read func(*reference)) {
	r := &reference{inlines: v.Inlines(), seen: map[string]bool{}, bound: map[string]bool{}, captured: map[string]bool{}}
	for _, i := range frameOrder(c.params) {
		r.bound[c.params[i].Name] = true
		r.name(c.params[i].Name)
	}
	params := len(r.order)
	read(r)
	c.bound = r.bound
	for name := range c.global {
		delete(c.bound, name)
	}
	for name := range c.nonlocal {
		delete(c.bound, name)
	}
	var cells, free []string
	for i, name := range r.order {
		switch {
		case !c.bound[name]:
		case i >= params && r.captured[name]:
			cells = append(cells, name)
		default:
			c.order = append(c.order, name)
		}
	}
	for name := range r.captured {
		if c.bound[name] && !r.seen[name] {
			cells = append(cells, name)
		}
	}
	needed := maps.Clone(r.captured)
	for name := range r.seen {
		needed[name] = true
	}
	for name := range needed {
		if !c.bound[name] && !c.global[name] && outer.encloses(name) {
			free = append(free, name)
		}
	}
	if outer.frame != nil && outer.frame.code.kind == classCode && (r.seen["super"] || r.seen["__class__"]) {
		free = append(free, "__class__")
	}
	slices.Sort(cells)
	slices.Sort(free)
	c.order = slices.Concat(c.order, slices.Compact(cells), free)
}

// encloses reports whether a name is local to one of the functions that a scope belongs to.
func (s *scope) encloses(name string) bool {
	for ; s != nil; s = s.outer {
		if s.frame == nil {
			continue
		}
		switch c := s.frame.code; c.kind {
		case moduleCode:
			return false
		case functionCode, plainCode:
			if c.bound[name] {
				return true
			}
			if c.global[name] {
				return false
			}
		}
	}
	return false
}

// reference walks a code in the order of its instructions and notes the names that it uses
// (CPython, Python/compile.c and Python/codegen.c: a local gets its place where it is first used).
type reference struct {
	inlines  bool // comprehensions belong to the code
	order    []string
	seen     map[string]bool
	bound    map[string]bool // names that the code binds
	captured map[string]bool // names that codes within it need
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

// definition notes a def or class: what is evaluated where it stands, its name, and what its code
// needs of the code around it.
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
			r.rounds(e)
			return
		}
		inner := &reference{inlines: r.inlines, seen: map[string]bool{}, bound: map[string]bool{}, captured: map[string]bool{}}
		inner.rounds(e)
		r.needs(inner, false)
	default:
		r.exprs(e.kids)
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
