package python

// Import is one module that an import statement names.
type Import struct {
	Module string   // "a.b"; "" in "from . import x"
	Level  int      // how many dots precede the module
	Names  []string // what "from" takes out of it; "*" for everything
	Line   int      // of the statement
	// InFunction: it runs when a function is called, not when the file is.
	InFunction bool
	// TypeChecking: it stands below "if TYPE_CHECKING", and never runs.
	TypeChecking bool
}

// Imports are the modules that the text's import statements name, in order.
func (s *Source) Imports() []Import { return s.imports }

// importStatement reads import or from.
func (p *sourceParser) importStatement(s *stmt) {
	s.kind = stmtImport
	if p.accept("import") {
		for {
			s.imports = append(s.imports, Import{Module: p.dotted(), Line: int(s.line)})
			if p.accept("as") {
				p.name()
			}
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
		from.Names = p.importedNames()
		p.expect(")")
	default:
		from.Names = p.importedNames()
	}
	s.imports = []Import{from}
}

// dotted reads a module's name.
func (p *sourceParser) dotted() string {
	name := p.name()
	for p.accept(".") {
		name += "." + p.name()
	}
	return name
}

func (p *sourceParser) importedNames() []string {
	var names []string
	for !p.failed && !p.is(")") && !p.endsHere() {
		names = append(names, p.name())
		if p.accept("as") {
			p.name()
		}
		if !p.accept(",") {
			break
		}
	}
	return names
}

// importsOf collects the imports of statements and of those in them.
func importsOf(list []*stmt) []Import {
	c := importCollector{}
	c.collect(list)
	return c.found
}

type importCollector struct {
	found        []Import
	inFunction   bool
	typeChecking bool
}

func (c *importCollector) collect(list []*stmt) {
	for _, s := range list {
		for _, i := range s.imports {
			i.InFunction, i.TypeChecking = c.inFunction, c.typeChecking
			c.found = append(c.found, i)
		}
		outer := c.inFunction
		c.inFunction = outer || s.kind == stmtDef
		c.collect(s.body)
		for _, b := range s.branches {
			outer := c.typeChecking
			c.typeChecking = outer || b.typeChecking
			c.collect(b.body)
			c.typeChecking = outer
		}
		c.collect(s.orelse)
		c.collect(s.final)
		c.inFunction = outer
	}
}
