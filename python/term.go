package python

// TermKind is the class of a Term.
type TermKind uint8

// The kinds of terms.
const (
	NoTerm            TermKind = iota // the zero Term, or what is no Python
	LiteralTerm                       // a constant or a lambda
	NameTerm                          // Name
	AttributeTerm                     // Terms[0].Name
	SubscriptTerm                     // Terms[0][Terms[1]]
	SliceTerm                         // the index of a slice
	CallTerm                          // Terms[0] is what is called, the others are the arguments
	DisplayTerm                       // of a list, tuple or set: Terms are the elements
	DictTerm                          // Terms are keys and values in turn; the key of ** is a NoTerm
	ComprehensionTerm                 // of any kind, generator expressions too
	EitherTerm                        // Terms joined by the operator Name: "and" or "or"
	ConditionalTerm                   // Terms are the test, the value if it is true, the other one
	WalrusTerm                        // Terms[0] := Terms[1]
	StarredTerm                       // *Terms[0]
	KeywordTerm                       // an argument Name=Terms[0]; **Terms[0] without a Name
	AwaitTerm                         // await and yield
	ComputedTerm                      // an operation on Terms
)

var termKinds = map[nodeKind]TermKind{
	nodeConstant: LiteralTerm, nodeLambda: LiteralTerm, nodeName: NameTerm, nodeAttribute: AttributeTerm, nodeSubscript: SubscriptTerm,
	nodeSlice: SliceTerm, nodeCall: CallTerm, nodeTuple: DisplayTerm, nodeList: DisplayTerm, nodeSet: DisplayTerm, nodeDict: DictTerm,
	nodeListComp: ComprehensionTerm, nodeSetComp: ComprehensionTerm, nodeDictComp: ComprehensionTerm, nodeGenerator: ComprehensionTerm,
	nodeAnd: EitherTerm, nodeOr: EitherTerm, nodeIfExp: ConditionalTerm, nodeNamed: WalrusTerm, nodeStarred: StarredTerm,
	nodeKeyword: KeywordTerm, nodeAwait: AwaitTerm, nodeYield: AwaitTerm, nodeError: NoTerm,
}

// Term is an expression of a source text, as a source of values.
type Term struct {
	e    *node
	text *string
}

// ReadTerm parses an expression. The error is an *EvalError with a SyntaxError, a *RefusedError
// or a *LimitError.
func ReadTerm(text string) (Term, error) {
	e, err := parseExpression(text)
	if err != nil {
		return Term{}, err
	}
	return Term{e, &text}, nil
}

// Kind returns the class of the term.
func (t Term) Kind() TermKind {
	if t.e == nil {
		return NoTerm
	}
	if t.e.constant && t.e.kind != nodeTuple {
		return LiteralTerm
	}
	if k, ok := termKinds[t.e.kind]; ok {
		return k
	}
	return ComputedTerm
}

// Name returns a name, the name of an attribute or keyword argument, or an operator.
func (t Term) Name() string {
	switch {
	case t.e == nil:
		return ""
	case t.e.kind == nodeAnd:
		return "and"
	case t.e.kind == nodeOr:
		return "or"
	}
	return t.e.text
}

// Terms returns the parts of the term.
func (t Term) Terms() []Term {
	if t.e == nil || t.Kind() == LiteralTerm {
		return nil
	}
	terms := make([]Term, len(t.e.kids))
	for i, k := range t.e.kids {
		terms[i] = Term{k, t.text}
	}
	return terms
}

// Text returns the term as it is written.
func (t Term) Text() string {
	if t.e == nil || int(t.e.end) > len(*t.text) || t.e.pos > t.e.end {
		return ""
	}
	return (*t.text)[t.e.pos:t.e.end]
}

// Line returns the line on which the term begins.
func (t Term) Line() int {
	if t.e == nil {
		return 0
	}
	return int(t.e.line)
}

// Callee returns the last name of what a call calls: "f" of f(x), "m" of o.m(x).
func (t Term) Callee() string {
	if t.Kind() != CallTerm {
		return ""
	}
	return Term{t.e.kids[0], t.text}.Name()
}

// Inputs returns the parts of a term whose values its own value is made from: names, attributes,
// subscripts and calls, each text once. A call that is an input is not searched itself.
func (t Term) Inputs() []Term {
	var found []Term
	seen := map[string]bool{}
	for _, k := range t.operands() {
		k.inputs(&found, seen)
	}
	return found
}

func (t Term) inputs(found *[]Term, seen map[string]bool) {
	switch t.Kind() {
	case NameTerm, AttributeTerm, SubscriptTerm, CallTerm, AwaitTerm, ConditionalTerm, EitherTerm:
		if text := t.Text(); !seen[text] {
			seen[text] = true
			*found = append(*found, t)
		}
	case LiteralTerm, NoTerm:
	case ComprehensionTerm:
		for _, k := range t.Terms() {
			if k.e.kind == nodeClause {
				Term{k.e.kids[0], t.text}.inputs(found, seen)
			}
		}
	default:
		for _, k := range t.Terms() {
			k.inputs(found, seen)
		}
	}
}

// operands returns the parts of a term. For a call they are the arguments, and the object whose
// method it calls.
func (t Term) operands() []Term {
	kids := t.Terms()
	if t.Kind() != CallTerm {
		return kids
	}
	if callee := kids[0]; callee.Kind() == AttributeTerm {
		return append(callee.Terms(), kids[1:]...)
	}
	return kids[1:]
}

// Calls returns the calls in a term, in the order in which they happen. sure is false if whether
// they all happen, each once, depends on values. The calls of lambdas are not included.
func (t Term) Calls() (calls []Term, sure bool) {
	sure = true
	switch k := t.Kind(); k {
	case LiteralTerm:
		return nil, true
	case ComprehensionTerm:
		sure = false
	case EitherTerm, ConditionalTerm, AwaitTerm:
		for i, part := range t.Terms() {
			inner, always := part.Calls()
			sure = sure && always && (k == AwaitTerm || i == 0 || len(inner) == 0)
			calls = append(calls, inner...)
		}
		return calls, sure
	}
	for _, part := range t.Terms() {
		inner, always := part.Calls()
		calls, sure = append(calls, inner...), sure && always
	}
	if t.Kind() == ComprehensionTerm {
		sure = len(calls) == 0
	}
	if t.e != nil && t.e.kind == nodeCompare && len(t.e.kids) > 2 {
		sure = sure && len(calls) == 0 // a chain ends at the first comparison that is false
	}
	if t.Kind() == CallTerm {
		calls = append(calls, t)
	}
	return calls, sure
}

// Mapped returns the parts of a list comprehension with one loop over a name and without a
// condition: what it iterates over, and the element that it makes of each.
func (t Term) Mapped() (source, element Term, ok bool) {
	if t.e == nil || t.e.kind != nodeListComp || len(t.e.kids) != 2 {
		return source, element, false
	}
	clause := t.e.kids[0]
	if clause.kind != nodeClause || len(clause.kids) != 2 || clause.kids[1].kind != nodeName {
		return source, element, false
	}
	element = Term{t.e.kids[1], t.text}
	for _, in := range element.Inputs() {
		if in.Text() != clause.kids[1].text {
			return source, element, false
		}
	}
	return Term{clause.kids[0], t.text}, element, element.Kind() == ComputedTerm || element.Name() == clause.kids[1].text
}
