package python

import "slices"

// primary parses an atom, and all .name, (arguments) and [index] after it.
func (p *parser) primary() *node {
	start := p.peek()
	e := p.atom()
	for n := 0; !p.failed; n++ {
		if n > maxChain {
			return p.fail(tooNested)
		}
		switch {
		case p.accept("."):
			name := p.name()
			e = p.newText(nodeAttribute, name, start, e)
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

// arguments parses the arguments of a call or of a class, and the closing bracket.
func (p *parser) arguments(kids []*node) []*node {
	open := p.tokens[p.at-1]
	first := len(kids)
	keyword, unpacked := false, false
	for !p.failed && !p.is(")") {
		start := p.peek()
		switch {
		case p.accept("**"):
			kids = append(kids, p.newNode(nodeKeyword, start, p.test()))
			unpacked = true
		case p.accept("*"):
			e := p.newNode(nodeStarred, start, p.test())
			switch {
			case unpacked:
				p.fail("iterable argument unpacking follows keyword argument unpacking")
			case p.comprehensionFollows(): // PEP 798, Python 3.15
				e = p.comprehension(nodeGenerator, open, e)
				if len(kids) > first {
					p.fail("Generator expression must be parenthesized")
				} else if !p.is(")") {
					p.fail("invalid syntax")
				}
			}
			kids = append(kids, e)
		case start.kind == tokenName && p.isAhead(1, "="):
			name := p.bound()
			p.accept("=")
			if p.strict { // without strict this is not an error: only CPython's compiler finds it, not its parser
				p.repeated(kids[first:], name)
			}
			kids = append(kids, p.newText(nodeKeyword, name, start, p.test()))
			keyword = true
		default:
			e := p.namedTest()
			switch {
			case p.is("="):
				p.fail(`expression cannot contain assignment, perhaps you meant "=="?`)
			case unpacked:
				p.fail("positional argument follows keyword argument unpacking")
			case keyword:
				p.fail("positional argument follows keyword argument")
			case p.comprehensionFollows():
				e = p.comprehension(nodeGenerator, open, e)
				if len(kids) > first || !p.is(")") {
					p.fail("Generator expression must be parenthesized")
				}
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

func (p *parser) repeated(arguments []*node, name string) {
	for _, e := range arguments {
		if e.kind == nodeKeyword && e.text == name {
			p.fail("keyword argument repeated: " + name)
		}
	}
}

// index parses the expression in the brackets of a subscript.
func (p *parser) index() *node {
	start := p.peek()
	first := p.slice()
	if !p.is(",") {
		if first.kind == nodeStarred {
			return p.tuple(start, []*node{first})
		}
		return first
	}
	kids := []*node{first}
	for p.accept(",") && !p.is("]") {
		kids = append(kids, p.slice())
	}
	return p.tuple(start, kids)
}

func (p *parser) slice() *node {
	start := p.peek()
	kids := make([]*node, 3)
	if !p.is(":") {
		e := p.starExpr()
		if !p.is(":") || isItem(e, start) {
			return e
		}
		kids[0] = e
	}
	for i := 1; i < 3 && p.accept(":"); i++ {
		if !p.is(":") && !p.is("]") && !p.is(",") {
			kids[i] = p.test()
		}
	}
	return p.newNode(nodeSlice, start, kids...)
}

// isItem reports whether e is *x or x := y. start is its first token.
func isItem(e *node, start token) bool {
	return e.kind == nodeStarred || e.kind == nodeNamed && start.kind == tokenName
}

// atom parses a name, a constant or a bracketed expression.
func (p *parser) atom() *node {
	t := p.peek()
	switch t.kind {
	case tokenNumber:
		p.at++
		return p.literal(t, numberValue)
	case tokenString, tokenFStart:
		return p.strings()
	case tokenName:
		text := p.textOf(t)
		if isKeyword(text) {
			if _, ok := namedConstants[text]; !ok {
				return p.fail("")
			}
			p.at++
			return p.literal(t, namedConstant)
		}
		p.at++
		e := p.newText(nodeName, text, t)
		e.constant = text == "__debug__"
		return e
	case tokenOp:
		switch p.textOf(t) {
		case "...":
			p.at++
			return p.literal(t, namedConstant)
		case "(", "[", "{":
			if !p.deeper() {
				return p.failure
			}
			e := p.display(t)
			p.depth--
			return e
		}
	}
	return p.fail("")
}

var namedConstants = map[string]pyValue{"None": pyNone{}, "True": true, "False": false, "...": pyEllipsis{}}

func namedConstant(text string) (pyValue, error) { return namedConstants[text], nil }

// literal returns a constant for the token t.
func (p *parser) literal(t token, value func(text string) (pyValue, error)) *node {
	e := p.newText(nodeConstant, p.textOf(t), t)
	e.constant = true
	if t.fault != faultNone {
		return p.wrong(e, syntaxError("%s", t.complaint(p.text)))
	}
	if !p.strict {
		return e
	}
	var err error
	if e.value, err = value(e.text); err != nil {
		return p.wrong(e, err)
	}
	return e
}

// display parses a bracketed expression: a tuple, list, set or dict, a comprehension, or an
// expression in parentheses.
func (p *parser) display(open token) *node {
	p.at++
	switch p.textOf(open) {
	case "(":
		return p.parenthesized(open)
	case "[":
		return p.elements(open, nodeList, nodeListComp, "]", nil)
	}
	if p.accept("}") {
		return p.newNode(nodeDict, open)
	}
	if p.is("**") {
		return p.dict(open, nil)
	}
	start := p.peek()
	first := p.starExpr()
	if p.is(":") && !isItem(first, start) {
		return p.dict(open, first)
	}
	return p.elements(open, nodeSet, nodeSetComp, "}", first)
}

func (p *parser) parenthesized(open token) *node {
	if p.accept(")") {
		return p.tuple(open, nil)
	}
	first := p.starExpr()
	switch {
	case p.comprehensionFollows():
		return p.closed(p.comprehension(nodeGenerator, open, first), ")")
	case p.accept(")"):
		return p.unstarred(first)
	}
	kids := []*node{first}
	for p.accept(",") && !p.is(")") {
		kids = append(kids, p.starExpr())
	}
	p.expect(")")
	return p.tuple(open, kids)
}

// closed parses the bracket that ends a comprehension, and extends the comprehension to it.
func (p *parser) closed(e *node, bracket string) *node {
	p.expect(bracket)
	e.last, e.end = p.tokens[p.at-1].last, p.tokens[p.at-1].end
	return e
}

// elements parses the rest of a list or set display, or of a list or set comprehension. first is
// its first element, or nil.
func (p *parser) elements(open token, kind, comprehension nodeKind, closing string, first *node) *node {
	var kids []*node
	for first != nil || !p.failed && !p.is(closing) {
		if first == nil {
			first = p.starExpr()
		}
		if kids == nil && p.comprehensionFollows() {
			return p.closed(p.comprehension(comprehension, open, first), closing)
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

// dict parses the rest of a dict display or comprehension. key is its first key if that was parsed
// already.
func (p *parser) dict(open token, key *node) *node {
	var kids []*node
	for key != nil || !p.failed && !p.is("}") {
		if key == nil && p.accept("**") {
			value := p.binary(precOr)
			if kids == nil && p.comprehensionFollows() {
				return p.closed(p.comprehension(nodeDictComp, open, nil, value), "}")
			}
			kids = append(kids, nil, value)
		} else {
			if key == nil {
				key = p.test()
			}
			p.expect(":")
			value := p.test()
			if kids == nil && p.comprehensionFollows() {
				return p.closed(p.comprehension(nodeDictComp, open, key, value), "}")
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

func (p *parser) comprehensionFollows() bool {
	return p.is("for") || p.is("async") && p.isAhead(1, "for")
}

// comprehension parses the clauses of a comprehension. element is its element, or a key and its
// value. The element may be *x, and the key nil for **x (PEP 798, Python 3.15).
func (p *parser) comprehension(kind nodeKind, start token, element ...*node) *node {
	if last := len(element) - 1; p.strict && !p.program && unpacks(element) {
		element[last] = p.wrong(element[last], refused("*", "unpacking in a comprehension is not computed from texts"))
	}
	var kids []*node
	async := false
	for p.comprehensionFollows() {
		at := p.peek()
		async = p.accept("async") || async
		p.at++
		target := p.targetList()
		p.expect("in")
		named := len(p.named)
		clause := []*node{p.disjunction(), target}
		if len(p.named) > named {
			p.fail("assignment expression cannot be used in a comprehension iterable expression")
		}
		for p.accept("if") {
			clause = append(clause, p.disjunction())
		}
		kids = append(kids, p.newNode(nodeClause, at, clause...))
	}
	e := p.newNode(kind, start, append(kids, element...)...)
	for i := len(p.named) - 1; i >= 0 && (p.named[i] == nil || p.named[i].pos > start.pos); i-- {
		if t := p.named[i]; t != nil && slices.ContainsFunc(kids, func(clause *node) bool { return clause.kids[1].binds(t.text) }) {
			e = p.wrong(e, syntaxError("assignment expression cannot rebind comprehension iteration variable '%s'", t.text))
		}
	}
	if async {
		return p.running(e)
	}
	return e
}

// unpacks reports whether the element of a comprehension is *x or **x.
func unpacks(element []*node) bool { return element[0] == nil || element[0].kind == nodeStarred }

// targetList parses the targets of a for clause, up to "in".
func (p *parser) targetList() *node {
	start := p.peek()
	first := p.target()
	if !p.is(",") {
		return p.unstarred(first)
	}
	kids := []*node{first}
	for p.accept(",") && !p.is("in") {
		kids = append(kids, p.target())
	}
	return p.newNode(nodeTuple, start, kids...)
}

func (p *parser) target() *node {
	start := p.peek()
	if p.accept("*") {
		return p.newNode(nodeStarred, start, p.assignable(p.primary()))
	}
	return p.assignable(p.primary())
}

// assignable returns e, or e wrapped in an error if it cannot be assigned to.
func (p *parser) assignable(e *node) *node {
	switch e.kind {
	case nodeName:
		if e.constant {
			return p.wrong(e, syntaxError(debugBound))
		}
		return e
	case nodeAttribute, nodeSubscript, nodeError:
		return e
	case nodeTuple, nodeList, nodeStarred:
		for _, k := range e.kids {
			if bad := p.assignable(k); bad.kind == nodeError {
				return bad
			}
		}
		return e
	}
	return p.wrong(e, syntaxError("cannot assign to expression"))
}
