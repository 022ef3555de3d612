package python

// primary reads an atom with what follows it: .name, (arguments), [index].
func (p *sourceParser) primary() *node {
	start := p.peek()
	e := p.atom()
	for n := 0; !p.failed; n++ {
		if n > maxChain {
			return p.bad()
		}
		switch {
		case p.accept("."):
			if p.peek().kind != tokenName {
				return p.bad()
			}
			p.at++
			e = p.newNode(nodeAttribute, start, e)
		case p.accept("("):
			kids := p.arguments([]*node{e})
			e = p.newNode(nodeCall, start, kids...)
		case p.accept("["):
			index := p.index()
			p.expect("]")
			base := e
			e = p.newNode(nodeSubscript, start, base, index)
			e.constant = base.constant && index.constant
		default:
			return e
		}
	}
	return e
}

// arguments reads the arguments of a call or of a class, and the closing bracket.
func (p *sourceParser) arguments(kids []*node) []*node {
	open := p.tokens[p.at-1]
	for !p.failed && !p.is(")") {
		start := p.peek()
		switch {
		case p.accept("**"):
			kids = append(kids, p.newNode(nodeKeyword, start, p.test()))
		case p.accept("*"):
			kids = append(kids, p.newNode(nodeStarred, start, p.test()))
		case start.kind == tokenName && p.isAhead(1, "="):
			p.at += 2
			kids = append(kids, p.newNode(nodeKeyword, start, p.test()))
		default:
			e := p.namedTest()
			if p.comprehensionFollows() {
				e = p.comprehension(nodeGenerator, open, e)
			}
			kids = append(kids, e)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return kids
}

// index reads what stands in the brackets of a subscript.
func (p *sourceParser) index() *node {
	start := p.peek()
	first := p.slice()
	if !p.is(",") {
		return first
	}
	kids := []*node{first}
	for p.accept(",") && !p.is("]") {
		kids = append(kids, p.slice())
	}
	return p.tuple(start, kids)
}

func (p *sourceParser) slice() *node {
	start := p.peek()
	var kids []*node
	if !p.is(":") {
		e := p.starExpr()
		if !p.is(":") {
			return e
		}
		kids = append(kids, e)
	}
	for range 2 {
		if !p.accept(":") {
			break
		}
		if !p.is(":") && !p.is("]") && !p.is(",") {
			kids = append(kids, p.test())
		}
	}
	return p.newNode(nodeSlice, start, kids...)
}

// atom reads a name, a constant or something in brackets.
func (p *sourceParser) atom() *node {
	t := p.peek()
	switch t.kind {
	case tokenNumber:
		p.at++
		return p.literal(t)
	case tokenString, tokenFStart:
		return p.strings()
	case tokenName:
		switch text := p.textOf(t); {
		case text == "None" || text == "True" || text == "False" || text == "__debug__":
			p.at++
			return p.literal(t)
		case isKeyword(text):
			return p.bad()
		}
		p.at++
		return p.newNode(nodeName, t)
	case tokenOp:
		switch p.textOf(t) {
		case "...":
			p.at++
			return p.literal(t)
		case "(", "[", "{":
			if !p.deeper() {
				return p.bad()
			}
			e := p.display(t)
			p.depth--
			return e
		}
	}
	return p.bad()
}

func (p *sourceParser) literal(t token) *node {
	e := p.newNode(nodeConstant, t)
	e.constant = true
	return e
}

// strings reads strings that follow each other: one constant, or one f-string.
func (p *sourceParser) strings() *node {
	start := p.peek()
	var kids []*node
	joined := false
	for {
		t := p.peek()
		switch t.kind {
		case tokenString:
			p.at++
			kids = appendText(kids, p.literal(t))
		case tokenFStart:
			p.at++
			joined = true
			kids = p.fields(kids)
			if p.peek().kind != tokenFEnd {
				return p.bad()
			}
			p.at++
		default:
			if joined {
				return p.newNode(nodeJoined, start, kids...)
			}
			return p.literal(start)
		}
	}
}

// appendText appends literal text, of which neighbours are one constant.
func appendText(kids []*node, text *node) []*node {
	if n := len(kids); n > 0 && kids[n-1].kind == nodeConstant {
		return kids
	}
	return append(kids, text)
}

// fields reads the inside of an f-string or of a format specifier.
func (p *sourceParser) fields(kids []*node) []*node {
	for {
		t := p.peek()
		switch {
		case t.kind == tokenFMiddle:
			p.at++
			kids = appendText(kids, p.literal(t))
		case p.accept("{"):
			inner := []*node{p.starExprs()}
			p.accept("=")
			if p.accept("!") {
				p.name()
			}
			if p.accept(":") {
				inner = p.fields(inner)
			}
			p.expect("}")
			kids = append(kids, p.newNode(nodeField, t, inner...))
		default:
			return kids
		}
	}
}

// display reads what stands in brackets: a tuple, list, set or dict, a
// comprehension, or an expression.
func (p *sourceParser) display(open token) *node {
	p.at++
	switch p.textOf(open) {
	case "(":
		return p.parenthesized(open)
	case "[":
		return p.elements(open, nodeList, "]", nil)
	}
	if p.accept("}") {
		return p.newNode(nodeDict, open)
	}
	if p.is("**") {
		return p.dict(open, nil)
	}
	first := p.starExpr()
	if p.is(":") {
		return p.dict(open, first)
	}
	return p.elements(open, nodeSet, "}", first)
}

func (p *sourceParser) parenthesized(open token) *node {
	if p.accept(")") {
		return p.tuple(open, nil)
	}
	first := p.starExpr()
	switch {
	case p.comprehensionFollows():
		e := p.comprehension(nodeGenerator, open, first)
		p.expect(")")
		e.last, e.end = p.tokens[p.at-1].last, p.tokens[p.at-1].end
		return e
	case p.accept(")"):
		return first
	}
	kids := []*node{first}
	for p.accept(",") && !p.is(")") {
		kids = append(kids, p.starExpr())
	}
	p.expect(")")
	return p.tuple(open, kids)
}

// elements reads the rest of a list or set.
func (p *sourceParser) elements(open token, kind nodeKind, closing string, first *node) *node {
	var kids []*node
	for first != nil || !p.failed && !p.is(closing) {
		if first == nil {
			first = p.starExpr()
		}
		if kids == nil && p.comprehensionFollows() {
			e := p.comprehension(nodeComprehension, open, first)
			p.expect(closing)
			return e
		}
		kids = append(kids, first)
		first = nil
		if !p.accept(",") {
			break
		}
	}
	p.expect(closing)
	return p.newNode(kind, open, kids...)
}

// dict reads the rest of a dict, of which the first key may have been read.
func (p *sourceParser) dict(open token, key *node) *node {
	var kids []*node
	for key != nil || !p.failed && !p.is("}") {
		if key == nil && p.accept("**") {
			kids = append(kids, nil, p.binary(precOr))
		} else {
			if key == nil {
				key = p.test()
			}
			p.expect(":")
			value := p.test()
			if kids == nil && p.comprehensionFollows() {
				e := p.comprehension(nodeComprehension, open, key, value)
				p.expect("}")
				return e
			}
			kids = append(kids, key, value)
			key = nil
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	return p.newNode(nodeDict, open, kids...)
}

func (p *sourceParser) comprehensionFollows() bool {
	return p.is("for") || p.is("async") && p.isAhead(1, "for")
}

// comprehension reads the clauses after an element, or a key and its value.
func (p *sourceParser) comprehension(kind nodeKind, start token, element ...*node) *node {
	var kids []*node
	for p.comprehensionFollows() {
		p.accept("async")
		p.at++
		target := p.targetList()
		p.expect("in")
		kids = append(kids, p.disjunctionOrLambda(), target)
		for p.accept("if") {
			kids = append(kids, p.conditionOfClause())
		}
	}
	return p.newNode(kind, start, append(kids, element...)...)
}

func (p *sourceParser) disjunctionOrLambda() *node {
	if p.is("lambda") {
		return p.lambda()
	}
	return p.disjunction()
}

func (p *sourceParser) conditionOfClause() *node {
	start := p.peek()
	e := p.disjunctionOrLambda()
	if e.kind == nodeName && p.accept(":=") {
		return p.newNode(nodeNamed, start, e, p.disjunction())
	}
	return e
}

// targetList reads the targets of a for; "in" ends them.
func (p *sourceParser) targetList() *node {
	start := p.peek()
	first := p.target()
	if !p.is(",") {
		return first
	}
	kids := []*node{first}
	for p.accept(",") && !p.is("in") {
		kids = append(kids, p.target())
	}
	return p.newNode(nodeTuple, start, kids...)
}

func (p *sourceParser) target() *node {
	start := p.peek()
	if p.accept("*") {
		return p.newNode(nodeStarred, start, p.primary())
	}
	return p.primary()
}
