package python

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// class is a class of the program, a built-in exception class, or object.
type class struct {
	name, qual string
	bases      []*class
	mro        []*class
	names      *scope  // nil for a built-in class
	module     pyValue // the __name__ of the defining module: a pyStr if it is known
	builtin    bool
}

// instance is an object of a class of the program, or an exception.
type instance struct {
	class *class
	attrs *scope
	args  []pyValue // arguments of an exception
	shown string    // repr of an exception whose arguments are not known from it; otherwise ""
	born  int       // the number of states from Show when it was created
}

var objectClass = func() *class {
	c := &class{name: "object", qual: "object", builtin: true}
	c.mro = []*class{c}
	return c
}()

// is reports whether c or one of its bases is the built-in class called name.
func (c *class) is(name string) bool {
	return slices.ContainsFunc(c.mro, func(b *class) bool { return b.builtin && b.name == name })
}

// lookup returns an attribute of the class or its bases.
func (c *class) lookup(name string) (pyValue, bool) {
	for _, b := range c.mro {
		if b.names != nil {
			if v, ok := b.names.vars[name]; ok {
				return v, true
			}
			if b.names.partial || b.names.hidden[name] {
				panic(refused(name, "is not known of a class"))
			}
		}
	}
	return nil, false
}

// mayLack reports whether a class may have an attribute that the interpreter does not know: some
// code of the program sets it on a class, but neither this class nor its bases are known to have
// it.
func (c *class) mayLack(name string) bool {
	hidden := false
	for _, b := range c.mro {
		if b.names == nil {
			continue
		}
		if _, ok := b.names.vars[name]; ok || b.names.partial {
			return false
		}
		hidden = hidden || b.names.hidden[name]
	}
	return hidden
}

// overrides reports whether the program's class or one of its bases defines one of these methods.
func (c *class) overrides(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, ok := c.lookup(name)
		return ok
	})
}

// defineClass runs a class statement.
func (in *Interpreter) defineClass(a *activation, s *stmt) {
	d := s.def
	if len(d.decorators) > 0 || len(d.typeParams) > 0 {
		panic(refused("", "what a decorator does"))
	}
	c := &class{name: d.name, qual: a.code.inside(d.name), module: a.names.globals().vars["__name__"]}
	for _, e := range d.bases {
		if e.kind == nodeKeyword || e.kind == nodeStarred {
			panic(refused("", "a class with this base"))
		}
		base, ok := in.ev.eval(e, a.names).(*class)
		if !ok {
			panic(refused("", "a class with this base"))
		}
		c.bases = append(c.bases, base)
	}
	if len(c.bases) == 0 {
		c.bases = []*class{objectClass}
	}
	if len(c.bases) > 1 {
		panic(refused("", "a class with several bases"))
	}
	c.mro = append([]*class{c}, c.bases[0].mro...)
	if c.overrides("__init_subclass__") {
		panic(refused("", "what a class does as it is derived from"))
	}
	for _, line := range a.code.file.lines[s.line-1 : s.last] {
		if private.MatchString(line) {
			panic(refused("", "private names"))
		}
	}
	body := &activation{in: in, code: in.definitionCode(s, a), line: firstLine(s)}
	body.names = &scope{vars: map[string]pyValue{}, outer: a.names, frame: body}
	body.names.vars["__module__"], body.names.vars["__qualname__"] = c.module, pyStr(c.qual)
	in.runFrame(body)
	c.names = body.names
	for _, v := range c.names.vars {
		switch v := v.(type) {
		case *function:
			v.code.owner = c
		case *instance:
			if v.class.overrides("__set_name__") {
				panic(refused("__set_name__", "is not followed"))
			}
		}
	}
	for _, name := range []string{"__slots__", "__new__", "__getattribute__", "__getattr__", "__setattr__", "__class__", "__dict__", "__del__"} {
		if _, ok := c.names.vars[name]; ok {
			panic(refused(name, "is not followed"))
		}
	}
	in.store(d.name, c, a.names)
}

// private matches a private name, which the compiler rewrites in a class body.
var private = regexp.MustCompile(`(^|\W)__\w*[^\W_]_?(\W|$)`)

// construct calls a class of the program, or an exception class.
func (in *Interpreter) construct(c *class, args *arguments) pyValue {
	x := &instance{class: c, attrs: &scope{vars: map[string]pyValue{}}, born: in.shows}
	if c.isException() {
		x.args = slices.Clone(args.positional)
		if c.is("OSError") && len(x.args) > 1 || c.is("SystemExit") || c.is("SyntaxError") || c.is("UnicodeError") && c.builtin && c.name != "UnicodeError" {
			panic(refused(c.name, "is not computed"))
		}
	}
	if init, ok := c.lookup("__init__"); ok {
		f, ok := init.(*function)
		if !ok {
			panic(refused("__init__", "is no plain function"))
		}
		made := in.callFunction(f, &arguments{positional: append([]pyValue{x}, args.positional...), names: args.names, named: args.named})
		if made != (pyNone{}) {
			panic(raised("TypeError", "__init__() should return None, not '%s'", typeName(made)))
		}
		return x
	}
	if !c.isException() && len(args.positional)+len(args.names) > 0 {
		panic(raised("TypeError", "%s() takes no arguments", c.name))
	}
	if len(args.names) > 0 {
		panic(raised("TypeError", "%s() takes no keyword arguments", c.name))
	}
	return x
}

// getAttribute returns v.name for values of the program. ok is false for other values.
func (in *Interpreter) getAttribute(v pyValue, name string) (value pyValue, ok bool) {
	switch v := v.(type) {
	case bool, *big.Int:
		if name == "is_integer" && in.version.Minor < 12 || name == "bit_count" && in.version.Minor < 10 {
			panic(raised("AttributeError", "'%s' object has no attribute '%s'", typeName(v), name))
		}
	case *instance:
		if own, ok := v.attrs.vars[name]; ok && v.class.mayLack(name) {
			return own, true
		}
		found, has := v.class.lookup(name)
		if f, isFunction := found.(*function); has && isFunction && f.kind == "property" {
			return in.callFunction(f, &arguments{positional: []pyValue{v}}), true
		}
		if x, ok := found.(*instance); ok && x.class.overrides("__get__", "__set__") {
			panic(refused("."+name, "is a descriptor"))
		}
		if own, ok := v.attrs.vars[name]; ok {
			return own, true
		}
		if v.attrs.partial {
			panic(refused("."+name, "is not known of the object"))
		}
		if has {
			if f, ok := found.(*function); ok {
				return bind(f, v, v.class), true
			}
			return found, true
		}
		switch {
		case v.class.isException() && name == "args":
			return in.ev.tuple(slices.Clone(v.args)), true
		case strings.HasPrefix(name, "__") || v.class.isException():
			panic(refused("."+name, "is not computed"))
		}
		panic(raised("AttributeError", "'%s' object has no attribute '%s'", v.class.name, name))
	case *class:
		if found, ok := v.lookup(name); ok {
			if f, ok := found.(*function); ok && f.kind != "" {
				return bind(f, nil, v), true
			}
			return found, true
		}
		if name == "__name__" {
			return pyStr(v.name), true
		}
		if v.builtin || strings.HasPrefix(name, "__") {
			panic(refused("."+name, "is not computed"))
		}
		panic(raised("AttributeError", "type object '%s' has no attribute '%s'", v.name, name))
	case *function:
		if name == "__name__" {
			return pyStr(v.code.name), true
		}
		panic(refused("."+name, "is not computed"))
	case *module:
		if v.names != nil {
			return in.attributeOf(v, name), true
		}
		value, ok := in.moduleAttribute(v.name, name)
		if !ok {
			panic(refused(v.name+"."+name, "is not computed"))
		}
		return value, true
	case *bound, *imported, *super:
		if s, ok := v.(*super); ok {
			return s.attribute(in, name), true
		}
		panic(refused("."+name, "is not computed"))
	case *pyIter:
		panic(refused("."+name, "is not computed"))
	}
	return nil, false
}

// bind returns the value of a class's function when it is read as an attribute of self, or of c if
// self is nil.
func bind(f *function, self *instance, c *class) pyValue {
	switch {
	case f.kind == "staticmethod":
		return &function{code: f.code, defaults: f.defaults, names: f.names}
	case f.kind == "classmethod":
		return &bound{c, f}
	case f.kind == "property" && self == nil:
		panic(refused("", "a property of a class"))
	case self == nil:
		return f
	}
	return &bound{self, f}
}

// super is the value of super() without arguments in a method.
type super struct {
	self  *instance
	after *class
}

func (s *super) attribute(in *Interpreter, name string) pyValue {
	at := slices.Index(s.self.class.mro, s.after)
	rest := &class{mro: s.self.class.mro[at+1:]}
	if found, ok := rest.lookup(name); ok {
		if f, ok := found.(*function); ok {
			return bind(f, s.self, s.self.class)
		}
		return found
	}
	if name == "__init__" {
		return &pyBuiltin{"__init__", func(_ *evaluation, a *arguments) pyValue {
			if s.self.class.isException() {
				s.self.args = slices.Clone(a.positional)
			} else if len(a.positional)+len(a.names) > 0 {
				panic(refused("__init__", "takes no arguments"))
			}
			return pyNone{}
		}}
	}
	panic(refused("."+name, "is not computed"))
}

// superOf returns the value of super() in the running method.
func (in *Interpreter) superOf() pyValue {
	a := in.top()
	if len(a.code.params) == 0 {
		panic(refused("super", "outside a method"))
	}
	self, ok := a.names.vars[a.code.params[0].Name].(*instance)
	if !ok {
		panic(refused("super", "outside a method"))
	}
	if !slices.Contains(self.class.mro, a.code.owner) {
		panic(refused("super", "outside a method"))
	}
	return &super{self, a.code.owner}
}

// setAttribute executes v.name = value.
func (in *Interpreter) setAttribute(v pyValue, name string, value pyValue) {
	switch v := v.(type) {
	case *instance:
		if v.class.mayLack(name) {
			if _, own := v.attrs.vars[name]; !own {
				panic(refused("."+name, "is not known of a class"))
			}
		} else if found, ok := v.class.lookup(name); ok {
			switch found := found.(type) {
			case *function:
				if found.kind == "property" {
					panic(refused("."+name, "is a property"))
				}
			case *instance:
				panic(refused("."+name, "may be a descriptor"))
			}
		}
		if v.class.isException() {
			panic(refused("."+name, "is set on an exception"))
		}
		in.changing(v)
		v.attrs.set(name, value)
	case *class:
		if v.builtin {
			panic(refused("."+name, "is set on a built-in class"))
		}
		in.changes++
		v.names.set(name, value)
	case *module:
		if v.names == nil || strings.HasPrefix(name, "__") {
			panic(refused("."+name, "is set on a module"))
		}
		in.changes++
		v.names.set(name, value)
	default:
		panic(refused("."+name, "is set on a value of this kind"))
	}
}

// truth returns bool(v).
func (in *Interpreter) truth(v pyValue) bool {
	switch v := v.(type) {
	case *instance:
		if v.class.overrides("__bool__", "__len__") || v.attrs.partial {
			panic(refused("", "the program's own truth"))
		}
		return true
	case *function, *class, *bound, *module:
		return true
	case *imported:
		panic(refused("", "the truth of what is unknown"))
	}
	return truth(v)
}

// iterate returns iter(v).
func (in *Interpreter) iterate(v pyValue) *pyIter {
	if x, ok := v.(*instance); ok {
		f, found := x.class.lookup("__iter__")
		method, plain := f.(*function)
		if !found || !plain || !method.code.generator {
			panic(refused("", "the program's own iteration"))
		}
		return in.callFunction(method, &arguments{positional: []pyValue{x}}).(*pyIter)
	}
	return in.ev.iter(v)
}
