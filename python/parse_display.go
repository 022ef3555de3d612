package python

// parenthesis parses what an opening one begins: a group, a tuple or a
// generator expression.
func (p *exprParser) parenthesis() exprNode {
	defer p.nested()()
	p.open()
	if p.is(")") {
		p.shut(")")
		return &tupleExpr{}
	}
	node := p.tupleOf(p.starredOr)
	if p.is("for") || p.is("async") {
		node = p.comprehension("generator", node, nil)
	}
	p.shut(")")
	return node
}

func (p *exprParser) list() exprNode {
	defer p.nested()()
	p.open()
	items := p.items("]")
	if len(items) == 1 && (p.is("for") || p.is("async")) {
		node := p.comprehension("list", items[0], nil)
		p.shut("]")
		return node
	}
	p.shut("]")
	return &listExpr{items}
}

// items parses the items of a list or set up to its bracket, or the first one
// alone where a comprehension follows.
func (p *exprParser) items(bracket string) []exprNode {
	var items []exprNode
	for !p.is(bracket) {
		items = append(items, p.starredOr())
		if !p.accept(",") {
			break
		}
	}
	return items
}

// braces parses a dict, a set or a comprehension of one.
func (p *exprParser) braces() exprNode {
	defer p.nested()()
	p.open()
	if p.is("}") || p.is("**") {
		return p.dict(nil)
	}
	first := p.starredOr()
	if p.is(":") {
		return p.dict(first)
	}
	if p.is("for") || p.is("async") {
		node := p.comprehension("set", first, nil)
		p.shut("}")
		return node
	}
	items := []exprNode{first}
	if p.accept(",") {
		items = append(items, p.items("}")...)
	}
	p.shut("}")
	return &setExpr{items}
}

// dict parses a dict from its first key on, which is parsed already unless it
// is nil.
func (p *exprParser) dict(key exprNode) exprNode {
	node := &dictExpr{}
	for key != nil || !p.is("}") {
		if key == nil && p.accept("**") {
			node.keys = append(node.keys, nil)
			node.values = append(node.values, p.binary(0))
		} else {
			if key == nil {
				key = p.expression()
			}
			p.expect(":")
			value := p.expression()
			if len(node.keys) == 0 && (p.is("for") || p.is("async")) {
				comprehension := p.comprehension("dict", key, value)
				p.shut("}")
				return comprehension
			}
			node.keys = append(node.keys, key)
			node.values = append(node.values, value)
			key = nil
		}
		if !p.accept(",") {
			break
		}
	}
	p.shut("}")
	return node
}

// comprehension parses the clauses that follow its element.
func (p *exprParser) comprehension(kind string, element, value exprNode) exprNode {
	if _, ok := element.(*starredExpr); ok {
		p.fail("iterable unpacking cannot be used in comprehension")
	}
	node := &compExpr{kind: kind, element: element, value: value}
	for p.is("for") || p.is("async") {
		if p.is("async") {
			panic(refused("", "await and yield need a running program"))
		}
		p.next()
		clause := compClause{target: p.target()}
		p.expect("in")
		clause.iter = p.disjunction()
		for p.accept("if") {
			clause.conditions = append(clause.conditions, p.condition())
		}
		node.clauses = append(node.clauses, clause)
	}
	return node
}

// condition parses a comprehension's, which has no conditional expression
// outside parentheses.
func (p *exprParser) condition() exprNode {
	node := p.disjunction()
	if name, ok := node.(*nameExpr); ok && p.accept(":=") {
		return &namedExpr{name.name, p.expression()}
	}
	return node
}

// target parses what a comprehension binds: names, tuples and lists of them.
func (p *exprParser) target() exprNode {
	node := p.tupleOf(func() exprNode {
		if p.accept("*") {
			return &starredExpr{p.checkTarget(p.primary())}
		}
		return p.checkTarget(p.primary())
	})
	return node
}

func (p *exprParser) checkTarget(node exprNode) exprNode {
	switch node := node.(type) {
	case *nameExpr:
	case *attributeExpr:
		panic(refused("."+node.name, "cannot be assigned behind the live edge"))
	case *subscriptExpr:
		panic(refused("", "only names are bound in an expression"))
	case *starredExpr:
		p.checkTarget(node.value)
	case *tupleExpr:
		for _, item := range node.items {
			p.checkTarget(item)
		}
	case *listExpr:
		for _, item := range node.items {
			p.checkTarget(item)
		}
	default:
		p.fail("cannot assign to expression")
	}
	return node
}

// arguments parses the arguments of a call from its parenthesis on.
func (p *exprParser) arguments() []argExpr {
	defer p.nested()()
	p.open()
	var args []argExpr
	keyword, unpacked := false, false
	for !p.is(")") {
		arg := p.argument()
		switch {
		case arg.stars == 2:
			unpacked = true
		case arg.name != "":
			keyword = true
		case unpacked && arg.stars == 1:
			p.fail("iterable argument unpacking follows keyword argument unpacking")
		case unpacked:
			p.fail("positional argument follows keyword argument unpacking")
		case keyword && arg.stars == 0:
			p.fail("positional argument follows keyword argument")
		}
		for _, other := range args {
			if arg.name != "" && other.name == arg.name {
				p.fail("keyword argument repeated: %s", arg.name)
			}
		}
		if p.is("for") || p.is("async") {
			if arg.name != "" || arg.stars != 0 {
				p.unexpected()
			}
			arg.value = p.comprehension("generator", arg.value, nil)
			if len(args) > 0 || !p.is(")") {
				p.fail("Generator expression must be parenthesized")
			}
		}
		args = append(args, arg)
		if !p.accept(",") {
			break
		}
	}
	p.shut(")")
	return args
}

func (p *exprParser) argument() argExpr {
	if p.accept("**") {
		return argExpr{stars: 2, value: p.expression()}
	}
	if p.accept("*") {
		return argExpr{stars: 1, value: p.expression()}
	}
	value := p.named()
	if !p.is("=") {
		return argExpr{value: value}
	}
	name, ok := value.(*nameExpr)
	if !ok {
		p.fail(`expression cannot contain assignment, perhaps you meant "=="?`)
	}
	p.next()
	return argExpr{name: name.name, value: p.expression()}
}

// lambda parses a lambda from its keyword on.
func (p *exprParser) lambda() exprNode {
	p.next()
	node := &lambdaExpr{}
	kind := PositionalOrKeyword
	seen := map[string]bool{}
	add := func(kind ParamKind) {
		if p.tok.kind != wordName {
			p.unexpected()
		}
		if seen[p.tok.text] {
			p.fail("duplicate argument '%s' in function definition", p.tok.text)
		}
		seen[p.tok.text] = true
		node.params = append(node.params, lambdaParam{name: p.tok.text, kind: kind})
		p.next()
	}
	fallback := false // a parameter with a default came
	for !p.is(":") {
		switch {
		case p.accept("/"):
			if len(node.params) == 0 || node.params[0].kind != PositionalOrKeyword || kind != PositionalOrKeyword {
				p.fail("invalid syntax")
			}
			for i := range node.params {
				node.params[i].kind = PositionalOnly
			}
		case p.accept("**"):
			add(VarKeyword)
			p.accept(",")
			if !p.is(":") {
				p.fail("arguments cannot follow var-keyword argument")
			}
			continue
		case p.accept("*"):
			if kind == KeywordOnly {
				p.fail("* argument may appear only once")
			}
			kind = KeywordOnly
			if !p.is(",") {
				add(VarPositional)
			} else if len(node.params) == len(seen) && !p.namedFollows() {
				p.fail("named arguments must follow bare *")
			}
		default:
			add(kind)
			last := &node.params[len(node.params)-1]
			if p.accept("=") {
				last.fallback = p.expression()
				fallback = true
			} else if fallback && kind == PositionalOrKeyword {
				p.fail("non-default argument follows default argument")
			}
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(":")
	node.body = p.expression()
	return node
}

// namedFollows tells whether a name comes after the comma that is the token.
func (p *exprParser) namedFollows() bool {
	ahead := *p
	ahead.next()
	return ahead.tok.kind == wordName
}
