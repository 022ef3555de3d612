package python

import (
	"context"
	"maps"
	"strings"
	"time"
)

// Instance is a recorded object of the program.
type Instance interface {
	// Class returns type(x).__name__. ok is false if it is unknown.
	Class() (name string, ok bool)
	// Attribute returns x.name. ok is false if the recording does not determine it.
	Attribute(name string) (Datum, bool)
	// Repr returns repr(x). ok is false if the recording does not determine it.
	Repr() (string, bool)
	// Str returns str(x), which equals format(x, ""). ok is false if the recording does not
	// determine it.
	Str() (string, bool)
}

// InstanceDatum returns a datum for an object, for use in expressions.
func InstanceDatum(x Instance) Datum { return Datum{&pyInstance{x}} }

// ListDatum returns a list of items.
func ListDatum(items []Datum) Datum { return Datum{&pyList{valuesOf(items)}} }

// TupleDatum returns a tuple of items.
func TupleDatum(items []Datum) Datum { return Datum{&pyTuple{valuesOf(items)}} }

// DictDatum returns a dict of keys and values. ok is false if a key is not a literal.
func DictDatum(keys, values []Datum) (d Datum, ok bool) {
	err := within(context.Background(), Names{}, func(ev *evaluation) {
		dict := newDict()
		for i, key := range keys {
			dict.put(ev, key.value, values[i].value)
		}
		d = Datum{dict}
	})
	return d, err == nil
}

func valuesOf(items []Datum) []pyValue {
	values := make([]pyValue, len(items))
	for i, item := range items {
		values[i] = item.value
	}
	return values
}

// pyInstance is an Instance, and pyClass its type. Any use of them in an expression that their
// methods do not support is refused.
type (
	pyInstance struct{ Instance }
	pyClass    struct{ name string }
)

// refuseInstance panics if v is an instance, a class or a similar value: for the operation, Python
// would run code of the program or of a library.
func refuseInstance(v pyValue) {
	switch v.(type) {
	case *pyInstance, *pyClass, opaque, *instance, *class, *function, *bound, *module, *imported, *super:
		panic(refused("", "methods of the program's objects are not run"))
	}
}

// ofInstance returns the value of an attribute of an instance or of its class. The second result is
// false for any other value.
func ofInstance(v pyValue, name string) (pyValue, bool) {
	switch v := v.(type) {
	case *pyInstance:
		if name == "__class__" {
			return v.class(), true
		}
		if d, ok := v.Attribute(name); ok {
			return d.value, true
		}
	case *pyClass:
		if name == "__name__" {
			return pyStr(v.name), true
		}
	default:
		return nil, false
	}
	panic(refused("."+name, "is not among the attributes that were recorded"))
}

func (v *pyInstance) class() pyValue {
	name, ok := v.Class()
	if !ok {
		panic(refused("__class__", "is not known here"))
	}
	return &pyClass{name}
}

// textOf returns the repr or the str of an instance, by calling read.
func (v *pyInstance) textOf(read func() (string, bool)) string {
	text, ok := read()
	if !ok {
		panic(refused("", "an object's text is not known here"))
	}
	return text
}

// Representation is a __repr__ method whose body is a single return statement, with an expression
// that uses only the method's parameter. It is safe for concurrent use.
type Representation struct {
	expr *node
	self string
}

// Representations maps the line of a def, or of its first decorator (co_firstlineno), to its
// Representation.
type Representations map[int]*Representation

// ReadRepresentations returns the functions in the source whose body, apart from a docstring, is a
// single return statement with an expression that uses only the function's parameter and built-in
// functions. It does not detect names of an enclosing function.
func ReadRepresentations(source []byte) Representations {
	text := decodeSource(source)
	body := newParser(text).statements(false)
	r := &representationReader{text: text, found: Representations{}, bound: boundIn(body)}
	r.block(body, "")
	return r.found
}

type representationReader struct {
	text  string
	found Representations
	bound map[string]bool // names of the module
}

// boundIn returns the names that a module binds. If some are unknown, "*" is among them.
func boundIn(body []*stmt) map[string]bool {
	f := newFunctionReader(nil)
	f.binds(body)
	var globals func(body []*stmt)
	globals = func(body []*stmt) {
		for _, s := range body {
			switch s.kind {
			case stmtGlobal:
				for _, name := range s.names {
					f.own[name] = true
				}
			case stmtBroken:
				f.own["*"] = true
			}
			for _, i := range s.imports {
				for _, name := range i.Names {
					if name == "*" {
						f.own["*"] = true
					}
				}
			}
			for _, block := range s.blocks() {
				globals(block)
			}
		}
	}
	globals(body)
	return f.own
}

func (r *representationReader) block(body []*stmt, class string) {
	for _, s := range body {
		switch s.kind {
		case stmtClass:
			r.block(s.body, s.def.name)
			continue
		case stmtDef:
			r.function(s, class)
		}
		for _, block := range s.blocks() {
			r.block(block, class)
		}
	}
}

func (r *representationReader) function(s *stmt, class string) {
	d, body := s.def, s.body
	if len(body) == 2 && body[0].kind == stmtExpr && len(body[0].exprs) == 1 && body[0].exprs[0].kind == nodeConstant {
		body = body[1:] // a docstring or another constant without effect
	}
	if d.async || d.generator || len(d.decorators) > 0 || len(d.params) != 1 || r.bound["*"] ||
		len(body) != 1 || body[0].kind != stmtReturn || len(body[0].exprs) != 1 {
		return
	}
	p := d.params[0]
	if kind := p.value.(ParamKind); kind != PositionalOnly && kind != PositionalOrKeyword || p.fallback() != nil {
		return
	}
	value := body[0].exprs[0]
	// Parenthesized, because the expression may span several lines.
	expr, err := parseExpression("(" + r.text[value.pos:value.end] + "\n)")
	if err != nil || !r.knows(expr, p.text) {
		return
	}
	mangle(expr, class)
	r.found[int(firstLine(s))] = &Representation{expr, p.text}
}

// knows reports whether an expression uses only the parameter self, and built-in functions that the
// module does not rebind.
func (r *representationReader) knows(expr *node, self string) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	outer := &rules{outer: map[string]bool{}, objects: true}
	outer.walk(expr, nil)
	ev := newEvaluation(context.Background())
	for name := range maps.Keys(outer.outer) {
		if name != self && (r.bound[name] || !namedTypes[name] && ev.builtins[name] == nil) {
			return false
		}
	}
	return true
}

// mangle renames private attributes as the compiler does in a class.
func mangle(e *node, class string) {
	if e == nil {
		return
	}
	if strings.HasPrefix(e.text, "__") && e.kind == nodeAttribute && !strings.HasSuffix(e.text, "__") {
		if name := strings.TrimLeft(class, "_"); name != "" {
			e.text = "_" + name + e.text
		}
	}
	for _, k := range e.kids {
		mangle(k, class)
	}
}

const representationTime = 50 * time.Millisecond

// Text evaluates the method's expression for x, within 50 ms. ok is false if the method would raise
// an exception or return something other than a str, or if the recording of x does not determine
// the result.
func (r *Representation) Text(x Instance) (text string, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), representationTime)
	defer cancel()
	err := within(ctx, Names{}, func(ev *evaluation) {
		ev.values = map[string]pyValue{r.self: &pyInstance{x}}
		var s pyStr
		s, ok = ev.eval(r.expr, &scope{vars: map[string]pyValue{}}).(pyStr)
		text = string(s)
	})
	return text, ok && err == nil && len(text) <= textLimit
}
