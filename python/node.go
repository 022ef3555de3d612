package python

import "slices"

// nodeKind is the kind of an expression. The kinds follow Python's module ast.
type nodeKind uint8

const (
	nodeError     nodeKind = iota // invalid syntax: value is the error, kids is what could be parsed
	nodeConstant                  // value is set if the parser is strict
	nodeName                      // text
	nodeTuple                     //
	nodeList                      //
	nodeSet                       //
	nodeDict                      // kids alternate between key and value; the key of **x is nil
	nodeAttribute                 // kid.text
	nodeSubscript                 // the base, the index
	nodeSlice                     // start, stop and step; nil if left out
	nodeCall                      // the function, then the arguments
	nodeKeyword                   // an argument text=kid, or **kid if text is ""
	nodeStarred                   //
	nodeBinOp                     // text is the operator
	nodeUnary                     // likewise: "-", "+" or "~"
	nodeNot                       //
	nodeAnd                       //
	nodeOr                        // also in patterns
	nodeCompare                   // the operands; for the operators see operator
	nodeIfExp                     // test, body, orelse
	nodeLambda                    // parameters, then the body
	nodeAwait                     //
	nodeYield                     // text is "from" for yield from
	nodeNamed                     // target, value
	nodeListComp                  // clauses, then the element
	nodeSetComp                   //
	nodeDictComp                  // clauses, then the key and the value; the key of **x is nil
	nodeGenerator                 //
	nodeClause                    // of a comprehension: iterable, target, conditions
	nodeJoined                    // an f-string: constants and fields
	nodeField                     // the value and, optionally, its specifier, a nodeJoined; text is the conversion
	nodeParam                     // text is its name, value its ParamKind; kids are annotation and default, or nil
	nodeTypeParam                 //
)

// node is an expression or a pattern. line and last are the lines of its first and last character;
// pos and end are offsets in the source.
type node struct {
	kind       nodeKind
	constant   bool // the compiler folds it into a constant
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

// fallback returns the default of a parameter, or nil.
func (e *node) fallback() *node { return e.kids[1] }

// dotted returns a dotted name such as "time.time". The second result is false for any other
// expression.
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

// clauses returns the clauses and the element of a comprehension. For a dict comprehension the
// element is the key and the value.
func (e *node) clauses() (clauses, element []*node) {
	at := len(e.kids) - 1
	if e.kind == nodeDictComp {
		at--
	}
	return e.kids[:at], e.kids[at:]
}

// binds reports whether an assignment target binds a name.
func (e *node) binds(name string) bool {
	switch e.kind {
	case nodeTuple, nodeList, nodeStarred:
		return slices.ContainsFunc(e.kids, func(k *node) bool { return k.binds(name) })
	}
	return e.is(name)
}

// is reports whether the node is the given name.
func (e *node) is(name string) bool { return e.kind == nodeName && e.text == name }

// stmtKind is the kind of a statement. The kinds follow Python's module ast.
type stmtKind uint8

const (
	stmtBroken stmtKind = iota // invalid syntax: exprs holds the nodeError; body is the block below it
	stmtExpr
	stmtAssign    // exprs: the value; targets
	stmtAugAssign // exprs: the value; targets: one; names: the operator
	stmtAnnAssign // exprs: the annotation and, optionally, the value; targets: one
	stmtSimple    // pass and others without targets; exprs: what they evaluate
	stmtImport    // names: the names that it binds, for each import or each imported name
	stmtGlobal    // names
	stmtNonlocal
	stmtDelete // targets
	stmtAssert // exprs: the condition and, optionally, the message
	stmtReturn
	stmtRaise
	stmtBreak
	stmtContinue
	stmtTypeAlias // targets: the name; exprs: parameters and the value
	stmtIf        // branches: if, elif …; orelse
	stmtWhile     // exprs: the condition; body, orelse
	stmtFor       // exprs: the iterable; targets: one; body, orelse
	stmtTry       // body, branches: except …; orelse, final
	stmtWith      // exprs: context managers; targets in parallel, nil if without as; body
	stmtMatch     // exprs: the subject; branches: case …
	stmtDef
	stmtClass
)

// stmt is a statement. line and last are the lines of its first and last character. Decorators are
// not included.
type stmt struct {
	kind       stmtKind
	paren      bool // the target of an annotation is in parentheses
	line, last int32
	exprs      []*node
	targets    []*node
	names      []string
	imports    []Import
	renamed    []int // indexes of the imports with "as": "import a.b as c" binds a.b and not a
	body       []*stmt
	branches   []branch
	orelse     []*stmt
	final      []*stmt
	def        *definition
}

// branch is an if, elif, except or case clause.
type branch struct {
	line  int32
	exprs []*node // the condition; the exception classes; or the pattern and, optionally, its guard
	as    string  // the name after as in an except clause
	body  []*stmt

	group        bool // the clause is except*
	typeChecking bool // the condition is TYPE_CHECKING or typing.TYPE_CHECKING
}

// definition holds the parts of a def or class other than its body.
type definition struct {
	name       string
	decorators []*node
	typeParams []*node
	params     []*node
	returns    *node
	bases      []*node // of a class, including keyword arguments
	async      bool
	generator  bool
}

// blocks returns the blocks of a compound statement, including the body of a def or class.
func (s *stmt) blocks() [][]*stmt {
	blocks := [][]*stmt{s.body, s.orelse, s.final}
	for _, b := range s.branches {
		blocks = append(blocks, b.body)
	}
	return blocks
}
