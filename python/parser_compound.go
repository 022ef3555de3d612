package python

import "strings"

// compound parses a compound statement. It returns nil if none begins here.
func (p *parser) compound() *stmt {
	t := p.peek()
	s := &stmt{line: t.line}
	switch {
	case t.kind == tokenOp && p.textOf(t) == "@":
		return p.decorated(s)
	case t.kind != tokenName:
		return nil
	}
	switch p.textOf(t) {
	case "def":
		p.function(s, false)
	case "class":
		p.class(s)
	case "if":
		p.ifStatement(s)
	case "while":
		s.kind = stmtWhile
		p.at++
		s.exprs = append(s.exprs, p.namedTest())
		s.body = p.block()
		s.orelse = p.orelse()
	case "for":
		p.forStatement(s)
	case "try":
		p.tryStatement(s)
	case "with":
		p.withStatement(s)
	case "async":
		p.at++
		switch {
		case p.is("def"):
			p.function(s, true)
		case p.is("for"):
			p.forStatement(s)
		case p.is("with"):
			p.withStatement(s)
		default:
			p.fail("")
		}
	case "match":
		if !p.matchFollows() {
			return nil
		}
		p.matchStatement(s)
	case "elif", "else", "except", "finally":
		p.strayClause(s)
	default:
		return nil
	}
	s.last = p.lastLine()
	return s
}

// strayClause parses an elif, else, except or finally whose statement is missing or invalid, so
// that its block is not lost.
func (p *parser) strayClause(s *stmt) {
	s.kind = stmtBroken
	p.fail("invalid syntax")
	s.exprs, p.failed = []*node{p.failure}, false
	p.at++
	for !p.is(":") && p.peek().kind != tokenNewline && p.peek().kind != tokenEnd {
		p.at++
	}
	s.body = p.block()
}

func (p *parser) ifStatement(s *stmt) {
	s.kind = stmtIf
	for p.is("if") && s.branches == nil || p.is("elif") {
		b := branch{line: p.peek().line}
		p.at++
		condition := p.namedTest()
		b.exprs = []*node{condition}
		b.typeChecking = condition.kind <= nodeAttribute && strings.HasSuffix(p.text[condition.pos:condition.end], "TYPE_CHECKING")
		if b.body = p.block(); p.failed {
			return
		}
		s.branches = append(s.branches, b)
	}
	s.orelse = p.orelse()
}

// orelse parses an else clause, if there is one.
func (p *parser) orelse() []*stmt {
	if !p.accept("else") {
		return nil
	}
	return p.block()
}

func (p *parser) forStatement(s *stmt) {
	s.kind = stmtFor
	p.at++
	s.targets = append(s.targets, p.targetList())
	p.expect("in")
	s.exprs = append(s.exprs, p.exprs(p.starExpr))
	s.body = p.block()
	s.orelse = p.orelse()
}

func (p *parser) tryStatement(s *stmt) {
	s.kind = stmtTry
	p.at++
	s.body = p.block()
	for p.is("except") {
		b := branch{line: p.peek().line}
		p.at++
		b.group = p.accept("*")
		if !p.is(":") {
			b.exprs = []*node{p.exprs(p.starExpr)}
			if p.accept("as") {
				b.as = p.name()
			}
		}
		if b.body = p.block(); p.failed {
			return
		}
		s.branches = append(s.branches, b)
	}
	s.orelse = p.orelse()
	if p.accept("finally") {
		s.final = p.block()
	}
}

func (p *parser) withStatement(s *stmt) {
	s.kind = stmtWith
	p.at++
	start := p.at
	if p.accept("(") {
		// The brackets may enclose all items, or belong to the first item.
		outer := p.first
		p.withItems(s, ")")
		p.expect(")")
		if !p.is(":") {
			p.failed, p.first, p.at = false, outer, start
			s.exprs, s.targets = nil, nil
		}
	}
	if p.at == start {
		p.withItems(s, ":")
	}
	s.body = p.block()
}

func (p *parser) withItems(s *stmt, end string) {
	for !p.failed && !p.is(end) {
		s.exprs = append(s.exprs, p.test())
		var target *node
		if p.accept("as") {
			target = p.target()
		}
		s.targets = append(s.targets, target)
		if !p.accept(",") {
			return
		}
	}
}

// matchFollows reports whether "match" begins a match statement here: the line
// ends with ":", and the block below it begins with "case".
func (p *parser) matchFollows() bool {
	next := p.tokens[p.at+1]
	switch next.kind {
	case tokenNewline, tokenEnd:
		return false
	case tokenOp:
		switch p.textOf(next) {
		case "(", "[", "{", "-", "+", "~", "*", "...":
		default:
			return false
		}
	}
	i := p.at + 1
	for p.tokens[i].kind != tokenNewline && p.tokens[i].kind != tokenEnd {
		i++
	}
	if p.tokens[i].kind == tokenEnd || p.textOf(p.tokens[i-1]) != ":" {
		return false
	}
	return p.tokens[i+1].kind == tokenIndent && p.textOf(p.tokens[i+2]) == "case"
}

func (p *parser) matchStatement(s *stmt) {
	s.kind = stmtMatch
	p.at++
	s.exprs = append(s.exprs, p.exprs(p.starExpr))
	p.expect(":")
	if p.failed {
		return
	}
	p.at += 2
	for p.is("case") {
		b := branch{line: p.peek().line}
		start := p.at
		p.at++
		b.exprs = []*node{p.patterns()}
		if p.accept("if") {
			b.exprs = append(b.exprs, p.namedTest())
		}
		if p.failed || !p.is(":") {
			bad := p.broken(start, nil)
			b.exprs, b.body = bad.exprs, bad.body
		} else {
			b.body = p.block()
		}
		s.branches = append(s.branches, b)
		for p.peek().kind == tokenNewline {
			p.at++
		}
	}
	if rest := p.statements(true); rest != nil { // invalid, but keep the statements
		s.branches = append(s.branches, branch{line: rest[0].line, body: rest})
	}
	if p.peek().kind == tokenDedent {
		p.at++
	}
}
