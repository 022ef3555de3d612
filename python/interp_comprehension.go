package python

import "slices"

// comprehension evaluates a comprehension: in the frame around it, or in one of its own.
func (in *Interpreter) comprehension(e *node, sc *scope) pyValue {
	clauses, _ := e.clauses()
	a := in.top()
	if !onLine(e, e.line) && !a.spread {
		panic(refused("", "the events of a comprehension over several lines"))
	}
	if e.kind == nodeGenerator || !in.version.Inlines() {
		a.touchLine(e.line) // its function is made
	}
	first := in.iterate(in.ev.eval(iterated(clauses[0].kids[0]), sc))
	if in.version.Minor >= 13 {
		a.touchLine(clauses[0].kids[0].line) // GET_ITER
	}
	a.touchLine(e.line)
	if e.kind == nodeGenerator || !in.version.Inlines() {
		c := in.comprehensionCode(e, a)
		inner := &activation{in: in, code: c, line: e.line}
		inner.names = &scope{vars: map[string]pyValue{".0": first}, outer: sc, frame: inner}
		if e.kind == nodeGenerator {
			return in.newGenerator(inner)
		}
		return in.runFrame(inner)
	}
	if makesCode(e) {
		panic(refused("", "a function within a comprehension"))
	}
	inner := &scope{vars: map[string]pyValue{}, outer: sc, comprehension: true, cleared: map[string]bool{}}
	for _, c := range clauses {
		namesOf(c.kids[1], inner.cleared)
	}
	a.inlined = append(a.inlined, inner)
	depth := len(a.inlined)
	made := in.rounds(a, e, first, inner)
	a.inlined = a.inlined[:depth-1] // an exception leaves its names there until it is told
	return made
}

// leaveInlined forgets the names of comprehensions that were left before their end. Where they stand
// among the names of a module or class from then on is not known.
func (a *activation) leaveInlined() {
	a.left = a.left || len(a.inlined) > 0
	a.inlined = nil
}

// namesOf collects the names of a target.
func namesOf(t *node, names map[string]bool) {
	switch t.kind {
	case nodeName:
		names[t.text] = true
	case nodeTuple, nodeList, nodeStarred:
		for _, k := range t.kids {
			namesOf(k, names)
		}
	}
}

// iterated returns what the compiler iterates over: a list display is made a tuple (CPython,
// Python/ast_opt.c, fold_iter).
func iterated(e *node) *node {
	if e.kind != nodeList || slices.ContainsFunc(e.kids, func(k *node) bool { return k.kind == nodeStarred }) {
		return e
	}
	tuple := *e
	tuple.kind, tuple.constant = nodeTuple, allConstant(e.kids)
	return &tuple
}

// comprehends reports whether a statement has a loop inside an expression on a line: a comprehension
// that is part of the frame, or a generator that the frame drains. The frame comes back to the line in
// each round.
func (s *stmt) comprehends(line int32, v Version) bool {
	var has func(e *node) bool
	has = func(e *node) bool {
		if e == nil || e.kind == nodeLambda || e.kind == nodeGenerator {
			return false
		}
		if v.Minor >= 14 && e.drained() {
			return true
		}
		return e.kind == nodeListComp || e.kind == nodeSetComp || e.kind == nodeDictComp || slices.ContainsFunc(e.kids, has)
	}
	for _, block := range s.blocks() {
		for _, inner := range block {
			if inner.line == line && inner.comprehends(line, v) {
				return true
			}
		}
	}
	found := slices.ContainsFunc(s.exprs, has) || slices.ContainsFunc(s.targets, has)
	for _, b := range s.branches {
		found = found || b.line == line && slices.ContainsFunc(b.exprs, has)
	}
	return found
}

// makesCode reports whether an expression has a lambda or a generator expression in it.
func makesCode(e *node) bool {
	return e != nil && slices.ContainsFunc(e.kids, func(k *node) bool {
		return k != nil && (k.kind == nodeLambda || k.kind == nodeGenerator || makesCode(k))
	})
}

// manyLoops reports whether comprehensions of the module share a name: its names have then the order
// in which the compiler met them.
func (c *code) manyLoops() bool {
	seen, shared := map[string]bool{}, false
	var expr func(e *node)
	expr = func(e *node) {
		if e == nil {
			return
		}
		if e.kind == nodeListComp || e.kind == nodeSetComp || e.kind == nodeDictComp {
			clauses, _ := e.clauses()
			own := map[string]bool{}
			for _, c := range clauses {
				namesOf(c.kids[1], own)
			}
			for name := range own {
				shared = shared || seen[name]
				seen[name] = true
			}
		}
		for _, k := range e.kids {
			expr(k)
		}
	}
	var block func(body []*stmt)
	block = func(body []*stmt) {
		for _, s := range body {
			for _, e := range append(slices.Clone(s.exprs), s.targets...) {
				expr(e)
			}
			for _, b := range s.branches {
				for _, e := range b.exprs {
					expr(e)
				}
			}
			if s.def == nil || s.kind == stmtClass {
				for _, inner := range s.blocks() {
					block(inner)
				}
			}
		}
	}
	block(c.body)
	return shared
}
