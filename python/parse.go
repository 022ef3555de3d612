package python

// The parser of source files (lexer.go, source_*.go) is another one, and shares
// little but the operators with this: it has read a whole text into tokens before
// it begins, forgives what is no Python, takes any text beyond ASCII for a name and
// does not look into numbers and strings. Here each of these is either a value or a
// SyntaxError in CPython's words, and where a token ends can depend on the brackets
// and format specs around it. One lexer for both would look at each token twice.

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// nestingLimit is how deep brackets and the like may nest in an expression or
// in the text of a value; CPython's parser has about the same.
const nestingLimit = 200

const tooNested = "too many nested parentheses"

// exprParser parses one expression by recursive descent. It panics with an
// *EvalError, a SyntaxError in CPython's words where these are known, which
// parsing recovers.
type exprParser struct {
	source   string
	pos      int // behind tok
	tok      word
	brackets []byte // open ones: line ends mean nothing inside
	depth    int
}

// parseExpression parses what eval() would: an expression, blank before and
// after it.
func parseExpression(source string) (node exprNode, err error) {
	defer recoverError(&err)
	p := newExprParser(strings.TrimLeft(source, " \t"))
	node = p.expressions()
	p.finish()
	return node, nil
}

func newExprParser(source string) *exprParser {
	p := &exprParser{source: source}
	if at := strings.IndexByte(source, 0); at >= 0 {
		p.fail("source code string cannot contain null bytes")
	}
	if !utf8.ValidString(source) {
		p.fail("the text is not UTF-8")
	}
	p.next()
	return p
}

func (p *exprParser) fail(format string, args ...any) {
	panic(raised("SyntaxError", format, args...))
}

func (p *exprParser) next() { p.scan() }

// finish fails unless the text is over.
func (p *exprParser) finish() {
	for p.tok.kind == wordNewline {
		p.next()
	}
	if p.tok.kind != wordEnd {
		p.unexpected()
	}
}

func (p *exprParser) unexpected() {
	if n := len(p.brackets); p.tok.kind == wordEnd && n > 0 {
		p.fail("'%c' was never closed", p.brackets[n-1])
	}
	if p.tok.kind == wordOp && len(p.brackets) == 0 && slices.Contains([]string{")", "]", "}"}, p.tok.text) {
		p.fail("unmatched '%s'", p.tok.text)
	}
	p.fail("invalid syntax")
}

// is tells whether the token is this operator or keyword.
func (p *exprParser) is(text string) bool {
	return (p.tok.kind == wordOp || p.tok.kind == wordKeyword) && p.tok.text == text
}

// accept passes over the token if it is this operator or keyword.
func (p *exprParser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.next()
	return true
}

func (p *exprParser) expect(text string) {
	if !p.accept(text) {
		p.unexpected()
	}
}

// open passes over an opening bracket, shut over the one that closes it.
func (p *exprParser) open() {
	p.brackets = append(p.brackets, p.tok.text[0])
	p.next()
}

func (p *exprParser) shut(bracket string) {
	if !p.is(bracket) {
		p.unexpected()
	}
	p.brackets = p.brackets[:len(p.brackets)-1]
	p.next()
}

// nested counts a level of nesting until the function it returns is called.
func (p *exprParser) nested() func() {
	if p.depth++; p.depth > nestingLimit {
		p.fail(tooNested)
	}
	return func() { p.depth-- }
}

// expressions parses one expression or, with a comma, a tuple.
func (p *exprParser) expressions() exprNode {
	return p.tupleOf(p.expression)
}

// tupleOf parses one item or, with a comma, a tuple of them.
func (p *exprParser) tupleOf(item func() exprNode) exprNode {
	first := item()
	if !p.is(",") {
		if _, ok := first.(*starredExpr); ok {
			p.fail("can't use starred expression here")
		}
		return first
	}
	items := []exprNode{first}
	for p.accept(",") && p.startsExpression() {
		items = append(items, item())
	}
	return &tupleExpr{items}
}

// startsExpression tells whether an expression can begin with the token.
func (p *exprParser) startsExpression() bool {
	switch p.tok.kind {
	case wordName, wordNumber, wordString:
		return true
	case wordKeyword:
		return slices.Contains([]string{"None", "True", "False", "not", "lambda", "await", "yield"}, p.tok.text)
	case wordOp:
		return slices.Contains([]string{"(", "[", "{", "-", "+", "~", "...", "*"}, p.tok.text)
	}
	return false
}

// expression parses a conditional expression or a lambda.
func (p *exprParser) expression() exprNode {
	if p.is("lambda") {
		defer p.nested()()
		return p.lambda()
	}
	node := p.disjunction()
	if !p.accept("if") {
		return node
	}
	defer p.nested()()
	test := p.disjunction()
	if !p.accept("else") {
		p.fail("expected 'else' after 'if' expression")
	}
	return &condExpr{test: test, then: node, otherwise: p.expression()}
}

// named parses an expression that may be NAME := VALUE.
func (p *exprParser) named() exprNode {
	node := p.expression()
	if !p.is(":=") {
		return node
	}
	name, ok := node.(*nameExpr)
	if !ok {
		p.fail("cannot use assignment expressions with this target")
	}
	p.next()
	return &namedExpr{name.name, p.expression()}
}

// starredOr parses *EXPR or what named does.
func (p *exprParser) starredOr() exprNode {
	if p.accept("*") {
		return &starredExpr{p.binary(0)}
	}
	return p.named()
}

func (p *exprParser) disjunction() exprNode { return p.junction("or", p.conjunction) }
func (p *exprParser) conjunction() exprNode { return p.junction("and", p.inversion) }

func (p *exprParser) junction(op string, operand func() exprNode) exprNode {
	first := operand()
	if !p.is(op) {
		return first
	}
	node := &boolExpr{op, []exprNode{first}}
	for p.accept(op) {
		node.operands = append(node.operands, operand())
	}
	return node
}

func (p *exprParser) inversion() exprNode {
	if p.is("not") {
		defer p.nested()()
		p.next()
		return &unaryExpr{"not", p.inversion()}
	}
	return p.comparison()
}

func (p *exprParser) comparison() exprNode {
	first := p.binary(0)
	var node *compareExpr
	for {
		op := p.comparator()
		if op == "" {
			break
		}
		if node == nil {
			node = &compareExpr{first: first}
		}
		node.ops = append(node.ops, op)
		node.rest = append(node.rest, p.binary(0))
	}
	if node == nil {
		return first
	}
	return node
}

// comparator passes over a comparison operator and gives it, "" for none.
func (p *exprParser) comparator() string {
	for _, op := range []string{"==", "!=", "<", "<=", ">", ">=", "in"} {
		if p.accept(op) {
			return op
		}
	}
	switch {
	case p.accept("is"):
		if p.accept("not") {
			return "is not"
		}
		return "is"
	case p.accept("not"):
		p.expect("in")
		return "not in"
	}
	return ""
}

// operatorLevels lists the binary operators, the loosest first; those of one level
// group from the left.
var operatorLevels = [][]string{{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"}}

func (p *exprParser) binary(level int) exprNode {
	if level == len(operatorLevels) {
		return p.factor()
	}
	node := p.binary(level + 1)
	for p.tok.kind == wordOp && slices.Contains(operatorLevels[level], p.tok.text) {
		op := p.tok.text
		p.next()
		node = &binaryExpr{op, node, p.binary(level + 1)}
	}
	return node
}

func (p *exprParser) factor() exprNode {
	if p.tok.kind == wordOp && slices.Contains([]string{"-", "+", "~"}, p.tok.text) {
		defer p.nested()()
		op := p.tok.text
		p.next()
		return &unaryExpr{op, p.factor()}
	}
	node := p.primary()
	if p.accept("**") {
		defer p.nested()()
		return &binaryExpr{"**", node, p.factor()}
	}
	return node
}

// primary parses an atom and what follows it: attributes, calls, subscripts.
func (p *exprParser) primary() exprNode {
	if p.is("await") {
		panic(refused("", "await and yield need a running program"))
	}
	node := p.atom()
	for {
		switch {
		case p.accept("."):
			if p.tok.kind != wordName {
				p.unexpected()
			}
			node = &attributeExpr{node, p.tok.text}
			p.next()
		case p.is("("):
			node = &callExpr{node, p.arguments()}
		case p.is("["):
			p.open()
			index := p.subscript()
			p.shut("]")
			node = &subscriptExpr{node, index}
		default:
			return node
		}
	}
}

func (p *exprParser) subscript() exprNode {
	if !p.startsExpression() && !p.is(":") {
		p.unexpected()
	}
	first := p.slice()
	if !p.is(",") {
		if _, ok := first.(*starredExpr); ok {
			return &tupleExpr{[]exprNode{first}}
		}
		return first
	}
	items := []exprNode{first}
	for p.accept(",") && !p.is("]") {
		items = append(items, p.slice())
	}
	return &tupleExpr{items}
}

func (p *exprParser) slice() exprNode {
	part := func() exprNode {
		if p.is(":") || p.is("]") || p.is(",") {
			return nil
		}
		return p.expression()
	}
	var start exprNode
	if !p.is(":") {
		start = p.starredOr()
		if !p.is(":") {
			return start
		}
	}
	p.next()
	node := &sliceExpr{start: start, stop: part()}
	if p.accept(":") {
		node.step = part()
	}
	return node
}

func (p *exprParser) atom() exprNode {
	tok := p.tok
	switch tok.kind {
	case wordName:
		p.next()
		return &nameExpr{tok.text}
	case wordNumber:
		p.next()
		return &constExpr{numberOf(strings.ReplaceAll(tok.text, "_", ""))}
	case wordString:
		return p.strings()
	case wordKeyword:
		var value pyValue
		switch tok.text {
		case "None":
			value = pyNone{}
		case "True", "False":
			value = tok.text == "True"
		case "yield":
			panic(refused("", "await and yield need a running program"))
		default:
			p.unexpected()
		}
		p.next()
		return &constExpr{value}
	case wordOp:
		switch tok.text {
		case "...":
			p.next()
			return &constExpr{pyEllipsis{}}
		case "(":
			return p.parenthesis()
		case "[":
			return p.list()
		case "{":
			return p.braces()
		}
	}
	p.unexpected()
	return nil
}
