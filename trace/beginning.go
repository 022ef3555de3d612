package trace

import "encoding/json"

// Beginning is a state in the middle of a program at which a session begins, in place of the
// program's first state. Nothing of what comes before it runs, except the definitions of its module.
//
// Start begins a recording there with the last frame alone. It evaluates the values in the namespace
// of the frame's module; names without a value are not set. If the frame is a function's, the whole
// module runs unrecorded first, with a __name__ that is not "__main__". CPython cannot begin in the
// body of a for or with statement, in a class body, in a generator or coroutine, at a return or at
// an exception: then the error of Start has the kind BeginRefused.
type Beginning struct {
	// Called reports that the innermost frame is at its call; its line is the first one of the
	// function's definition, decorators included.
	Called bool `json:"called,omitempty"`
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

// text encodes a beginning for the tracer (tracer/middle.py); "" for none.
func (b *Beginning) text() string {
	if b == nil {
		return ""
	}
	at := b.Frames[len(b.Frames)-1]
	locals := [][2]string{} // not null
	for _, l := range at.Locals {
		locals = append(locals, [2]string{l.Name, l.Value})
	}
	text, err := json.Marshal(map[string]any{
		"file": at.File, "line": at.Line, "function": at.Function, "call": b.Called, "locals": locals,
	})
	if err != nil {
		panic(err) // strings and numbers can always be encoded
	}
	return string(text)
}

// check refuses a beginning that CPython cannot make.
func (b *Beginning) check() error {
	refused := func(why string) error {
		return &StartError{Kind: BeginRefused, Message: "the recording cannot begin there: " + why}
	}
	switch {
	case b == nil:
		return nil
	case b.Returned != nil:
		return refused("CPython cannot return a value of a function that it has not run")
	case b.Raised != nil:
		return refused("CPython cannot raise an exception in a function that it has not run")
	case len(b.Frames) == 0 || b.Frames[len(b.Frames)-1].Line == 0:
		return refused("its line is unknown")
	}
	return nil
}
