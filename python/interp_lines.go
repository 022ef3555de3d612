package python

import "slices"

// The lines of a statement over several lines. CPython reports a line where an instruction's line
// differs from that of the instruction before it, so the order of the instructions decides
// (Python/compile.c; from 3.13 on Python/codegen.c).

// plainLines reports whether a statement has one event: all its instructions are on its first line.
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
	if e.line != line || e.kind == nodeAttribute && e.last != line { // its instruction is on the line of the name
		return false
	}
	return e.last == line || e.constant || e.kind == nodeConstant || !slices.ContainsFunc(e.kids, func(k *node) bool { return !onLine(k, line) })
}

// touch reports the line of the instruction that ends an expression.
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
	case nodeCall: // before the call
	case nodeDict: // as it is made
	default:
		a.touchLine(e.line)
	}
}

// lineless reports whether the lines of the parts of a statement over several lines are ignored.
func (in *Interpreter) lineless() bool { return in.silent > 1 || in.silent > 0 && in.watched == nil }

// failing reports the line of the instruction that raised an exception, before the exception. It is
// deferred by the evaluation of an expression.
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

// touchCall reports the line of a call's instruction: that of the method's name, or where the
// called expression begins.
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

// touchTarget reports the line of the instruction that stores a name.
func (a *activation) touchTarget(t *node) {
	switch t.kind {
	case nodeName, nodeTuple, nodeList: // which is unpacked first
		a.touchLine(t.line)
	}
}

// touchLine reports a line if the statement is on several lines.
func (a *activation) touchLine(line int32) {
	if a.spread {
		a.at(line, false)
	}
}

// jump holds the lines of the jumps of a condition.
type jump struct {
	// loc is the line of the jumps before 3.12. A comparison changes it (CPython 3.11,
	// Python/compile.c, compiler_jump_if).
	loc *int32
	sc  *scope

	// From 3.13, a jump to a jump takes the place of that, on the line far (Python/flowgraph.c,
	// jump_thread); 0 if there is none. on is the truth that jumps there.
	far int32
	on  bool
}

// jumpIf evaluates a condition: its parts jump by themselves.
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

// firstThat evaluates "a and b" and "a or b" over several lines, where their value counts: each
// jump is on the first line.
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

// moveJumps changes the line of jumps as the comparisons of a condition do, wherever they stand.
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

// mostOnStack bounds the values that a display loads at once; since 3.10 a longer one is filled piece by piece
// (STACK_USE_GUIDELINE).
const mostOnStack = 30

// longDisplay makes a list, tuple or set that is loaded as one constant or filled item by item. ok
// is false for others.
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

// spreadDict makes a dict as the compiler's instructions do: since 3.10 up to 17 entries at a time, the keys
// together if they are constants.
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
		constant := to-from > 1 && !big && in.version.Minor < 14 // which loads each key before its value
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

// silentConstant returns a constant that another instruction loads.
func (in *Interpreter) silentConstant(e *node, sc *scope) pyValue {
	a := in.top()
	a.spread = false
	defer func() { a.spread = true }()
	return in.ev.evalNode(e, sc)
}

// beginsWithFormat reports whether what is evaluated first in an expression is a format % tuple whose
// text has no line (see Interpreter.eval).
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

// callsInJunction reports whether a line of a statement has a call inside an and or or.
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

// jumps reports whether an expression ends with a jump: and, or, or a if c else b. As the first branch
// of a conditional expression, 3.10, 3.11, 3.13 and 3.14 place it so that the jump goes back, which is
// an event.
func (e *node) jumps() bool {
	return !e.constant && (e.kind == nodeAnd || e.kind == nodeOr || e.kind == nodeIfExp)
}
