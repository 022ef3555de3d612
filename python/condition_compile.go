package python

import "slices"

// compile translates a node to a term.
func (c *Condition) compile(e *node) term {
	switch e.kind {
	case nodeConstant:
		v := e.value
		return func(*Condition) pyValue { return v }
	case nodeName:
		i := slices.Index(c.names, e.text)
		if i < 0 {
			i = len(c.names)
			c.names = append(c.names, e.text)
		}
		return func(c *Condition) pyValue { return c.name(i) }
	case nodeAttribute:
		value, name := c.compile(e.kids[0]), e.text
		return func(c *Condition) pyValue { return c.attribute(value(c), name) }
	case nodeCall:
		return c.calling(e)
	case nodeList, nodeTuple, nodeSet, nodeUnary, nodeNot, nodeBinOp, nodeAnd, nodeOr, nodeCompare, nodeIfExp, nodeSubscript:
	default:
		panic(onlyTexts(e.kind))
	}
	kids := c.compileAll(e.kids)
	switch op := e.text; e.kind {
	case nodeList:
		return func(c *Condition) pyValue { return c.ev.list(c.literals(kids)) }
	case nodeTuple:
		return func(c *Condition) pyValue { return c.ev.tuple(c.literals(kids)) }
	case nodeSet:
		return func(c *Condition) pyValue { return c.ev.newSet(false, c.literals(kids)) }
	case nodeUnary:
		return func(c *Condition) pyValue { return c.ev.unary(op, c.literal(kids[0](c))) }
	case nodeNot:
		return func(c *Condition) pyValue { return !c.truth(kids[0](c)) }
	case nodeBinOp:
		return func(c *Condition) pyValue {
			a := kids[0](c)
			return c.binary(op, a, kids[1](c))
		}
	case nodeCompare:
		return comparison(e, kids)
	case nodeIfExp:
		return func(c *Condition) pyValue {
			if c.truth(kids[0](c)) {
				return kids[1](c)
			}
			return kids[2](c)
		}
	case nodeSubscript:
		return func(c *Condition) pyValue {
			v := kids[0](c)
			return c.subscript(v, kids[1](c))
		}
	}
	return junction(kids, e.kind == nodeOr)
}

// onlyTexts returns the error for a kind of node that a Condition does not support, but Eval does.
func onlyTexts(kind nodeKind) *RefusedError {
	syntax := syntaxName(kind)
	return &RefusedError{Reason: syntax + " is evaluated over the texts of values", Syntax: syntax}
}

// syntaxName returns a name for that kind of node: "a comprehension".
func syntaxName(kind nodeKind) string {
	switch kind {
	case nodeListComp, nodeSetComp, nodeDictComp, nodeGenerator:
		return "a comprehension"
	case nodeLambda:
		return "a lambda"
	case nodeJoined, nodeField:
		return "an f-string"
	case nodeSlice:
		return "a slice"
	case nodeDict:
		return "a dict display"
	case nodeNamed:
		return ":="
	case nodeStarred:
		return "*"
	}
	return "this syntax"
}

func (c *Condition) compileAll(kids []*node) []term {
	out := make([]term, len(kids))
	for i, e := range kids {
		out[i] = c.compile(e)
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

func junction(operands []term, or bool) term {
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

func comparison(e *node, operands []term) term {
	ops := make([]string, len(operands)-1)
	for i := range ops {
		ops[i] = e.operator(i)
	}
	return func(c *Condition) pyValue {
		left := operands[0](c)
		for i, operand := range operands[1:] {
			right := operand(c)
			if !c.compareOne(ops[i], left, right) {
				return false
			}
			left = right
		}
		return true
	}
}

func (c *Condition) calling(e *node) term {
	function := c.compile(e.kids[0])
	var args []term
	var names []string
	for _, arg := range e.kids[1:] {
		switch {
		case arg.kind == nodeStarred || arg.kind == nodeKeyword && arg.text == "":
			panic(onlyTexts(nodeStarred))
		case arg.kind == nodeKeyword:
			names = append(names, arg.text)
			arg = arg.kids[0]
		}
		args = append(args, c.compile(arg))
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
