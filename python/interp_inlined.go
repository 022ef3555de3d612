package python

// drained reports whether an expression is any(…), all(…) or tuple(…) of a generator expression.
// Since 3.14 the calling frame itself loops over the generator, if the name is the builtin
// (CPython, Python/codegen.c, maybe_optimize_function_call).
func (e *node) drained() bool {
	return e.kind == nodeCall && len(e.kids) == 2 && e.kids[1].kind == nodeGenerator &&
		(e.kids[0].is("any") || e.kids[0].is("all") || e.kids[0].is("tuple"))
}

// drain evaluates an expression for which drained is true. ok is false if it is an ordinary call.
func (in *Interpreter) drain(e *node, sc *scope) (v pyValue, ok bool) {
	name := e.kids[0].text
	if in.version.Minor < 14 || in.hides(name, sc) {
		return nil, false
	}
	a, line := in.top(), e.kids[0].line
	in.ev.eval(e.kids[0], sc)
	gen := in.iterate(in.ev.eval(e.kids[1], sc))
	a.touchLine(line)
	var items []pyValue
	for {
		in.ev.step()
		item, more := gen.next()
		switch {
		case !more && name == "tuple":
			return in.ev.tuple(items), true
		case !more:
			return name == "all", true
		case name == "tuple":
			in.ev.spend(valueSize)
			items = append(items, item)
		case in.truth(item) == (name == "any"):
			in.leaveOff(gen)
			return name == "any", true
		}
		a.at(line, true)
	}
}
