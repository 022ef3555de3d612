package python

import (
	"math/big"
	"slices"
)

// This file evaluates expressions within a program, as far as they differ from expressions whose
// values are all known by their reprs.

// eval returns the value of a node. ok is false if the node is evaluated as it is outside a
// program.
func (in *Interpreter) eval(e *node, sc *scope) (v pyValue, ok bool) {
	if e.constant && e.kind != nodeConstant && in.top().spread {
		if e.kind == nodeAnd || e.kind == nodeOr || e.kind == nodeIfExp {
			panic(refused("", "the events of a condition that is a constant"))
		}
		return in.silentConstant(e, sc), true
	}
	switch e.kind {
	case nodeJoined:
		if in.top().spread && e.last != e.line {
			panic(refused("", "the events of an f-string over several lines"))
		}
	case nodeName:
		return in.load(e.text, sc), true
	case nodeListComp, nodeSetComp, nodeDictComp, nodeGenerator:
		return in.comprehension(e, sc), true
	case nodeLambda:
		return in.newFunction(in.lambdaCode(e, in.top()), sc, e.line), true
	case nodeNamed:
		v := in.ev.eval(e.kids[1], sc)
		in.store(e.kids[0].text, v, sc)
		return v, true
	case nodeBinOp:
		if e.text == "%" && e.kids[0].kind == nodeConstant && e.kids[1].kind == nodeTuple && !e.constant {
			// The compiler turns it into an f-string, whose literal parts have no line
			// (Python/ast_opt.c, optimize_format).
			panic(refused("%", "with a tuple: its events"))
		}
	case nodeIfExp:
		if v := in.version.Minor; v >= 10 && v != 12 && e.kids[1].jumps() {
			if in.truth(in.ev.eval(e.kids[0], sc)) {
				panic(refused("", "the events of a conditional expression"))
			}
			return in.ev.eval(e.kids[2], sc), true
		}
		if a := in.top(); a.spread {
			return a.choose(e, sc), true
		}
	case nodeAnd, nodeOr:
		a := in.top()
		if a.spread {
			return a.firstThat(e, sc), true
		}
		if in.version.Minor == 12 {
			before := in.events
			v := in.ev.junction(e, sc)
			if in.events != before && a.code.kind != plainCode {
				panic(refused("", "whether a jump back to the line is an event"))
			}
			return v, true
		}
	case nodeCompare:
		if in.top().spread && len(e.kids) > 2 && !onLine(e, e.line) {
			panic(refused("", "the events of a chain of comparisons over several lines"))
		}
	case nodeYield:
		return in.yieldNode(e, sc), true
	case nodeAwait:
		panic(refused("", "coroutines"))
	case nodeList, nodeSet, nodeTuple:
		if in.top().spread && !onLine(e, e.line) && slices.ContainsFunc(e.kids, func(k *node) bool { return k.kind == nodeStarred }) {
			panic(refused("", "the events of * over several lines"))
		}
		if a := in.top(); a.spread && !e.constant && len(e.kids) > 2 {
			return in.longDisplay(e, sc)
		}
	case nodeDict:
		if in.top().spread {
			return in.spreadDict(e, sc), true
		}
	case nodeCall:
		if in.top().spread && !onLine(e, e.line) && slices.ContainsFunc(e.kids, isUnpacked) {
			panic(refused("", "the events of * over several lines"))
		}
		if e.drained(in.version) {
			return in.drain(e, sc)
		}
		if e.kids[0].is("super") && len(e.kids) == 1 && !in.hides("super", sc) {
			return in.superOf(), true
		}
	}
	return nil, false
}

// call calls a function, method or class of the program. ok is false for other values.
func (in *Interpreter) call(f pyValue, a *arguments) (v pyValue, ok bool) {
	switch f := f.(type) {
	case *function:
		return in.callFunction(f, a), true
	case *bound:
		a.positional = slices.Insert(slices.Clone(a.positional), 0, f.self)
		return in.callFunction(f.function, a), true
	case *class:
		return in.construct(f, a), true
	case *instance, *imported, *module, *super, opaque:
		panic(refused("", "a call of what is not followed"))
	case *pyType:
		switch f.name {
		case "type":
			if len(a.positional) == 1 {
				if x, ok := a.positional[0].(*instance); ok {
					return x.class, true
				}
			}
		case "str":
			if len(a.positional) == 1 && len(a.names) == 0 {
				return in.ev.str(a.positional[0]), true
			}
		case "bool":
			if len(a.positional) == 1 && len(a.names) == 0 {
				return in.truth(a.positional[0]), true
			}
		}
	}
	return nil, false
}

// noting wraps a method that changes v in place, so that the interpreter registers the change
// first.
func (in *Interpreter) noting(v pyValue, call builtinFunc) builtinFunc {
	return func(ev *evaluation, a *arguments) pyValue {
		in.changing(v)
		return call(ev, a)
	}
}

// ordersSet refuses a set whose order the source does not determine: its elements have unknown
// hashes.
func (ev *evaluation) ordersSet(s *pySet) {
	if ev.interp == nil || len(s.items) < 2 || s.shown && !s.given {
		return
	}
	if in := ev.interp; in.telling && (s.shown || in.watch != nil || in.watched != nil) {
		return // the caller accepts the elements of sets in any order
	}
	ascending := -1
	for _, item := range s.items {
		i, ok := item.(*big.Int)
		if !ok || i.Sign() < 0 || !i.IsInt64() {
			panic(refused("", "the order of a set"))
		}
		if (s.torn || s.given) && (i.Int64() >= leastTable || int(i.Int64()) < ascending) {
			panic(refused("", "the order of a set"))
		}
		ascending = int(i.Int64())
	}
}

// leastTable is the number of slots of the smallest table of a set. Smaller numbers are in
// ascending order in tables of any size (CPython, Include/cpython/setobject.h).
const leastTable = 8

// identical reports whether a is b. It refuses if that depends on which constants CPython shares.
func (in *Interpreter) identical(a, b pyValue) bool {
	switch {
	case singular(a) && singular(b):
		x, isX := a.(*pyType)
		y, isY := b.(*pyType)
		if isX && isY {
			return x.name == y.name
		}
		return a == b
	case isOpaque(a) || isOpaque(b):
		refuseInstance(opaque{})
	case singular(a) || singular(b):
		return false
	case isMutable(a) && isMutable(b):
		if in.unsure[a] && in.unsure[b] {
			panic(refused("", "whether two names hold one object"))
		}
		return a == b
	case isMutable(a) != isMutable(b):
		return false
	}
	switch a.(type) {
	case *class, *function:
		return a == b
	}
	panic(refused("is", "depends on which constants are shared"))
}

// equal reports whether a == b, if one of them is an object of the program. ok is false for other
// values.
func (in *Interpreter) equal(a, b pyValue) (same, ok bool) {
	x, _ := a.(*instance)
	y, _ := b.(*instance)
	if x != nil && y != nil && in.unsure[x] && in.unsure[y] {
		panic(refused("", "whether two names hold one object"))
	}
	for _, v := range []pyValue{a, b} {
		switch v := v.(type) {
		case *instance:
			if v.class.overrides("__eq__", "__ne__") || v.attrs.partial {
				panic(refused("", "the program's own =="))
			}
			ok = true
		case *class, *function:
			ok = true
		case opaque, *imported:
			refuseInstance(v)
		}
	}
	return ok && a == b, ok
}

// isInstance returns isinstance(v, of), if v or of belongs to the program.
func (in *Interpreter) isInstance(v, of pyValue) (is, ok bool) {
	if t, isTuple := of.(*pyTuple); isTuple {
		for _, one := range t.items {
			is, known := in.isInstance(v, one)
			if !known {
				is = in.ev.isOneOf(typeName(v), one, "isinstance() arg 2 must be a type, a tuple of types, or a union")
			}
			if is {
				return true, true
			}
		}
		return false, true
	}
	if o, ok := of.(opaque); ok {
		refuseInstance(o)
	}
	x, isObject := v.(*instance)
	c, isClass := of.(*class)
	switch {
	case isObject && isClass:
		return slices.Contains(x.class.mro, c), true
	case isObject:
		if _, builtin := of.(*pyType); builtin {
			return false, true
		}
	case isClass:
		if c == objectClass {
			return true, true
		}
		switch v.(type) {
		case opaque, *imported:
			refuseInstance(v)
		}
		return false, true
	}
	return false, false
}

// str returns str(v), if v is or contains an object of the program.
func (in *Interpreter) str(v pyValue) (text pyStr, ok bool) {
	x, isObject := v.(*instance)
	if !isObject {
		return "", in.holdsObjects(v)
	}
	if f, ok := x.class.lookup("__str__"); ok {
		return in.textFrom(f, x), true
	}
	if x.class.isException() && !x.class.overrides("__repr__") {
		if x.shown != "" {
			panic(refused("", "the arguments of an exception"))
		}
		switch len(x.args) {
		case 0:
			return "", true
		case 1:
			if x.class.is("KeyError") {
				return pyStr(in.ev.repr(x.args[0])), true
			}
			return in.ev.str(x.args[0]), true
		}
		return pyStr(in.ev.repr(in.ev.tuple(x.args))), true
	}
	return in.reprOf(v)
}

// reprOf returns repr(v), if v is or contains an object of the program. The events of the program's
// __repr__ are reported.
func (in *Interpreter) reprOf(v pyValue) (text pyStr, ok bool) {
	x, isObject := v.(*instance)
	if !isObject {
		return "", in.holdsObjects(v)
	}
	if f, ok := x.class.lookup("__repr__"); ok {
		return in.textFrom(f, x), true
	}
	if x.class.isException() {
		return pyStr(in.ev.repr(x)), true
	}
	panic(refused("", "the address of an object"))
}

func (in *Interpreter) textFrom(f pyValue, x *instance) pyStr {
	method, ok := f.(*function)
	if !ok {
		panic(refused("", "a text that is no method's"))
	}
	text, ok := in.callFunction(method, &arguments{positional: []pyValue{x}}).(pyStr)
	if !ok {
		panic(refused("", "a text that is no str"))
	}
	return text
}

// holdsObjects refuses a value that is or contains an object of the program, because the object's
// own methods produce its repr. For any other value it returns false.
func (in *Interpreter) holdsObjects(v pyValue) bool {
	var items []pyValue
	switch v := v.(type) {
	case *pyList:
		items = v.items
	case *pyTuple:
		items = v.items
	case *pyDict:
		items = slices.Concat(v.keys, v.values)
	case *pySet:
		items = v.items
	case *instance, *function, *class, *bound, *imported, *module, opaque, *pyIter, *pyLambda:
		panic(refused("", "the text of an object of the program"))
	}
	for _, item := range items {
		in.holdsObjects(item)
	}
	return false
}

// isUnpacked reports whether an argument is *x or **x.
func isUnpacked(e *node) bool { return e.kind == nodeStarred || e.kind == nodeKeyword && e.text == "" }
