package trace

// Beginning is a state in the middle of a program at which a session begins, in place of the
// program's first state. Nothing of what comes before it runs, except the definitions of its module.
type Beginning struct {
	// Returned is the repr of the value that the innermost frame returns, Raised that of the exception
	// that is raised in it. Both are nil if its line is about to run.
	Returned *string `json:"returned,omitempty"`
	Raised   *string `json:"raised,omitempty"`
	// Frames is the call stack, the outermost frame first. The last frame is that of the state.
	Frames []BeginningFrame `json:"frames"`
}

// BeginningFrame is a frame on the stack of a Beginning.
type BeginningFrame struct {
	File     string           `json:"file,omitempty"`     // path; "" for the program's main file
	Function string           `json:"function,omitempty"` // name, as co_name; "" for the innermost function around Line
	Line     int              `json:"line,omitempty"`     // from 1; 0 if unknown
	Locals   []BeginningLocal `json:"locals,omitempty"`
	// Complete reports that names that are not in Locals have no value, except for parameters. Else
	// their values are unknown.
	Complete bool `json:"complete,omitempty"`
}

// BeginningLocal is a local variable and the repr of its value.
type BeginningLocal struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}
