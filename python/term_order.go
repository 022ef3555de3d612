package python

import "slices"

// Effects returns the parts of a term that may change what other parts read: calls, assignment
// expressions, await and yield. Those inside lambdas are not included.
func (t Term) Effects() []Term { return t.parts(CallTerm, WalrusTerm, AwaitTerm) }

// Reads returns the names, attributes and subscripts in a term, the term itself included.
func (t Term) Reads() []Term { return t.parts(NameTerm, AttributeTerm, SubscriptTerm) }

// parts returns the term and its parts that are of one of these kinds, each before its own parts.
func (t Term) parts(kinds ...TermKind) (found []Term) {
	if slices.Contains(kinds, t.Kind()) {
		found = append(found, t)
	}
	for _, part := range t.Terms() {
		found = append(found, part.parts(kinds...)...)
	}
	return found
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
