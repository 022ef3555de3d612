package python

import "slices"

// nodeKind is the class of an expression, after Python's module ast.
type nodeKind uint8

const (
	nodeError     nodeKind = iota // what is no Python: its value is the error, kids is what was read of it all the same
	nodeConstant                  // its value is read where the parser is strict
	nodeName                      // text
	nodeTuple                     //
	nodeList                      //
	nodeSet                       //
	nodeDict                      // kids are keys and values in turn; the key of **x is nil
	nodeAttribute                 // kid.text
	nodeSubscript                 // the base, the index
	nodeSlice                     // start, stop and step, nil for what is left out
	nodeCall                      // the function, then the arguments
	nodeKeyword                   // an argument text=kid, or **kid without a text
	nodeStarred                   //
	nodeBinOp                     // text is the operator
	nodeUnary                     // likewise: "-", "+" or "~"
	nodeNot                       //
	nodeAnd                       //
	nodeOr                        // of patterns too
	nodeCompare                   // what is compared; its operators by operator
	nodeIfExp                     // test, body, orelse
	nodeLambda                    // parameters, then the body
	nodeAwait                     //
	nodeYield                     // text is "from" for yield from
	nodeNamed                     // target, value
	nodeListComp                  // clauses, then the element
	nodeSetComp                   //
	nodeDictComp                  // clauses, then the key and the value
	nodeGenerator                 //
	nodeClause                    // of a comprehension: iter, target, conditions
	nodeJoined                    // an f-string: constants and fields
	nodeField                     // a value and, if any, its specifier, a nodeJoined; text is the conversion
	nodeParam                     // text is its name, value its ParamKind; kids are annotation and default, nil for none
	nodeTypeParam                 //
)

// node is an expression or a pattern. line and last are the lines of its first
// and last character; pos and end are its place in the text.
type node struct {
	kind       nodeKind
	constant   bool // the compiler folds it into one constant
	line, last int32
	pos, end   int32
	text       string
	value      any
	kids       []*node
}

// operator returns the i-th operator of a comparison.
func (e *node) operator(i int) string {
	if chain, ok := e.value.([]string); ok {
		return chain[i]
	}
	return e.text
}

// fallback returns the default of a parameter, nil for none.
func (e *node) fallback() *node { return e.kids[1] }

// dotted returns a name, or one with attributes: "time.time".
func (e *node) dotted() (string, bool) {
	switch e.kind {
	case nodeName:
		return e.text, true
	case nodeAttribute:
		of, ok := e.kids[0].dotted()
		return of + "." + e.text, ok
	}
	return "", false
}

// clauses returns the clauses of a comprehension, and its element; for a dict the key and the
// value.
func (e *node) clauses() (clauses, element []*node) {
	at := len(e.kids) - 1
	if e.kind == nodeDictComp {
		at--
	}
	return e.kids[:at], e.kids[at:]
}

// binds reports whether a target binds a name.
func (e *node) binds(name string) bool {
	switch e.kind {
	case nodeTuple, nodeList, nodeStarred:
		return slices.ContainsFunc(e.kids, func(k *node) bool { return k.binds(name) })
	}
	return e.is(name)
}

// is reports whether the node is this name.
func (e *node) is(name string) bool { return e.kind == nodeName && e.text == name }

// stmtKind is the class of a statement, after Python's module ast.
type stmtKind uint8

const (
	stmtBroken stmtKind = iota // what could not be read: exprs is the nodeError, as of a broken def or class; body is the block below it
	stmtExpr
	stmtAssign    // exprs: the value; targets
	stmtAugAssign // exprs: the value; targets: one; names: the operator
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
	renamed    []int // indices of the imports with "as": "import a.b as c" binds a.b and not a
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
	as    string  // the name that except gives the exception
	body  []*stmt

	group        bool // it is except*
	typeChecking bool // its condition is TYPE_CHECKING, or typing.TYPE_CHECKING
}

// definition holds what def and class have besides their body.
type definition struct {
	name       string
	decorators []*node
	typeParams []*node
	params     []*node
	returns    *node
	bases      []*node // of a class, keywords too
	async      bool
	generator  bool
}

// blocks returns the blocks of a compound statement that run where it stands.
func (s *stmt) blocks() [][]*stmt {
	blocks := [][]*stmt{s.body, s.orelse, s.final}
	for _, b := range s.branches {
		blocks = append(blocks, b.body)
	}
	return blocks
}
