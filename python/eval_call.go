package python

import (
	"slices"
	"strings"
)

// arguments are the arguments of a call.
type arguments struct {
	name       string // the function's name
	positional []pyValue
	names      []string // names of the keyword arguments, in the order of the call
	named      map[string]pyValue
}

func (ev *evaluation) callNode(e *node, in *scope) pyValue {
	function := ev.eval(e.kids[0], in)
	a := &arguments{named: map[string]pyValue{}}
	add := func(name string, value pyValue) {
		if _, ok := a.named[name]; ok {
			panic(raised("TypeError", "%s got multiple values for keyword argument '%s'", calledName(function), name))
		}
		a.names = append(a.names, name)
		a.named[name] = value
	}
	for _, arg := range e.kids[1:] {
		if arg.kind != nodeKeyword && arg.kind != nodeStarred {
			a.positional = append(a.positional, ev.eval(arg, in))
			continue
		}
		value := ev.eval(arg.kids[0], in)
		switch {
		case arg.text != "":
			add(arg.text, value)
		case arg.kind == nodeStarred:
			if !iterable(value) {
				panic(raised("TypeError", "%s argument after * must be an iterable, not %s", calledName(function), typeName(value)))
			}
			a.positional = append(a.positional, ev.collect(value)...)
		default:
			d, ok := value.(*pyDict)
			if !ok {
				panic(raised("TypeError", "%s argument after ** must be a mapping, not %s", calledName(function), typeName(value)))
			}
			for i, key := range d.keys {
				name, ok := key.(pyStr)
				if !ok {
					panic(raised("TypeError", "keywords must be strings"))
				}
				add(string(name), d.values[i])
			}
		}
	}
	if ev.interp != nil {
		ev.interp.touchCall(e)
	}
	return ev.call(function, a)
}

// calledName returns the name of a callable as CPython's messages write it.
func calledName(function pyValue) string {
	switch f := function.(type) {
	case *pyBuiltin:
		return f.name + "()"
	case *pyMethod:
		return typeName(f.self) + "." + f.name + "()"
	case *pyType:
		return f.name + "()"
	case *pyLambda:
		return "<lambda>()"
	}
	return "'" + typeName(function) + "' object"
}

// call calls a value.
func (ev *evaluation) call(function pyValue, a *arguments) pyValue {
	defer ev.enter()()
	if ev.interp != nil {
		if v, ok := ev.interp.call(function, a); ok {
			return v
		}
	}
	a.name = strings.TrimSuffix(calledName(function), "()")
	switch f := function.(type) {
	case *pyBuiltin:
		return f.call(ev, a)
	case *pyMethod:
		t, ok := f.self.(*pyType)
		if !ok {
			a.positional = slices.Insert(a.positional, 0, f.self)
			return f.call(ev, a)
		}
		if len(a.positional) == 0 {
			panic(raised("TypeError", "unbound method %s.%s() needs an argument", t.name, f.name))
		}
		if !isInstance(a.positional[0], t) {
			panic(raised("TypeError", "descriptor '%s' for '%s' objects doesn't apply to a '%s' object", f.name, t.name, typeName(a.positional[0])))
		}
		return f.call(ev, a)
	case *pyType:
		return ev.construct(f, a)
	case *pyLambda:
		return ev.callLambda(f, a)
	}
	panic(raised("TypeError", "'%s' object is not callable", typeName(function)))
}

// callWith calls a value with positional arguments.
func (ev *evaluation) callWith(function pyValue, values ...pyValue) pyValue {
	return ev.call(function, &arguments{positional: values})
}

// lambda creates a function. Its defaults are evaluated when it is created.
func (ev *evaluation) lambda(e *node, in *scope) pyValue {
	last := len(e.kids) - 1
	return &pyLambda{e.kids[last], paramsOf(e.kids[:last]), ev.defaults(e.kids[:last], in), in}
}

// paramsOf returns the parameters of a def or lambda, without the source of their defaults.
func paramsOf(kids []*node) []Param {
	params := make([]Param, len(kids))
	for i, p := range kids {
		params[i] = Param{Name: p.text, Kind: p.value.(ParamKind), HasDefault: p.fallback() != nil}
	}
	return params
}

// defaults evaluates the defaults of parameters, and returns them by name.
func (ev *evaluation) defaults(kids []*node, in *scope) map[string]pyValue {
	values := map[string]pyValue{}
	for _, p := range kids {
		if e := p.fallback(); e != nil {
			values[p.text] = ev.eval(e, in)
		}
	}
	return values
}

func (ev *evaluation) callLambda(f *pyLambda, a *arguments) pyValue {
	in := f.scope.inner(false)
	in.vars = ev.bound("<lambda>", f.params, f.defaults, a)
	return ev.eval(f.body, in)
}

// bound returns the values of a function's parameters in a call, by name.
func (ev *evaluation) bound(name string, params []Param, defaults map[string]pyValue, a *arguments) map[string]pyValue {
	slots, err := bindArguments(name, params, len(a.positional), a.names)
	if err != nil {
		panic(err)
	}
	vars := map[string]pyValue{}
	for i, slot := range slots {
		p := params[i]
		switch {
		case p.Kind == VarPositional:
			vars[p.Name] = ev.tuple(slices.Clone(a.positional[slot.from:]))
		case p.Kind == VarKeyword:
			d := newDict()
			for _, extra := range slot.names {
				d.put(ev, pyStr(extra), a.named[extra])
			}
			vars[p.Name] = d
		case slot.from >= 0:
			vars[p.Name] = a.positional[slot.from]
		case len(slot.names) == 1:
			vars[p.Name] = a.named[slot.names[0]]
		default:
			vars[p.Name] = defaults[p.Name]
		}
	}
	return vars
}

// take binds the arguments to the named parameters, and returns nil for an argument that is left
// out. "name?" marks an optional parameter, "/" in front of a name a positional-only one, "*" a
// keyword-only one.
func (a *arguments) take(params ...string) []pyValue {
	out := make([]pyValue, len(params))
	places, required := 0, 0
	for i, param := range params {
		name := strings.Trim(param, "/*?")
		if !strings.HasPrefix(param, "*") {
			places++
			if i < len(a.positional) {
				out[i] = a.positional[i]
			}
		}
		if !strings.HasSuffix(param, "?") {
			required++
		}
		if value, ok := a.named[name]; ok && !strings.HasPrefix(param, "/") {
			if out[i] != nil {
				panic(loosely("TypeError", "argument for %s() given by name ('%s') and position (%d)", a.name, name, i+1))
			}
			out[i] = value
		}
	}
	if len(a.positional) > places {
		if places == 0 {
			panic(loosely("TypeError", "%s() takes no arguments (%d given)", a.name, len(a.positional)))
		}
		panic(loosely("TypeError", "%s() takes at most %d argument%s (%d given)", a.name, places, plural(places), len(a.positional)))
	}
	for _, name := range a.names {
		if !slices.ContainsFunc(params, func(p string) bool { return strings.Trim(p, "*?") == name }) {
			panic(loosely("TypeError", "%s() got an unexpected keyword argument '%s'", a.name, name))
		}
	}
	for i, param := range params {
		if out[i] == nil && !strings.HasSuffix(param, "?") {
			panic(loosely("TypeError", "%s() missing required argument '%s' (pos %d)", a.name, strings.Trim(param, "/*"), i+1))
		}
	}
	return out
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// only returns the positional arguments. It raises a TypeError if there are keyword arguments, or
// fewer than least or more than most positional ones.
func (a *arguments) only(least, most int) []pyValue {
	if len(a.names) > 0 {
		panic(raised("TypeError", "%s() takes no keyword arguments", a.name))
	}
	switch n := len(a.positional); {
	case least <= n && n <= most:
	case strings.Contains(a.name, "."): // for a method, CPython does not count self, and its messages vary
		panic(loosely("TypeError", "%s expected %d to %d arguments, got %d", a.name, least-1, most-1, n-1))
	case least == 1 && most == 1:
		panic(loosely("TypeError", "%s() takes exactly one argument (%d given)", a.name, n))
	case least == most:
		panic(raised("TypeError", "%s expected %d argument%s, got %d", a.name, least, plural(least), n))
	case n < least:
		panic(raised("TypeError", "%s expected at least %d argument%s, got %d", a.name, least, plural(least), n))
	default:
		panic(raised("TypeError", "%s expected at most %d argument%s, got %d", a.name, most, plural(most), n))
	}
	return a.positional
}
