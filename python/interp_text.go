package python

import "strings"

// objectText returns the repr of a value that the program defined. ok is false for other values.
func (in *Interpreter) objectText(v pyValue) (text string, ok bool) {
	switch v := v.(type) {
	case *instance:
		return in.instanceText(v), true
	case *function:
		return in.functionText(v), true
	case *class:
		if v.builtin {
			return "<class '" + v.name + "'>", true
		}
		return "<class '" + v.moduleName() + v.qual + "'>", true
	case *bound:
		x, ok := v.self.(*instance)
		if !ok || x.class.overrides("__repr__") || x.class.isException() {
			panic(refused("", "the text of a method"))
		}
		return "<bound method " + v.function.code.qual + " of <" + x.class.moduleName() + x.class.qual + " object>>", true
	case *imported:
		if v.text == "" {
			panic(refused("", "the text of what is imported"))
		}
		return v.text, true
	case *pyIter:
		if v.gen == nil {
			return v.kind + "()", true // it defines no __repr__, and has no attributes
		}
	case *module, *super:
		panic(refused("", "the text of a module"))
	}
	return "", false
}

// functionText returns the repr of a function, or of a function wrapped by a built-in decorator.
func (in *Interpreter) functionText(f *function) string {
	text := "<function " + f.code.qual + ">"
	switch {
	case f.kind == "":
		return text
	case f.kind == "property" || in.version.Minor < 10:
		return f.kind + "()" // it defines no __repr__, and has no attributes
	}
	return "<" + f.kind + "(" + text + ")>"
}

const mostDepth = 3 // of nested objects whose reprs list their attributes

func (in *Interpreter) instanceText(x *instance) string {
	if f, ok := x.class.lookup("__repr__"); ok {
		if text, ok := in.silently(f, x); ok {
			return text
		}
	}
	if x.shown != "" {
		return x.shown
	}
	if x.class.isException() {
		parts := make([]string, len(x.args))
		for i, v := range x.args {
			parts[i] = in.ev.repr(v)
		}
		return x.class.name + "(" + strings.Join(parts, ", ") + ")"
	}
	if in.objects[x] || len(in.objects) >= mostDepth {
		return x.class.name + "(...)"
	}
	if x.attrs.partial {
		panic(refused("", "the text of objects inside one another"))
	}
	in.objects[x] = true
	defer delete(in.objects, x)
	if len(x.attrs.order) == 0 {
		return x.class.name + "()"
	}
	parts := make([]string, len(x.attrs.order))
	for i, name := range x.attrs.order {
		parts[i] = name + "=" + in.ev.repr(x.attrs.vars[name])
	}
	return x.class.name + "(" + strings.Join(parts, ", ") + ")"
}

// knowsDepth refuses the repr of an object inside others if states would shorten it there: nested
// objects are shown only up to mostDepth levels.
func (in *Interpreter) knowsDepth(text string) {
	if len(in.objects) > 0 && len(in.objects)+parentheses(text) > mostDepth {
		panic(refused("", "the text of objects inside one another"))
	}
}

// parentheses returns the depth of nested parentheses in a repr, without those inside quotes.
func parentheses(text string) (most int) {
	depth, quote := 0, rune(0)
	escaped := false
	for _, c := range text {
		switch {
		case escaped:
			escaped = false
		case quote != 0 && c == '\\':
			escaped = true
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(':
			depth++
			most = max(most, depth)
		case c == ')':
			depth--
		}
	}
	return most
}

// silently calls a __repr__ without events, as it happens between the program's own events. ok is
// false if it raises an exception; states then list the object's attributes.
func (in *Interpreter) silently(f pyValue, x *instance) (text string, ok bool) {
	method, ok := f.(*function)
	if !ok || method.code.generator || len(method.code.params) != 1 {
		panic(refused("__repr__", "is no plain function"))
	}
	changes := in.changes
	telling := in.telling
	in.telling = false
	in.silent++
	in.showing++
	depth := len(in.stack)
	defer func() {
		in.silent--
		in.showing--
		in.telling = telling
		in.stack = in.stack[:depth]
		switch e := recover().(type) {
		case nil:
		case *thrown, *EvalError:
			if in.changes != changes {
				panic(refused("__repr__", "does more than to show"))
			}
			text, ok = "", false
		default:
			panic(e)
		}
	}()
	made, isText := in.callFunction(method, &arguments{positional: []pyValue{x}}).(pyStr)
	if !isText || in.changes != changes {
		panic(refused("__repr__", "does more than to show"))
	}
	return string(made), true
}

// moduleName returns the __name__ of the module that defines a class, followed by a dot.
func (c *class) moduleName() string {
	name, ok := c.module.(pyStr)
	if !ok {
		panic(refused("__name__", "is not known"))
	}
	return string(name) + "."
}
