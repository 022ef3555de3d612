package python

import "cmp"

// rounds runs a comprehension, and returns its value.
func (in *Interpreter) rounds(a *activation, e *node, first *pyIter, sc *scope) pyValue {
	if a.spread && in.version.Minor < 10 {
		panic(refused("", "the events of a comprehension over several lines"))
	}
	clauses, element := e.clauses()
	if unpacks(element) && (a.spread || in.version.Minor < 15) {
		panic(refused("", "unpacking in a comprehension, over several lines or before Python 3.15"))
	}
	r := &roundsOf{in: in, a: a, e: e, sc: sc, clauses: clauses, element: element, loc: e.line, line: lineOf(element), set: in.ev.newSet(false, nil), dict: newDict()}
	r.loop(0, first)
	switch e.kind {
	case nodeGenerator:
		return pyNone{}
	case nodeDictComp:
		a.touchLine(r.loc)
		return r.dict
	case nodeSetComp:
		a.touchLine(r.loc)
		return r.set.inTableOrder(in.ev)
	}
	a.touchLine(r.loc)
	return &pyList{r.list}
}

// lineOf returns the line on which the element of a comprehension begins. For **x, element[0] is nil.
func lineOf(element []*node) int32 {
	return cmp.Or(element[0], element[len(element)-1]).line
}

// roundsOf is the state of a running comprehension.
type roundsOf struct {
	in               *Interpreter
	a                *activation
	e                *node
	sc               *scope
	clauses, element []*node
	line             int32 // on which the element begins
	// loc is the line of instructions that belong to no part of the comprehension. Before 3.12 a
	// comparison in a condition changes it for the instructions after it (CPython 3.11,
	// Python/compile.c, compiler_jump_if).
	loc int32

	list []pyValue
	set  *pySet
	dict *pyDict
}

// loop runs the for clause with index level, and in each iteration the clauses after it.
func (r *roundsOf) loop(level int, it *pyIter) {
	in, clause, line := r.in, r.clauses[level].kids, r.loc
	head := line
	if in.version.Minor >= 13 { // FOR_ITER has the line of the iterable
		head = clause[0].line
		r.a.touchLine(head)
	}
	for {
		r.loc = line
		in.ev.step()
		item, ok := it.next()
		if !ok {
			in.exhausted(it)
			r.leave(level)
			return
		}
		if !onLine(clause[1], clause[1].line) {
			panic(refused("", "the events of targets over several lines"))
		}
		r.a.touchLine(clause[1].line)
		in.bindTarget(clause[1], item, r.sc)
		wanted := r.wanted(clause[2:])
		if wanted {
			r.round(level)
		}
		switch {
		case in.version.Minor >= 12:
			r.a.touchLine(r.line)
		case wanted: // a false condition has its own jump back
			r.a.touchLine(r.loc)
		}
		r.a.at(head, true)
	}
}

// leave sets the line of the instructions after the loop of a clause. Before 3.12 they have the line
// of the comparison that comes last in the conditions of this clause and those inside it. In 3.12
// and 3.13 the line stays as it is. Since 3.14 the instruction POP_ITER begins no line: code after
// it on the same line as the jump before it has no line event (CPython, Python/instrumentation.c,
// initialize_lines).
func (r *roundsOf) leave(level int) {
	switch jump := r.line; {
	case r.in.version.Minor >= 14:
		if r.a.spread && (level > 0 || r.loc == jump && r.e.kind != nodeGenerator) {
			r.a.line = jump
		}
		return
	case r.in.version.Minor >= 12:
		return
	}
	for _, clause := range r.clauses[level:] {
		for _, c := range clause.kids[2:] {
			c.moveJumps(&r.loc)
		}
	}
}

// wanted reports whether all conditions of a clause are true.
func (r *roundsOf) wanted(conditions []*node) bool {
	j := jump{loc: &r.loc, sc: r.sc}
	if r.in.version.Minor >= 13 {
		j.far = r.line
	}
	for _, c := range conditions {
		if !r.a.jumpIf(c, j) {
			return false
		}
	}
	return true
}

// round runs one iteration of a clause: it runs the next clause, or adds an element.
func (r *roundsOf) round(level int) {
	in := r.in
	if next := level + 1; next < len(r.clauses) {
		it := in.iterate(in.ev.eval(iterated(r.clauses[next].kids[0]), r.sc))
		if in.version.Minor < 13 {
			r.a.touchLine(r.loc)
		}
		r.loop(next, it)
		return
	}
	if unpacks(r.element) {
		r.unpack()
		return
	}
	if k := r.element[0].kind; r.e.kind == nodeGenerator && r.a.spread && (k == nodeAnd || k == nodeOr || k == nodeIfExp) {
		panic(refused("", "the events of a generator expression over several lines"))
	}
	v := in.ev.eval(r.element[0], r.sc)
	if r.e.kind == nodeDictComp {
		item := in.ev.eval(r.element[1], r.sc)
		r.made()
		r.dict.put(in.ev, v, item)
		return
	}
	r.made()
	switch r.e.kind {
	case nodeSetComp:
		r.set.add(in.ev, v)
	case nodeGenerator:
		in.suspend(v)
	default:
		in.ev.spend(valueSize)
		r.list = append(r.list, v)
	}
}

// made reports the line of the instruction that adds or yields an element.
func (r *roundsOf) made() {
	line := r.loc
	if r.in.version.Minor >= 12 {
		line = r.line
	}
	r.a.touchLine(line)
}

// unpack runs one iteration whose element is *x or **x (PEP 798, Python 3.15). A generator yields
// the items one by one.
func (r *roundsOf) unpack() {
	in := r.in
	switch r.e.kind {
	case nodeDictComp:
		in.ev.update(r.dict, in.ev.eval(r.element[1], r.sc))
	case nodeListComp:
		r.list = append(r.list, in.ev.items(r.element, r.sc)...)
	case nodeSetComp:
		for item := range in.ev.each(in.ev.eval(r.element[0].kids[0], r.sc)) {
			r.set.add(in.ev, item)
		}
		r.set.torn = true // an unpacked set may leave another table
	case nodeGenerator:
		it := in.iterate(in.ev.eval(r.element[0].kids[0], r.sc))
		for item, ok := it.next(); ok; item, ok = it.next() {
			in.ev.step()
			in.suspend(item)
			r.a.at(r.loc, true)
		}
	}
}
