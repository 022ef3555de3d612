package python

import (
	"maps"
	"slices"
)

// codeKind is the kind of construct that a code object was compiled from.
type codeKind uint8

const (
	moduleCode codeKind = iota
	functionCode
	classCode
	plainCode // a lambda, a comprehension or a generator expression
)

// code is a code object of the program: a module, def, class, lambda or comprehension.
type code struct {
	kind       codeKind
	file       *sourceFile
	name, qual string // co_name, co_qualname
	first      int32  // co_firstlineno
	params     []Param
	fallbacks  []*node // the parameters as nodes, with their defaults
	body       []*stmt
	expr       *node // if plainCode: the lambda's body, or the comprehension
	generator  bool
	cell       bool // a class body that returns the cell of __class__
	docstring  bool // body begins with a docstring
	unordered  bool // a cell is also a name of a comprehension, so the order of the locals is not computed
	untraced   bool // it is, or belongs to, an example of a docstring: it is not in the program's file, and has no events

	owner            *class          // for a method: its class
	bound            map[string]bool // its local names
	loops            map[string]bool // names that only its inlined comprehensions bind
	global, nonlocal map[string]bool // names in its global and nonlocal statements
	order            []string        // order of the locals in states: co_varnames, co_cellvars, co_freevars
}

// definitionCode returns the code object of a def or class. outer is the activation that runs the
// statement.
func (in *Interpreter) definitionCode(s *stmt, outer *activation) *code {
	if c := in.codes[s]; c != nil {
		return c
	}
	c := &code{file: outer.code.file, name: s.def.name, first: firstLine(s), body: s.body, generator: s.def.generator, untraced: outer.code.untraced}
	c.qual = outer.code.inside(c.name)
	if s.kind == stmtClass {
		c.kind, c.cell = classCode, c.file.needsClass(s)
		c.declare(s.body)
	} else {
		c.kind = functionCode
		c.docstring = len(s.body) > 0 && (&lineMarker{}).isDocstring(s.body[0])
		c.params, c.fallbacks = paramsOf(s.def.params), s.def.params
		c.declare(s.body)
		in.bind(c, outer.names, func(r *reference) { r.block(s.body) })
	}
	if c.untraced && (s.kind == stmtClass || len(c.global) > 0) {
		panic(refused("doctest.testmod", "with an example of this kind"))
	}
	in.codes[s] = c
	return c
}

// lambdaCode returns the code object of a lambda.
func (in *Interpreter) lambdaCode(e *node, outer *activation) *code {
	if c := in.codes[e]; c != nil {
		return c
	}
	last := len(e.kids) - 1
	c := &code{file: outer.code.file, kind: plainCode, name: "<lambda>", qual: outer.code.inside("<lambda>"), first: e.line, expr: e.kids[last], untraced: outer.code.untraced}
	c.params, c.fallbacks = paramsOf(e.kids[:last]), e.kids[:last]
	in.bind(c, outer.names, func(r *reference) { r.expr(c.expr) })
	in.codes[e] = c
	return c
}

// comprehensionCode returns the code object of a comprehension that runs in a separate frame.
func (in *Interpreter) comprehensionCode(e *node, outer *activation) *code {
	if c := in.codes[e]; c != nil {
		return c
	}
	if hasNamed(e) {
		panic(refused(":=", "in a comprehension"))
	}
	name := map[nodeKind]string{nodeListComp: "<listcomp>", nodeSetComp: "<setcomp>", nodeDictComp: "<dictcomp>", nodeGenerator: "<genexpr>"}[e.kind]
	c := &code{file: outer.code.file, kind: plainCode, name: name, qual: outer.code.inside(name), first: e.line, expr: e, generator: e.kind == nodeGenerator, untraced: outer.code.untraced}
	c.params = []Param{{Name: ".0", Kind: PositionalOnly}}
	in.bind(c, outer.names, func(r *reference) { r.rounds(e) })
	in.codes[e] = c
	return c
}

// hasNamed reports whether an expression contains a :=.
func hasNamed(e *node) bool {
	return e != nil && (e.kind == nodeNamed || slices.ContainsFunc(e.kids, hasNamed))
}

// inside returns the qualified name of a definition called name in c.
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

// bind finds the local names of a code object, and their order in a frame.
func (in *Interpreter) bind(c *code, outer *scope, read func(*reference)) {
	r := newReference(in.version, c.file.lazy)
	for _, i := range frameOrder(c.params) {
		r.bound[c.params[i].Name] = true
		r.name(c.params[i].Name)
	}
	params := len(r.order)
	read(r)
	c.bound, c.loops = r.bound, r.loops
	for name := range c.global {
		delete(c.bound, name)
	}
	for name := range c.nonlocal {
		delete(c.bound, name)
	}
	var cells, free []string
	for i, name := range r.order {
		switch {
		case !c.bound[name] && !c.loops[name]:
		case i >= params && r.captured[name]:
			cells = append(cells, name)
		default:
			c.order = append(c.order, name)
		}
	}
	for name := range r.captured {
		c.unordered = c.unordered || c.loops[name] && in.version.Inlines()
		if c.bound[name] && !r.seen[name] {
			cells = append(cells, name)
		}
	}
	needed := maps.Clone(r.captured)
	maps.Copy(needed, r.outside)
	maps.Copy(needed, r.noted)
	maps.Copy(needed, c.nonlocal)
	for name := range needed {
		if !c.bound[name] && !c.global[name] && outer.encloses(name) {
			if c.loops[name] {
				panic(refused(name, "is a name of a comprehension and of the code around it"))
			}
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

// encloses reports whether a name is local to one of the functions around a scope.
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
