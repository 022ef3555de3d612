package python

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// Call is a parsed call: f([1, 2], n=3, *rest). The argument _ stands for a value that is still
// missing; the model fills it in.
type Call struct {
	Function string // "f", "Account.pay"
	args     *arguments
}

// blank is the value of the argument _.
type blank struct{}

// ParseCall parses a call. Its arguments are literals and expressions of literals; they are
// evaluated without an interpreter and cannot use names. The error is an *EvalError, a
// *RefusedError or a *LimitError.
func ParseCall(text string) (*Call, error) {
	var c *Call
	err := within(context.Background(), Names{}, func(ev *evaluation) {
		e := ev.parse(text)
		if e.kind != nodeCall {
			panic(refused("", shorten(text)+" is no call; write f() or f(1, n=2)"))
		}
		name, ok := e.kids[0].dotted()
		if !ok {
			panic(refused("", "the function that is called must be a name, as in f(1)"))
		}
		c = &Call{Function: name, args: &arguments{named: map[string]pyValue{}}}
		for _, arg := range e.kids[1:] {
			c.add(ev, arg)
		}
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Call) add(ev *evaluation, arg *node) {
	e := arg
	if arg.kind == nodeKeyword || arg.kind == nodeStarred {
		e = arg.kids[0]
	}
	var value pyValue = blank{}
	if !e.is("_") {
		value = ev.argument(e)
	}
	named := func(name string, value pyValue) {
		if _, ok := c.args.named[name]; ok {
			panic(raised("TypeError", "%s() got multiple values for keyword argument '%s'", c.Function, name))
		}
		c.args.names = append(c.args.names, name)
		c.args.named[name] = value
	}
	if _, ok := value.(blank); ok && e != arg && arg.text == "" {
		panic(refused("_", "stands for one argument; how many there are must be known"))
	}
	switch {
	case arg.text != "" && arg.kind == nodeKeyword:
		named(arg.text, value)
	case e == arg:
		c.args.positional = append(c.args.positional, value)
	case arg.kind == nodeStarred:
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

// argument evaluates an argument. The only names that it can use are builtins.
func (ev *evaluation) argument(e *node) (value pyValue) {
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
	return ev.expression(e)
}

// Bind binds the call's arguments to a function's parameters as CPython would (Python/ceval.c,
// initialize_locals), without running anything. locals are the parameters with the reprs of their
// values, in the order of co_varnames: positional parameters, keyword-only ones, *args, **kwargs.
// missing are the indexes into locals of the parameters without a value: the argument is _, or the
// default is not a literal. The error is an *EvalError with CPython's message, such as "f() missing
// 1 required positional argument: 'x'", or a *LimitError.
func (c *Call) Bind(s Signature) (locals []dsl.Local, missing []int, err error) {
	name := s.QualName
	if name == "" {
		name = c.Function
	}
	slots, err := bindArguments(name, s.Params, len(c.args.positional), c.args.names)
	if err != nil {
		return nil, nil, err
	}
	err = within(context.Background(), Names{}, func(ev *evaluation) {
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

// frameOrder returns the indexes of params in the order of co_varnames.
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

// value returns the value of parameter p, or nil if the value is not known.
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

// fallback returns the value of a parameter's default, or nil if the default is not made of
// literals.
func (ev *evaluation) fallback(text string) pyValue {
	try := func() (value pyValue, err error) {
		defer recoverError(&err)
		return ev.expression(ev.parse(text)), nil
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

// hasBlank reports whether v is a blank or a tuple or dict with a blank in it.
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

// slot holds the arguments of a call that are bound to one parameter.
type slot struct {
	from  int      // index of the positional argument, -1 for none; for *args, of the first one
	names []string // names of the keyword arguments: at most one, except for **kwargs
}

// bindArguments binds a call's arguments to parameters. positional is the number of positional
// arguments, names are the names of the keyword arguments. The error is CPython's exception with
// the same message, as an *EvalError.
func bindArguments(function string, params []Param, positional int, names []string) ([]slot, error) {
	slots := make([]slot, len(params))
	place, rest, extra := 0, -1, -1
	for i, p := range params {
		slots[i].from = -1
		switch p.Kind {
		case PositionalOnly, PositionalOrKeyword:
			if place < positional {
				slots[i].from = place
			}
			place++
		case VarPositional:
			if rest >= 0 { // the parser accepts an invalid def
				return nil, raised("SyntaxError", "* argument may appear only once")
			}
			rest = i
		case VarKeyword:
			extra = i
		}
	}
	if rest >= 0 {
		slots[rest].from = min(place, positional)
	}
	for _, name := range names {
		i := slices.IndexFunc(params, func(p Param) bool {
			return p.Name == name && (p.Kind == PositionalOrKeyword || p.Kind == KeywordOnly)
		})
		switch {
		case i < 0 && extra >= 0:
			slots[extra].names = append(slots[extra].names, name)
		case i < 0:
			return nil, unexpectedKeyword(function, params, name, names)
		case slots[i].from >= 0:
			return nil, raised("TypeError", "%s() got multiple values for argument '%s'", function, name)
		default:
			slots[i].names = []string{name}
		}
	}
	if positional > place && rest < 0 {
		return nil, tooManyPositional(function, params, slots, positional)
	}
	for _, kind := range []string{"positional", "keyword-only"} {
		var missing []string
		for i, p := range params {
			counted := p.Kind == PositionalOnly || p.Kind == PositionalOrKeyword
			if kind == "keyword-only" {
				counted = p.Kind == KeywordOnly
			}
			if counted && slots[i].from < 0 && len(slots[i].names) == 0 && !p.HasDefault {
				missing = append(missing, "'"+p.Name+"'")
			}
		}
		if len(missing) > 0 {
			return nil, raised("TypeError", "%s() missing %d required %s argument%s: %s",
				function, len(missing), kind, plural(len(missing)), listed(missing))
		}
	}
	return slots, nil
}

// listed joins words as CPython's messages do: 'a', 'a' and 'b', 'a', 'b', and 'c'.
func listed(words []string) string {
	switch n := len(words); n {
	case 1:
		return words[0]
	case 2:
		return words[0] + " and " + words[1]
	default:
		return strings.Join(words[:n-1], ", ") + ", and " + words[n-1]
	}
}

func unexpectedKeyword(function string, params []Param, name string, names []string) error {
	var wrong []string
	for _, p := range params {
		if p.Kind == PositionalOnly && slices.Contains(names, p.Name) {
			wrong = append(wrong, p.Name)
		}
	}
	if len(wrong) > 0 {
		return raised("TypeError", "%s() got some positional-only arguments passed as keyword arguments: '%s'",
			function, strings.Join(wrong, ", "))
	}
	return raised("TypeError", "%s() got an unexpected keyword argument '%s'", function, name)
}

func tooManyPositional(function string, params []Param, slots []slot, given int) error {
	most, fallbacks, keywordOnly := 0, 0, 0
	for i, p := range params {
		switch p.Kind {
		case PositionalOnly, PositionalOrKeyword:
			most++
			if p.HasDefault {
				fallbacks++
			}
		case KeywordOnly:
			keywordOnly += len(slots[i].names)
		}
	}
	takes, many := fmt.Sprint(most), most != 1
	if fallbacks > 0 {
		takes, many = fmt.Sprintf("from %d to %d", most-fallbacks, most), true
	}
	count := fmt.Sprint(given)
	if keywordOnly > 0 {
		count = fmt.Sprintf("%d positional argument%s (and %d keyword-only argument%s)", given, plural(given), keywordOnly, plural(keywordOnly))
	}
	suffix, was := "", "were"
	if many {
		suffix = "s"
	}
	if given == 1 && keywordOnly == 0 {
		was = "was"
	}
	return raised("TypeError", "%s() takes %s positional argument%s but %s %s given", function, takes, suffix, count, was)
}
