// Package provenance finds where a recorded value came from: the chain of hops from the value of
// an expression back to a literal, an input or another named end. It reads a recording and the
// program's source text, and runs no code of the program.
//
// # Words
//
// A hop is one step of the chain: a statement that gave a name, an attribute or an element its
// value, a parameter that got its argument, a return. A run is one execution of a statement: from
// the event before it to the first event of its activation after it. A cursor is a place whose
// value the next hop explains.
//
// A hop is certain if the recording and the text leave no other possibility. Equal texts alone
// are no proof, since a line may store the value again that a name has already.
package provenance
