package python

import "slices"

// storeScope holds the names of a def, a class or the module.
type storeScope struct {
	outer    int
	isClass  bool
	names    map[string][]*Stored // by name, the statements that bind it
	globals  []string
	nonlocal []string
}

// Binding returns the statements that bind a name of a scope: statements in the scope, and those in
// nested functions that declare the name global or nonlocal.
func (s *Stores) Binding(scope int, name string) []*Stored {
	var found []*Stored
	for line, sc := range s.scopes {
		if s.owner(line, name) == scope {
			found = append(found, sc.names[name]...)
		}
	}
	return found
}

// owner returns the scope that a name belongs to when it is bound in a scope.
func (s *Stores) owner(scope int, name string) int {
	sc := s.scopes[scope]
	switch {
	case slices.Contains(sc.globals, name):
		return 0
	case slices.Contains(sc.nonlocal, name):
		return s.Enclosing(scope, name)
	}
	return scope
}

// Enclosing returns the innermost enclosing function of a scope that binds a name or has it as a
// parameter, or -1.
func (s *Stores) Enclosing(scope int, name string) int {
	sc := s.scopes[scope]
	if sc == nil {
		return -1
	}
	for at := sc.outer; at > 0; at = s.scopes[at].outer {
		if outer := s.scopes[at]; !outer.isClass && s.binds(at, name) {
			return at
		}
	}
	return -1
}

// binds reports whether a name is local to a function.
func (s *Stores) binds(scope int, name string) bool {
	sc := s.scopes[scope]
	if slices.Contains(sc.globals, name) || slices.Contains(sc.nonlocal, name) {
		return false
	}
	if d := s.defs[scope]; d != nil && slices.ContainsFunc(d.def.params, func(p *node) bool { return p.text == name }) {
		return true
	}
	return len(sc.names[name]) > 0
}

// Has reports whether a def or class begins on a line. Line 0 stands for the module.
func (s *Stores) Has(scope int) bool { return s.scopes[scope] != nil }

// Default returns the default of a function's parameter, or the zero Term.
func (s *Stores) Default(scope int, param string) Term {
	if d := s.defs[scope]; d != nil {
		for _, p := range d.def.params {
			if p.text == param && p.fallback() != nil {
				return Term{p.fallback(), &s.text}
			}
		}
	}
	return Term{}
}

// Decorators returns the decorators of a def or class.
func (s *Stores) Decorators(scope int) []Term {
	var found []Term
	if d := s.defs[scope]; d != nil {
		for _, e := range d.def.decorators {
			found = append(found, Term{e, &s.text})
		}
	}
	return found
}
