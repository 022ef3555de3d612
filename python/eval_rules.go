package python

import "strings"

// otherBuiltins holds the built-in names that have side effects or need more than reprs.
var otherBuiltins = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`aiter anext breakpoint bytearray callable classmethod compile delattr dir eval
		exec exit getattr globals hasattr hash help id input locals memoryview object open print property quit setattr
		staticmethod super vars copyright credits license Ellipsis NotImplemented
		ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
		BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
		ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup
		FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError
		ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt
		LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError
		OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError
		ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning
		SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError
		UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning
		ZeroDivisionError
		ImportCycleError frozendict sentinel`) { // the last three are new in 3.15
		names[name] = true
	}
	return names
}()

// rules checks an expression before it is evaluated: it refuses what reprs do not determine, and
// collects the names that the expression reads.
type rules struct {
	recorded map[string]string
	outer    map[string]bool
	objects  bool // values may be objects, so any attribute name is allowed
}

// scoped holds the names that the enclosing lambdas and comprehensions bind.
type scoped struct {
	names map[string]bool
	outer *scoped
}

func (s *scoped) has(name string) bool {
	for ; s != nil; s = s.outer {
		if s.names[name] {
			return true
		}
	}
	return false
}

func (r *rules) all(kids []*node, in *scoped) {
	for _, e := range kids {
		r.walk(e, in)
	}
}

func (r *rules) walk(e *node, in *scoped) {
	if e == nil {
		return
	}
	switch e.kind {
	case nodeName:
		r.name(e.text)
		if !in.has(e.text) {
			r.outer[e.text] = true
		}
	case nodeCompare:
		r.comparison(e)
	case nodeAttribute:
		if !r.objects && !knownMethods[e.text] {
			panic(refused("."+e.text, onlyMethods))
		}
	case nodeListComp, nodeSetComp, nodeDictComp, nodeGenerator:
		r.comprehension(e, in)
		return
	case nodeLambda:
		last := len(e.kids) - 1
		inner := &scoped{map[string]bool{}, in}
		for _, param := range e.kids[:last] {
			r.name(param.text)
			r.walk(param.fallback(), in)
			inner.names[param.text] = true
		}
		r.walk(e.kids[last], inner)
		return
	case nodeNamed:
		r.name(e.kids[0].text)
		r.walk(e.kids[1], in)
		return
	}
	r.all(e.kids, in)
}

func (r *rules) name(name string) {
	if _, recorded := r.recorded[name]; name == "__builtins__" || strings.HasPrefix(name, "__") && !recorded {
		panic(refused(name, "names of Python's own are not evaluated from text"))
	}
}

func (r *rules) comprehension(e *node, in *scoped) {
	clauses, element := e.clauses()
	inner := &scoped{map[string]bool{}, in}
	for _, clause := range clauses {
		r.targets(clause.kids[1], inner.names)
	}
	r.walk(clauses[0].kids[0], in)
	for i, clause := range clauses {
		if i > 0 {
			r.walk(clause.kids[0], inner)
		}
		r.all(clause.kids[2:], inner)
	}
	r.all(element, inner)
}

// targets adds the names that an assignment target binds.
func (r *rules) targets(target *node, names map[string]bool) {
	switch target.kind {
	case nodeName:
		r.name(target.text)
		names[target.text] = true
	case nodeAttribute:
		panic(refused("."+target.text, "cannot be assigned behind the live edge"))
	case nodeSubscript:
		panic(refused("", "only names are bound in an expression"))
	default:
		for _, k := range target.kids {
			r.targets(k, names)
		}
	}
}

func (r *rules) comparison(e *node) {
	for i, left := range e.kids[:len(e.kids)-1] {
		op := e.operator(i)
		if (op == "is" || op == "is not") && !r.single(left) && !r.single(e.kids[i+1]) {
			panic(refused("is", "text does not tell whether two names share an object; compare with =="))
		}
	}
}

// single reports whether a node's value is a unique object, such as None or a type.
func (r *rules) single(e *node) bool {
	switch e.kind {
	case nodeConstant:
		return singular(e.value)
	case nodeCall:
		_, recorded := r.recorded["type"]
		return e.kids[0].is("type") && !recorded
	case nodeName:
		_, recorded := r.recorded[e.text]
		return namedTypes[e.text] && !recorded
	}
	return false
}
