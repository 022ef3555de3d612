package python

import (
	"iter"
	"slices"

	"github.com/npdb/npdb/dsl"
)

// function is a function of the program.
type function struct {
	code     *code
	defaults map[string]pyValue
	names    *scope // of the definition
	kind     string // "", "staticmethod", "classmethod", "property"
}

// bound is a method of an object.
type bound struct {
	self     pyValue
	function *function
}

// define runs a def.
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
		a.at(s.line, false)
	}
	f := in.newFunction(in.definitionCode(s, a), a.names)
	f.kind = kind
	if !in.lazy {
		for _, p := range annotated(s.def.params) {
			a.touchLine(s.line)
			in.annotation(p.kids[0], a.names)
		}
		if s.def.returns != nil {
			a.touchLine(s.line)
			in.annotation(s.def.returns, a.names)
		}
	}
	a.touchLine(s.line)
	if kind != "" {
		a.at(firstLine(s), false)
		a.at(s.line, false)
	}
	in.store(s.def.name, f, a.names)
}

// annotation evaluates an annotation, whose value no state shows: its names must have values, and
// it may call nothing.
func (in *Interpreter) annotation(e *node, sc *scope) {
	if e == nil {
		return
	}
	switch e.kind {
	case nodeCall:
		panic(refused("", "what an annotation calls"))
	case nodeName:
		in.load(e.text, sc)
	}
	for _, k := range e.kids {
		in.annotation(k, sc)
	}
	in.touch(e)
}

// annotated returns the parameters with an annotation, in the order in which they are evaluated.
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

func (in *Interpreter) newFunction(c *code, names *scope) *function {
	return &function{code: c, defaults: in.ev.defaults(c.fallbacks, names), names: names}
}

// callFunction calls a function of the program.
func (in *Interpreter) callFunction(f *function, args *arguments) pyValue {
	names := &scope{vars: in.ev.bound(f.code.qual, f.code.params, f.defaults, args), outer: f.names}
	a := &activation{in: in, code: f.code, names: names, line: f.code.first}
	names.frame = a
	if f.code.generator {
		return in.newGenerator(a)
	}
	return in.runFrame(a)
}

func (in *Interpreter) runFrame(a *activation) pyValue {
	in.enter(a)
	value := a.run()
	in.leave()
	return value
}

// unwind takes the frames above an activation off the stack.
func (in *Interpreter) unwind(a *activation) {
	for i := len(in.stack) - 1; i >= 0; i-- {
		if in.stack[i] == a {
			clear(in.stack[i+1:])
			in.stack = in.stack[:i+1]
			return
		}
	}
}

// generator is a generator of the program.
type generator struct {
	in    *Interpreter
	a     *activation
	next  func() (pyValue, bool)
	stop  func()
	yield func(pyValue) bool
	done  bool
	busy  bool
	lost  bool    // it may have been closed
	value pyValue // that it returned
}

// newGenerator makes a generator of an activation that has not begun.
func (in *Interpreter) newGenerator(a *activation) pyValue {
	g := &generator{in: in, a: a}
	a.gen = g
	in.entered++
	a.number = in.entered
	g.next, g.stop = iter.Pull(func(yield func(pyValue) bool) {
		g.yield = yield
		defer func() {
			if e := recover(); e != nil {
				if _, ok := e.(closed); !ok {
					panic(e)
				}
			}
		}()
		defer func() {
			if e := recover(); e != nil {
				if t, ok := e.(*thrown); ok && t.exc.class.is("StopIteration") {
					e = refused("", "a StopIteration that leaves a generator")
				}
				panic(e)
			}
		}()
		g.value = a.run()
	})
	in.gens = append(in.gens, g)
	return &pyIter{kind: "generator", next: g.resume, of: a.code.qual, gen: g}
}

// resume runs a generator up to its next yield.
func (g *generator) resume() (pyValue, bool) {
	if g.done {
		return nil, false
	}
	if g.lost {
		panic(refused("", "how a generator is closed"))
	}
	if g.busy {
		panic(raised("ValueError", "generator already executing"))
	}
	g.busy = true
	ok := false
	defer func() {
		g.busy = false
		e := recover()
		switch e.(type) {
		case nil, *thrown, *EvalError:
			g.done = g.done || !ok
		default:
			g.lost = true
		}
		if e != nil {
			panic(e)
		}
	}()
	g.in.enter(g.a)
	var value pyValue
	value, ok = g.next()
	if !ok {
		g.in.leave()
	}
	return value, ok
}

// suspend yields a value from the activation that runs, and returns what the yield expression
// gives.
func (in *Interpreter) suspend(value pyValue) pyValue {
	a := in.top()
	if a.gen == nil {
		panic(refused("", "a yield outside a generator"))
	}
	text := in.text(value)
	in.event(dsl.Return, dsl.Yielded, &text)
	in.leave()
	if !a.gen.yield(value) {
		panic(closed{})
	}
	in.event(dsl.Call, dsl.NoReturn, nil)
	return pyNone{}
}

// yieldNode evaluates a yield expression.
func (in *Interpreter) yieldNode(e *node, sc *scope) pyValue {
	if len(e.kids) == 0 {
		return in.suspend(pyNone{})
	}
	value := in.ev.eval(e.kids[0], sc)
	if e.text != "from" {
		return in.suspend(value)
	}
	it := in.iterate(value)
	for {
		item, ok := it.next()
		if !ok {
			break
		}
		in.suspend(item)
	}
	if it.gen != nil && it.gen.value != nil {
		return it.gen.value
	}
	return pyNone{}
}

// comprehension evaluates a comprehension: in the frame around it, or in one of its own.
func (in *Interpreter) comprehension(e *node, sc *scope) pyValue {
	clauses, _ := e.clauses()
	a := in.top()
	if !onLine(e, e.line) {
		panic(refused("", "the events of a comprehension over several lines"))
	}
	first := in.iterate(in.ev.eval(clauses[0].kids[0], sc))
	if e.kind == nodeGenerator || !in.version.Inlines() {
		c := in.comprehensionCode(e, a)
		inner := &activation{in: in, code: c, line: e.line}
		inner.names = &scope{vars: map[string]pyValue{".0": first}, outer: sc, frame: inner}
		if e.kind == nodeGenerator {
			return in.newGenerator(inner)
		}
		return in.runFrame(inner)
	}
	if makesCode(e) {
		panic(refused("", "a function within a comprehension"))
	}
	inner := &scope{vars: map[string]pyValue{}, outer: sc, comprehension: true}
	a.inlined = append(a.inlined, inner)
	depth := len(a.inlined)
	defer func() { a.inlined = a.inlined[:depth-1] }()
	return in.rounds(a, e, first, inner)
}

// makesCode reports whether an expression has a lambda or a generator expression in it.
func makesCode(e *node) bool {
	return e != nil && slices.ContainsFunc(e.kids, func(k *node) bool {
		return k != nil && (k.kind == nodeLambda || k.kind == nodeGenerator || makesCode(k))
	})
}

// rounds runs the loops of a comprehension.
func (in *Interpreter) rounds(a *activation, e *node, first *pyIter, sc *scope) pyValue {
	clauses, element := e.clauses()
	var list []pyValue
	set, dict := in.ev.newSet(false, nil), newDict()
	var loop func(level int, it *pyIter)
	loop = func(level int, it *pyIter) {
		for {
			in.ev.step()
			item, ok := it.next()
			if !ok {
				return
			}
			clause := clauses[level].kids
			in.bindTarget(clause[1], item, sc)
			wanted := !slices.ContainsFunc(clause[2:], func(c *node) bool { return !in.truth(in.ev.eval(c, sc)) })
			switch {
			case !wanted:
			case level+1 < len(clauses):
				loop(level+1, in.iterate(in.ev.eval(clauses[level+1].kids[0], sc)))
			case e.kind == nodeDictComp:
				key := in.ev.eval(element[0], sc)
				dict.put(in.ev, key, in.ev.eval(element[1], sc))
			case e.kind == nodeSetComp:
				set.add(in.ev, in.ev.eval(element[0], sc))
			case e.kind == nodeGenerator:
				in.suspend(in.ev.eval(element[0], sc))
			default:
				in.ev.spend(valueSize)
				list = append(list, in.ev.eval(element[0], sc))
			}
			a.at(e.line, true)
		}
	}
	loop(0, first)
	switch e.kind {
	case nodeDictComp:
		return dict
	case nodeSetComp:
		return set.inTableOrder(in.ev)
	case nodeGenerator:
		return pyNone{}
	}
	return &pyList{list}
}

// plain runs a code without statements.
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
			a.at(a.code.expr.line, false)
			c.value = in.rounds(a, a.code.expr, a.names.vars[".0"].(*pyIter), a.names)
			return c
		}
	}
	if !onLine(a.code.expr, a.code.expr.line) {
		panic(refused("", "the events of an expression over several lines"))
	}
	a.at(a.code.expr.line, false)
	c.value = in.ev.eval(a.code.expr, a.names)
	return c
}

// value returns the value of a name in a frame: of the loops of comprehensions, of the frame, or
// of the functions around it.
func (a *activation) value(name string) (pyValue, bool) {
	for i := len(a.inlined) - 1; i >= 0; i-- {
		if v, ok := a.inlined[i].vars[name]; ok {
			return v, true
		}
	}
	if a.code.bound[name] {
		v, ok := a.names.vars[name]
		return v, ok
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

// leaveOff refuses where a generator is left before its end: when it is closed is not computed.
func leaveOff(v pyValue) {
	if it, ok := v.(*pyIter); ok && it != nil && it.gen != nil && !it.gen.done {
		panic(refused("", "how a generator is closed"))
	}
}

// abandoned refuses where a generator that has not ended is held by nothing any more: CPython closes
// it then, with events of its own.
func (in *Interpreter) abandoned() {
	in.gens = slices.DeleteFunc(in.gens, func(g *generator) bool { return g.done })
	for _, g := range in.gens {
		if g.busy || g.lost || in.holds(g) {
			continue
		}
		g.lost = true
		panic(refused("", "how a generator is closed"))
	}
}

// holds reports whether a name or a loop holds a generator.
func (in *Interpreter) holds(g *generator) (held bool) {
	seen := map[pyValue]bool{}
	visit := func(v pyValue) bool {
		if it, ok := v.(*pyIter); ok {
			held = held || it.gen == g
		}
		again := isMutable(v) && seen[v]
		if isMutable(v) {
			seen[v] = true
		}
		return !held && !again
	}
	for _, a := range in.stack {
		for _, v := range a.names.vars {
			eachWithin(v, visit)
		}
		for _, it := range a.loops {
			held = held || it != nil && it.gen == g
		}
	}
	return held
}
