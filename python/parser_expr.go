package python

// newNode creates an expression that begins with a token and ends before the current position.
func (p *parser) newNode(kind nodeKind, start token, kids ...*node) *node {
	if len(p.slab) == 0 {
		p.slab = make([]node, min(256, len(p.tokens)/2+1))
	}
	e := &p.slab[0]
	p.slab = p.slab[1:]
	e.kind, e.line, e.last, e.pos, e.end, e.kids = kind, start.line, start.last, start.pos, start.end, kids
	if p.at > 0 && p.tokens[p.at-1].end > start.pos {
		e.last, e.end = p.tokens[p.at-1].last, p.tokens[p.at-1].end
	}
	return e
}

// newText is like newNode, with a text.
func (p *parser) newText(kind nodeKind, text string, start token, kids ...*node) *node {
	e := p.newNode(kind, start, kids...)
	e.text = text
	return e
}

// deeper adds a level of nesting. It returns false if the expression is nested too deeply.
func (p *parser) deeper() bool {
	if p.depth++; p.depth > maxNesting {
		p.fail(tooNested)
	}
	return !p.failed
}

// exprs parses expressions separated by commas, by calling one for each. A single expression with a
// comma after it is a tuple.
func (p *parser) exprs(one func() *node) *node {
	start := p.peek()
	first := one()
	if !p.is(",") {
		return p.unstarred(first)
	}
	kids := []*node{first}
	for p.accept(",") {
		if p.endsExprs() {
			break
		}
		kids = append(kids, one())
	}
	return p.tuple(start, kids)
}

// unstarred returns e, or an error if it is *x, which is not allowed on its own.
func (p *parser) unstarred(e *node) *node {
	if e.kind == nodeStarred {
		return p.wrong(e, syntaxError("can't use starred expression here"))
	}
	return e
}

// endsExprs reports whether no expression can follow after a comma here.
func (p *parser) endsExprs() bool {
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

func (p *parser) tuple(start token, kids []*node) *node {
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

func (p *parser) starExpr() *node {
	start := p.peek()
	if p.accept("*") {
		return p.newNode(nodeStarred, start, p.binary(precOr))
	}
	return p.namedTest()
}

// namedTest parses an expression, which may be NAME := expression or a yield.
func (p *parser) namedTest() *node {
	if p.is("yield") {
		return p.yield()
	}
	start := p.peek()
	e := p.test()
	if !p.is(":=") {
		return e
	}
	if e.kind != nodeName || start.kind != tokenName {
		return p.fail("cannot use assignment expressions with this target")
	}
	p.at++
	p.named = append(p.named, e)
	return p.newNode(nodeNamed, start, p.assignable(e), p.test())
}

// running returns e, which only has a value in a running program. A strict parser wraps it in an
// error.
func (p *parser) running(e *node) *node {
	if p.strict && !p.program {
		return p.wrong(e, refused("", "await and yield need a running program"))
	}
	return e
}

func (p *parser) yield() *node {
	start := p.peek()
	p.at++
	if n := len(p.defs); n > 0 && p.defs[n-1] != nil {
		p.defs[n-1].generator = true
	}
	if p.accept("from") {
		return p.running(p.newText(nodeYield, "from", start, p.test()))
	}
	if p.endsExprs() && !p.is("lambda") && !p.is("not") && p.peek().kind != tokenName {
		return p.running(p.newNode(nodeYield, start))
	}
	return p.running(p.newNode(nodeYield, start, p.exprs(p.starExpr)))
}

// test parses a conditional expression, a lambda, or an expression of higher precedence.
func (p *parser) test() *node {
	if !p.deeper() {
		return p.failure
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
	if !p.accept("else") {
		return p.fail("expected 'else' after 'if' expression")
	}
	return p.newNode(nodeIfExp, start, condition, e, p.test())
}

func (p *parser) lambda() *node {
	start := p.peek()
	p.at++
	kids := p.params(":", false)
	p.expect(":")
	p.defs = append(p.defs, nil) // a yield belongs to the lambda
	named := len(p.named)
	kids = append(kids, p.test())
	p.defs = p.defs[:len(p.defs)-1]
	clear(p.named[named:])
	return p.newNode(nodeLambda, start, kids...)
}

func (p *parser) disjunction() *node { return p.junction("or", nodeOr, p.conjunction) }

func (p *parser) conjunction() *node { return p.junction("and", nodeAnd, p.inversion) }

func (p *parser) junction(op string, kind nodeKind, operand func() *node) *node {
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

func (p *parser) inversion() *node {
	start := p.peek()
	if !p.is("not") {
		return p.comparison()
	}
	if !p.deeper() {
		return p.failure
	}
	p.at++
	e := p.newNode(nodeNot, start, p.inversion())
	e.constant = e.kids[0].constant
	p.depth--
	return e
}

func (p *parser) comparison() *node {
	start := p.peek()
	first := p.binary(precOr)
	op := p.comparator()
	if op == "" {
		return first
	}
	kids := []*node{first, p.binary(precOr)}
	var chain []string
	for next := p.comparator(); next != ""; next = p.comparator() {
		if chain == nil {
			chain = []string{op}
		}
		chain = append(chain, next)
		kids = append(kids, p.binary(precOr))
	}
	e := p.newText(nodeCompare, op, start, kids...)
	if chain != nil {
		e.value = chain
	}
	return e
}

// comparator parses a comparison operator. It returns "" if there is none.
func (p *parser) comparator() string {
	t := p.peek()
	op := p.textOf(t)
	switch t.kind {
	case tokenOp:
		switch op {
		case "==", "!=", "<", ">", "<=", ">=":
			p.at++
			return op
		}
	case tokenName:
		switch op {
		case "in":
			p.at++
			return op
		case "not":
			if p.isAhead(1, "in") {
				p.at += 2
				return "not in"
			}
		case "is":
			p.at++
			if p.accept("not") {
				return "is not"
			}
			return op
		}
	}
	return ""
}

// Precedences of the binary operators, in ascending order.
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

// binary parses binary operators whose precedence is at least least.
func (p *parser) binary(least int) *node {
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
			return p.fail(tooNested)
		}
		p.at++
		right := p.binary(prec + 1)
		e := p.newText(nodeBinOp, op, start, left, right)
		// CPython does not fold "%" on a string constant.
		e.constant = left.constant && right.constant && (op != "%" || !p.isText(left))
		left = e
	}
}

// isText reports whether a constant is a string.
func (p *parser) isText(e *node) bool {
	if e.pos >= e.end {
		return false
	}
	switch c := p.text[e.end-1]; c {
	case '"', '\'':
		return true
	}
	return false
}

func (p *parser) unary() *node {
	start := p.peek()
	if !p.is("-") && !p.is("+") && !p.is("~") {
		return p.power()
	}
	if !p.deeper() {
		return p.failure
	}
	p.at++
	kid := p.unary()
	p.depth--
	e := p.newText(nodeUnary, p.textOf(start), start, kid)
	e.constant = kid.constant
	return e
}

func (p *parser) power() *node {
	start := p.peek()
	base := p.await()
	if !p.is("**") {
		return base
	}
	if !p.deeper() {
		return p.failure
	}
	p.at++
	exponent := p.unary()
	p.depth--
	e := p.newText(nodeBinOp, "**", start, base, exponent)
	e.constant = base.constant && exponent.constant
	return e
}

func (p *parser) await() *node {
	start := p.peek()
	if p.accept("await") {
		return p.running(p.newNode(nodeAwait, start, p.primary()))
	}
	return p.primary()
}
