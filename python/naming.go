package python

import "slices"

// Naming is a name that a program gives a string: the variable to which it is assigned, the
// parameter or field as which it is passed, or the function that returns it.
type Naming struct {
	Name string
	// Argued reports whether the string is an argument of a call, and the call's result has the
	// name.
	Argued bool
	// Given reports whether the name is the name of a function that returns the string.
	Given bool
}

// Callable holds the names of the positional parameters of a function, class or named tuple.
type Callable struct {
	Params []string
	Rest   string // name of *args, "" if there is none
	Others string // name of **kwargs, "" if there is none
}

// Namings returns the names of all strings in the source text, by the offset at which the string
// begins. It follows assignment, unpacking, loops over literal lists, zip of names and values, with
// and match, positional and keyword arguments, partial, return and yield, and names that are
// assigned to other names in the same function. callables are those of the whole program.
func Namings(text string, callables map[string]Callable) map[int][]Naming {
	n := &namer{found: map[int][]Naming{}, callables: callables, text: text}
	body := newParser(text).statements(false)
	n.lists(body)
	n.block(body, n.scope(""))
	for _, s := range n.scopes {
		s.close(n)
	}
	return n.found
}

// namer collects namings.
type namer struct {
	text      string
	found     map[int][]Naming
	callables map[string]Callable
	written   map[string]*node // by name, the list, tuple or set display that is assigned to it
	scopes    []*nameScope
}

// nameScope is a function, a class body or the module.
type nameScope struct {
	function string              // name; "" for a class body or the module
	literals map[string][]*node  // by the name to which they are assigned
	aliases  map[string][]Naming // by name, the names to which it is assigned
}

func (n *namer) scope(function string) *nameScope {
	s := &nameScope{function: function, literals: map[string][]*node{}, aliases: map[string][]Naming{}}
	n.scopes = append(n.scopes, s)
	return s
}

// mostNames limits the number of names of a string, including those through other names.
const mostNames = 32

// close adds to each string the names to which its names are assigned.
func (s *nameScope) close(n *namer) {
	for name, literals := range s.literals {
		all := slices.Clone(s.aliases[name])
		for i := 0; i < len(all) && len(all) < mostNames; i++ {
			for _, to := range s.aliases[all[i].Name] {
				if !slices.Contains(all, to) {
					all = append(all, to)
				}
			}
		}
		for _, e := range literals {
			for _, to := range all {
				n.add(e, to)
			}
		}
	}
}

// add adds a name to a string. It returns false if the string already has the name, or has
// mostNames.
func (n *namer) add(e *node, to Naming) bool {
	names := n.found[int(e.pos)]
	if len(names) >= mostNames || slices.Contains(names, to) {
		return false
	}
	n.found[int(e.pos)] = append(names, to)
	return true
}

// lists records which names a list, tuple or set display is assigned to.
func (n *namer) lists(body []*stmt) {
	if n.written == nil {
		n.written = map[string]*node{}
	}
	for _, s := range body {
		if s.kind == stmtAssign && len(s.targets) == 1 && s.targets[0].kind == nodeName && isDisplay(s.exprs[0]) {
			n.written[s.targets[0].text] = s.exprs[0]
		}
		for _, b := range s.blocks() {
			n.lists(b)
		}
	}
}

// isDisplay reports whether an expression is a tuple, list or set display.
func isDisplay(e *node) bool {
	return e != nil && (e.kind == nodeTuple || e.kind == nodeList || e.kind == nodeSet)
}

func (n *namer) block(body []*stmt, in *nameScope) {
	for _, s := range body {
		n.stmt(s, in)
	}
}

func (n *namer) stmt(s *stmt, in *nameScope) {
	for _, e := range s.exprs {
		n.expr(e, in)
	}
	switch s.kind {
	case stmtAssign, stmtAugAssign, stmtAnnAssign:
		if s.kind == stmtAnnAssign && len(s.exprs) < 2 {
			break
		}
		for _, t := range s.targets {
			n.assign(t, s.exprs[len(s.exprs)-1], in)
		}
	case stmtFor:
		n.loop(s.targets[0], s.exprs[0], in)
	case stmtReturn:
		for _, e := range s.exprs {
			n.flow(e, Naming{Name: in.function, Given: true}, in)
		}
	case stmtWith:
		for i, t := range s.targets {
			if t != nil && i < len(s.exprs) {
				n.with(t, s.exprs[i], in)
			}
		}
	case stmtMatch:
		for _, b := range s.branches {
			if len(b.exprs) > 0 && len(s.exprs) > 0 {
				n.pattern(b.exprs[0], s.exprs[0], in)
			}
		}
	case stmtDef, stmtClass:
		for _, e := range s.def.decorators {
			n.expr(e, in)
		}
		for _, p := range s.def.params {
			n.expr(p.fallback(), in)
		}
		name := ""
		if s.kind == stmtDef {
			name = s.def.name
		}
		n.block(s.body, n.scope(name))
		return
	}
	for _, b := range s.branches {
		for _, e := range b.exprs {
			if s.kind != stmtMatch {
				n.expr(e, in)
			}
		}
	}
	for _, b := range s.blocks() {
		n.block(b, in)
	}
}

// expr visits an expression, and names the strings in its calls, yields and loops.
func (n *namer) expr(e *node, in *nameScope) {
	if e == nil {
		return
	}
	switch e.kind {
	case nodeCall:
		n.call(e.kids[0], e.kids[1:], in)
	case nodeYield:
		for _, k := range e.kids {
			n.flow(k, Naming{Name: in.function, Given: true}, in)
		}
	case nodeNamed:
		n.assign(e.kids[0], e.kids[1], in)
	case nodeClause:
		n.loop(e.kids[1], e.kids[0], in)
	}
	for _, k := range e.kids {
		n.expr(k, in)
	}
}

// flow adds a name to the strings that the value of an expression is made of.
func (n *namer) flow(e *node, to Naming, in *nameScope) {
	if e == nil || to.Name == "" {
		return
	}
	switch e.kind {
	case nodeConstant, nodeJoined:
		if n.add(e, to) {
			in.literals[to.Name] = append(in.literals[to.Name], e)
		}
	case nodeName:
		if e.text != to.Name && len(in.aliases[e.text]) < mostNames && !slices.Contains(in.aliases[e.text], to) {
			in.aliases[e.text] = append(in.aliases[e.text], to)
		}
	case nodeTuple, nodeList, nodeSet, nodeBinOp, nodeAnd, nodeOr, nodeStarred, nodeAwait:
		for _, k := range e.kids {
			n.flow(k, to, in)
		}
	case nodeDict:
		for i := 1; i < len(e.kids); i += 2 {
			n.flow(e.kids[i], to, in)
		}
	case nodeIfExp, nodeNamed:
		for _, k := range e.kids[1:] {
			n.flow(k, to, in)
		}
	case nodeLambda:
		n.flow(e.kids[len(e.kids)-1], to, in)
	case nodeSubscript: // a slice
		n.flow(e.kids[0], to, in)
	case nodeCall: // a method of a string
		if f := e.kids[0]; f.kind == nodeAttribute && (f.kids[0].kind == nodeConstant || f.kids[0].kind == nodeCall || f.kids[0].kind == nodeJoined) {
			n.flow(f.kids[0], to, in)
		}
	}
}

// assign names the strings in value after the target to which value is assigned.
func (n *namer) assign(target, value *node, in *nameScope) {
	if target == nil || value == nil {
		return
	}
	if value.kind == nodeIfExp {
		n.assign(target, value.kids[1], in)
		n.assign(target, value.kids[2], in)
		return
	}
	switch target.kind {
	case nodeTuple, nodeList:
		if isDisplay(value) {
			n.unpack(target.kids, value.kids, in)
		}
	case nodeStarred:
		if len(target.kids) > 0 {
			n.assign(target.kids[0], value, in)
		}
	default:
		n.flow(value, Naming{Name: n.nameOf(target)}, in)
	}
}

// unpack assigns values to targets one by one. A starred target gets several values.
func (n *namer) unpack(targets, values []*node, in *nameScope) {
	for i, t := range targets {
		if t != nil && t.kind == nodeStarred {
			rest := max(len(values)-(len(targets)-i-1), i) // index after the values for the starred target
			for _, v := range values[min(i, len(values)):min(rest, len(values))] {
				n.assign(t, v, in)
			}
			n.unpack(targets[i+1:], values[min(rest, len(values)):], in)
			return
		}
		if i < len(values) {
			n.assign(t, values[i], in)
		}
	}
}

// nameOf returns the name of a target: a variable, an attribute or a key.
func (n *namer) nameOf(e *node) string {
	switch e.kind {
	case nodeName, nodeAttribute:
		return e.text
	case nodeSubscript:
		if key := n.stringOf(e.kids[1]); key != "" {
			return key
		}
		return n.nameOf(e.kids[0])
	}
	return ""
}

// stringOf returns the value of a string literal, "" for any other expression.
func (n *namer) stringOf(e *node) string {
	if e == nil || e.kind != nodeConstant || int(e.end) > len(n.text) || e.pos >= e.end {
		return ""
	}
	tokens := Tokens(n.text[e.pos:e.end])
	if len(tokens) == 0 || tokens[0].Kind != StringToken {
		return ""
	}
	return tokens[0].Value
}

// elements returns the elements of a display. e is the display, or a name to which one is assigned.
func (n *namer) elements(e *node) []*node {
	if e == nil {
		return nil
	}
	if e.kind == nodeName {
		e = n.written[e.text]
	}
	if isDisplay(e) {
		return e.kids
	}
	return nil
}

// loop assigns the elements of a literal iterable to the target of a for loop.
func (n *namer) loop(target, over *node, in *nameScope) {
	for _, e := range n.elements(over) {
		n.assign(target, e, in)
	}
	if over == nil || over.kind != nodeCall {
		return
	}
	function, _ := over.kids[0].dotted()
	args := over.kids[1:]
	switch {
	case function == "zip" && isDisplay(target):
		for i, t := range target.kids {
			if i < len(args) {
				n.loop(t, args[i], in)
			}
		}
	case function == "enumerate" && isDisplay(target) && len(target.kids) == 2 && len(args) > 0:
		n.loop(target.kids[1], args[0], in)
	case over.kids[0].kind == nodeAttribute && over.kids[0].text == "items" && over.kids[0].kids[0].kind == nodeDict && isDisplay(target) && len(target.kids) == 2:
		for i, k := range over.kids[0].kids[0].kids {
			n.assign(target.kids[i%2], k, in)
		}
	}
}

// with assigns a context manager to its target. If the context manager is a call, its arguments get
// the target's name too, since a call may return its argument.
func (n *namer) with(target, context *node, in *nameScope) {
	n.assign(target, context, in)
	if context.kind == nodeCall && !isDisplay(target) {
		for _, a := range context.kids[1:] {
			n.flow(a, Naming{Name: n.nameOf(target), Argued: true}, in)
		}
	}
}

// pattern names the strings in the subject after a pattern's captures, and the literals in the
// pattern after the subject.
func (n *namer) pattern(pattern, subject *node, in *nameScope) {
	if pattern == nil || subject == nil {
		return
	}
	switch pattern.kind {
	case nodeConstant, nodeJoined:
		n.flow(pattern, Naming{Name: n.nameOf(subject)}, in)
	case nodeName:
		n.flow(subject, Naming{Name: pattern.text}, in)
	case nodeNamed:
		n.pattern(pattern.kids[0], subject, in)
		n.pattern(pattern.kids[1], subject, in)
	case nodeOr:
		for _, k := range pattern.kids {
			n.pattern(k, subject, in)
		}
	case nodeStarred:
		n.flow(subject, Naming{Name: pattern.text}, in)
	case nodeTuple, nodeCall:
		kids := subject.kids
		if pattern.kind == nodeTuple && !isDisplay(subject) || pattern.kind == nodeCall && subject.kind != nodeCall {
			return
		}
		for i, k := range pattern.kids {
			if i < len(kids) {
				n.pattern(k, kids[i], in)
			}
		}
	}
}
