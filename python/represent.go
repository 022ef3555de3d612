package python

import (
	"context"
	"maps"
	"strings"
	"time"
)

// Instance is an object of the program's as a recording has it.
type Instance interface {
	// Class returns type(x).__name__; false where that may be something else.
	Class() (name string, ok bool)
	// Attribute returns what x.name gives, if that follows from what was recorded.
	Attribute(name string) (Datum, bool)
	// Repr returns repr(x), if that follows from what was recorded.
	Repr() (string, bool)
	// Str returns str(x), which is format(x, "") as well, if that follows.
	Str() (string, bool)
}

// InstanceDatum returns an object as a datum of an expression.
func InstanceDatum(x Instance) Datum { return Datum{&pyInstance{x}} }

// ListDatum returns a list of some items.
func ListDatum(items []Datum) Datum { return Datum{&pyList{valuesOf(items)}} }

// TupleDatum returns a tuple of some items.
func TupleDatum(items []Datum) Datum { return Datum{&pyTuple{valuesOf(items)}} }

// DictDatum returns a dict of keys and values; false where a key is no literal.
func DictDatum(keys, values []Datum) (d Datum, ok bool) {
	err := within(context.Background(), nil, func(ev *evaluation) {
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

// pyInstance is an Instance, and pyClass its type. An expression may ask them for less
// than Python has: what they do not answer is refused.
type (
	pyInstance struct{ Instance }
	pyClass    struct{ name string }
)

// refuseInstance panics where a value is an instance or its type, of which an
// operation of Python's would run code of the program or of a library.
func refuseInstance(v pyValue) {
	switch v.(type) {
	case *pyInstance, *pyClass, opaque:
		panic(refused("", "methods of the program's objects are not run"))
	}
}

// ofInstance returns what an attribute of an instance or of its type holds.
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

// textOf returns the repr or the str of an instance.
func (v *pyInstance) textOf(read func() (string, bool)) string {
	text, ok := read()
	if !ok {
		panic(refused("", "an object's text is not known here"))
	}
	return text
}

// Representation is a __repr__ whose body is one return statement: an expression over
// its only parameter. It may be used by several goroutines.
type Representation struct {
	expr *node
	self string
}

// Representations are those of a source text, by the line of the def or of its first
// decorator (co_firstlineno).
type Representations map[int]*Representation

// ReadRepresentations finds the functions of a source text of which the whole body is one
// return statement, a docstring left out, and whose expression names nothing but its
// parameter and Python's own functions. A function that closes over names of another one
// is not told from one that does not.
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

// boundIn returns the names that a module's text binds; "*" where not all are known.
func boundIn(body []*stmt) map[string]bool {
	f := &functionReader{own: map[string]bool{}}
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
		body = body[1:] // a docstring, or what has no more effect
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
	// In parentheses, as the text may go on over several lines.
	expr, err := parseExpression("(" + r.text[value.pos:value.end] + "\n)")
	if err != nil || !r.knows(expr, p.text) {
		return
	}
	mangle(expr, class)
	r.found[int(firstLine(s))] = &Representation{expr, p.text}
}

// knows reports whether an expression names nothing but a parameter and functions of
// Python's own that the module leaves alone.
func (r *representationReader) knows(expr *node, self string) (ok bool) {
	defer func() { ok = ok && recover() == nil }()
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

// mangle renames the private attributes of a class as the compiler does.
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

// Text evaluates the method's expression with x as its parameter, in at most 50 ms. It
// returns false for what the method would raise, for a result that is no str, and for
// what does not follow from what was recorded of x.
func (r *Representation) Text(x Instance) (text string, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), representationTime)
	defer cancel()
	err := within(ctx, nil, func(ev *evaluation) {
		ev.values = map[string]pyValue{r.self: &pyInstance{x}}
		var s pyStr
		s, ok = ev.eval(r.expr, &scope{vars: map[string]pyValue{}}).(pyStr)
		text = string(s)
	})
	return text, ok && err == nil && len(text) <= textLimit
}
