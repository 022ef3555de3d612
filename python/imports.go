package python

import "strings"

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
			made := Import{Module: p.dotted(), Line: int(s.line)}
			s.imports = append(s.imports, made)
			bound, _, _ := strings.Cut(made.Module, ".")
			if p.accept("as") {
				bound = p.name()
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

// dotted reads a module's name.
func (p *sourceParser) dotted() string {
	name := p.name()
	for p.accept(".") {
		name += "." + p.name()
	}
	return name
}

// importedNames reads what from takes, and the names that are bound to it.
func (p *sourceParser) importedNames() (names, bound []string) {
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
