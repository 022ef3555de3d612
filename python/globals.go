package python

import "slices"

// Globals holds the names that a module's source binds.
type Globals struct {
	names  map[string]bool
	hidden map[string]bool // functions, classes and imports
	any    bool            // the source has an import *, so any name may be bound
}

// Has reports whether the source may bind a module global with this name.
func (g Globals) Has(name string) bool { return g.any || g.names[name] }

// Lists is like Has, or like Hides if hidden is true, but ignores the names that an import * may
// bind.
func (g Globals) Lists(name string, hidden bool) bool {
	return g.hidden[name] || !hidden && g.names[name]
}

// Hides reports whether the source may bind a name to a function, a class or an import. The states
// of a module do not list those.
func (g Globals) Hides(name string) bool { return g.any || g.hidden[name] }

// ReadGlobals reads a source file. Like Read it never fails, and takes linear time.
func ReadGlobals(source []byte) Globals {
	body := newParser(decodeSource(source)).statements(false)
	f := newFunctionReader(nil)
	f.binds(body)
	g := Globals{names: f.own, hidden: map[string]bool{}}
	g.read(body, true)
	return g
}

// read adds the names that a block binds. module reports whether the block runs at module level,
// and not in a function or class.
func (g *Globals) read(body []*stmt, module bool) {
	for _, s := range body {
		inner := module && s.kind != stmtDef && s.kind != stmtClass
		switch {
		case s.kind == stmtGlobal:
			for _, name := range s.names {
				g.names[name] = true
			}
		case module && s.kind == stmtImport:
			for _, name := range s.names {
				g.hidden[name] = true
			}
			g.any = g.any || slices.ContainsFunc(s.imports, func(i Import) bool { return slices.Contains(i.Names, "*") })
		case module && !inner:
			g.hidden[s.def.name] = true
		}
		for _, block := range s.blocks() {
			g.read(block, inner)
		}
	}
}
