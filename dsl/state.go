package dsl

import "fmt"

// Event is an event of Python's trace function.
type Event uint8

// The four events of sys.settrace that are states.
const (
	Call Event = iota + 1
	Line
	Return
	Exception
)

var eventNames = [...]string{Call: "call", Line: "line", Return: "return", Exception: "exception"}

func (e Event) String() string {
	if e == 0 || int(e) >= len(eventNames) {
		return fmt.Sprintf("Event(%d)", uint8(e))
	}
	return eventNames[e]
}

// ReturnKind is how a return event leaves its activation.
type ReturnKind uint8

// Returned: the function returns a value. Yielded: a generator or coroutine suspends. Unwound: an
// exception leaves the activation, so there is no value.
const (
	NoReturn ReturnKind = iota // the event is not a return
	Returned
	Yielded
	Unwound
)

var kindNames = [...]string{NoReturn: "", Returned: "return", Yielded: "yield", Unwound: "unwind"}

func (k ReturnKind) String() string {
	if int(k) >= len(kindNames) {
		return fmt.Sprintf("ReturnKind(%d)", uint8(k))
	}
	return kindNames[k]
}

// Local is the name of a local variable and the repr of its value.
type Local struct {
	Name  string
	Value string
	// Hidden marks the names of a module or class body that are hidden by default: dunders,
	// imported modules, functions and classes. Hidden locals are not part of states in texts.
	Hidden bool
	// Unknown marks a name whose value is not known, as in a state from a traceback. Value is then
	// "", and Hidden is true. The name may also be unbound.
	Unknown bool `json:",omitempty"`
}

// State is one stop of a program: an event, its location, and the locals of the top frame.
type State struct {
	Event    Event
	Kind     ReturnKind // set on returns only
	File     string     // relative to the program's directory, if the file is below it
	Line     int        // from 1
	Source   string     // the text of that line, without its line end
	Function string     // the code object's co_name
	Depth    int        // number of activations of user code below this one
	Locals   []Local    // in the order of co_varnames, co_cellvars, co_freevars; in a module, in the order of insertion
	Value    *string    // repr of the value returned, yielded or raised; nil for other events
}

// Frame is one activation on the stack. Line is 0 if it is unknown.
type Frame struct {
	Function string
	File     string
	Line     int
}

// Origin is the source of a state.
type Origin uint8

// Given: the state is the start of a trajectory. Real: it comes from CPython. Predicted: from a
// model, forward. Inferred: from a model, backward. Edited: the user changed a value. Computed: it
// follows from the program's source.
const (
	Given Origin = iota + 1
	Real
	Predicted
	Inferred
	Edited
	Computed
)

var originNames = [...]string{Given: "given", Real: "real", Predicted: "predicted", Inferred: "inferred", Edited: "edited", Computed: "computed"}

func (o Origin) String() string {
	if o == 0 || int(o) >= len(originNames) {
		return ""
	}
	return originNames[o]
}

// Exit is the end of a program. Code is the exit status, or -N if signal N killed the process.
// Exception is the repr of the uncaught exception, or nil.
type Exit struct {
	Code      int
	Exception *string
}
