package python

// Effects returns the parts of a term that may change what other parts read: calls, assignment
// expressions, await and yield. Those inside lambdas are not included.
func (t Term) Effects() []Term {
	var found []Term
	t.visit(func(part Term) {
		switch part.Kind() {
		case CallTerm, WalrusTerm, AwaitTerm:
			found = append(found, part)
		}
	})
	return found
}

// Reads returns the names, attributes and subscripts in a term, the term itself included.
func (t Term) Reads() []Term {
	var found []Term
	t.visit(func(part Term) {
		switch part.Kind() {
		case NameTerm, AttributeTerm, SubscriptTerm:
			found = append(found, part)
		}
	})
	return found
}

// visit calls a function with a term and its parts.
func (t Term) visit(see func(part Term)) {
	see(t)
	for _, part := range t.Terms() {
		part.visit(see)
	}
}

// Precedes reports whether a term ends before another one of the same source begins.
func (t Term) Precedes(other Term) bool {
	return t.e != nil && other.e != nil && t.text == other.text && t.e.end <= other.e.pos
}

// Mentions reports whether a term reads what a target stores: the same name, an attribute with the
// same name, or, if the target is a subscript, any subscript.
func (t Term) Mentions(target Term) bool {
	for _, part := range t.Reads() {
		if k := part.Kind(); k == target.Kind() && (k == SubscriptTerm || part.Name() == target.Name()) {
			return true
		}
	}
	return false
}
