package python

import "slices"

// compile makes a term of a node.
func (c *Condition) compile(node exprNode) term {
	switch node := node.(type) {
	case *constExpr:
		v := node.value
		return func(*Condition) pyValue { return v }
	case *nameExpr:
		i := slices.Index(c.names, node.name)
		if i < 0 {
			i = len(c.names)
			c.names = append(c.names, node.name)
		}
		return func(c *Condition) pyValue { return c.name(i) }
	case *listExpr:
		items := c.compileAll(node.items)
		return func(c *Condition) pyValue { return c.ev.list(c.literals(items)) }
	case *tupleExpr:
		items := c.compileAll(node.items)
		return func(c *Condition) pyValue { return c.ev.tuple(c.literals(items)) }
	case *setExpr:
		items := c.compileAll(node.items)
		return func(c *Condition) pyValue { return c.ev.newSet(false, c.literals(items)) }
	case *unaryExpr:
		operand, op := c.compile(node.operand), node.op
		if op == "not" {
			return func(c *Condition) pyValue { return !c.truth(operand(c)) }
		}
		return func(c *Condition) pyValue { return c.ev.unary(op, c.literal(operand(c))) }
	case *binaryExpr:
		left, right, op := c.compile(node.left), c.compile(node.right), node.op
		return func(c *Condition) pyValue {
			a := left(c)
			return c.binary(op, a, right(c))
		}
	case *boolExpr:
		return c.junction(node)
	case *compareExpr:
		return c.comparison(node)
	case *condExpr:
		test, then, otherwise := c.compile(node.test), c.compile(node.then), c.compile(node.otherwise)
		return func(c *Condition) pyValue {
			if c.truth(test(c)) {
				return then(c)
			}
			return otherwise(c)
		}
	case *attributeExpr:
		value, name := c.compile(node.value), node.name
		return func(c *Condition) pyValue { return c.attribute(value(c), name) }
	case *subscriptExpr:
		value, index := c.compile(node.value), c.compile(node.index)
		return func(c *Condition) pyValue {
			v := value(c)
			return c.subscript(v, index(c))
		}
	case *callExpr:
		return c.calling(node)
	}
	panic(refused("", "the expression has what is left to Python"))
}

func (c *Condition) compileAll(nodes []exprNode) []term {
	out := make([]term, len(nodes))
	for i, node := range nodes {
		out[i] = c.compile(node)
	}
	return out
}

func (c *Condition) literals(terms []term) []pyValue {
	out := make([]pyValue, len(terms))
	for i, t := range terms {
		out[i] = c.literal(t(c))
	}
	return out
}

func (c *Condition) junction(node *boolExpr) term {
	operands, or := c.compileAll(node.operands), node.op == "or"
	return func(c *Condition) pyValue {
		var v pyValue
		for _, operand := range operands {
			if v = operand(c); c.truth(v) == or {
				break
			}
		}
		return v
	}
}

func (c *Condition) comparison(node *compareExpr) term {
	first, rest, ops := c.compile(node.first), c.compileAll(node.rest), node.ops
	return func(c *Condition) pyValue {
		left := first(c)
		for i, op := range ops {
			right := rest[i](c)
			if !c.compareOne(op, left, right) {
				return false
			}
			left = right
		}
		return true
	}
}

func (c *Condition) calling(node *callExpr) term {
	function := c.compile(node.function)
	var args []term
	var names []string
	for _, arg := range node.args {
		if arg.stars > 0 || arg.name == "" && len(names) > 0 || slices.Contains(names, arg.name) {
			panic(refused("", "the expression has what is left to Python"))
		}
		if arg.name != "" {
			names = append(names, arg.name)
		}
		args = append(args, c.compile(arg.value))
	}
	return func(c *Condition) pyValue {
		f := function(c)
		values := make([]pyValue, len(args))
		for i, arg := range args {
			values[i] = arg(c)
		}
		return c.call(f, values, names)
	}
}
