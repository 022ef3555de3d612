package python

import "slices"

// comprehension evaluates a comprehension, in the enclosing frame or in its own.
func (in *Interpreter) comprehension(e *node, sc *scope) pyValue {
	clauses, _ := e.clauses()
	a := in.top()
	if !onLine(e, e.line) && !a.spread {
		panic(refused("", "the events of a comprehension over several lines"))
	}
	if e.kind == nodeGenerator || !in.version.Inlines() {
		a.touchLine(e.line) // the comprehension's function is created
	}
	source := clauses[0].kids[0]
	if in.version.Minor < 15 {
		source = iterated(source)
	}
	given := in.ev.eval(source, sc)
	if e.kind == nodeGenerator && in.version.Minor >= 15 && !iterable(given) {
		panic(refused("", "an iteration that begins in the generator"))
	}
	first := in.iterate(given)
	if in.version.Minor >= 13 {
		a.touchLine(clauses[0].kids[0].line) // GET_ITER
	}
	a.touchLine(e.line)
	if e.kind == nodeGenerator || !in.version.Inlines() {
		c := in.comprehensionCode(e, a)
		inner := &activation{in: in, code: c, line: e.line, over: first}
		inner.names = &scope{vars: map[string]pyValue{".0": first}, outer: sc, frame: inner}
		if in.version.Minor >= 15 { // the generator itself calls iter()
			inner.names.vars[".0"] = given
		}
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
	a.inlined = a.inlined[:depth-1] // an exception keeps the names until its event is reported
	return made
}

// leaveInlined forgets the names of comprehensions that did not run to their end. From then on, the
// place of these names among those of a module or class is unknown.
func (a *activation) leaveInlined() {
	a.left = a.left || len(a.inlined) > 0
	a.inlined = nil
}

// namesOf collects the names that an assignment target binds.
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

// iterated returns the expression that the compiler iterates over: it turns a list display into a
// tuple (CPython, Python/ast_opt.c, fold_iter).
func iterated(e *node) *node {
	if e.kind != nodeList || slices.ContainsFunc(e.kids, func(k *node) bool { return k.kind == nodeStarred }) {
		return e
	}
	tuple := *e
	tuple.kind, tuple.constant = nodeTuple, allConstant(e.kids)
	return &tuple
}

// comprehends reports whether a statement has, on a line, a comprehension that runs in the
// enclosing frame, or a generator expression that this frame iterates over. In each iteration the
// frame returns to that line.
func (s *stmt) comprehends(line int32, v Version) bool {
	var has func(e *node) bool
	has = func(e *node) bool {
		if e == nil || e.kind == nodeLambda || e.kind == nodeGenerator {
			return false
		}
		if e.drained(v) {
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

// makesCode reports whether an expression contains a lambda or a generator expression.
func makesCode(e *node) bool {
	return e != nil && slices.ContainsFunc(e.kids, func(k *node) bool {
		return k != nil && (k.kind == nodeLambda || k.kind == nodeGenerator || makesCode(k))
	})
}

// manyLoops reports whether several comprehensions of the module use the same name. Their names
// then have the order in which the compiler found them.
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
