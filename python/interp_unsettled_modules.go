package python

// This file does the same for modules of the program: it marks as unknown the names that code
// outside a module may have changed.

// loseModules marks as unknown the names of the modules among the arguments of a call, because the
// called function may assign them.
func (e *effects) loseModules(arguments []*node) {
	for _, x := range arguments {
		if x.kind == nodeKeyword || x.kind == nodeStarred {
			x = x.kids[0]
		}
		if x.kind != nodeName {
			continue
		}
		if _, known := e.value(x.text).(*module); !known && !e.in.program.wild() {
			continue // nothing in the program assigns attributes by computed names
		}
		for _, m := range e.mayBe(x) {
			e.each(m.names.vars)
			for _, name := range m.names.order {
				e.forget(m.names, name)
			}
			m.names.partial, m.names.disordered = true, true
		}
	}
}

// mayBe returns the modules of the program to which an expression may refer.
func (e *effects) mayBe(x *node) []*module {
	if x.kind != nodeName {
		return nil
	}
	switch v := e.value(x.text).(type) {
	case nil, *imported, opaque:
		return e.in.modules
	case *module:
		if v.names != nil {
			return []*module{v}
		}
	}
	return nil
}

// setsOutside marks a name of a module as unknown, after code outside the module assigned it.
func (e *effects) setsOutside(names *scope, name string) {
	if _, ok := names.vars[name]; ok {
		names.vars[name] = forgotten
		return
	}
	names.misplace(name)
	names.partial = true
	if names.hidden == nil {
		names.hidden = map[string]bool{}
	}
	names.hidden[name] = true
}

// moduleOf returns m if an expression is m.name for a module m of the program; otherwise nil.
func (e *effects) moduleOf(x *node) *module {
	if x.kind != nodeAttribute || x.kids[0].kind != nodeName {
		return nil
	}
	m, ok := e.value(x.kids[0].text).(*module)
	if !ok || m.names == nil {
		return nil
	}
	return m
}
