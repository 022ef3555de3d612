package python

import "strings"

// otherBuiltins are those that have effects or ask more than the text of values
// can answer.
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
		ZeroDivisionError`) {
		names[name] = true
	}
	return names
}()

// rules walks an expression before anything of it is evaluated. It refuses what
// the text of values cannot answer, and collects the names that the expression
// takes from outside.
type rules struct {
	recorded map[string]string
	outer    map[string]bool
}

// scoped are the names that a lambda or a comprehension around a node binds.
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

func (r *rules) all(nodes []exprNode, in *scoped) {
	for _, node := range nodes {
		r.walk(node, in)
	}
}

func (r *rules) walk(node exprNode, in *scoped) {
	switch node := node.(type) {
	case *nameExpr:
		r.name(node.name)
		if !in.has(node.name) {
			r.outer[node.name] = true
		}
	case *joinedExpr:
		r.all(node.parts, in)
	case *formattedExpr:
		r.walk(node.value, in)
		if node.spec != nil {
			r.walk(node.spec, in)
		}
	case *listExpr:
		r.all(node.items, in)
	case *tupleExpr:
		r.all(node.items, in)
	case *setExpr:
		r.all(node.items, in)
	case *dictExpr:
		r.all(node.keys, in)
		r.all(node.values, in)
	case *starredExpr:
		r.walk(node.value, in)
	case *unaryExpr:
		r.walk(node.operand, in)
	case *binaryExpr:
		r.walk(node.left, in)
		r.walk(node.right, in)
	case *boolExpr:
		r.all(node.operands, in)
	case *compareExpr:
		r.comparison(node)
		r.walk(node.first, in)
		r.all(node.rest, in)
	case *condExpr:
		r.all([]exprNode{node.test, node.then, node.otherwise}, in)
	case *attributeExpr:
		if !knownMethods[node.name] {
			panic(refused("."+node.name, "is no public method of a literal; other attributes are not known"))
		}
		r.walk(node.value, in)
	case *subscriptExpr:
		r.all([]exprNode{node.value, node.index}, in)
	case *sliceExpr:
		r.all([]exprNode{node.start, node.stop, node.step}, in)
	case *callExpr:
		r.walk(node.function, in)
		for _, arg := range node.args {
			r.walk(arg.value, in)
		}
	case *compExpr:
		r.comprehension(node, in)
	case *lambdaExpr:
		inner := &scoped{map[string]bool{}, in}
		for _, param := range node.params {
			r.name(param.name)
			if param.fallback != nil {
				r.walk(param.fallback, in)
			}
			inner.names[param.name] = true
		}
		r.walk(node.body, inner)
	case *namedExpr:
		r.name(node.name)
		r.walk(node.value, in)
	}
}

func (r *rules) name(name string) {
	if _, recorded := r.recorded[name]; name == "__builtins__" || strings.HasPrefix(name, "__") && !recorded {
		panic(refused(name, "names of Python's own are not evaluated from text"))
	}
}

func (r *rules) comprehension(node *compExpr, in *scoped) {
	inner := &scoped{map[string]bool{}, in}
	for i, clause := range node.clauses {
		r.targets(clause.target, inner.names)
		if i == 0 {
			r.walk(clause.iter, in)
		}
	}
	for i, clause := range node.clauses {
		if i > 0 {
			r.walk(clause.iter, inner)
		}
		r.all(clause.conditions, inner)
	}
	r.walk(node.element, inner)
	r.walk(node.value, inner)
}

// targets adds the names that a target binds.
func (r *rules) targets(target exprNode, names map[string]bool) {
	switch target := target.(type) {
	case *nameExpr:
		r.name(target.name)
		names[target.name] = true
	case *starredExpr:
		r.targets(target.value, names)
	case *tupleExpr:
		for _, item := range target.items {
			r.targets(item, names)
		}
	case *listExpr:
		for _, item := range target.items {
			r.targets(item, names)
		}
	}
}

func (r *rules) comparison(node *compareExpr) {
	left := node.first
	for i, op := range node.ops {
		right := node.rest[i]
		if (op == "is" || op == "is not") && !r.single(left) && !r.single(right) {
			panic(refused("is", "text does not tell whether two names share an object; compare with =="))
		}
		left = right
	}
}

// single tells whether a node gives an object of which there is only one.
func (r *rules) single(node exprNode) bool {
	switch node := node.(type) {
	case *constExpr:
		switch node.value.(type) {
		case pyNone, pyEllipsis, bool:
			return true
		}
	case *callExpr:
		name, ok := node.function.(*nameExpr)
		_, recorded := r.recorded["type"]
		return ok && name.name == "type" && !recorded
	case *nameExpr:
		_, recorded := r.recorded[node.name]
		return namedTypes[node.name] && !recorded
	}
	return false
}
