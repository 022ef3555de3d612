package python

import "slices"

// Comprehension is a list, set or dict comprehension.
type Comprehension struct {
	Name       string // its co_name, in Pythons where it has a frame
	Line, Last int
	Vars       []string // the names that its for clauses bind
	// First reports whether nothing before it on its line can call the program's code.
	First bool
	// Calls reports whether code inside it may call the program's code.
	Calls bool
	// Module reports whether it is in the module's top-level code. Such a comprehension has no free
	// variables.
	Module bool
}

// Comprehensions returns the comprehensions of a source text in source order.
func Comprehensions(source []byte) []Comprehension {
	p := newParser(decodeSource(source))
	f := &comprehensions{defined: map[string]bool{}}
	body := p.statements(false)
	f.define(body)
	f.block(body, true)
	return f.list
}

type comprehensions struct {
	list    []Comprehension
	defined map[string]bool // names of the program's functions and classes
}

func (f *comprehensions) define(body []*stmt) {
	for _, s := range body {
		if s.def != nil {
			f.defined[s.def.name] = true
		}
		for _, b := range s.blocks() {
			f.define(b)
		}
	}
}

func (f *comprehensions) block(body []*stmt, module bool) {
	for _, s := range body {
		exprs := s.exprs
		for _, b := range s.branches {
			exprs = append(exprs[:len(exprs):len(exprs)], b.exprs...)
		}
		if s.def != nil {
			exprs = append(exprs[:len(exprs):len(exprs)], s.def.decorators...)
		}
		first, _ := f.first(s.exprs)
		for i, b := range s.branches {
			if s.kind == stmtIf && i == 0 {
				first, _ = f.first(b.exprs)
			}
		}
		for _, e := range exprs {
			f.expr(e, first, module)
		}
		for _, b := range s.blocks() {
			f.block(b, module && s.def == nil)
		}
	}
}

var comprehensionNames = map[nodeKind]string{nodeListComp: "<listcomp>", nodeSetComp: "<setcomp>", nodeDictComp: "<dictcomp>"}

// expr adds the comprehensions in e to the list. first is the one for which First is true.
func (f *comprehensions) expr(e, first *node, module bool) {
	if e == nil {
		return
	}
	if name := comprehensionNames[e.kind]; name != "" {
		f.list = append(f.list, Comprehension{Name: name, Line: int(e.line), Last: int(e.last), Vars: targetsOf(e), First: e == first, Calls: f.calls(e), Module: module})
		module = false
	}
	for _, k := range e.kids {
		f.expr(k, first, module && e.kind != nodeLambda && e.kind != nodeGenerator)
	}
}

// targetsOf returns the names that the for clauses of a comprehension bind.
func targetsOf(e *node) (names []string) {
	clauses, _ := e.clauses()
	var add func(t *node)
	add = func(t *node) {
		if t.kind == nodeName {
			names = append(names, t.text)
		}
		for _, k := range t.kids {
			if k != nil {
				add(k)
			}
		}
	}
	for _, c := range clauses {
		add(c.kids[1])
	}
	return names
}

// first returns the first comprehension that is evaluated in list, if nothing before it can call
// the program's code. stop reports whether the search ended early: at such a call, or at a branch.
func (f *comprehensions) first(list []*node) (found *node, stop bool) {
	for _, e := range list {
		if e == nil {
			continue
		}
		kids := e.kids
		switch e.kind {
		case nodeLambda:
			continue
		case nodeGenerator, nodeListComp, nodeSetComp, nodeDictComp:
			kids = e.kids[0].kids[:1] // the first iterable
		case nodeIfExp, nodeAnd, nodeOr:
			kids = kids[:1]
		}
		if found, stop = f.first(kids); found != nil || stop {
			return found, stop
		}
		switch e.kind {
		case nodeListComp, nodeSetComp, nodeDictComp:
			return e, false
		case nodeGenerator, nodeIfExp, nodeAnd, nodeOr, nodeYield, nodeAwait:
			return nil, true
		case nodeCall:
			if f.ours(e) {
				return nil, true
			}
		}
	}
	return nil, false
}

// ours reports whether a call may run the program's code: the function or an argument is a name
// that the program defines, a lambda or a generator expression.
func (f *comprehensions) ours(e *node) bool {
	for _, k := range e.kids {
		if (k.kind == nodeName || k.kind == nodeAttribute) && f.defined[k.text] || k.kind == nodeKeyword && f.ours(k) || k.kind == nodeLambda || k.kind == nodeGenerator {
			return true
		}
	}
	return false
}

// calls reports whether evaluating the inside of a comprehension may enter a frame.
func (f *comprehensions) calls(e *node) bool {
	kids := e.kids
	if comprehensionNames[e.kind] != "" { // the first iterable is evaluated in the enclosing frame
		kids = slices.Concat(e.kids[0].kids[1:], e.kids[1:])
	}
	for _, k := range kids {
		if k == nil {
			continue
		}
		switch k.kind {
		case nodeListComp, nodeSetComp, nodeDictComp, nodeGenerator, nodeLambda:
			return true
		case nodeCall:
			if f.ours(k) {
				return true
			}
		}
		if f.calls(k) {
			return true
		}
	}
	return false
}
