package python

import "slices"

// scope holds the names that a lambda or a comprehension binds, and those that
// := binds in the expression itself.
type scope struct {
	vars          map[string]pyValue
	outer         *scope
	comprehension bool
}

func (s *scope) inner(comprehension bool) *scope {
	return &scope{vars: map[string]pyValue{}, outer: s, comprehension: comprehension}
}

// eval is the value of a node.
func (ev *evaluation) eval(node exprNode, in *scope) pyValue {
	defer ev.enter()()
	switch node := node.(type) {
	case *constExpr:
		return node.value
	case *nameExpr:
		return ev.name(node.name, in)
	case *joinedExpr:
		return ev.joined(node, in)
	case *formattedExpr:
		return ev.formatted(node, in)
	case *listExpr:
		return ev.list(ev.items(node.items, in))
	case *tupleExpr:
		return ev.tuple(ev.items(node.items, in))
	case *setExpr:
		return ev.newSet(false, ev.items(node.items, in)).inTableOrder(ev)
	case *dictExpr:
		return ev.dict(node, in)
	case *unaryExpr:
		return ev.unary(node.op, ev.eval(node.operand, in))
	case *binaryExpr:
		left := ev.eval(node.left, in)
		return ev.binary(node.op, left, ev.eval(node.right, in))
	case *boolExpr:
		return ev.junction(node, in)
	case *compareExpr:
		return ev.comparison(node, in)
	case *condExpr:
		if truth(ev.eval(node.test, in)) {
			return ev.eval(node.then, in)
		}
		return ev.eval(node.otherwise, in)
	case *attributeExpr:
		return ev.attribute(ev.eval(node.value, in), node.name)
	case *subscriptExpr:
		value := ev.eval(node.value, in)
		return ev.subscript(value, ev.eval(node.index, in))
	case *sliceExpr:
		return &pySlice{ev.optional(node.start, in), ev.optional(node.stop, in), ev.optional(node.step, in)}
	case *callExpr:
		return ev.callNode(node, in)
	case *compExpr:
		return ev.comprehension(node, in)
	case *lambdaExpr:
		return ev.lambda(node, in)
	case *namedExpr:
		value := ev.eval(node.value, in)
		for in.comprehension {
			in = in.outer
		}
		in.vars[node.name] = value
		return value
	}
	panic(raised("SyntaxError", "can't use starred expression here"))
}

func (ev *evaluation) optional(node exprNode, in *scope) pyValue {
	if node == nil {
		return pyNone{}
	}
	return ev.eval(node, in)
}

// name looks a name up: in the expression's own scopes, among what was recorded,
// among the builtins.
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
	panic(raised("NameError", "name '%s' is not among the values of this state", name))
}

// items are the values of a display's items, *items unpacked.
func (ev *evaluation) items(nodes []exprNode, in *scope) []pyValue {
	out := make([]pyValue, 0, len(nodes))
	for _, node := range nodes {
		starred, ok := node.(*starredExpr)
		if !ok {
			out = append(out, ev.eval(node, in))
			continue
		}
		value := ev.eval(starred.value, in)
		if !iterable(value) {
			panic(raised("TypeError", "Value after * must be an iterable, not %s", typeName(value)))
		}
		for item := range ev.each(value) {
			ev.spend(valueSize)
			out = append(out, item)
		}
	}
	return out
}

func (ev *evaluation) dict(node *dictExpr, in *scope) pyValue {
	d := newDict()
	for i, key := range node.keys {
		if key != nil {
			k := ev.eval(key, in)
			d.put(ev, k, ev.eval(node.values[i], in))
			continue
		}
		value := ev.eval(node.values[i], in)
		other, ok := value.(*pyDict)
		if !ok {
			panic(raised("TypeError", "'%s' object is not a mapping", typeName(value)))
		}
		for j, key := range other.keys {
			d.put(ev, key, other.values[j])
		}
	}
	return d
}

func (ev *evaluation) junction(node *boolExpr, in *scope) pyValue {
	var value pyValue
	for _, operand := range node.operands {
		value = ev.eval(operand, in)
		if truth(value) == (node.op == "or") {
			break
		}
	}
	return value
}

func (ev *evaluation) comparison(node *compareExpr, in *scope) pyValue {
	left := ev.eval(node.first, in)
	var result pyValue
	for i, op := range node.ops {
		right := ev.eval(node.rest[i], in)
		result = ev.compare(op, left, right)
		if !truth(result) {
			break
		}
		left = right
	}
	return result
}

// comprehension runs a comprehension: to its end, or as far as its generator
// is asked.
func (ev *evaluation) comprehension(node *compExpr, in *scope) pyValue {
	// The first iterable is evaluated outside, at once.
	first := ev.iter(ev.eval(node.clauses[0].iter, in))
	in = in.inner(true)
	advance := ev.clauses(node.clauses, first, in)
	switch node.kind {
	case "generator":
		return &pyIter{"generator", func() (pyValue, bool) {
			if !advance() {
				return nil, false
			}
			return ev.eval(node.element, in), true
		}}
	case "dict":
		d := newDict()
		for advance() {
			key := ev.eval(node.element, in)
			d.put(ev, key, ev.eval(node.value, in))
		}
		return d
	case "set":
		s := ev.newSet(false, nil)
		for advance() {
			s.add(ev, ev.eval(node.element, in))
		}
		return s.inTableOrder(ev)
	}
	var items []pyValue
	for advance() {
		ev.spend(valueSize)
		items = append(items, ev.eval(node.element, in))
	}
	return &pyList{items}
}

// clauses gives a function that binds the names of a comprehension to its next
// round, and is false when there is none.
func (ev *evaluation) clauses(clauses []compClause, first *pyIter, in *scope) func() bool {
	iters := []*pyIter{first} // of the clauses that have begun, outermost first
	return func() bool {
		for len(iters) > 0 {
			ev.step()
			level := len(iters) - 1
			item, ok := iters[level].next()
			if !ok {
				iters = iters[:level]
				continue
			}
			clause := clauses[level]
			ev.bind(clause.target, item, in)
			if slices.ContainsFunc(clause.conditions, func(c exprNode) bool { return !truth(ev.eval(c, in)) }) {
				continue
			}
			if level == len(clauses)-1 {
				return true
			}
			iters = append(iters, ev.iter(ev.eval(clauses[level+1].iter, in)))
		}
		return false
	}
}

// bind binds the names of a target to a value.
func (ev *evaluation) bind(target exprNode, value pyValue, in *scope) {
	var targets []exprNode
	switch target := target.(type) {
	case *nameExpr:
		in.vars[target.name] = value
		return
	case *tupleExpr:
		targets = target.items
	case *listExpr:
		targets = target.items
	}
	if !iterable(value) {
		panic(raised("TypeError", "cannot unpack non-iterable %s object", typeName(value)))
	}
	star := slices.IndexFunc(targets, func(n exprNode) bool { _, ok := n.(*starredExpr); return ok })
	var items []pyValue
	for item := range ev.each(value) {
		items = append(items, item)
		if star < 0 && len(items) > len(targets) {
			panic(raised("ValueError", "too many values to unpack (expected %d)", len(targets)))
		}
		ev.spend(valueSize)
	}
	switch {
	case star < 0 && len(items) < len(targets):
		panic(raised("ValueError", "not enough values to unpack (expected %d, got %d)", len(targets), len(items)))
	case star < 0:
		for i, t := range targets {
			ev.bind(t, items[i], in)
		}
		return
	case len(items) < len(targets)-1:
		panic(raised("ValueError", "not enough values to unpack (expected at least %d, got %d)", len(targets)-1, len(items)))
	}
	rest := len(targets) - 1 - star
	for i, t := range targets[:star] {
		ev.bind(t, items[i], in)
	}
	ev.bind(targets[star].(*starredExpr).value, ev.list(slices.Clone(items[star:len(items)-rest])), in)
	for i, t := range targets[star+1:] {
		ev.bind(t, items[len(items)-rest+i], in)
	}
}
