package python

import "slices"

// Comprehension is one of a list, a set or a dict.
type Comprehension struct {
	Name       string // co_name, where it is a frame of its own
	Line, Last int
	Vars       []string // the names that its loops bind
	// First tells that it begins before anything else on its line can call the program's code.
	First bool
	// Calls tells that something within it may call the program's code.
	Calls bool
	// Module tells that it stands in the module's own code, and has no free variables.
	Module bool
}

// Comprehensions finds those of a text, in the order in which they are read.
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
	defined map[string]bool // names of functions and classes
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

// expr lists the comprehensions of an expression.
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

// targetsOf lists the names that a comprehension's loops bind.
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

// first finds the comprehension that is evaluated before anything that may call the
// program's code; stop tells that such a call, or a choice, comes before the next.
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
			kids = e.kids[0].kids[:1] // what it goes over
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

// ours reports whether a call may be one of the program's: it is of a name that the program
// defines, or is given one.
func (f *comprehensions) ours(e *node) bool {
	for _, k := range e.kids {
		if (k.kind == nodeName || k.kind == nodeAttribute) && f.defined[k.text] || k.kind == nodeKeyword && f.ours(k) || k.kind == nodeLambda || k.kind == nodeGenerator {
			return true
		}
	}
	return false
}

// calls reports whether something within a comprehension may be a frame.
func (f *comprehensions) calls(e *node) bool {
	kids := e.kids
	if comprehensionNames[e.kind] != "" { // what it goes over is evaluated around it
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
