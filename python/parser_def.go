package python

func (p *parser) decorated(s *stmt) *stmt {
	var decorators []*node
	for p.accept("@") {
		decorators = append(decorators, p.namedTest())
		if p.peek().kind != tokenNewline {
			p.fail("")
			return s
		}
		for p.peek().kind == tokenNewline {
			p.at++
		}
	}
	s.line = p.peek().line
	switch {
	case p.is("def"):
		p.function(s, false)
	case p.is("class"):
		p.class(s)
	case p.is("async") && p.isAhead(1, "def"):
		p.at++
		p.function(s, true)
	default:
		p.fail("")
		return s
	}
	s.def.decorators = decorators
	s.last = p.lastLine()
	return s
}

func (p *parser) function(s *stmt, async bool) {
	p.at++
	s.kind, s.def = stmtDef, &definition{async: async}
	s.def.name = p.name()
	s.def.typeParams = p.typeParams()
	p.expect("(")
	s.def.params = p.params(")", true)
	p.expect(")")
	if p.accept("->") {
		s.def.returns = p.exprs(p.starExpr)
	}
	if !p.failed {
		s.body = p.scope(s, p.block)
	}
}

func (p *parser) class(s *stmt) {
	p.at++
	s.kind, s.def = stmtClass, &definition{}
	s.def.name = p.name()
	s.def.typeParams = p.typeParams()
	if p.accept("(") {
		s.def.bases = p.arguments(nil)
	}
	if !p.failed {
		s.body = p.scope(s, p.block)
	}
}

// params parses parameters up to a closing token, which it does not consume. annotated is false for
// a lambda, whose parameters have no annotations.
func (p *parser) params(closing string, annotated bool) []*node {
	var list []*node
	kind := PositionalOrKeyword
	for !p.failed && !p.is(closing) {
		switch {
		case p.accept("/"):
			if len(list) == 0 || list[0].value != PositionalOrKeyword || kind != PositionalOrKeyword {
				p.fail("invalid syntax")
			}
			for _, param := range list {
				param.value = PositionalOnly
			}
		case p.accept("**"):
			list = append(list, p.param(VarKeyword, annotated))
			if p.accept(","); !p.is(closing) {
				p.fail("arguments cannot follow var-keyword argument")
			}
			p.checkParams(list)
			return list
		case p.accept("*"):
			if kind == KeywordOnly {
				p.fail("* argument may appear only once")
			}
			kind = KeywordOnly
			switch {
			case !p.is(",") && !p.is(closing):
				list = append(list, p.param(VarPositional, annotated))
			case !p.is(",") || p.tokens[p.at+1].kind != tokenName:
				p.fail("named arguments must follow bare *")
			}
		default:
			list = append(list, p.param(kind, annotated))
		}
		if !p.accept(",") {
			break
		}
	}
	p.checkParams(list)
	return list
}

// checkParams checks parameters that can be parsed for what is an error in CPython.
func (p *parser) checkParams(list []*node) {
	fallback := false // a previous parameter has a default
	names := map[string]bool{}
	for _, param := range list {
		if kind := param.value; kind == PositionalOnly || kind == PositionalOrKeyword {
			if fallback && param.fallback() == nil {
				p.fail("non-default argument follows default argument")
			}
			fallback = fallback || param.fallback() != nil
		}
		if !p.strict {
			continue // duplicate names are an error of the compiler, not the parser
		}
		if names[param.text] {
			p.fail("duplicate argument '" + param.text + "' in function definition")
		}
		names[param.text] = true
	}
}

func (p *parser) param(kind ParamKind, annotated bool) *node {
	start := p.peek()
	name := p.bound()
	var annotation, value *node
	if annotated && p.accept(":") {
		annotation = p.starExpr()
	}
	if kind != VarPositional && kind != VarKeyword && p.accept("=") {
		value = p.test()
	}
	e := p.newText(nodeParam, name, start, annotation, value)
	e.value = kind
	return e
}

// typeParams parses type parameters (PEP 695), if there are any.
func (p *parser) typeParams() []*node {
	var list []*node
	if !p.accept("[") {
		return nil
	}
	for !p.failed && !p.is("]") {
		start := p.peek()
		if !p.accept("**") {
			p.accept("*")
		}
		p.name()
		var kids []*node
		if p.accept(":") {
			kids = append(kids, p.test())
		}
		if p.accept("=") {
			kids = append(kids, p.starExpr())
		}
		list = append(list, p.newNode(nodeTypeParam, start, kids...))
		if !p.accept(",") {
			break
		}
	}
	p.expect("]")
	return list
}
