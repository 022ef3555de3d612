package python

// newNode makes an expression that begins with a token and ends before the position.
func (p *sourceParser) newNode(kind nodeKind, start token, kids ...*node) *node {
	if len(p.slab) == 0 {
		p.slab = make([]node, 256)
	}
	e := &p.slab[0]
	p.slab = p.slab[1:]
	*e = node{kind: kind, line: start.line, last: start.last, pos: start.pos, end: start.end, kids: kids}
	if p.at > 0 && p.tokens[p.at-1].end > start.pos {
		e.last, e.end = p.tokens[p.at-1].last, p.tokens[p.at-1].end
	}
	return e
}

// deeper counts the nesting of expressions; false when it is too deep to go on.
func (p *sourceParser) deeper() bool {
	if p.depth++; p.depth > maxNesting {
		p.failed = true
	}
	return !p.failed
}

func (p *sourceParser) bad() *node {
	p.failed = true
	return &node{}
}

// starExprs reads expressions separated by commas; one with a comma is a tuple.
func (p *sourceParser) starExprs() *node {
	start := p.peek()
	first := p.starExpr()
	if !p.is(",") {
		return first
	}
	kids := []*node{first}
	for p.accept(",") {
		if p.endsExprs() {
			break
		}
		kids = append(kids, p.starExpr())
	}
	return p.tuple(start, kids)
}

// endsExprs reports whether no expression follows a comma.
func (p *sourceParser) endsExprs() bool {
	t := p.peek()
	switch t.kind {
	case tokenName:
		return p.is("in") || p.is("for") || p.is("as")
	case tokenOp:
		switch p.textOf(t) {
		case "(", "[", "{", "-", "+", "~", "*", "...":
			return false
		}
		return true
	case tokenNumber, tokenString, tokenFStart:
		return false
	}
	return true
}

func (p *sourceParser) tuple(start token, kids []*node) *node {
	e := p.newNode(nodeTuple, start, kids...)
	e.constant = allConstant(kids)
	return e
}

func allConstant(kids []*node) bool {
	for _, k := range kids {
		if !k.constant {
			return false
		}
	}
	return true
}

func (p *sourceParser) starExpr() *node {
	start := p.peek()
	if p.accept("*") {
		return p.newNode(nodeStarred, start, p.binary(precOr))
	}
	return p.namedTest()
}

// namedTest reads an expression, NAME := included, and yield.
func (p *sourceParser) namedTest() *node {
	if p.is("yield") {
		return p.yield()
	}
	start := p.peek()
	e := p.test()
	if e.kind == nodeName && p.accept(":=") {
		return p.newNode(nodeNamed, start, e, p.test())
	}
	return e
}

func (p *sourceParser) yield() *node {
	start := p.peek()
	p.at++
	if n := len(p.defs); n > 0 && p.defs[n-1] != nil {
		p.defs[n-1].generator = true
	}
	if p.accept("from") {
		return p.newNode(nodeYield, start, p.test())
	}
	if p.endsExprs() && !p.is("lambda") && !p.is("not") && p.peek().kind != tokenName {
		return p.newNode(nodeYield, start)
	}
	return p.newNode(nodeYield, start, p.starExprs())
}

// test reads a conditional expression, a lambda or anything that binds closer.
func (p *sourceParser) test() *node {
	if !p.deeper() {
		return p.bad()
	}
	defer func() { p.depth-- }()
	if p.is("lambda") {
		return p.lambda()
	}
	start := p.peek()
	e := p.disjunction()
	if !p.accept("if") {
		return e
	}
	condition := p.disjunction()
	p.expect("else")
	return p.newNode(nodeIfExp, start, condition, e, p.test())
}

func (p *sourceParser) lambda() *node {
	start := p.peek()
	p.at++
	var kids []*node
	for _, param := range p.params(":", false) {
		if param.value != nil {
			kids = append(kids, param.value)
		}
	}
	p.expect(":")
	p.defs = append(p.defs, nil) // a yield is the lambda's
	kids = append(kids, p.test())
	p.defs = p.defs[:len(p.defs)-1]
	return p.newNode(nodeLambda, start, kids...)
}

func (p *sourceParser) disjunction() *node { return p.junction("or", nodeOr, p.conjunction) }

func (p *sourceParser) conjunction() *node { return p.junction("and", nodeAnd, p.inversion) }

func (p *sourceParser) junction(op string, kind nodeKind, operand func() *node) *node {
	start := p.peek()
	first := operand()
	if !p.is(op) {
		return first
	}
	kids := []*node{first}
	for p.accept(op) {
		kids = append(kids, operand())
	}
	e := p.newNode(kind, start, kids...)
	e.constant = allConstant(kids)
	return e
}

func (p *sourceParser) inversion() *node {
	start := p.peek()
	if !p.is("not") {
		return p.comparison()
	}
	if !p.deeper() {
		return p.bad()
	}
	p.at++
	e := p.newNode(nodeNot, start, p.inversion())
	e.constant = e.kids[0].constant
	p.depth--
	return e
}

func (p *sourceParser) comparison() *node {
	start := p.peek()
	first := p.binary(precOr)
	if !p.comparator() {
		return first
	}
	kids := []*node{first, p.binary(precOr)}
	for p.comparator() {
		kids = append(kids, p.binary(precOr))
	}
	return p.newNode(nodeCompare, start, kids...)
}

// comparator reads a comparison operator, if one follows.
func (p *sourceParser) comparator() bool {
	t := p.peek()
	switch t.kind {
	case tokenOp:
		switch p.textOf(t) {
		case "==", "!=", "<", ">", "<=", ">=":
			p.at++
			return true
		}
	case tokenName:
		switch p.textOf(t) {
		case "in":
			p.at++
			return true
		case "not":
			if p.isAhead(1, "in") {
				p.at += 2
				return true
			}
		case "is":
			p.at++
			p.accept("not")
			return true
		}
	}
	return false
}

// Precedences of the binary operators, those that bind closest last.
const (
	precOr = iota + 1
	precXor
	precAnd
	precShift
	precSum
	precTerm
)

func binaryPrecedence(op string) int {
	switch op {
	case "|":
		return precOr
	case "^":
		return precXor
	case "&":
		return precAnd
	case "<<", ">>":
		return precShift
	case "+", "-":
		return precSum
	case "*", "/", "//", "%", "@":
		return precTerm
	}
	return 0
}

// binary reads operators of at least a precedence.
func (p *sourceParser) binary(least int) *node {
	start := p.peek()
	left := p.unary()
	for n := 0; ; n++ {
		t := p.peek()
		if t.kind != tokenOp {
			return left
		}
		op := p.textOf(t)
		prec := binaryPrecedence(op)
		if prec == 0 || prec < least {
			return left
		}
		if n > maxChain {
			return p.bad()
		}
		p.at++
		right := p.binary(prec + 1)
		e := p.newNode(nodeBinOp, start, left, right)
		// "%" on a string is left to run time.
		e.constant = left.constant && right.constant && (op != "%" || !p.isText(left))
		left = e
	}
}

// isText reports whether a constant is a string.
func (p *sourceParser) isText(e *node) bool {
	if e.pos >= e.end {
		return false
	}
	switch c := p.text[e.end-1]; c {
	case '"', '\'':
		return true
	}
	return false
}

func (p *sourceParser) unary() *node {
	start := p.peek()
	if !p.is("-") && !p.is("+") && !p.is("~") {
		return p.power()
	}
	if !p.deeper() {
		return p.bad()
	}
	p.at++
	kid := p.unary()
	p.depth--
	e := p.newNode(nodeUnary, start, kid)
	e.constant = kid.constant
	return e
}

func (p *sourceParser) power() *node {
	start := p.peek()
	base := p.await()
	if !p.is("**") {
		return base
	}
	if !p.deeper() {
		return p.bad()
	}
	p.at++
	exponent := p.unary()
	p.depth--
	e := p.newNode(nodeBinOp, start, base, exponent)
	e.constant = base.constant && exponent.constant
	return e
}

func (p *sourceParser) await() *node {
	start := p.peek()
	if p.accept("await") {
		return p.newNode(nodeAwait, start, p.primary())
	}
	return p.primary()
}
