package provenance

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// Terms are read as of the start of their statement. The functions of this file report whether an
// earlier part of the same statement may have changed what a term reads.

// disturbed reports whether a part of the statement that runs before a term may have changed the
// value that the term reads: a call, an assignment expression, or await.
func (f *Finder) disturbed(t python.Term, r run) bool {
	if r.typed {
		return false
	}
	called := false
	for _, e := range r.stored.Exprs {
		for _, part := range e.Effects() {
			switch {
			case !part.Precedes(t):
			case part.Kind() == python.WalrusTerm:
				if t.Mentions(part.Terms()[0]) {
					return true
				}
			case part.Kind() != python.CallTerm, t.Kind() != python.NameTerm && f.changes(part, t, r):
				return true
			default:
				called = true
			}
		}
	}
	return called && f.storedMeanwhile(t, r)
}

// changes reports whether a call may change the container that a term reads, as pop and sort do.
func (f *Finder) changes(call, t python.Term, r run) bool {
	if _, ok := mutators[call.Callee()]; !ok {
		return false
	}
	for _, part := range append(t.Reads(), t) {
		if o, ok := f.container(part, r); ok && f.mentions(call, o, r) {
			return true
		}
	}
	return false
}

// storedMeanwhile reports whether a function that the statement called may have stored something
// that a term reads.
func (f *Finder) storedMeanwhile(t python.Term, r run) bool {
	if r.end <= r.start+1 {
		return false
	}
	var at []dsl.Location
	for _, part := range t.Reads() {
		at = append(at, f.storing(part, r)...)
	}
	if len(at) == 0 {
		return false
	}
	before, ok := f.tree.PrevLine(r.end, at)
	return ok && before > r.start
}

// storing returns the lines of the statements that may store what a name, an attribute or a subscript
// of another statement reads, and that can run within that one.
func (f *Finder) storing(t python.Term, r run) (at []dsl.Location) {
	if t.Kind() == python.NameTerm {
		file, scope := f.codeScope(f.past.OwnerOf(r.scope, t.Name(), r.start))
		for _, st := range f.source(file).Binding(scope, t.Name()) {
			if st.Scope != scope {
				at = append(at, locations(file, []*python.Stored{st})...)
			}
		}
		return at
	}
	for file := range f.tree.Files() {
		if !f.tree.HasRun(file) {
			continue
		}
		for _, st := range f.source(file).All() {
			if st != r.stored && mayStore(st, python.Step{Attribute: attributeOf(t)}) {
				at = append(at, locations(file, []*python.Stored{st})...)
			}
		}
	}
	return at
}

// attributeOf returns the name of an attribute, or "" for a subscript.
func attributeOf(t python.Term) string {
	if t.Kind() == python.AttributeTerm {
		return t.Name()
	}
	return ""
}

// settled reports whether a part of a store's target is read as it was at the start of the statement.
// The value and the targets before are evaluated and stored first.
func (f *Finder) settled(part python.Term, s python.Store, r run) bool {
	if s.Kind == python.Augmented || part.Kind() == python.LiteralTerm {
		return true // the target of += is evaluated before the value
	}
	for _, other := range r.stored.Stores {
		if other.Target.Precedes(s.Target) && part.Mentions(other.Target) {
			return false
		}
	}
	for _, e := range r.stored.Exprs {
		for _, effect := range e.Effects() {
			if effect.Kind() == python.WalrusTerm && part.Mentions(effect.Terms()[0]) {
				return false
			}
		}
	}
	late := r
	late.start = max(r.start, r.end-1) // before the statement stores anything
	for _, read := range part.Reads() {
		v, ok := f.valueOf(read, r)
		if then, known := f.valueOf(read, late); then != v || known != ok {
			return false
		}
	}
	return true
}
