package provenance

import (
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// Kind says how a value came to a place.
type Kind string

// The kinds of hops.
const (
	Assignment Kind = "assignment" // a literal, a call or an operation was assigned
	Copy       Kind = "copy"       // a name was assigned
	Field      Kind = "field"      // an attribute was read
	Element    Kind = "element"    // an element was read, by a subscript, a loop or unpacking
	Parameter  Kind = "parameter"  // an argument of the caller
	Default    Kind = "default"    // a parameter's default
	Return     Kind = "return"
	Yield      Kind = "yield"
	Mutation   Kind = "mutation" // the statement changed an object that existed before
	Creation   Kind = "creation" // the statement made the object that contains the value
	Augmented  Kind = "augmented"
	With       Kind = "with"
	Except     Kind = "except"
	Import     Kind = "import"
	Definition Kind = "definition"
	Unclear    Kind = "unclear" // how the value came here is unknown
)

// End says where and why a chain ends.
type End string

// The ends of chains.
const (
	NoEnd     End = ""
	Literal   End = "literal"
	Construct End = "constructor" // a display, a comprehension or an instance of a class
	Input     End = "input"       // code that is not recorded: input(), open(), a library
	Defined   End = "definition"  // def, class or import
	Raised    End = "raised"
	Edited    End = "edited" // by the user of the debugger
	Fork      End = "fork"   // made from several inputs, none of which was chosen
	Edge      End = "edge"   // of the recording, or of a hole
	Unknown   End = "unknown"
	Limit     End = "limit" // of hops or of time
)

// InputValue is a part of an expression, with its value before the statement ran.
type InputValue struct {
	Expression string
	Value      query.Reading
	Followed   bool // the chain continues with it
}

// Hop is one step of a chain.
type Hop struct {
	Kind       Kind
	Expression string // what has the value: "x", "order.price", "xs[2]", "return n"
	Value      query.Reading
	// By is the frame of the statement. By.Event is the event before the statement, -1 if there is
	// none.
	By      statetree.StackFrame
	Source  string // the line of By
	Certain bool
	// Computed reports that the statement made the value from its inputs, which have others.
	Computed bool
	Times    int // how many hops in a row are those of the same statement, 1 or more
	Inputs   []InputValue
	End      End
	Note     string // says what the end is, or why the hop is not certain

	since   int  // the first event as of which the place has the value, -1 if unknown
	changes bool // lists the changes of the object since the place got it
}

// place identifies the statement of a hop, for folding.
func (h *Hop) place() [2]any { return [2]any{h.By.File, h.By.Line} }

// Folds reports whether a hop repeats the one before it.
func (h *Hop) Folds(next *Hop) bool {
	return h.Kind == next.Kind && h.Expression == next.Expression && h.place() == next.place() && h.End == NoEnd && next.End == NoEnd &&
		h.Certain == next.Certain && h.By.Function == next.By.Function && h.changes == next.changes
}
