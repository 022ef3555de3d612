package python

import "slices"

// This file computes the line events of a statement over several lines. CPython reports a line
// event if an instruction has another line than the instruction before it. So the events follow
// from the order of the compiler's instructions (Python/compile.c; since 3.13 Python/codegen.c).

// plainLines reports whether a statement has exactly one line event: all its instructions are on
// its first line.
func plainLines(s *stmt) bool {
	line := s.line
	if d := s.def; d != nil {
		for _, p := range d.params {
			for _, k := range p.kids {
				if !onLine(k, line) {
					return false
				}
			}
		}
		return onLine(d.returns, line) && !slices.ContainsFunc(d.bases, func(b *node) bool { return !onLine(b, line) })
	}
	for _, list := range [][]*node{s.exprs, s.targets} {
		for _, e := range list {
			if !onLine(e, line) {
				return false
			}
		}
	}
	return true
}

// onLine reports whether all instructions of an expression are on a line.
func onLine(e *node, line int32) bool {
	if e == nil {
		return true
	}
	if e.line != line || e.kind == nodeAttribute && e.last != line { // its instruction has the line of the attribute's name
		return false
	}
	return e.last == line || e.constant || e.kind == nodeConstant || !slices.ContainsFunc(e.kids, func(k *node) bool { return !onLine(k, line) })
}

// touch reports a line event for the last instruction of an expression, if its line is another one.
func (in *Interpreter) touch(e *node) {
	if len(in.stack) == 0 || in.lineless() {
		return
	}
	a := in.top()
	if !a.spread {
		return
	}
	switch e.kind {
	case nodeAttribute:
		if in.version.Minor < 10 && e.line != e.last {
			panic(refused("", "the events of an attribute on another line"))
		}
		a.touchLine(e.last)
	case nodeStarred, nodeKeyword, nodeSlice, nodeAnd, nodeOr, nodeIfExp, nodeNamed:
	case nodeListComp, nodeSetComp, nodeDictComp, nodeGenerator:
		a.touchLine(e.line)
	case nodeJoined, nodeField, nodeYield, nodeAwait:
		if e.last != e.line {
			panic(refused("", "the events of an expression over several lines"))
		}
		a.touchLine(e.line)
	case nodeCall: // reported before the call
	case nodeDict: // reported while it is built
	default:
		a.touchLine(e.line)
	}
}

// lineless reports whether lines within a statement over several lines are ignored.
func (in *Interpreter) lineless() bool { return in.silent > 1 || in.silent > 0 && in.watched == nil }

// failing reports a line event for the instruction that raised an exception, before the exception
// event. The evaluation of an expression defers it.
func (in *Interpreter) failing(e *node) {
	r := recover()
	if err, ok := r.(*EvalError); ok && !err.placed {
		err.placed = true
		in.touch(e)
	}
	if r != nil {
		panic(r)
	}
}

// touchCall reports a line event for a call instruction. Its line is that of the method's name, or
// else the line where the called expression begins.
func (in *Interpreter) touchCall(e *node) {
	a := in.top()
	if !a.spread || in.lineless() {
		return
	}
	if f := e.kids[0]; f.kind == nodeAttribute {
		if e.line != e.last && in.version.Minor < 10 {
			panic(refused("", "the events of a call over several lines"))
		}
		a.touchLine(f.last)
		return
	}
	a.touchLine(e.line)
}

// touchTarget reports a line event for the instruction that stores to a target, if its line is
// another one.
func (a *activation) touchTarget(t *node) {
	switch t.kind {
	case nodeName, nodeTuple, nodeList: // a tuple or list target is unpacked first
		a.touchLine(t.line)
	}
}

// touchLine reports a line event if the statement spans several lines, and line is another line
// than that of the last event.
func (a *activation) touchLine(line int32) {
	if a.spread {
		a.at(line, false)
	}
}

// jump holds the lines of the jump instructions that a condition compiles to.
type jump struct {
	// loc is the line of the jump instructions before 3.12. A comparison changes it (CPython 3.11,
	// Python/compile.c, compiler_jump_if).
	loc *int32
	sc  *scope

	// Since 3.13 a jump that leads to another jump is replaced by that one, with the line far
	// (Python/flowgraph.c, jump_thread); 0 if there is none. It applies if the condition's value is
	// on.
	far int32
	on  bool
}

// jumpIf evaluates a condition. Each part of not, and, or has its own jump.
func (a *activation) jumpIf(e *node, j jump) bool {
	switch e.kind {
	case nodeNot:
		j.on = !j.on
		return !a.jumpIf(e.kids[0], j)
	case nodeAnd, nodeOr:
		or := e.kind == nodeOr
		inner := j
		if inner.on = or; or != j.on {
			inner.far = 0
		}
		last := len(e.kids) - 1
		for i, k := range e.kids[:last] {
			if a.jumpIf(k, inner) == or {
				for _, passed := range e.kids[i+1:] {
					passed.moveJumps(j.loc)
				}
				return or
			}
		}
		return a.jumpIf(e.kids[last], j)
	}
	if a.spread && a.in.version.Minor < 10 {
		panic(refused("", "the events of a condition over several lines"))
	}
	if a.spread && (e.constant || e.kind == nodeConstant) {
		panic(refused("", "the events of a condition that is a constant"))
	}
	if a.spread && j.far != 0 && e.kind == nodeCompare && len(e.kids) > 2 {
		panic(refused("", "the events of a < b < c over several lines"))
	}
	v := a.in.ev.eval(e, j.sc)
	switch {
	case a.in.version.Minor >= 12:
		a.touchLine(e.line)
	case e.kind == nodeCompare:
		*j.loc = e.line
		fallthrough
	default:
		a.touchLine(*j.loc)
	}
	if j.far != 0 {
		a.touchLine(j.far)
	}
	return a.in.truth(v)
}

// choose evaluates "a if c else b" over several lines.
func (a *activation) choose(e *node, sc *scope) pyValue {
	loc := e.line
	if a.jumpIf(e.kids[0], jump{loc: &loc, sc: sc}) {
		return a.in.ev.eval(e.kids[1], sc)
	}
	return a.in.ev.eval(e.kids[2], sc)
}

// firstThat evaluates "a and b" and "a or b" over several lines as a value. Each jump has the first
// line.
func (a *activation) firstThat(e *node, sc *scope) pyValue {
	if a.in.version.Minor < 10 {
		panic(refused("", "the events of a condition over several lines"))
	}
	for _, k := range e.kids[:len(e.kids)-1] {
		if k.constant || k.kind == nodeConstant {
			panic(refused("", "the events of a condition that is a constant"))
		}
		v := a.in.ev.eval(k, sc)
		a.touchLine(e.line)
		if a.in.truth(v) == (e.kind == nodeOr) {
			return v
		}
	}
	return a.in.ev.eval(e.kids[len(e.kids)-1], sc)
}

// moveJumps changes the line of the following jumps like the comparisons in e, which are not
// executed.
func (e *node) moveJumps(loc *int32) {
	switch e.kind {
	case nodeNot, nodeAnd, nodeOr:
		for _, k := range e.kids {
			k.moveJumps(loc)
		}
	case nodeCompare:
		*loc = e.line
	}
}

// mostOnStack is the largest number of items that a display loads at once. Since 3.10 a longer
// display is filled item by item (STACK_USE_GUIDELINE).
const mostOnStack = 30

// longDisplay evaluates a list, tuple or set display that is loaded as one constant or filled item
// by item. ok is false for other displays.
func (in *Interpreter) longDisplay(e *node, sc *scope) (v pyValue, ok bool) {
	a := in.top()
	allConstant := !slices.ContainsFunc(e.kids, func(k *node) bool { return k.kind != nodeConstant && !k.constant })
	if e.kind != nodeTuple && allConstant && (in.version.Minor < 14 || len(e.kids) <= mostOnStack) {
		a.touchLine(e.line)
		spread := a.spread
		a.spread = false
		defer func() { a.spread = spread }()
		return in.ev.evalNode(e, sc), true
	}
	if in.version.Minor < 10 || len(e.kids) <= mostOnStack {
		return nil, false
	}
	a.touchLine(e.line)
	var items []pyValue
	for _, k := range e.kids {
		if k.kind == nodeStarred {
			panic(refused("", "the events of a long display"))
		}
		items = append(items, in.ev.eval(k, sc))
		a.touchLine(e.line)
	}
	switch e.kind {
	case nodeList:
		return in.ev.list(items), true
	case nodeTuple:
		return in.ev.tuple(items), true
	}
	return in.ev.newSet(false, items).inTableOrder(in.ev), true
}

// spreadDict evaluates a dict display over several lines, with the line events of the compiler's
// instructions. Since 3.10 they build up to 17 entries at a time; constant keys are loaded
// together.
func (in *Interpreter) spreadDict(e *node, sc *scope) pyValue {
	a := in.top()
	d := newDict()
	entries := len(e.kids) / 2
	if slices.Contains(e.kids, nil) {
		panic(refused("", "the events of ** in a dict"))
	}
	if entries == 0 {
		a.touchLine(e.line)
	}
	most := 17
	if in.version.Minor < 10 {
		most = entries
	}
	for from := 0; from < entries; from += most {
		to := min(from+most, entries)
		part := e.kids[2*from : 2*to]
		big := in.version.Minor >= 10 && to-from > mostOnStack/2
		constant := to-from > 1 && !big && in.version.Minor < 14 // 3.14 loads each key before its value
		for i := 0; i < len(part); i += 2 {
			constant = constant && (part[i].kind == nodeConstant || part[i].constant)
		}
		if big {
			a.touchLine(e.line)
		}
		for i := 0; i < len(part); i += 2 {
			var key pyValue
			if constant {
				key = in.silentConstant(part[i], sc)
			} else {
				key = in.ev.eval(part[i], sc)
			}
			d.put(in.ev, key, in.ev.eval(part[i+1], sc))
			if big {
				a.touchLine(e.line)
			}
		}
		a.touchLine(e.line)
	}
	return d
}

// silentConstant returns the value of a constant that another instruction loads, without a line
// event.
func (in *Interpreter) silentConstant(e *node, sc *scope) pyValue {
	a := in.top()
	a.spread = false
	defer func() { a.spread = true }()
	return in.ev.evalNode(e, sc)
}

// beginsWithFormat reports whether an expression first evaluates 'format' % (…). The format's
// literal parts have no line (see Interpreter.eval).
func (e *node) beginsWithFormat() bool {
	for ; e != nil; e = e.kids[0] {
		switch {
		case e.kind == nodeBinOp && e.text == "%" && e.kids[0].kind == nodeConstant && e.kids[1].kind == nodeTuple:
			return true
		case e.kind == nodeLambda || e.kind == nodeConstant || e.kind == nodeJoined || len(e.kids) == 0:
			return false
		}
	}
	return false
}

// callsInJunction reports whether a statement with this line has a call inside an and or or.
func (s *stmt) callsInJunction(line int32) bool {
	var has func(e *node, inside bool) bool
	has = func(e *node, inside bool) bool {
		if e == nil {
			return false
		}
		inside = inside || e.kind == nodeAnd || e.kind == nodeOr
		return inside && e.kind == nodeCall || slices.ContainsFunc(e.kids, func(k *node) bool { return has(k, inside) })
	}
	return s.covers(line) && slices.ContainsFunc(s.exprs, func(e *node) bool { return has(e, false) })
}

// jumps reports whether an expression ends with a jump: it is and, or, or a if c else b. If such an
// expression is a in "a if c else b", Python 3.10, 3.11, 3.13 and 3.14 place it so that the jump
// goes backwards, which is an event.
func (e *node) jumps() bool {
	return !e.constant && (e.kind == nodeAnd || e.kind == nodeOr || e.kind == nodeIfExp)
}
