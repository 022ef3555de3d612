package python

// Annotation is the annotation of a name, or of a function's result.
type Annotation struct {
	e    *node
	from *BlockFacts
}

// Text returns the source of the annotation, "" if there is none.
func (a Annotation) Text() string {
	if a.e == nil {
		return ""
	}
	return a.from.text[a.e.pos:a.e.end]
}

// Contradicts reports whether the value with this repr certainly does not have the annotated type. It
// can return true only for a literal and an annotation of built-in types, also in Optional, Union, | and
// as the type of elements. Like type checkers, it accepts an int as a float.
func (a Annotation) Contradicts(value string) bool {
	if a.e == nil {
		return false
	}
	p, ok := ReadPlain(value)
	return ok && a.allows(a.e, p, 0) == denied
}

// allowance is the result of checking whether a type allows a value.
type allowance uint8

const (
	unsure allowance = iota
	allowed
	denied
)

// The limits of a check.
const (
	deepestAnnotation = 20
	mostElements      = 1000
)

// builtinTypes maps the name of a type to the kinds of values that it allows.
var builtinTypes = map[string][]Kind{
	"None": {NoneKind}, "NoneType": {NoneKind}, "bool": {BoolKind}, "int": {BoolKind, IntKind}, "float": {BoolKind, IntKind, FloatKind},
	"str": {StrKind}, "list": {ListKind}, "List": {ListKind}, "tuple": {TupleKind}, "Tuple": {TupleKind}, "set": {SetKind}, "Set": {SetKind},
	"dict": {DictKind}, "Dict": {DictKind}, "bytes": nil,
}

func (a Annotation) allows(e *node, p Plain, depth int) allowance {
	if depth > deepestAnnotation || e == nil {
		return unsure
	}
	switch e.kind {
	case nodeConstant:
		text := a.from.text[e.pos:e.end]
		if text == "None" {
			return a.named("None", p)
		}
		if inner, ok := StringOf(text); ok { // a forward reference
			return a.forward(inner, p, depth)
		}
	case nodeName, nodeAttribute:
		return a.named(a.typeName(e), p)
	case nodeBinOp:
		if e.text == "|" {
			return a.anyOf(e.kids, p, depth)
		}
	case nodeSubscript:
		return a.subscript(e, p, depth)
	}
	return unsure
}

// typeName returns the name of a built-in type, or "" if the expression is not one.
func (a Annotation) typeName(e *node) string {
	name, ok := e.dotted()
	if !ok {
		return ""
	}
	for _, module := range []string{"typing.", "builtins."} {
		if len(name) > len(module) && name[:len(module)] == module {
			name = name[len(module):]
		}
	}
	if a.from.bound[name] && e.kind == nodeName {
		return "" // the program's own class, perhaps
	}
	return name
}

func (a Annotation) named(name string, p Plain) allowance {
	kinds, known := builtinTypes[name]
	switch {
	case !known:
		return unsure
	case p.Kind == OtherKind: // bytes, a large int, complex, a frozenset
		if isLargeInt(p.Str) && (name == "int" || name == "float") {
			return allowed
		}
		if isLargeInt(p.Str) {
			return denied
		}
		return unsure
	}
	for _, k := range kinds {
		if k == p.Kind {
			return allowed
		}
	}
	return denied
}

func isLargeInt(text string) bool {
	for i, c := range text {
		if (c < '0' || c > '9') && (i > 0 || c != '-') {
			return false
		}
	}
	return text != ""
}

// anyOf checks whether at least one of several types allows a value.
func (a Annotation) anyOf(types []*node, p Plain, depth int) allowance {
	out := denied
	for _, t := range types {
		switch a.allows(t, p, depth+1) {
		case allowed:
			return allowed
		case unsure:
			out = unsure
		}
	}
	return out
}

// forward checks an annotation that is a string.
func (a Annotation) forward(text string, p Plain, depth int) allowance {
	list := newParser(text).statements(false)
	if len(list) != 1 || list[0].kind != stmtExpr || len(list[0].exprs) != 1 {
		return unsure
	}
	inner := Annotation{list[0].exprs[0], &BlockFacts{bound: a.from.bound, text: text}}
	return inner.allows(inner.e, p, depth+1)
}

// subscript checks Optional[X], Union[X, Y] and containers of elements.
func (a Annotation) subscript(e *node, p Plain, depth int) allowance {
	name, arguments := a.typeName(e.kids[0]), []*node{e.kids[1]}
	if e.kids[1] != nil && e.kids[1].kind == nodeTuple {
		arguments = e.kids[1].kids
	}
	switch name {
	case "Optional":
		if p.Kind == NoneKind {
			return allowed
		}
		return a.anyOf(arguments, p, depth)
	case "Union":
		return a.anyOf(arguments, p, depth)
	}
	out := a.named(name, p)
	if out != allowed || len(p.Items) > mostElements {
		return out
	}
	switch {
	case len(arguments) == 1 && (p.Kind == ListKind || p.Kind == SetKind):
		return a.each(arguments[0], p.Items, depth)
	case len(arguments) == 2 && p.Kind == DictKind:
		if keys := a.each(arguments[0], p.Keys, depth); keys != allowed {
			return keys
		}
		return a.each(arguments[1], p.Items, depth)
	}
	return out
}

// each checks whether a type allows all of the values.
func (a Annotation) each(t *node, values []Plain, depth int) allowance {
	out := allowed
	for _, v := range values {
		switch a.allows(t, v, depth+1) {
		case denied:
			return denied
		case unsure:
			out = unsure
		}
	}
	return out
}
