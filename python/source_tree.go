package python

// nodeKind is the class of an expression, after Python's module ast.
type nodeKind uint8

const (
	nodeBad nodeKind = iota // stands for what is no expression
	nodeConstant
	nodeName
	nodeTuple
	nodeList
	nodeSet
	nodeDict // kids are keys and values in turn; the key of **x is nil
	nodeAttribute
	nodeSubscript
	nodeSlice
	nodeCall    // the function, then the arguments
	nodeKeyword // an argument NAME=kid or **kid
	nodeStarred
	nodeBinOp
	nodeUnary
	nodeNot
	nodeAnd
	nodeOr // of patterns too
	nodeCompare
	nodeIfExp // test, body, orelse
	nodeLambda
	nodeAwait
	nodeYield
	nodeNamed         // target, value
	nodeComprehension // iter, target, conditions, of each clause; then the element
	nodeGenerator     // likewise
	nodeJoined        // an f-string
	nodeField         // {kids} of an f-string
	nodeTypeParam
)

// node is an expression or a pattern. line and last are the lines of its first
// and last character; pos and end are its place in the text.
type node struct {
	kind       nodeKind
	constant   bool // the compiler folds it into one constant
	line, last int32
	pos, end   int32
	kids       []*node
}

// stmtKind is the class of a statement, after Python's module ast.
type stmtKind uint8

const (
	stmtBroken stmtKind = iota // what could not be read; body is the block below it
	stmtExpr
	stmtAssign    // exprs: the value; targets
	stmtAugAssign // exprs: the value; targets: one
	stmtAnnAssign // exprs: the annotation and, if any, the value; targets: one
	stmtSimple    // pass, and others that evaluate exprs on the way
	stmtImport    // names: those that it binds, of each import or each name of from
	stmtGlobal    // names
	stmtNonlocal
	stmtDelete // targets
	stmtAssert // exprs: the condition and, if any, the message
	stmtReturn
	stmtRaise
	stmtBreak
	stmtContinue
	stmtTypeAlias // targets: the name; exprs: parameters and the value
	stmtIf        // branches: if, elif …; orelse
	stmtWhile     // exprs: the condition; body, orelse
	stmtFor       // exprs: the iterable; targets: one; body, orelse
	stmtTry       // body, branches: except …; orelse, final
	stmtWith      // exprs: contexts; targets in parallel, nil for none; body
	stmtMatch     // exprs: the subject; branches: case …
	stmtDef
	stmtClass
)

// stmt is a statement. line and last are the lines of its first and last
// character, those of its decorators left out.
type stmt struct {
	kind       stmtKind
	paren      bool // the target of an annotation stands in parentheses
	line, last int32
	exprs      []*node
	targets    []*node
	names      []string
	imports    []Import
	body       []*stmt
	branches   []branch
	orelse     []*stmt
	final      []*stmt
	def        *definition
}

// branch is an elif, except or case clause, or the if itself.
type branch struct {
	line  int32
	exprs []*node // the condition; the classes; the pattern and, if any, its guard
	body  []*stmt

	typeChecking bool // its condition is TYPE_CHECKING, or typing.TYPE_CHECKING
}

// definition is what def and class have beside their body.
type definition struct {
	name       string
	decorators []*node
	typeParams []*node
	params     []paramNode
	returns    *node
	bases      []*node // of a class, keywords too
	async      bool
	generator  bool
}

// paramNode is a parameter with its expressions, nil where it has none.
type paramNode struct {
	name       string
	kind       ParamKind
	annotation *node
	value      *node
}
