package python

import "strings"

// Callables returns, by name, the positional parameters of the functions, classes and named tuples
// that the source text defines.
func Callables(text string) map[string]Callable {
	found := map[string]Callable{}
	n := &namer{text: text}
	n.callablesIn(newParser(text).statements(false), "", found)
	return found
}

func (n *namer) callablesIn(body []*stmt, class string, found map[string]Callable) {
	for _, s := range body {
		switch s.kind {
		case stmtDef:
			name := s.def.name
			c := callableOf(s.def.params)
			if class != "" && len(c.Params) > 0 && (c.Params[0] == "self" || c.Params[0] == "cls") {
				c.Params = c.Params[1:]
			}
			if name == "__init__" && class != "" {
				name = class
			}
			found[name] = c
			n.callablesIn(s.body, "", found)
			continue
		case stmtClass:
			if fields := fieldsOf(s); len(fields) > 0 {
				found[s.def.name] = Callable{Params: fields}
			}
			n.callablesIn(s.body, s.def.name, found)
			continue
		case stmtAssign:
			n.tupleClass(s, found)
		}
		for _, b := range s.blocks() {
			n.callablesIn(b, class, found)
		}
	}
}

func callableOf(params []*node) Callable {
	var c Callable
	for _, p := range params {
		name := strings.TrimLeft(p.text, "*")
		switch p.value {
		case PositionalOnly, PositionalOrKeyword:
			c.Params = append(c.Params, name)
		case VarPositional:
			c.Rest = name
		case VarKeyword:
			c.Others = name
		}
	}
	return c
}

// fieldsOf returns the annotated names of a class body: the fields of a dataclass, a
// typing.NamedTuple or a similar class.
func fieldsOf(s *stmt) (fields []string) {
	for _, b := range s.body {
		if b.kind == stmtAnnAssign && b.targets[0].kind == nodeName {
			fields = append(fields, b.targets[0].text)
		}
	}
	return fields
}

// tupleClass records the fields of Creds = namedtuple("Creds", "user password") and similar calls.
func (n *namer) tupleClass(s *stmt, found map[string]Callable) {
	e := s.exprs[0]
	if len(s.targets) != 1 || s.targets[0].kind != nodeName || e.kind != nodeCall || len(e.kids) < 3 {
		return
	}
	function, _ := e.kids[0].dotted()
	switch function[strings.LastIndexByte(function, '.')+1:] {
	case "namedtuple", "NamedTuple", "make_dataclass":
	default:
		return
	}
	var fields []string
	if isDisplay(e.kids[2]) {
		for _, k := range e.kids[2].kids {
			if isDisplay(k) && len(k.kids) > 0 { // (name, type)
				k = k.kids[0]
			}
			fields = append(fields, n.stringOf(k))
		}
	} else {
		fields = strings.Fields(strings.ReplaceAll(n.stringOf(e.kids[2]), ",", " "))
	}
	found[s.targets[0].text] = Callable{Params: fields}
}

// call finds string literals among the arguments of a call, and records each as a value of the
// parameter that it is bound to.
func (n *namer) call(function *node, args []*node, in *nameScope) {
	name, _ := function.dotted()
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case function.kind == nodeAttribute:
		last = function.text
	case last == "zip" && len(args) >= 2:
		names, values := n.elements(args[0]), n.elements(args[1])
		for i, k := range names {
			if i < len(values) {
				n.flow(values[i], Naming{Name: n.stringOf(k)}, in)
			}
		}
		return
	}
	if last == "partial" && len(args) > 0 {
		n.call(args[0], args[1:], in)
		return
	}
	c, ok := n.callables[last]
	if !ok {
		return
	}
	at := 0
	give := func(e *node) {
		to := c.Rest
		if at < len(c.Params) {
			to = c.Params[at]
		}
		n.flow(e, Naming{Name: to}, in)
		at++
	}
	for _, a := range args {
		switch {
		case a.kind == nodeStarred && len(a.kids) > 0:
			for _, e := range n.elements(a.kids[0]) {
				give(e)
			}
		case a.kind == nodeKeyword:
			if c.Others != "" {
				n.flow(a.kids[0], Naming{Name: c.Others}, in)
			}
		default:
			give(a)
		}
	}
}
