package python

const (
	maxNesting = 400  // how deep brackets and operators of an expression nest
	maxChain   = 5000 // how many operators of one kind follow each other; CPython's compiler gives up earlier
)

// sourceParser reads statements from tokens. A statement that is no Python
// becomes a stmtBroken, and the one after it is read as ever.
type sourceParser struct {
	text   string
	tokens []token
	at     int
	failed bool // the statement is broken; peek gives no more of its tokens
	depth  int
	defs   []*definition // the functions around, innermost last; nil for a class
	slab   []node
}

var noToken = token{kind: tokenBroken}

// peek is the next token, or one that nothing accepts after a failure.
func (p *sourceParser) peek() token {
	if p.failed {
		return noToken
	}
	return p.tokens[p.at]
}

func (p *sourceParser) textOf(t token) string { return p.text[t.pos:t.end] }

// is reports whether the next token is an operator or a keyword.
func (p *sourceParser) is(text string) bool {
	t := p.peek()
	return (t.kind == tokenOp || t.kind == tokenName) && int(t.end-t.pos) == len(text) && p.text[t.pos:t.end] == text
}

// isAhead is is for a later token; never beyond the end.
func (p *sourceParser) isAhead(n int, text string) bool {
	if p.failed || p.at+n >= len(p.tokens) {
		return false
	}
	t := p.tokens[p.at+n]
	return (t.kind == tokenOp || t.kind == tokenName) && p.textOf(t) == text
}

func (p *sourceParser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.at++
	return true
}

func (p *sourceParser) expect(text string) {
	if !p.accept(text) {
		p.failed = true
	}
}

// name reads an identifier.
func (p *sourceParser) name() string {
	t := p.peek()
	if t.kind != tokenName || isKeyword(p.textOf(t)) {
		p.failed = true
		return ""
	}
	p.at++
	return p.textOf(t)
}

// isKeyword: the soft keywords match, case, type and _ are names.
func isKeyword(name string) bool {
	switch name {
	case "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
		"def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in",
		"is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield":
		return true
	}
	return false
}

// lastLine is the line of the last character read.
func (p *sourceParser) lastLine() int32 {
	for i := p.at - 1; i >= 0; i-- {
		if t := p.tokens[i]; t.end > t.pos { // a newline has no length here
			return t.last
		}
	}
	return 1
}

// statements reads up to the dedent that ends a block, or to the end.
func (p *sourceParser) statements(nested bool) []*stmt {
	var list []*stmt
	for {
		switch p.peek().kind {
		case tokenEnd:
			return list
		case tokenDedent:
			if nested {
				return list
			}
			p.at++ // of an indent that nothing asked for
		case tokenNewline:
			p.at++
		case tokenIndent:
			p.at++
			list = append(list, p.statements(true)...)
			if p.peek().kind == tokenDedent {
				p.at++
			}
		default:
			list = p.statement(list)
		}
	}
}

// statement reads a line of simple statements or a compound one.
func (p *sourceParser) statement(list []*stmt) []*stmt {
	start := p.at
	s := p.compound()
	switch {
	case s != nil && !p.failed:
		return append(list, s)
	case s == nil && !p.failed:
		if list = p.simpleLine(list); !p.failed {
			return list
		}
	}
	if s != nil && s.kind != stmtDef && s.kind != stmtClass && (s.body != nil || s.branches != nil) {
		list = append(list, s) // only a later clause of it is broken
		start = p.clause(start)
		s = nil
	}
	return append(list, p.broken(start, s))
}

// clause is the first token of the logical line that the position is on, at
// start or after it.
func (p *sourceParser) clause(start int) int {
	at := p.at
	for at > start {
		switch p.tokens[at-1].kind {
		case tokenNewline, tokenIndent, tokenDedent:
			return at
		}
		at--
	}
	return at
}

// broken stands for the statement that begins at a token. Its line and the block
// below it, if there is one, are kept, and the name of a def or class.
func (p *sourceParser) broken(start int, s *stmt) *stmt {
	p.failed, p.depth = false, 0
	p.at = max(p.at, start)
	for !p.atLineEnd() {
		p.at++
	}
	bad := &stmt{kind: stmtBroken, line: p.tokens[start].line}
	if s != nil && (s.kind == stmtDef || s.kind == stmtClass) && s.def.name != "" {
		bad = s
		bad.line = p.tokens[start].line
	}
	if p.peek().kind == tokenNewline && p.tokens[p.at+1].kind == tokenIndent {
		bad.body = p.scope(bad, p.indented)
	}
	bad.last = p.lastLine()
	return bad
}

func (p *sourceParser) atLineEnd() bool {
	switch p.peek().kind {
	case tokenNewline, tokenIndent, tokenDedent, tokenEnd:
		return true
	}
	return false
}

// indented reads the block behind a line's end.
func (p *sourceParser) indented() []*stmt {
	p.at += 2
	list := p.statements(true)
	if p.peek().kind == tokenDedent {
		p.at++
	}
	return list
}

// scope reads a body within the function or class that it belongs to, if s is one.
func (p *sourceParser) scope(s *stmt, read func() []*stmt) []*stmt {
	switch s.kind {
	case stmtDef:
		p.defs = append(p.defs, s.def)
	case stmtClass:
		p.defs = append(p.defs, nil)
	default:
		return read()
	}
	list := read()
	p.defs = p.defs[:len(p.defs)-1]
	return list
}

// block reads ":" and what follows it: statements on the same line, or an
// indented block.
func (p *sourceParser) block() []*stmt {
	p.expect(":")
	if p.failed {
		return nil
	}
	if p.peek().kind != tokenNewline {
		start := p.at
		list := p.simpleLine(nil)
		if p.failed {
			list = append(list, p.broken(start, nil))
		}
		return list
	}
	if p.tokens[p.at+1].kind != tokenIndent {
		p.at++ // the block is missing
		return nil
	}
	return p.indented()
}

// simpleLine reads simple statements up to the end of the line.
func (p *sourceParser) simpleLine(list []*stmt) []*stmt {
	for {
		s := p.simple()
		if p.failed {
			return list
		}
		s.last = p.lastLine()
		list = append(list, s)
		if p.accept(";") && p.peek().kind != tokenNewline {
			continue
		}
		if p.peek().kind != tokenNewline {
			p.failed = true
			return list
		}
		p.at++
		return list
	}
}

// simple reads one simple statement.
func (p *sourceParser) simple() *stmt {
	t := p.peek()
	s := &stmt{line: t.line}
	if t.kind != tokenName {
		return p.expression(s)
	}
	switch p.textOf(t) {
	case "pass":
		s.kind = stmtSimple
		p.at++
	case "break":
		s.kind = stmtBreak
		p.at++
	case "continue":
		s.kind = stmtContinue
		p.at++
	case "return":
		s.kind = stmtReturn
		p.at++
		if !p.endsHere() {
			s.exprs = append(s.exprs, p.starExprs())
		}
	case "raise":
		s.kind = stmtRaise
		p.at++
		if !p.endsHere() {
			s.exprs = append(s.exprs, p.test())
			if p.accept("from") {
				s.exprs = append(s.exprs, p.test())
			}
		}
	case "global", "nonlocal":
		s.kind = stmtGlobal
		if p.is("nonlocal") {
			s.kind = stmtNonlocal
		}
		p.at++
		s.names = append(s.names, p.name())
		for p.accept(",") {
			s.names = append(s.names, p.name())
		}
	case "del":
		s.kind = stmtDelete
		p.at++
		s.targets = append(s.targets, p.starExprs())
	case "assert":
		s.kind = stmtAssert
		p.at++
		s.exprs = append(s.exprs, p.test())
		if p.accept(",") {
			s.exprs = append(s.exprs, p.test())
		}
	case "import", "from":
		p.importStatement(s)
	case "type":
		if next := p.tokens[p.at+1]; next.kind == tokenName && !isKeyword(p.textOf(next)) {
			p.typeAlias(s)
			return s
		}
		return p.expression(s)
	default:
		return p.expression(s)
	}
	return s
}

// endsHere reports whether a simple statement is over.
func (p *sourceParser) endsHere() bool {
	return p.peek().kind == tokenNewline || p.is(";")
}

func (p *sourceParser) typeAlias(s *stmt) {
	s.kind = stmtTypeAlias
	p.at++
	s.targets = append(s.targets, p.atom())
	s.exprs = p.typeParams()
	p.expect("=")
	s.exprs = append(s.exprs, p.test())
}

// expression reads an expression, or an assignment of any kind.
func (p *sourceParser) expression(s *stmt) *stmt {
	s.paren = p.is("(")
	first := p.starExprs()
	if p.failed {
		return s
	}
	switch {
	case p.is("="):
		s.kind = stmtAssign
		value := first
		for p.accept("=") {
			s.targets = append(s.targets, value)
			value = p.starExprs()
		}
		s.exprs = append(s.exprs, value)
	case p.accept(":"):
		s.kind = stmtAnnAssign
		s.targets = append(s.targets, first)
		s.exprs = append(s.exprs, p.test())
		if p.accept("=") {
			s.exprs = append(s.exprs, p.starExprs())
		}
	case p.peek().kind == tokenOp && isAugmented(p.textOf(p.peek())):
		p.at++
		s.kind = stmtAugAssign
		s.targets = append(s.targets, first)
		s.exprs = append(s.exprs, p.starExprs())
	default:
		s.kind = stmtExpr
		s.exprs = append(s.exprs, first)
	}
	return s
}

func isAugmented(op string) bool {
	switch op {
	case "+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**=":
		return true
	}
	return false
}
