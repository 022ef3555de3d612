package python

// patterns parses the pattern after "case", or several separated by commas.
func (p *parser) patterns() *node {
	start := p.peek()
	first := p.pattern()
	if !p.is(",") {
		return first
	}
	kids := []*node{first}
	for p.accept(",") && !p.is(":") && !p.is("if") {
		kids = append(kids, p.pattern())
	}
	return p.newNode(nodeTuple, start, kids...)
}

// pattern parses a pattern of PEP 634. Its node is the expression with the same spelling.
func (p *parser) pattern() *node {
	if !p.deeper() {
		return p.failure
	}
	defer func() { p.depth-- }()
	start := p.peek()
	if p.accept("*") {
		name := p.name()
		e := p.newNode(nodeStarred, start)
		e.text = name // not a kid, because it has no line of its own
		return e
	}
	first := p.closedPattern()
	kids := []*node{first}
	for p.accept("|") {
		kids = append(kids, p.closedPattern())
	}
	e := first
	if len(kids) > 1 {
		e = p.newNode(nodeOr, start, kids...)
	}
	if p.accept("as") {
		e = p.newNode(nodeNamed, start, p.atom(), e)
	}
	return e
}

func (p *parser) closedPattern() *node {
	t := p.peek()
	switch {
	case t.kind == tokenOp && p.textOf(t) == "(":
		return p.sequencePattern(t, ")")
	case t.kind == tokenOp && p.textOf(t) == "[":
		return p.sequencePattern(t, "]")
	case p.accept("{"):
		return p.mappingPattern(t)
	case t.kind != tokenName || isKeyword(p.textOf(t)):
		return p.binary(precSum) // a number, 1 - 2j, a string or None
	}
	e := p.atom()
	for p.accept(".") {
		name := p.name()
		e = p.newNode(nodeAttribute, t, e)
		e.text = name
	}
	if p.accept("(") {
		kids := []*node{e}
		for !p.failed && !p.is(")") {
			if p.isAhead(1, "=") {
				p.name()
				p.at++
			}
			kids = append(kids, p.pattern())
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
		return p.newNode(nodeCall, t, kids...)
	}
	return e
}

func (p *parser) sequencePattern(open token, closing string) *node {
	p.at++
	var kids []*node
	comma := false
	for !p.failed && !p.is(closing) {
		kids = append(kids, p.pattern())
		if !p.accept(",") {
			break
		}
		comma = true
	}
	p.expect(closing)
	if closing == ")" && len(kids) == 1 && !comma {
		return kids[0]
	}
	return p.newNode(nodeTuple, open, kids...)
}

func (p *parser) mappingPattern(open token) *node {
	var kids []*node
	for !p.failed && !p.is("}") {
		if p.accept("**") {
			p.name()
		} else {
			key := p.binary(precSum)
			p.expect(":")
			kids = append(kids, key, p.pattern())
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	return p.newNode(nodeTuple, open, kids...)
}
