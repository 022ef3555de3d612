package python

// drained reports whether an expression is any(…), all(…) or tuple(…) of a generator expression, and
// since 3.15 list(…) or set(…). Since 3.14 the calling frame itself loops over the generator, if the
// name is the builtin (CPython, Python/codegen.c, maybe_optimize_function_call).
func (e *node) drained(v Version) bool {
	if v.Minor < 14 || e.kind != nodeCall || len(e.kids) != 2 || e.kids[1].kind != nodeGenerator {
		return false
	}
	function := e.kids[0]
	return function.is("any") || function.is("all") || function.is("tuple") || v.Minor >= 15 && (function.is("list") || function.is("set"))
}

// drain evaluates an expression for which drained is true. ok is false if it is an ordinary call.
func (in *Interpreter) drain(e *node, sc *scope) (v pyValue, ok bool) {
	name := e.kids[0].text
	if in.hides(name, sc) {
		return nil, false
	}
	a, line := in.top(), e.kids[0].line
	in.ev.eval(e.kids[0], sc)
	gen := in.iterate(in.ev.eval(e.kids[1], sc))
	a.touchLine(line)
	a.drains = gen
	defer func() { a.drains = nil }()
	var items []pyValue
	for {
		in.ev.step()
		item, more := gen.next()
		switch {
		case !more && name == "tuple":
			return in.ev.tuple(items), true
		case !more && name == "list":
			return in.ev.list(items), true
		case !more && name == "set":
			return in.ev.newSet(false, items).inTableOrder(in.ev), true
		case !more:
			return name == "all", true
		case name != "any" && name != "all":
			in.ev.spend(valueSize)
			items = append(items, item)
		case in.truth(item) == (name == "any"):
			in.leaveOff(gen)
			return name == "any", true
		}
		a.at(line, true)
	}
}
