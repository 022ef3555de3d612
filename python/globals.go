package python

import "slices"

// Globals are the names that a module's text binds.
type Globals struct {
	names  map[string]bool
	hidden map[string]bool // functions, classes and imports
	any    bool            // the text imports names that it does not list
}

// Has reports whether the text may bind a name in the module.
func (g Globals) Has(name string) bool { return g.any || g.names[name] }

// Lists reports what Has reports, or with hidden what Hides reports, without the names that an import
// of * may bind.
func (g Globals) Lists(name string, hidden bool) bool {
	return g.hidden[name] || !hidden && g.names[name]
}

// Hides reports whether the text may bind a name to a function, a class or an import, which the
// states of a module do not list.
func (g Globals) Hides(name string) bool { return g.any || g.hidden[name] }

// ReadGlobals reads a source text. Like Read it never fails, and takes linear time.
func ReadGlobals(source []byte) Globals {
	body := newParser(decodeSource(source)).statements(false)
	f := newFunctionReader(nil)
	f.binds(body)
	g := Globals{names: f.own, hidden: map[string]bool{}}
	g.read(body, true)
	return g
}

// read adds what the statements of a block bind. module means that they run in the module itself,
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
