package python

import (
	"maps"
	"slices"
)

// function is a function of the program.
type function struct {
	code     *code
	defaults map[string]pyValue
	names    *scope // the scope of the definition
	kind     string // "", "staticmethod", "classmethod", "property"
}

// bound is a bound method.
type bound struct {
	self     pyValue
	function *function
}

// define runs a def statement.
func (in *Interpreter) define(a *activation, s *stmt) {
	kind := ""
	for _, d := range s.def.decorators {
		if name, ok := d.dotted(); ok && len(s.def.decorators) == 1 && a.code.kind == classCode &&
			slices.Contains([]string{"staticmethod", "classmethod", "property"}, name) && !in.hides(name, a.names) {
			kind = name
			continue
		}
		panic(refused("", "what a decorator does"))
	}
	if len(s.def.typeParams) > 0 {
		panic(refused("", "type parameters"))
	}
	if kind != "" {
		if !plainLines(s) {
			panic(refused("", "the events of a decorated function over several lines"))
		}
		a.at(s.line, false)
	}
	f := in.newFunction(in.definitionCode(s, a), a.names, s.line)
	f.kind = kind
	for _, p := range annotated(s.def.params) {
		in.annotate(a, s, p.kids[0])
	}
	if s.def.returns != nil {
		in.annotate(a, s, s.def.returns)
	}
	a.touchLine(s.line)
	if kind != "" && in.version.Minor >= 11 { // the decorator's call has the line of the decorator
		a.at(firstLine(s), false)
		a.at(s.line, false)
	}
	in.store(s.def.name, f, a.names)
}

// annotate reports the lines of the instructions for an annotation: one loads the parameter's name,
// the next the annotation's value, or its source if annotations are strings. Before 3.12 that
// source is loaded on the line of the def.
func (in *Interpreter) annotate(a *activation, s *stmt, e *node) {
	a.touchLine(s.line)
	switch {
	case in.version.Minor >= 14: // annotations are a code object of their own (PEP 649)
	case !a.code.file.lazy:
		in.annotation(e, a.names)
	case in.version.Minor >= 12:
		a.touchLine(e.line)
	}
}

// annotates reports whether a class body ends by building the code object of its annotations.
func (a *activation) annotates() bool {
	return a.code.kind == classCode && a.in.version.Minor >= 14 && !a.code.file.lazy && annotatesNames(a.code.body)
}

// annotatesNames reports whether a block annotates a name, at any depth.
func annotatesNames(body []*stmt) bool {
	return slices.ContainsFunc(body, func(s *stmt) bool {
		return s.kind == stmtAnnAssign && s.targets[0].kind == nodeName || s.def == nil && slices.ContainsFunc(s.blocks(), annotatesNames)
	})
}

// deferred reports whether a statement of a class body is a bare annotation without instructions:
// the class body builds the code of all annotations at its end. Inside a nested block such a
// statement has instructions, which record that it was reached.
func (a *activation) deferred(s *stmt) bool {
	return s.declares() && a.code.kind == classCode && !a.code.file.lazy && a.in.version.Minor >= 14 &&
		slices.ContainsFunc(a.code.body, func(top *stmt) bool { return top == s })
}

// annotation evaluates an annotation. No state shows its value, so annotation only checks that the
// names in it have values, and refuses calls.
func (in *Interpreter) annotation(e *node, sc *scope) {
	if e == nil {
		return
	}
	switch e.kind {
	case nodeCall:
		panic(refused("", "what an annotation calls"))
	case nodeName:
		in.load(e.text, sc)
	case nodeBinOp:
		if in.version.Minor < 10 {
			panic(refused("|", "in an annotation"))
		}
	}
	for _, k := range e.kids {
		in.annotation(k, sc)
	}
	in.touch(e)
}

// annotated returns the parameters with an annotation, in the order in which CPython evaluates the
// annotations.
func annotated(params []*node) []*node {
	var first, second []*node
	for _, p := range params {
		if p.kids[0] == nil {
			continue
		}
		switch p.value.(ParamKind) {
		case PositionalOnly, PositionalOrKeyword:
			first = append(first, p)
		default:
			second = append(second, p)
		}
	}
	return append(first, second...)
}

// newFunction creates a function for a def or lambda at a line. It first evaluates the defaults:
// those of positional parameters form a tuple, the others a dict; both are built at the line of the
// def.
func (in *Interpreter) newFunction(c *code, names *scope, line int32) *function {
	a := in.top()
	var positional, others []*node
	for _, p := range c.fallbacks {
		switch {
		case p.fallback() == nil:
		case p.value.(ParamKind) == KeywordOnly:
			others = append(others, p)
		default:
			positional = append(positional, p)
		}
	}
	f := &function{code: c, defaults: map[string]pyValue{}, names: names}
	if len(positional) > 0 {
		spread := a.spread
		a.spread = spread && (in.version.Minor < 14 || !constantDefaults(positional)) // since 3.14 constant defaults are one constant
		maps.Copy(f.defaults, in.ev.defaults(positional, names))
		a.spread = spread
		a.touchLine(line)
	}
	for _, p := range others {
		if in.version.Minor >= 14 { // the name's instruction comes first
			a.touchLine(line)
		}
		maps.Copy(f.defaults, in.ev.defaults([]*node{p}, names))
	}
	if len(others) > 0 {
		a.touchLine(line)
	}
	return f
}

// constantDefaults reports whether the defaults of all parameters are constants.
func constantDefaults(params []*node) bool {
	return !slices.ContainsFunc(params, func(p *node) bool {
		e := p.fallback()
		return e.kind != nodeConstant && !e.constant
	})
}

// callFunction calls a function of the program.
func (in *Interpreter) callFunction(f *function, args *arguments) pyValue {
	names := &scope{vars: in.ev.bound(in.calledName(f.code), f.code.params, f.defaults, args), outer: f.names}
	a := &activation{in: in, code: f.code, names: names, line: f.code.first}
	names.frame = a
	if f.code.generator {
		return in.newGenerator(a)
	}
	return in.runFrame(a)
}

// calledName returns a function's name as messages about its arguments spell it.
func (in *Interpreter) calledName(c *code) string {
	if in.version.Minor < 10 {
		return c.name
	}
	return c.qual
}

func (in *Interpreter) runFrame(a *activation) pyValue {
	in.enter(a)
	value := a.run()
	in.leave()
	in.releases(a)
	return value
}

// unwind removes the frames above an activation from the stack.
func (in *Interpreter) unwind(a *activation) {
	for i := len(in.stack) - 1; i >= 0; i-- {
		if in.stack[i] == a {
			clear(in.stack[i+1:])
			in.stack = in.stack[:i+1]
			return
		}
	}
}

// plain runs a code object without statements.
func (a *activation) plain(target int32) completion {
	in := a.in
	if target != 0 {
		panic(refused("", "how far an expression has come"))
	}
	defer func() {
		if e := recover(); e != nil {
			in.unwind(a)
			a.raise(e)
		}
	}()
	c := completion{kind: returned}
	switch a.code.expr.kind {
	case nodeListComp, nodeSetComp, nodeDictComp, nodeGenerator:
		if a.code.name != "<lambda>" {
			if a.over == nil {
				panic(refused("", "what a comprehension iterates over"))
			}
			a.spread = !onLine(a.code.expr, a.code.expr.line)
			if a.spread && a.code.generator && in.version.Minor >= 15 {
				panic(refused("", "the events of a generator expression over several lines"))
			}
			a.at(a.code.expr.line, false)
			c.value = in.rounds(a, a.code.expr, a.over, a.names)
			return c
		}
	}
	if !onLine(a.code.expr, a.code.expr.line) {
		panic(refused("", "the events of an expression over several lines"))
	}
	a.at(a.code.expr.line, false)
	c.value = in.ev.eval(a.code.expr, a.names)
	if v := in.version.Minor; v == 11 || v == 12 { // the return has the line of the word lambda
		a.at(a.code.first, false)
	}
	return c
}

// value returns the value of a name as seen from a frame. It looks in running comprehensions first,
// then in the frame, then in the enclosing functions.
func (a *activation) value(name string) (pyValue, bool) {
	for i := len(a.inlined) - 1; i >= 0; i-- {
		if v, ok := a.inlined[i].vars[name]; ok {
			return v, true
		}
		if a.inlined[i].cleared[name] {
			return nil, false
		}
	}
	if a.code.bound[name] {
		v, ok := a.names.vars[name]
		return v, ok
	}
	if a.code.loops[name] {
		return nil, false
	}
	if name == "__class__" {
		if a.code.owner == nil {
			panic(refused(name, "is not known"))
		}
		return a.code.owner, true
	}
	for s := a.names.outer; s != nil; s = s.outer {
		if s.frame == nil || s.frame.code.kind != functionCode && s.frame.code.kind != plainCode {
			if s.comprehension {
				if v, ok := s.vars[name]; ok {
					return v, true
				}
			}
			continue
		}
		if s.frame.code.bound[name] {
			v, ok := s.vars[name]
			return v, ok
		}
	}
	return nil, false
}
