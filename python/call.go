package python

import (
	"context"
	"errors"

	"github.com/npdb/npdb/dsl"
)

// Call is a call of a function as text has it: f([1, 2], n=3, *rest). An
// argument that is _ alone has no value yet.
type Call struct {
	Function string // "f", "Account.pay"
	args     *arguments
}

// blank is the value of an argument that is _ alone.
type blank struct{}

// ParseCall takes the text of a call apart. Its arguments are evaluated without
// an interpreter and without names: literals, and what can be made of them. The
// error is an *EvalError, a *RefusedError or a *LimitError.
func ParseCall(text string) (*Call, error) {
	var c *Call
	err := within(context.Background(), nil, func(ev *evaluation) {
		node, ok := ev.parse(text, parseExpression).(*callExpr)
		if !ok {
			panic(refused("", shorten(text)+" is no call; write f() or f(1, n=2)"))
		}
		c = &Call{Function: dotted(node.function), args: &arguments{named: map[string]pyValue{}}}
		for _, arg := range node.args {
			c.add(ev, arg)
		}
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// dotted is the name of a function.
func dotted(node exprNode) string {
	switch node := node.(type) {
	case *nameExpr:
		return node.name
	case *attributeExpr:
		return dotted(node.value) + "." + node.name
	}
	panic(refused("", "the function that is called must be a name, as in f(1)"))
}

func (c *Call) add(ev *evaluation, arg argExpr) {
	var value pyValue = blank{}
	if name, ok := arg.value.(*nameExpr); !ok || name.name != "_" {
		value = ev.argument(arg.value)
	}
	named := func(name string, value pyValue) {
		if _, ok := c.args.named[name]; ok {
			panic(raised("TypeError", "%s() got multiple values for keyword argument '%s'", c.Function, name))
		}
		c.args.names = append(c.args.names, name)
		c.args.named[name] = value
	}
	if _, ok := value.(blank); ok && arg.stars > 0 {
		panic(refused("_", "stands for one argument; how many there are must be known"))
	}
	switch {
	case arg.name != "":
		named(arg.name, value)
	case arg.stars == 0:
		c.args.positional = append(c.args.positional, value)
	case arg.stars == 1:
		if !iterable(value) {
			panic(raised("TypeError", "%s() argument after * must be an iterable, not %s", c.Function, typeName(value)))
		}
		c.args.positional = append(c.args.positional, ev.collect(value)...)
	default:
		d, ok := value.(*pyDict)
		if !ok {
			panic(raised("TypeError", "%s() argument after ** must be a mapping, not %s", c.Function, typeName(value)))
		}
		for i, key := range d.keys {
			name, ok := key.(pyStr)
			if !ok {
				panic(raised("TypeError", "keywords must be strings"))
			}
			named(string(name), d.values[i])
		}
	}
}

// argument is the value of an argument, of which names other than builtins are
// no part.
func (ev *evaluation) argument(node exprNode) (value pyValue) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *EvalError:
			if e.Type == "NameError" {
				panic(refused("", "an argument is made of literals, or is _ to leave it to the model; there are no names before the call"))
			}
			panic(e)
		default:
			panic(e)
		}
	}()
	return ev.expression(node)
}

// Bind binds the call to a function's parameters as CPython would (Python/ceval.c,
// initialize_locals), without running anything. locals are the function's first
// ones in the order of co_varnames: parameters, keyword-only ones, *args,
// **kwargs, with values as repr writes them. missing are the indexes into locals
// of those that have no value yet: arguments that are _, and defaults that are
// no literals. The error is an *EvalError in Python's words, TypeError: f()
// missing 1 required positional argument: 'x', or a *LimitError.
func (c *Call) Bind(s Signature) (locals []dsl.Local, missing []int, err error) {
	name := s.QualName
	if name == "" {
		name = c.Function
	}
	slots, err := bindArguments(name, s.Params, len(c.args.positional), c.args.names)
	if err != nil {
		return nil, nil, err
	}
	err = within(context.Background(), nil, func(ev *evaluation) {
		for _, i := range frameOrder(s.Params) {
			p := s.Params[i]
			value := c.value(ev, p, slots[i])
			local := dsl.Local{Name: p.Name}
			if value == nil || hasBlank(value) {
				missing = append(missing, len(locals))
			} else {
				local.Value = ev.repr(value)
			}
			locals = append(locals, local)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return locals, missing, nil
}

// frameOrder is the order of parameters in co_varnames.
func frameOrder(params []Param) []int {
	var order, args, kwargs []int
	for i, p := range params {
		switch p.Kind {
		case VarPositional:
			args = append(args, i)
		case VarKeyword:
			kwargs = append(kwargs, i)
		default:
			order = append(order, i)
		}
	}
	return append(append(order, args...), kwargs...)
}

// value is what a parameter is bound to, nil when that is not known.
func (c *Call) value(ev *evaluation, p Param, s slot) pyValue {
	switch {
	case p.Kind == VarPositional:
		return ev.tuple(c.args.positional[s.from:])
	case p.Kind == VarKeyword:
		d := newDict()
		for _, name := range s.names {
			d.put(ev, pyStr(name), c.args.named[name])
		}
		return d
	case s.from >= 0:
		return c.args.positional[s.from]
	case len(s.names) > 0:
		return c.args.named[s.names[0]]
	}
	return ev.fallback(p.Default)
}

// fallback is the value of a default, nil when it is no literal nor made of some.
func (ev *evaluation) fallback(text string) pyValue {
	try := func() (value pyValue, err error) {
		defer recoverError(&err)
		return ev.expression(ev.parse(text, parseExpression)), nil
	}
	value, err := try()
	var limit *LimitError
	if errors.As(err, &limit) {
		panic(limit)
	}
	if err != nil || !ev.isLiteral(value) {
		return nil
	}
	return value
}

// hasBlank tells whether a value is one of, or holds, what has no value yet.
func hasBlank(v pyValue) bool {
	switch v := v.(type) {
	case blank:
		return true
	case *pyTuple:
		for _, item := range v.items {
			if _, ok := item.(blank); ok {
				return true
			}
		}
	case *pyDict:
		for _, item := range v.values {
			if _, ok := item.(blank); ok {
				return true
			}
		}
	}
	return false
}
