package python

// An exprNode is a node of an expression's syntax tree, named as in CPython's
// ast module.
type exprNode any

type (
	constExpr struct{ value pyValue }
	nameExpr  struct{ name string }
	// joinedExpr is an f-string: constants and formattedExprs.
	joinedExpr    struct{ parts []exprNode }
	formattedExpr struct {
		value      exprNode
		conversion byte // 'r', 's', 'a' or 0
		spec       *joinedExpr
	}
	listExpr  struct{ items []exprNode }
	tupleExpr struct{ items []exprNode }
	setExpr   struct{ items []exprNode }
	// dictExpr has a nil key where another dict is unpacked.
	dictExpr    struct{ keys, values []exprNode }
	starredExpr struct{ value exprNode }
	unaryExpr   struct {
		op      string // "-", "+", "~", "not"
		operand exprNode
	}
	binaryExpr struct {
		op          string
		left, right exprNode
	}
	boolExpr struct {
		op       string // "and", "or"
		operands []exprNode
	}
	compareExpr struct {
		first exprNode
		ops   []string
		rest  []exprNode
	}
	condExpr      struct{ test, then, otherwise exprNode }
	attributeExpr struct {
		value exprNode
		name  string
	}
	subscriptExpr struct{ value, index exprNode }
	sliceExpr     struct{ start, stop, step exprNode } // nil for what is left out
	callExpr      struct {
		function exprNode
		args     []argExpr
	}
	// compExpr is a comprehension: kind is "list", "set", "dict" or "generator".
	compExpr struct {
		kind    string
		element exprNode // the key of a dict
		value   exprNode // of a dict
		clauses []compClause
	}
	lambdaExpr struct {
		params []lambdaParam
		body   exprNode
	}
	namedExpr struct { // name := value
		name  string
		value exprNode
	}
)

// argExpr is an argument of a call: name=value, *value (stars is 1), **value
// (stars is 2), or value.
type argExpr struct {
	name  string
	stars int
	value exprNode
}

// compClause is "for target in iter if condition…".
type compClause struct {
	target, iter exprNode
	conditions   []exprNode
}

// lambdaParam is a parameter of a lambda.
type lambdaParam struct {
	name     string
	kind     ParamKind
	fallback exprNode // nil without a default
}
