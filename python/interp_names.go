package python

import (
	"slices"
	"strings"
)

// load returns the value of a name as seen from a scope. It refuses the value ungiven.
func (in *Interpreter) load(name string, sc *scope) pyValue {
	v := in.find(name, sc)
	if v == ungiven {
		panic(refused(name, "has a value that was not given"))
	}
	return v
}

// find is like load, but may return ungiven.
func (in *Interpreter) find(name string, sc *scope) pyValue {
	for s := sc; s != nil; s = s.outer {
		a := s.frame
		if a != nil && a.code.untraced && a.code.kind == moduleCode { // an example of a docstring uses only its own globals
			if v, ok := s.vars[name]; ok {
				return v
			}
			if name == "_" {
				panic(refused(name, "is what was displayed last"))
			}
			return in.loadBuiltin(name, s)
		}
		if a == nil { // the names of a comprehension
			if v, ok := s.vars[name]; ok {
				return v
			}
			if s.cleared[name] {
				panic(refused(name, "has no value yet"))
			}
			continue
		}
		if a.code.kind == classCode && a != in.top() {
			continue
		}
		if a.code.global[name] {
			break
		}
		if v, ok := s.vars[name]; ok {
			return v
		}
		if a.code.bound[name] && a.code.kind != classCode {
			if s.partial {
				panic(refused(name, "has an unknown value"))
			}
			in.unbound(name, a == in.top())
		}
	}
	return in.loadGlobal(name, sc)
}

// unbound raises the exception for a local name that is not bound. own reports whether the name
// belongs to the running function, not to an enclosing one.
func (in *Interpreter) unbound(name string, own bool) {
	if own {
		panic(raised("UnboundLocalError", "cannot access local variable '%s' where it is not associated with a value", name))
	}
	panic(raised("NameError", "cannot access free variable '%s' where it is not associated with a value in enclosing scope", name))
}

func (in *Interpreter) loadGlobal(name string, sc *scope) pyValue {
	globals := sc.globals()
	if v, ok := globals.vars[name]; ok {
		return v
	}
	return in.loadBuiltin(name, globals)
}

// loadBuiltin returns the value of a name that is not among the globals.
func (in *Interpreter) loadBuiltin(name string, globals *scope) pyValue {
	outside := len(in.program.files) > 1 && in.program.stored[name] // another file may assign it as module.name
	if globals.partial && (globals.hidden[name] || globals.hidden["*"] || outside) {
		panic(refused(name, "has an unknown value"))
	}
	if namedTypes[name] {
		return types[name]
	}
	if f, ok := in.ev.builtins[name]; ok {
		return f
	}
	if c, ok := exceptionClasses()[name]; ok {
		return c
	}
	switch name {
	case "print":
		return &pyBuiltin{"print", printNothing}
	case "object":
		return objectClass
	case "NotImplemented", "Ellipsis", "__debug__":
		panic(refused(name, "is not computed"))
	}
	if otherBuiltins[name] || strings.HasPrefix(name, "__") {
		panic(refused(name, "is not computed"))
	}
	panic(raised("NameError", "name '%s' is not defined", name))
}

// printNothing implements print: it prints nothing, because states do not show output.
func printNothing(ev *evaluation, a *arguments) pyValue {
	if ev.interp.showing > 0 {
		panic(refused("print", "in a __repr__")) // npdb would not call that __repr__
	}
	for _, v := range a.positional {
		if x, ok := v.(*instance); ok {
			ev.str(x) // it may call a method of the program
			continue
		}
		ev.interp.writesNothing(v, "print")
	}
	for _, name := range a.names {
		if !slices.Contains([]string{"sep", "end", "flush"}, name) {
			panic(refused("print", "writes to a file"))
		}
		if _, isText := a.named[name].(pyStr); !isText && name != "flush" && a.named[name] != (pyNone{}) {
			panic(refused("print", "with such an end"))
		}
	}
	return pyNone{}
}

// writesNothing refuses a value whose repr may be produced by a method of the program.
func (in *Interpreter) writesNothing(v pyValue, what string) {
	eachWithin(v, func(v pyValue) bool {
		x, ok := v.(*instance)
		if ok && x.class.overrides("__repr__") || in.program.writes && isOpaque(v) {
			panic(refused(what, "may call a method of the program"))
		}
		return !ok
	})
}

// hides reports whether the program may bind this name, which is also a builtin.
func (in *Interpreter) hides(name string, sc *scope) bool {
	for s := sc; s != nil; s = s.outer {
		if _, ok := s.vars[name]; ok || s.frame != nil && s.frame.code.bound[name] {
			return true
		}
	}
	globals := sc.globals()
	return globals.hidden[name] || globals.hidden["*"]
}

// owner returns the scope in which an assignment to name stores.
func (in *Interpreter) owner(name string, sc *scope) *scope {
	for sc.frame == nil {
		sc = sc.outer
	}
	c := sc.frame.code
	switch {
	case c.global[name]:
		return sc.globals()
	case c.nonlocal[name]:
		for s := sc.outer; s != nil; s = s.outer {
			if s.frame != nil && s.frame.code.kind == functionCode && s.frame.code.bound[name] {
				return s
			}
		}
		panic(refused(name, "is nonlocal to nothing known"))
	}
	return sc
}

func (in *Interpreter) store(name string, v pyValue, sc *scope) { in.owner(name, sc).set(name, v) }

// set binds a name, and keeps the order in which names were first bound.
func (s *scope) set(name string, v pyValue) {
	old, ok := s.vars[name]
	if !ok {
		s.order = append(s.order, name)
	}
	s.disordered = s.disordered || ok && old == ungiven && v != ungiven || !ok && s.misplaced[name]
	s.vars[name] = v
}

// has reports whether a name is bound in the scope in which an assignment would store it.
func (in *Interpreter) has(name string, sc *scope) bool {
	_, ok := in.owner(name, sc).vars[name]
	return ok
}

func (in *Interpreter) deleteName(name string, sc *scope) {
	s := in.owner(name, sc)
	if _, ok := s.vars[name]; !ok {
		if s.partial {
			panic(refused(name, "has an unknown value"))
		}
		if s.frame.code.kind == functionCode {
			in.unbound(name, true)
		}
		panic(raised("NameError", "name '%s' is not defined", name))
	}
	delete(s.vars, name)
	s.order = slices.DeleteFunc(s.order, func(n string) bool { return n == name })
}

// bindTarget binds the names in the target of a comprehension's for clause.
func (in *Interpreter) bindTarget(t *node, v pyValue, sc *scope) {
	if t.kind == nodeName {
		sc.set(t.text, v)
		return
	}
	in.unpack(t, v, sc, in.bindTarget)
}

// assign assigns a value to a target.
func (in *Interpreter) assign(t *node, v pyValue, sc *scope) {
	switch t.kind {
	case nodeName:
		in.store(t.text, v, sc)
	case nodeTuple, nodeList:
		in.unpack(t, v, sc, in.assign)
	case nodeSubscript:
		base := in.ev.eval(t.kids[0], sc)
		index := in.ev.eval(t.kids[1], sc)
		in.top().touchLine(t.line)
		in.setItem(base, index, v)
	case nodeAttribute:
		in.setAttribute(in.ev.eval(t.kids[0], sc), t.text, v)
	default:
		panic(refused("", "an assignment of this kind"))
	}
}

// unpack assigns the items of v to the targets in a tuple or list.
func (in *Interpreter) unpack(t *node, v pyValue, sc *scope, assign func(*node, pyValue, *scope)) {
	if t.kind != nodeTuple && t.kind != nodeList {
		panic(refused("", "an assignment of this kind"))
	}
	if _, ok := v.(*instance); ok {
		panic(refused("", "the program's own iteration"))
	}
	if in.version.Minor < 12 && repeats(t.kids) {
		panic(refused("", "one name twice among targets")) // 3.11 stores them in another order
	}
	for i, part := range in.ev.parts(t.kids, v) {
		assign(unstarred(t.kids[i]), part, sc)
	}
}

// repeats reports whether a name occurs twice among targets.
func repeats(targets []*node) bool {
	for i, t := range targets {
		if t.kind == nodeName && slices.ContainsFunc(targets[:i], func(u *node) bool { return u.is(t.text) }) {
			return true
		}
	}
	return false
}

// delete deletes a target, like the statement del.
func (in *Interpreter) delete(t *node, sc *scope) {
	switch t.kind {
	case nodeName:
		if in.owner(t.text, sc).vars[t.text] == ungiven {
			panic(refused(t.text, "may have no value"))
		}
		in.deleteName(t.text, sc)
	case nodeTuple, nodeList:
		for _, k := range t.kids {
			in.delete(k, sc)
		}
	case nodeSubscript:
		base := in.ev.eval(t.kids[0], sc)
		in.deleteItem(base, in.ev.eval(t.kids[1], sc))
	default:
		panic(refused("", "a deletion of this kind"))
	}
}

// changing registers that an object is about to be changed in place. It refuses if another name may
// refer to the same object.
func (in *Interpreter) changing(v pyValue) {
	if in.unsure[v] {
		panic(refused("", "whether another name holds the same object"))
	}
	in.changed(v)
}

// changed registers that an object was changed in place.
func (in *Interpreter) changed(v pyValue) {
	in.changes++
	if x, ok := v.(*instance); !ok || x.born != in.shows {
		in.escaped = in.changes
	}
}

// setItem executes v[index] = item.
func (in *Interpreter) setItem(v, index, item pyValue) {
	switch v := v.(type) {
	case *pyList:
		in.changing(v)
		if s, ok := index.(*pySlice); ok {
			if !iterable(item) {
				panic(loosely("TypeError", "can only assign an iterable"))
			}
			in.setSlice(v, s, in.ev.collect(item))
			return
		}
		in.ev.hold(v, item)
		v.items = in.ev.replaced(v, []pyValue{index}, false, func(pyValue) pyValue { return item }).(*pyList).items
	case *pyDict:
		in.changing(v)
		in.ev.hold(v, item)
		in.ev.fork(v)
		v.put(in.ev, index, item)
	case *instance:
		panic(refused("", "the program's own []"))
	default:
		panic(raised("TypeError", "'%s' object does not support item assignment", typeName(v)))
	}
}

// setSlice executes v[s] = items for a list.
func (in *Interpreter) setSlice(v *pyList, s *pySlice, items []pyValue) {
	start, stop, step := sliceIndices(s, newInt(len(v.items)))
	if step.Cmp(newInt(1)) != 0 {
		panic(refused("", "a slice with a step is assigned"))
	}
	from := int(start.Int64())
	to := max(from, int(stop.Int64()))
	for _, item := range items {
		in.ev.hold(v, item)
	}
	v.items = slices.Concat(v.items[:from], items, v.items[to:])
}

func (in *Interpreter) deleteItem(v, index pyValue) {
	switch v := v.(type) {
	case *pyList:
		in.changing(v)
		if s, ok := index.(*pySlice); ok {
			in.setSlice(v, s, nil)
			return
		}
		v.items = in.ev.replaced(v, []pyValue{index}, false, func(pyValue) pyValue { return nil }).(*pyList).items
	case *pyDict:
		in.changing(v)
		if _, ok := v.get(in.ev, index); !ok {
			panic(raised("KeyError", "%s", in.ev.repr(index)))
		}
		made := in.ev.replaced(v, []pyValue{index}, false, func(pyValue) pyValue { return nil }).(*pyDict)
		*v = *made
	default:
		panic(refused("", "a deletion of this kind"))
	}
}
