package python

import "strings"

// simpleLine parses simple statements up to the end of the line.
func (p *parser) simpleLine(list []*stmt) []*stmt {
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
			p.fail("")
			return list
		}
		p.at++
		return list
	}
}

// simple parses one simple statement.
func (p *parser) simple() *stmt {
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
			s.exprs = append(s.exprs, p.exprs(p.starExpr))
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
		s.targets = append(s.targets, p.exprs(p.starExpr))
	case "assert":
		s.kind = stmtAssert
		p.at++
		s.exprs = append(s.exprs, p.test())
		if p.accept(",") {
			s.exprs = append(s.exprs, p.test())
		}
	case "import", "from":
		p.importStatement(s)
	case "lazy":
		if !p.isAhead(1, "import") && !p.isAhead(1, "from") {
			return p.expression(s)
		}
		p.at++
		p.importStatement(s)
		for i := range s.imports {
			s.imports[i].Lazy = true
		}
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

// endsHere reports whether a simple statement ends here.
func (p *parser) endsHere() bool {
	return p.peek().kind == tokenNewline || p.is(";")
}

func (p *parser) typeAlias(s *stmt) {
	s.kind = stmtTypeAlias
	p.at++
	s.targets = append(s.targets, p.atom())
	s.exprs = p.typeParams()
	p.expect("=")
	s.exprs = append(s.exprs, p.test())
}

// expression parses an expression, or any kind of assignment.
func (p *parser) expression(s *stmt) *stmt {
	s.paren = p.is("(")
	first := p.exprs(p.starExpr)
	if p.failed {
		return s
	}
	switch {
	case p.is("="):
		s.kind = stmtAssign
		value := first
		for p.accept("=") {
			s.targets = append(s.targets, value)
			value = p.exprs(p.starExpr)
		}
		s.exprs = append(s.exprs, value)
	case p.accept(":"):
		s.kind = stmtAnnAssign
		s.targets = append(s.targets, first)
		s.exprs = append(s.exprs, p.test())
		if p.accept("=") {
			s.exprs = append(s.exprs, p.exprs(p.starExpr))
		}
	case p.peek().kind == tokenOp && isAugmented(p.textOf(p.peek())):
		p.at++
		s.kind = stmtAugAssign
		s.names = []string{p.textOf(p.tokens[p.at-1])}
		s.targets = append(s.targets, first)
		s.exprs = append(s.exprs, p.exprs(p.starExpr))
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

// importStatement parses an import or from statement.
func (p *parser) importStatement(s *stmt) {
	s.kind = stmtImport
	if p.accept("import") {
		for {
			made := Import{Module: p.dotted(), Line: int(s.line)}
			s.imports = append(s.imports, made)
			bound, _, _ := strings.Cut(made.Module, ".")
			if p.accept("as") {
				bound = p.name()
				s.renamed = append(s.renamed, len(s.imports)-1)
			}
			s.names = append(s.names, bound)
			if !p.accept(",") {
				return
			}
		}
	}
	p.expect("from")
	from := Import{Line: int(s.line)}
	for p.is(".") || p.is("...") {
		from.Level += len(p.textOf(p.peek()))
		p.at++
	}
	if !p.is("import") {
		from.Module = p.dotted()
	}
	p.expect("import")
	switch {
	case p.accept("*"):
		from.Names = []string{"*"}
	case p.accept("("):
		from.Names, s.names = p.importedNames()
		p.expect(")")
	default:
		from.Names, s.names = p.importedNames()
	}
	s.imports = []Import{from}
}

// dotted parses the name of a module.
func (p *parser) dotted() string {
	name := p.name()
	for p.accept(".") {
		name += "." + p.name()
	}
	return name
}

// importedNames parses the names that a from statement imports, and returns the names to which they
// are bound.
func (p *parser) importedNames() (names, bound []string) {
	for !p.failed && !p.is(")") && !p.endsHere() {
		name := p.name()
		names = append(names, name)
		if p.accept("as") {
			name = p.name()
		}
		bound = append(bound, name)
		if !p.accept(",") {
			break
		}
	}
	return names, bound
}
