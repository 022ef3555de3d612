package python

import (
	"context"
	"math/big"
	"strings"
)

// Lookup returns the value of a name. It returns false if the name certainly has no value, and an
// UnknownDatum if the name may have a value that is not known.
type Lookup func(name string) (Datum, bool)

// Condition is an expression that is parsed once and evaluated in many states. It supports names,
// attributes, subscripts, numbers, strings, displays, operators, comparisons, and, or, not,
// if-else, and calls of built-in functions and of methods of literals. Only one goroutine at a time
// may use it.
type Condition struct {
	ev     *evaluation
	root   term
	names  []string
	paths  []Path
	path   Path // of the whole expression, if isPath
	isPath bool

	values []pyValue // by index in names; nil until read
	lookup Lookup
}

// term computes the value of one node of the syntax tree.
type term func(c *Condition) pyValue

// Compile parses an expression. The error is an *EvalError for a syntax error, or a *RefusedError
// for an expression that a Condition does not support.
func Compile(expr string) (c *Condition, err error) {
	defer func() {
		if err != nil {
			c = nil // do not return a half compiled condition
		}
	}()
	defer recoverError(&err)
	c = &Condition{ev: newEvaluation(context.Background())}
	node := c.ev.parse(expr)
	c.root = c.compile(node)
	c.values = make([]pyValue, len(c.names))
	c.paths = pathsOf(node)
	if len(c.paths) == 1 {
		if c.path, c.isPath = pathOf(node); !c.isPath {
			c.path, c.isPath = lengthOf(node)
		}
	}
	return c, nil
}

// Names returns the names that the condition may read.
func (c *Condition) Names() []string { return c.names }

// Paths returns the variables, attributes and elements that the condition reads, as far as its
// source shows them.
func (c *Condition) Paths() []Path { return c.paths }

// Truth reports whether the expression is true for the values that lookup returns. The error is an
// *EvalError if the expression raises an exception, a *RefusedError if the known values do not
// determine the result, or a *LimitError.
func (c *Condition) Truth(ctx context.Context, lookup Lookup) (holds bool, err error) {
	defer recoverError(&err)
	return c.truth(c.evaluate(ctx, lookup)), nil
}

// Value returns the expression's value for the values that lookup returns. Its errors are those of
// Truth.
func (c *Condition) Value(ctx context.Context, lookup Lookup) (d Datum, err error) {
	defer recoverError(&err)
	return Datum{c.evaluate(ctx, lookup)}, nil
}

func (c *Condition) evaluate(ctx context.Context, lookup Lookup) pyValue {
	c.lookup = lookup
	clear(c.values)
	c.ev.ctx, c.ev.room, c.ev.depth = ctx, memoryLimit, 0
	return c.root(c)
}

// name returns the value of the name with index i. Each evaluation looks a name up at most once.
func (c *Condition) name(i int) pyValue {
	if v := c.values[i]; v != nil {
		return v
	}
	name := c.names[i]
	var v pyValue
	if d, ok := c.lookup(name); ok {
		if none, ok := d.value.(unknown); ok {
			panic(refused(name, none.reason))
		}
		v = d.value
	} else {
		v = c.builtin(name)
	}
	c.values[i] = v
	return v
}

func (c *Condition) builtin(name string) pyValue {
	switch {
	case strings.HasPrefix(name, "__"):
		panic(refused(name, "names of Python's own are not evaluated from text"))
	case namedTypes[name]:
		return types[name]
	case c.ev.builtins[name] != nil:
		return c.ev.builtins[name]
	case otherBuiltins[name]:
		panic(refused(name, "is a builtin that has effects, or needs more than the texts of values"))
	}
	panic(raised("NameError", "name '%s' has no value here", name))
}

// literal returns v as the operand of an operator or call. It refuses a value that is not a
// literal.
func (c *Condition) literal(v pyValue) pyValue {
	switch v := v.(type) {
	case object:
		if d, ok := v.Literal(); ok && d.Literal() {
			return d.value
		}
		panic(refused("", "an object's own methods are not run"))
	case opaque:
		panic(refused("", shorten(v.text)+" is known only as text"))
	case complex128:
		// The result of an operation with a complex number depends on the version of Python.
		panic(refused("", "complex numbers are left to Python"))
	}
	return v
}

func (c *Condition) truth(v pyValue) bool {
	switch v := v.(type) {
	case bool:
		return v
	case object:
		if n, ok := v.Len(); ok {
			return n > 0
		}
	}
	return truth(c.literal(v))
}

// identical reports whether a is b.
func (c *Condition) identical(a, b pyValue) bool {
	x, xObject := a.(object)
	y, yObject := b.(object)
	switch {
	case xObject && yObject:
		return x.Same(y.Object)
	case singular(a) || singular(b):
		if isOpaque(a) && hasNames(b) || isOpaque(b) && hasNames(a) {
			break // an opaque value with the repr <class 'int'> may be the type int itself
		}
		if isOpaque(a) || isOpaque(b) || xObject || yObject {
			return false // an opaque value or object is neither None nor a bool: those are read as literals
		}
		return c.ev.identical(a, b)
	case (xObject || yObject) && !isOpaque(a) && !isOpaque(b):
		return false // a recorded object is never the same object as a literal
	}
	panic(refused("is", "text does not tell whether two names share an object; compare with =="))
}

func isOpaque(v pyValue) bool {
	_, ok := v.(opaque)
	return ok
}

// singular reports whether there is only one object with this value.
func singular(v pyValue) bool {
	switch v.(type) {
	case pyNone, pyEllipsis, bool, *pyType:
		return true
	}
	return false
}

// hasNames reports whether v is a type or the Ellipsis. If a variable holds one, npdb knows only
// its repr: an opaque value.
func hasNames(v pyValue) bool {
	switch v.(type) {
	case *pyType, pyEllipsis:
		return true
	}
	return false
}

// compareOne returns the result of one comparison of a chain.
func (c *Condition) compareOne(op string, a, b pyValue) bool {
	switch op {
	case "is":
		return c.identical(a, b)
	case "is not":
		return !c.identical(a, b)
	case "in", "not in":
		if o, ok := b.(object); ok {
			if key, ok := entryText(a); ok {
				if _, found := o.Entry(key); found {
					return op == "in"
				}
				if isText(a) && o.Keyed() && o.Whole() && o.LiteralKeys() {
					return op == "not in" // all keys are literals, and none of them is this string
				}
			}
		}
	case "==", "!=":
		x, xObject := a.(object)
		y, yObject := b.(object)
		if xObject && yObject && x.Same(y.Object) {
			if _, plain := x.Literal(); plain {
				return op == "=="
			}
		}
	}
	return truth(c.ev.compare(op, c.literal(a), c.literal(b)))
}

func isText(v pyValue) bool {
	_, ok := v.(pyStr)
	return ok
}

// ObjectKeys is the reason why the lookup of a missing key is refused.
const ObjectKeys = "some keys are objects, which may be equal to this one: only their own methods know"

// onlyMethods is the reason why an attribute of a literal is refused.
const onlyMethods = "a text has no attributes but the public methods of literals"

// attribute returns the value of v.name.
func (c *Condition) attribute(v pyValue, name string) pyValue {
	if o, ok := v.(object); ok {
		if d, ok := o.Attribute(name); ok {
			return d.value
		}
		if _, plain := o.Literal(); !plain {
			panic(refused("", o.Lacks(name)))
		}
	}
	if o, ok := v.(opaque); ok {
		if o.names == nil {
			panic(refused("", "only the text of "+o.text+" is recorded, not its attributes"))
		}
		if d, ok := o.names.Attribute(name); ok {
			return d.value
		}
		panic(refused("", o.names.Lacks(name)))
	}
	if !knownMethods[name] {
		panic(refused("."+name, onlyMethods))
	}
	return c.ev.attribute(c.literal(v), name)
}

// subscript returns the value of v[index].
func (c *Condition) subscript(v, index pyValue) pyValue {
	if o, ok := v.(object); ok {
		if key, ok := entryText(index); ok {
			if d, found := o.Entry(key); found {
				return d.value
			}
			switch {
			case !isText(index) || !o.Keyed() || !o.Whole() || o.Defaults():
			case o.LiteralKeys():
				panic(raised("KeyError", "%s", key))
			default:
				panic(refused("", ObjectKeys))
			}
		}
		if i, ok := index.(*big.Int); ok && i.IsInt64() {
			at := int(i.Int64())
			if n, known := o.Len(); known && at < 0 {
				at += n
			}
			if d, found := o.Item(at); found && at >= 0 {
				return d.value
			}
			if n, known := o.Len(); known && !o.Keyed() && (at < 0 || at >= n) && o.Whole() {
				panic(raised("IndexError", "index out of range"))
			}
		}
	}
	return c.ev.subscript(c.literal(v), c.literal(index))
}

// call calls a built-in function or a literal's method.
func (c *Condition) call(function pyValue, args []pyValue, names []string) pyValue {
	builtin, ok := function.(*pyBuiltin)
	if ok && builtin.name == "len" && len(args) == 1 && len(names) == 0 {
		if o, ok := args[0].(object); ok {
			if n, ok := o.Len(); ok {
				return newInt(n)
			}
		}
	}
	switch function.(type) {
	case *pyBuiltin, *pyMethod, *pyType:
	default:
		panic(refused("", "only Python's own functions are called"))
	}
	a := &arguments{named: map[string]pyValue{}, names: names}
	for i, v := range args {
		v = c.literal(v)
		if at := i - (len(args) - len(names)); at >= 0 {
			a.named[names[at]] = v
		} else {
			a.positional = append(a.positional, v)
		}
	}
	return c.ev.call(function, a)
}

// binary returns the value of a OP b.
func (c *Condition) binary(op string, a, b pyValue) pyValue {
	a, b = c.literal(a), c.literal(b)
	_, text := a.(pyStr)
	_, bytes := a.(pyBytes)
	if op == "%" && (text || bytes) || op == "@" {
		panic(refused(op, "is left to Python"))
	}
	if _, whole := toInt(a); op == "**" {
		if n, ok := toInt(b); !whole || !ok || n.Sign() < 0 {
			panic(refused(op, "is left to Python")) // the last digit depends on the C library
		}
	}
	if op == "*" && (isSequence(a) && huge(b) || isSequence(b) && huge(a)) {
		panic(refused(op, "is left to Python"))
	}
	return c.literal(c.ev.binary(op, a, b))
}

// huge reports whether an int is too large to be a length.
func huge(v pyValue) bool {
	i, ok := v.(*big.Int)
	return ok && !i.IsInt64()
}
