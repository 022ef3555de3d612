package python

import "slices"

// comprehension evaluates a comprehension: in the frame around it, or in one of its own.
func (in *Interpreter) comprehension(e *node, sc *scope) pyValue {
	clauses, _ := e.clauses()
	a := in.top()
	if !onLine(e, e.line) {
		panic(refused("", "the events of a comprehension over several lines"))
	}
	first := in.iterate(in.ev.eval(clauses[0].kids[0], sc))
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
	inner := &scope{vars: map[string]pyValue{}, outer: sc, comprehension: true}
	a.inlined = append(a.inlined, inner)
	depth := len(a.inlined)
	defer func() { a.inlined = a.inlined[:depth-1] }()
	return in.rounds(a, e, first, inner)
}

// makesCode reports whether an expression has a lambda or a generator expression in it.
func makesCode(e *node) bool {
	return e != nil && slices.ContainsFunc(e.kids, func(k *node) bool {
		return k != nil && (k.kind == nodeLambda || k.kind == nodeGenerator || makesCode(k))
	})
}

// rounds runs the loops of a comprehension.
func (in *Interpreter) rounds(a *activation, e *node, first *pyIter, sc *scope) pyValue {
	clauses, element := e.clauses()
	var list []pyValue
	set, dict := in.ev.newSet(false, nil), newDict()
	var loop func(level int, it *pyIter)
	loop = func(level int, it *pyIter) {
		for {
			in.ev.step()
			item, ok := it.next()
			if !ok {
				return
			}
			clause := clauses[level].kids
			in.bindTarget(clause[1], item, sc)
			wanted := !slices.ContainsFunc(clause[2:], func(c *node) bool { return !in.truth(in.ev.eval(c, sc)) })
			switch {
			case !wanted:
			case level+1 < len(clauses):
				loop(level+1, in.iterate(in.ev.eval(clauses[level+1].kids[0], sc)))
			case e.kind == nodeDictComp:
				key := in.ev.eval(element[0], sc)
				dict.put(in.ev, key, in.ev.eval(element[1], sc))
			case e.kind == nodeSetComp:
				set.add(in.ev, in.ev.eval(element[0], sc))
			case e.kind == nodeGenerator:
				in.suspend(in.ev.eval(element[0], sc))
			default:
				in.ev.spend(valueSize)
				list = append(list, in.ev.eval(element[0], sc))
			}
			a.at(e.line, true)
		}
	}
	loop(0, first)
	switch e.kind {
	case nodeDictComp:
		return dict
	case nodeSetComp:
		return set.inTableOrder(in.ev)
	case nodeGenerator:
		return pyNone{}
	}
	return &pyList{list}
}
