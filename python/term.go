package python

// TermKind is the kind of a Term.
type TermKind uint8

// The kinds of terms.
const (
	NoTerm            TermKind = iota // the zero Term, or invalid syntax
	LiteralTerm                       // a constant or a lambda
	NameTerm                          // see Name
	AttributeTerm                     // Terms[0].Name
	SubscriptTerm                     // Terms[0][Terms[1]]
	SliceTerm                         // the slice inside a subscript
	CallTerm                          // Terms[0] is the function, the others are the arguments
	DisplayTerm                       // a list, tuple or set: Terms are the elements
	DictTerm                          // Terms alternate between key and value; the key of ** is a NoTerm
	ComprehensionTerm                 // of any kind, including generator expressions
	EitherTerm                        // Terms joined by the operator Name: "and" or "or"
	ConditionalTerm                   // Terms are the condition, the value if it is true, the value if it is false
	WalrusTerm                        // Terms[0] := Terms[1]
	StarredTerm                       // *Terms[0]
	KeywordTerm                       // an argument Name=Terms[0]; **Terms[0] if Name is ""
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

// Term is an expression of a source text, to find out where values come from.
type Term struct {
	e    *node
	text *string
}

// ReadTerm parses an expression. The error is an *EvalError for a syntax error, a *RefusedError or
// a *LimitError.
func ReadTerm(text string) (Term, error) {
	e, err := parseExpression(text)
	if err != nil {
		return Term{}, err
	}
	return Term{e, &text}, nil
}

// Kind returns the kind of the term.
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

// Name returns the name of a variable, attribute or keyword argument, or the operator and or or.
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

// Terms returns the parts of the term; their meaning depends on its Kind.
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

// Text returns the source of the term.
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

// Callee returns the last name of the function in a call: "f" for f(x), "m" for o.m(x). It returns
// "" for any other term.
func (t Term) Callee() string {
	if t.Kind() != CallTerm {
		return ""
	}
	return Term{t.e.kids[0], t.text}.Name()
}

// Inputs returns the parts of a term from which its value is computed: names, attributes,
// subscripts and calls, each spelling once. It does not descend into a call that it returns.
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

// operands returns the parts of a term that its value depends on. For a call these are the
// arguments and, for a method, its object.
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

// Calls returns the calls in a term, in the order in which they are executed. sure is false if
// values decide which of them are executed, or how often. Calls inside lambdas are not included.
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

// Mapped returns the parts of a list comprehension or generator expression with one loop over a
// name and no condition: source is the iterable, name the loop's name, and element the
// comprehension's element. The element must be the name, an operation on the name only, another
// name, or a constant; otherwise ok is false.
func (t Term) Mapped() (source Term, name string, element Term, ok bool) {
	if t.e == nil || t.e.kind != nodeListComp && t.e.kind != nodeGenerator || len(t.e.kids) != 2 || unpacks(t.e.kids[1:]) {
		return source, "", element, false
	}
	clause := t.e.kids[0]
	if clause.kind != nodeClause || len(clause.kids) != 2 || clause.kids[1].kind != nodeName {
		return source, "", element, false
	}
	source, name, element = Term{clause.kids[0], t.text}, clause.kids[1].text, Term{t.e.kids[1], t.text}
	switch element.Kind() {
	case NameTerm, LiteralTerm:
		return source, name, element, true
	case ComputedTerm:
		for _, in := range element.Inputs() {
			if in.Text() != name {
				return source, name, element, false
			}
		}
		return source, name, element, true
	}
	return source, name, element, false
}
