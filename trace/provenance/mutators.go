package provenance

import (
	"slices"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// mutators are the functions and methods that change elements of a container, or attributes. The
// value says whether one call can put an equal value in the place of another.
var mutators = map[string]bool{
	"update": true, "setattr": true, "heapreplace": true, "heappushpop": true, "__setitem__": true, "__setattr__": true,
	"insert": false, "extend": false, "append": false, "pop": false, "remove": false, "clear": false, "sort": false, "reverse": false,
	"rotate": false, "appendleft": false, "popleft": false, "popitem": false, "setdefault": false, "shuffle": false, "heappush": false,
	"heappop": false,
}

// mutates reports whether a statement calls methods that may have replaced the value of a piece by
// an equal one: one that sets it, or several that remove and add it.
func (f *Finder) mutates(c *piece, r run) bool {
	if _, object := c.value.Object(); object {
		return false
	}
	n := 0
	for _, e := range r.stored.Exprs {
		calls, once := e.Calls()
		for _, call := range calls {
			sets, ok := mutators[call.Callee()]
			if _, set := f.setBy(c.object, c.step, r); !ok || set || !f.mayChange(call, c, r) {
				continue
			}
			sets = sets || slices.Contains(reorderers, call.Callee()) && !f.single(c, r.start)
			if n++; sets || !once || n > 1 || r.stored.Shared {
				return true
			}
		}
	}
	return false
}

// reorderers are the mutators that may move elements and leave the length.
var reorderers = []string{"sort", "reverse", "rotate", "shuffle"}

// mayChange reports whether a call may set a piece of an object: the object is among its inputs, or
// one of them is not known.
func (f *Finder) mayChange(call python.Term, c *piece, r run) bool {
	args := call.Terms()[1:]
	switch call.Callee() {
	case "setattr":
		if name, ok := f.attributeName(args, r); ok && name != c.step.Attribute {
			return false
		}
	case "update":
		key, _ := python.StringOf(c.step.Key)
		named := slices.ContainsFunc(args, func(a python.Term) bool { return a.Kind() != python.KeywordTerm || a.Name() == "" || a.Name() == key })
		if !named {
			return false
		}
	}
	return f.mentions(call, c.object, r)
}

// mentions reports whether a call of a method has an object, or may have it as an argument of
// another function.
func (f *Finder) mentions(call python.Term, o statetree.Object, r run) bool {
	if callee := call.Terms()[0]; callee.Kind() == python.AttributeTerm {
		if _, ok := mutators[callee.Name()]; ok {
			if base, ok := f.container(callee.Terms()[0], r); ok {
				return base == o
			}
		}
	}
	for _, part := range call.Inputs() {
		if v, ok := f.valueOf(part, r); !ok && part.Kind() != python.CallTerm || v == statetree.ObjectValue(o) {
			return true
		}
	}
	return false
}

// setBy returns the argument of a call in a run, of setattr or of a dict's update, that became the
// value of a piece.
func (f *Finder) setBy(o statetree.Object, step python.Step, r run) (t python.Term, ok bool) {
	for _, e := range r.stored.Exprs {
		calls, once := e.Calls()
		for _, call := range calls {
			if !once || len(calls) > 1 || !f.mentions(call, o, r) {
				continue
			}
			args := call.Terms()[1:]
			switch form, _ := f.tree.Form(o, r.start); {
			case call.Callee() == "setattr" && call.Terms()[0].Kind() == python.NameTerm:
				name, known := f.attributeName(args, r)
				v, _ := f.valueOf(args[0], r)
				if known && name == step.Attribute && v == statetree.ObjectValue(o) {
					return args[2], true
				}
			case call.Callee() == "update" && form.Reads.Exact:
				if t, ok := f.entry(args, step, r); ok {
					return t, true
				}
			}
		}
	}
	return t, false
}

// attributeName returns the name that setattr sets.
func (f *Finder) attributeName(args []python.Term, r run) (name string, ok bool) {
	if len(args) != 3 {
		return "", false
	}
	step, ok := f.index(args[1], r)
	if !ok {
		return "", false
	}
	return python.StringOf(step.Key)
}
