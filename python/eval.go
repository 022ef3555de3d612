package python

import (
	"fmt"
	"slices"
)

// scope holds the names that a lambda or a comprehension binds, and those that := binds in the
// expression itself. In an Interpreter it also holds the names of a frame.
type scope struct {
	vars          map[string]pyValue
	outer         *scope
	comprehension bool

	// The fields below are used only by an Interpreter.
	frame   *activation     // the frame with these names; nil for the names of a comprehension
	order   []string        // the names in the order in which they were bound
	partial bool            // names that are not in vars may have a value
	hidden  map[string]bool // of a partial module: the names that may have a value
	cleared map[string]bool // the names that an inlined comprehension binds

	misplaced  map[string]bool // names without a value that take an unknown place among the locals when they are bound
	disordered bool            // the order of the locals is unknown: a name was bound that may have been bound before
}

func (s *scope) inner(comprehension bool) *scope {
	return &scope{vars: map[string]pyValue{}, outer: s, comprehension: comprehension}
}

// eval returns the value of a node.
func (ev *evaluation) eval(e *node, in *scope) pyValue {
	defer ev.enter()()
	if ev.interp != nil {
		if ev.interp.top().spread {
			defer ev.interp.failing(e)
		}
		v, ok := ev.interp.eval(e, in)
		if !ok {
			v = ev.evalNode(e, in)
		}
		ev.interp.touch(e)
		ev.interp.knows(v)
		switch v.(type) {
		case opaque, *imported:
			ev.interp.top().unknown = true
		}
		return v
	}
	return ev.evalNode(e, in)
}

// evalNode returns the value of a node that has the same meaning with and without an Interpreter.
func (ev *evaluation) evalNode(e *node, in *scope) pyValue {
	switch e.kind {
	case nodeConstant:
		return e.value
	case nodeName:
		return ev.name(e.text, in)
	case nodeJoined:
		return ev.joined(e, in)
	case nodeField:
		return ev.field(e, in)
	case nodeList:
		return ev.list(ev.items(e.kids, in))
	case nodeTuple:
		return ev.tuple(ev.items(e.kids, in))
	case nodeSet:
		s := ev.newSet(false, ev.items(e.kids, in)).inTableOrder(ev)
		if len(e.kids) >= 3 && allConstant(e.kids) {
			if !ev.since(14) { // the compiler builds it a second time from its items (Python/compile.c, merge_consts_recursive)
				s = ev.newSet(false, s.items).inTableOrder(ev)
			}
			return s.merged(ev) // copied from a constant frozenset
		}
		s.torn = slices.ContainsFunc(e.kids, func(k *node) bool { return k.kind == nodeStarred })
		return s
	case nodeDict:
		return ev.dict(e, in)
	case nodeUnary:
		return ev.unary(e.text, ev.eval(e.kids[0], in))
	case nodeNot:
		return !ev.truth(ev.eval(e.kids[0], in))
	case nodeBinOp:
		left := ev.eval(e.kids[0], in)
		return ev.binary(e.text, left, ev.eval(e.kids[1], in))
	case nodeAnd, nodeOr:
		return ev.junction(e, in)
	case nodeCompare:
		return ev.comparison(e, in)
	case nodeIfExp:
		if ev.truth(ev.eval(e.kids[0], in)) {
			return ev.eval(e.kids[1], in)
		}
		return ev.eval(e.kids[2], in)
	case nodeAttribute:
		return ev.attribute(ev.eval(e.kids[0], in), e.text)
	case nodeSubscript:
		value := ev.eval(e.kids[0], in)
		return ev.subscript(value, ev.eval(e.kids[1], in))
	case nodeSlice:
		return &pySlice{ev.optional(e.kids[0], in), ev.optional(e.kids[1], in), ev.optional(e.kids[2], in)}
	case nodeCall:
		return ev.callNode(e, in)
	case nodeListComp, nodeSetComp, nodeDictComp, nodeGenerator:
		return ev.comprehension(e, in)
	case nodeLambda:
		return ev.lambda(e, in)
	case nodeNamed:
		value := ev.eval(e.kids[1], in)
		for in.comprehension {
			in = in.outer
		}
		in.vars[e.kids[0].text] = value
		return value
	}
	panic(raised("SyntaxError", "can't use starred expression here"))
}

// truth returns the value of bool(v).
func (ev *evaluation) truth(v pyValue) bool {
	if ev.interp != nil {
		return ev.interp.truth(v)
	}
	return truth(v)
}

func (ev *evaluation) optional(e *node, in *scope) pyValue {
	if e == nil {
		return pyNone{}
	}
	return ev.eval(e, in)
}

// name looks a name up in the expression's own scopes, then among the recorded names, then among
// the builtins.
func (ev *evaluation) name(name string, in *scope) pyValue {
	for s := in; s != nil; s = s.outer {
		if v, ok := s.vars[name]; ok {
			return v
		}
	}
	if v, ok := ev.values[name]; ok {
		return v
	}
	if namedTypes[name] {
		return types[name]
	}
	if call, ok := ev.builtins[name]; ok {
		return call
	}
	panic(raised("NameError", "name '%s' has no value here", name))
}

// items evaluates the items of a display, and unpacks *items.
func (ev *evaluation) items(kids []*node, in *scope) []pyValue {
	out := make([]pyValue, 0, len(kids))
	for _, e := range kids {
		if e.kind != nodeStarred {
			out = append(out, ev.eval(e, in))
			continue
		}
		value := ev.eval(e.kids[0], in)
		if !iterable(value) {
			panic(loosely("TypeError", "Value after * must be an iterable, not %s", typeName(value)))
		}
		for item := range ev.each(value) {
			ev.spend(valueSize)
			out = append(out, item)
		}
	}
	return out
}

func (ev *evaluation) dict(e *node, in *scope) pyValue {
	d := newDict()
	for i := 0; i < len(e.kids); i += 2 {
		if key := e.kids[i]; key != nil {
			k := ev.eval(key, in)
			d.put(ev, k, ev.eval(e.kids[i+1], in))
			continue
		}
		ev.update(d, ev.eval(e.kids[i+1], in))
	}
	return d
}

// update adds the items of **value to a dict.
func (ev *evaluation) update(d *pyDict, value pyValue) {
	other, ok := value.(*pyDict)
	if !ok {
		panic(raised("TypeError", "'%s' object is not a mapping", typeName(value)))
	}
	for j, key := range other.keys {
		d.put(ev, key, other.values[j])
	}
}

func (ev *evaluation) junction(e *node, in *scope) pyValue {
	var value pyValue
	for i, k := range e.kids {
		value = ev.eval(k, in)
		if ev.interp != nil && i < len(e.kids)-1 {
			ev.interp.top().touchLine(e.line)
		}
		if ev.truth(value) == (e.kind == nodeOr) {
			break
		}
	}
	return value
}

func (ev *evaluation) comparison(e *node, in *scope) pyValue {
	left := ev.eval(e.kids[0], in)
	var result pyValue
	for i, k := range e.kids[1:] {
		right := ev.eval(k, in)
		result = ev.compare(e.operator(i), left, right)
		if !ev.truth(result) {
			break
		}
		left = right
	}
	return result
}

// comprehension evaluates a comprehension. A generator expression becomes an iterator that
// evaluates one item at a time.
func (ev *evaluation) comprehension(e *node, in *scope) pyValue {
	clauses, element := e.clauses()
	// The first iterable is evaluated immediately, outside the comprehension's scope.
	first := ev.iter(ev.eval(clauses[0].kids[0], in))
	in = in.inner(true)
	advance := ev.clauses(clauses, first, in)
	switch e.kind {
	case nodeGenerator:
		return &pyIter{kind: "generator", next: func() (pyValue, bool) {
			if !advance() {
				return nil, false
			}
			return ev.eval(element[0], in), true
		}}
	case nodeDictComp:
		d := newDict()
		for advance() {
			key := ev.eval(element[0], in)
			d.put(ev, key, ev.eval(element[1], in))
		}
		return d
	case nodeSetComp:
		s := ev.newSet(false, nil)
		for advance() {
			s.add(ev, ev.eval(element[0], in))
		}
		return s.inTableOrder(ev)
	}
	var items []pyValue
	for advance() {
		ev.spend(valueSize)
		items = append(items, ev.eval(element[0], in))
	}
	return &pyList{items}
}

// clauses returns a function that advances the comprehension to its next item and binds its names.
// The function returns false at the end.
func (ev *evaluation) clauses(clauses []*node, first *pyIter, in *scope) func() bool {
	iters := []*pyIter{first} // the iterators of the clauses that have begun, outermost first
	return func() bool {
		for len(iters) > 0 {
			ev.step()
			level := len(iters) - 1
			item, ok := iters[level].next()
			if !ok {
				iters = iters[:level]
				continue
			}
			clause := clauses[level].kids
			ev.bind(clause[1], item, in)
			if slices.ContainsFunc(clause[2:], func(c *node) bool { return !truth(ev.eval(c, in)) }) {
				continue
			}
			if level == len(clauses)-1 {
				return true
			}
			iters = append(iters, ev.iter(ev.eval(clauses[level+1].kids[0], in)))
		}
		return false
	}
}

// bind binds the names in an assignment target to a value.
func (ev *evaluation) bind(target *node, value pyValue, in *scope) {
	if target.kind == nodeName {
		in.vars[target.text] = value
		return
	}
	for i, part := range ev.parts(target.kids, value) {
		ev.bind(unstarred(target.kids[i]), part, in)
	}
}

// tooMany returns the exception for a value with more items than there are targets.
func tooMany(targets int, value pyValue) *EvalError {
	e := raised("ValueError", "too many values to unpack (expected %d)", targets)
	if n := toldLength(value); n >= 0 {
		e.newer = fmt.Sprintf("too many values to unpack (expected %d, got %d)", targets, n)
	}
	return e
}

// toldLength returns the number of items of a value, if CPython's message contains it; else -1.
func toldLength(v pyValue) int {
	switch v := v.(type) {
	case *pyList:
		return len(v.items)
	case *pyTuple:
		return len(v.items)
	case *pyDict:
		return len(v.keys)
	}
	return -1
}

// unstarred returns x for the target *x, and other targets unchanged.
func unstarred(target *node) *node {
	if target.kind == nodeStarred {
		return target.kids[0]
	}
	return target
}

// parts unpacks a value into one value for each target; a starred target gets a list.
func (ev *evaluation) parts(targets []*node, value pyValue) []pyValue {
	if !iterable(value) {
		panic(raised("TypeError", "cannot unpack non-iterable %s object", typeName(value)))
	}
	star := slices.IndexFunc(targets, func(e *node) bool { return e.kind == nodeStarred })
	var items []pyValue
	for item := range ev.each(value) {
		items = append(items, item)
		if star < 0 && len(items) > len(targets) {
			panic(tooMany(len(targets), value))
		}
		ev.spend(valueSize)
	}
	switch {
	case star < 0 && len(items) < len(targets):
		panic(raised("ValueError", "not enough values to unpack (expected %d, got %d)", len(targets), len(items)))
	case star < 0:
		return items
	case len(items) < len(targets)-1:
		panic(raised("ValueError", "not enough values to unpack (expected at least %d, got %d)", len(targets)-1, len(items)))
	}
	after := star + len(items) - (len(targets) - 1) // index of the first item after the starred target's list
	rest := ev.list(slices.Clone(items[star:after]))
	return slices.Concat(items[:star], []pyValue{rest}, items[after:])
}
