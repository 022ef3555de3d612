package python

import "slices"

// StoreKind is the kind of statement by which a value is stored.
type StoreKind uint8

// The kinds of stores.
const (
	Assigned  StoreKind = iota + 1
	Augmented           // Value is the right-hand side; Operator is "+=" and the like
	Looped              // for loop; Value is the iterable
	Entered             // Value is the context manager of with
	Caught              // except … as; no Value
	Imported            // no Value
	Defined             // def or class; no Value
	Matched             // Value is the subject of match
	Deleted             // no Value
)

// Store is one binding of a name, or one assignment to an attribute or element, by a statement.
type Store struct {
	Kind     StoreKind
	Name     string // the name that it binds; "" for an attribute or element
	Target   Term   // the name, attribute or subscript; a NoTerm if the source does not contain it as an expression
	Value    Term
	Operator string
	// Path leads from Value to the part that is stored: the indexes by which it is unpacked. -1
	// stands for a part collected by a starred target, or after one.
	Path []int
	// Conditional reports whether the store happens only for some values, as with some := and
	// patterns.
	Conditional bool
	// Within is the range of lines of the block that runs only if the store happens, or 0 for no
	// such block.
	Within [2]int
}

// Stored is a simple statement, or the header of a compound statement, with its stores.
type Stored struct {
	Line, Last int // the lines of its events
	Scope      int // first line of the enclosing def or class, including decorators; 0 for the module
	Stores     []Store
	Exprs      []Term // the expressions that it evaluates
	Return     bool   // Exprs[0] is returned
	// Shared reports whether other statements with calls or stores are on its lines. An event then
	// does not show which of them runs.
	Shared bool
	// When is the condition of an if on the same line, if the statement comes after it.
	When Term
	// Block is the range of lines of a loop's body, or 0 for other statements.
	Block [2]int
}

// Stores holds the statements of a source file, to find out where values come from.
type Stores struct {
	statements []*Stored
	byLine     map[int]*Stored
	scopes     map[int]*storeScope
	defs       map[int]*stmt // by first line, including decorators
	text       string
}

// ReadStores reads a source file. Like Read it never fails, and takes linear time.
func ReadStores(source []byte) *Stores {
	s := &Stores{byLine: map[int]*Stored{}, scopes: map[int]*storeScope{}, defs: map[int]*stmt{}, text: decodeSource(source)}
	s.scopes[0] = &storeScope{outer: -1, names: map[string][]*Stored{}}
	s.block(newParser(s.text).statements(false), 0)
	for _, st := range s.statements {
		for _, store := range st.Stores {
			if store.Name != "" {
				names := s.scopes[st.Scope].names
				if !slices.Contains(names[store.Name], st) {
					names[store.Name] = append(names[store.Name], st)
				}
			}
		}
	}
	return s
}

// At returns the statement with events on a line.
func (s *Stores) At(line int) (*Stored, bool) {
	st, ok := s.byLine[line]
	return st, ok
}

// All returns all statements, in source order.
func (s *Stores) All() []*Stored { return s.statements }

func (s *Stores) block(body []*stmt, scope int) {
	for _, st := range body {
		s.stmt(st, scope)
	}
}

func (s *Stores) terms(list []*node) []Term {
	var terms []Term
	for _, e := range list {
		if e != nil {
			terms = append(terms, Term{e, &s.text})
		}
	}
	return terms
}

// stmt adds a statement and the statements in its blocks.
func (s *Stores) stmt(st *stmt, scope int) {
	sc := s.scopes[scope]
	switch st.kind {
	case stmtGlobal:
		sc.globals = append(sc.globals, st.names...)
		return
	case stmtNonlocal:
		sc.nonlocal = append(sc.nonlocal, st.names...)
		return
	}
	made := &Stored{Line: int(st.line), Last: int(st.last), Scope: scope, Exprs: s.terms(st.exprs), Return: st.kind == stmtReturn}
	if blocks := st.blocks(); st.def != nil || slices.ContainsFunc(blocks, func(b []*stmt) bool { return len(b) > 0 }) {
		made.Last = headerEnd(st)
	}
	s.stores(made, st)
	switch st.kind {
	case stmtTry:
		made = nil
	case stmtIf:
		made = nil
		for _, b := range st.branches {
			s.add(s.branch(b, scope))
		}
	}
	s.add(made)
	if st.def != nil {
		s.definition(st, scope)
		return
	}
	for _, b := range st.branches {
		if st.kind == stmtTry || st.kind == stmtMatch {
			s.add(s.clause(st, b, scope))
		}
		s.block(b.body, scope)
		s.inline(st, b)
	}
	for _, b := range [][]*stmt{st.body, st.orelse, st.final} {
		s.block(b, scope)
	}
}

// inline marks the statement after a condition on the same line. Such a statement has no event.
func (s *Stores) inline(st *stmt, b branch) {
	if st.kind != stmtIf || len(b.body) == 0 || b.body[0].line > b.exprs[0].last {
		return
	}
	made := s.byLine[int(b.body[0].line)]
	if made == nil || made.Line != int(b.body[0].line) || len(made.Exprs) > 0 && made.Exprs[0].e == b.exprs[0] {
		return // the statement has no stores or calls
	}
	made.When = Term{b.exprs[0], &s.text}
	made.Shared = made.Shared || len(b.body) > 1
	for i := range made.Stores {
		made.Stores[i].Conditional = true
	}
}

// headerEnd returns the last line of a compound statement's header.
func headerEnd(st *stmt) int {
	last := st.line
	for _, e := range st.exprs {
		if e != nil && e.kind != nodeError {
			last = max(last, e.last)
		}
	}
	for _, e := range st.targets {
		if e != nil {
			last = max(last, e.last)
		}
	}
	if len(st.body) > 0 && st.body[0].line > st.line {
		last = min(last, firstLine(st.body[0])-1)
	}
	return int(last)
}

// branch returns the Stored for the condition of an if or elif.
func (s *Stores) branch(b branch, scope int) *Stored {
	made := &Stored{Line: int(b.line), Last: int(b.line), Scope: scope, Exprs: s.terms(b.exprs)}
	for _, e := range b.exprs {
		made.Last = max(made.Last, int(e.last))
	}
	s.walruses(made)
	return made
}

// clause returns the Stored for an except or case clause.
func (s *Stores) clause(st *stmt, b branch, scope int) *Stored {
	made := s.branch(b, scope)
	within := lines(b.body)
	if b.as != "" {
		made.Stores = append(made.Stores, Store{Kind: Caught, Name: b.as, Within: within})
	}
	if st.kind == stmtMatch && len(b.exprs) > 0 && len(st.exprs) > 0 {
		made.Exprs = made.Exprs[1:] // a pattern is not an expression
		r := &functionReader{own: map[string]bool{}}
		r.pattern(b.exprs[0])
		for name := range r.own {
			store := Store{Kind: Matched, Name: name, Value: Term{st.exprs[0], &s.text}, Path: []int{-1}, Within: within}
			if b.exprs[0].is(name) {
				store.Path = nil
			}
			made.Stores = append(made.Stores, store)
		}
	}
	return made
}

// lines returns the first and last line of a block.
func lines(body []*stmt) [2]int {
	if len(body) == 0 {
		return [2]int{}
	}
	return [2]int{int(firstLine(body[0])), int(body[len(body)-1].last)}
}

// add adds a statement, and sets Shared for statements that share a line.
func (s *Stores) add(made *Stored) {
	if made == nil {
		return
	}
	s.statements = append(s.statements, made)
	for line := made.Line; line <= made.Last; line++ {
		other := s.byLine[line]
		switch {
		case other == nil:
			s.byLine[line] = made
		case other.idle() && !made.idle():
			s.byLine[line] = made
		case !other.idle() && !made.idle():
			other.Shared, made.Shared = true, true
		}
	}
}

// idle reports whether a statement has no store, no call and no return.
func (st *Stored) idle() bool {
	if len(st.Stores) > 0 || st.Return {
		return false
	}
	for _, e := range st.Exprs {
		if calls, _ := e.Calls(); len(calls) > 0 || e.Kind() == AwaitTerm {
			return false
		}
	}
	return true
}

// definition adds the scope of a def or class, and its body.
func (s *Stores) definition(st *stmt, scope int) {
	first := int(firstLine(st))
	s.scopes[first] = &storeScope{outer: scope, isClass: st.kind == stmtClass, names: map[string][]*Stored{}}
	s.defs[first] = st
	s.block(st.body, first)
}

// stores adds the stores of a statement.
func (s *Stores) stores(made *Stored, st *stmt) {
	value := func(i int) Term {
		if i < 0 || i >= len(st.exprs) {
			return Term{}
		}
		return Term{st.exprs[i], &s.text}
	}
	switch st.kind {
	case stmtAssign:
		for _, t := range st.targets {
			s.target(made, t, Store{Kind: Assigned, Value: value(0)})
		}
	case stmtAugAssign:
		s.target(made, st.targets[0], Store{Kind: Augmented, Value: value(0), Operator: st.names[0]})
	case stmtAnnAssign:
		if len(st.exprs) > 1 {
			made.Exprs = made.Exprs[1:]
			s.target(made, st.targets[0], Store{Kind: Assigned, Value: value(1)})
		}
	case stmtFor:
		made.Block = lines(st.body)
		s.target(made, st.targets[0], Store{Kind: Looped, Value: value(0), Within: made.Block})
	case stmtWhile:
		made.Block = lines(st.body)
	case stmtWith:
		for i, t := range st.targets {
			s.target(made, t, Store{Kind: Entered, Value: value(i)})
		}
	case stmtDelete:
		for _, t := range st.targets {
			s.target(made, t, Store{Kind: Deleted})
		}
	case stmtImport:
		for _, name := range st.names {
			made.Stores = append(made.Stores, Store{Kind: Imported, Name: name})
		}
	case stmtDef, stmtClass:
		made.Line = int(firstLine(st))
		made.Stores = append(made.Stores, Store{Kind: Defined, Name: st.def.name})
		made.Exprs = append(made.Exprs, s.terms(st.def.decorators)...)
		made.Exprs = append(made.Exprs, s.terms(st.def.bases)...)
	}
	s.walruses(made)
}

// target adds the stores of an assignment target.
func (s *Stores) target(made *Stored, e *node, store Store) {
	if e == nil {
		return
	}
	switch e.kind {
	case nodeTuple, nodeList:
		star := slices.IndexFunc(e.kids, func(k *node) bool { return k.kind == nodeStarred })
		for i, k := range e.kids {
			part := store
			if star >= 0 && i >= star {
				i = -1
			}
			part.Path = append(slices.Clone(store.Path), i)
			s.target(made, k, part)
		}
		return
	case nodeStarred:
		if len(e.kids) > 0 {
			s.target(made, e.kids[0], store)
		}
		return
	case nodeName:
		store.Name = e.text
	}
	store.Target = Term{e, &s.text}
	made.Stores = append(made.Stores, store)
}

// walruses adds the stores by := in a statement's expressions.
func (s *Stores) walruses(made *Stored) {
	for _, e := range made.Exprs {
		e.walruses(false, func(target, value Term, conditional bool) {
			made.Stores = append(made.Stores, Store{Kind: Assigned, Name: target.Name(), Target: target, Value: value, Conditional: conditional})
		})
	}
}

// walruses calls visit for each := in a term. conditional reports whether the assignment happens
// only for some values.
func (t Term) walruses(conditional bool, visit func(target, value Term, conditional bool)) {
	if t.e == nil || t.e.kind == nodeLambda {
		return
	}
	if t.e.kind == nodeNamed {
		visit(Term{t.e.kids[0], t.text}, Term{t.e.kids[1], t.text}, conditional)
	}
	for i, k := range t.e.kids {
		within := conditional
		switch t.Kind() {
		case EitherTerm, ConditionalTerm:
			within = within || i > 0
		case ComprehensionTerm:
			within = true
		case ComputedTerm:
			within = within || t.e.kind == nodeCompare && i > 1
		}
		Term{k, t.text}.walruses(within, visit)
	}
}
