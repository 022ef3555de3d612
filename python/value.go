package python

import (
	"math/big"
	"slices"
)

// A pyValue is a Python value that can be computed from reprs. It is one of
//
//	pyNone, pyEllipsis, bool, *big.Int, float64, complex128, pyStr, pyBytes,
//	*pyList, *pyTuple, *pyDict, *pyView, *pySet, *pyRange, *pySlice,
//	*pyType, *pyBuiltin, *pyMethod, *pyLambda, *pyIter, *pyInstance, *pyClass.
//
// Only the methods in eval_change.go change a value after it was created, and only in an evaluation
// that does not share its values.
type pyValue any

type (
	pyNone     struct{}
	pyEllipsis struct{}
	// pyStr is UTF-8 in which surrogates are encoded too, with three bytes, like Python's error
	// handler "surrogatepass". So the order of bytes is the order of code points.
	pyStr   string
	pyBytes string
	pyList  struct{ items []pyValue }
	pyTuple struct{ items []pyValue }
	// pySlice is the slice in x[a:b:c].
	pySlice struct{ start, stop, step pyValue }
	// pyRange is a range of n ints.
	pyRange struct{ start, stop, step, n *big.Int }
	pyType  struct{ name string }
	// pyBuiltin is a built-in function.
	pyBuiltin struct {
		name string
		call builtinFunc
	}
	// pyMethod is a method of a value, or of a type if self is a *pyType.
	pyMethod struct {
		self pyValue
		name string
		call builtinFunc // its first argument is self
	}
	pyLambda struct {
		body     *node
		params   []Param
		defaults map[string]pyValue
		scope    *scope
	}
)

// builtinFunc implements a built-in function or method.
type builtinFunc func(ev *evaluation, a *arguments) pyValue

// pyIter is an iterator. kind is the name of its type.
type pyIter struct {
	kind string
	next func() (pyValue, bool)
	of   string     // for a generator: the qualified name of its function
	gen  *generator // for a generator of the program
	over []*pyIter  // iterators from which it takes its items
}

// draws reports whether the iterator takes items from the generator g. If g is nil, it reports
// whether it takes items from any generator that has not ended.
func (it *pyIter) draws(g *generator) bool {
	if it == nil {
		return false
	}
	if it.gen != nil && (it.gen == g || g == nil && !it.gen.done) {
		return true
	}
	return slices.ContainsFunc(it.over, func(inner *pyIter) bool { return inner.draws(g) })
}

// ofGenerator reports whether the iterator is a generator, or takes its items from one.
func (it *pyIter) ofGenerator() bool {
	return it != nil && (it.gen != nil || slices.ContainsFunc(it.over, (*pyIter).ofGenerator))
}

// types holds the types that an expression can name or produce, by name.
var types = func() map[string]*pyType {
	all := map[string]*pyType{}
	for _, name := range []string{
		"bool", "bytes", "complex", "dict", "enumerate", "filter", "float", "frozenset", "int", "list", "map",
		"range", "reversed", "set", "slice", "str", "tuple", "type", "zip",
		"NoneType", "ellipsis", "dict_keys", "dict_values", "dict_items", "function", "builtin_function_or_method", "method_descriptor",
	} {
		all[name] = &pyType{name}
	}
	return all
}()

// namedTypes holds the names of those types that are builtins.
var namedTypes = map[string]bool{
	"bool": true, "bytes": true, "complex": true, "dict": true, "enumerate": true, "filter": true, "float": true,
	"frozenset": true, "int": true, "list": true, "map": true, "range": true, "reversed": true, "set": true,
	"slice": true, "str": true, "tuple": true, "type": true, "zip": true,
}

// typeName returns type(v).__name__.
func typeName(v pyValue) string {
	switch v := v.(type) {
	case pyNone:
		return "NoneType"
	case pyEllipsis:
		return "ellipsis"
	case bool:
		return "bool"
	case *big.Int:
		return "int"
	case float64:
		return "float"
	case complex128:
		return "complex"
	case pyStr:
		return "str"
	case pyBytes:
		return "bytes"
	case *pyList:
		return "list"
	case *pyTuple:
		return "tuple"
	case *pyDict:
		return "dict"
	case *pySet:
		return v.typeName()
	case *pyRange:
		return "range"
	case *pySlice:
		return "slice"
	case *pyView:
		return v.kind
	case *pyType:
		return "type"
	case *pyBuiltin:
		return "builtin_function_or_method"
	case *pyMethod:
		if _, ok := v.self.(*pyType); ok {
			return "method_descriptor"
		}
		return "builtin_function_or_method"
	case *pyLambda:
		return "function"
	case *pyIter:
		return v.kind
	case *instance, *class, *function, *bound, *module, *imported, *super, opaque:
		refuseInstance(v)
	}
	return "object"
}

// typeOf returns type(v). Rare iterator types, which have no name in types, get a new pyType.
func typeOf(v pyValue) *pyType {
	name := typeName(v)
	if t, ok := types[name]; ok {
		return t
	}
	return &pyType{name}
}

// isInstance returns isinstance(v, t) for one type. bool is a subclass of int.
func isInstance(v pyValue, t *pyType) bool {
	refuseInstance(v)
	return isSubclass(typeName(v), t.name)
}

func isSubclass(name, of string) bool {
	return name == of || name == "bool" && of == "int"
}

func newInt(i int) *big.Int { return big.NewInt(int64(i)) }

func newTuple(items ...pyValue) *pyTuple { return &pyTuple{items} }

// truth returns bool(v).
func truth(v pyValue) bool {
	switch v := v.(type) {
	case *pyInstance, *pyClass, opaque, *instance, *imported:
		refuseInstance(v)
	case pyNone:
		return false
	case bool:
		return v
	case *big.Int:
		return v.Sign() != 0
	case float64:
		return v != 0
	case complex128:
		return v != 0
	case pyStr:
		return v != ""
	case pyBytes:
		return v != ""
	case *pyList:
		return len(v.items) > 0
	case *pyTuple:
		return len(v.items) > 0
	case *pyDict:
		return len(v.keys) > 0
	case *pyView:
		return len(v.dict.keys) > 0
	case *pySet:
		return len(v.items) > 0
	case *pyRange:
		return v.n.Sign() > 0
	}
	return true
}
