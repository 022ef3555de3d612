package trace

import "errors"

// EvalError is an exception that an expression of the user raised.
type EvalError struct {
	Type    string // "NameError"
	Message string // "name 'x' is not defined"
}

func (e *EvalError) Error() string {
	if e.Message == "" {
		return e.Type
	}
	return e.Type + ": " + e.Message
}

// ErrWaiting is asking something of a program that runs, but for the input it
// waits for.
var ErrWaiting = errors.New("the program waits for input: give it a line first")

// StartKind tells apart the reasons why a program could not be started.
type StartKind string

// Why a program could not be started.
const (
	NoPython     StartKind = "no_python"
	OldPython    StartKind = "old_python"
	NoProgram    StartKind = "no_program"
	IsDirectory  StartKind = "is_directory"
	SyntaxError  StartKind = "syntax_error"
	EntryInvalid StartKind = "entry_invalid"
	StartFailed  StartKind = "start_failed"
)

// StartError says why a program could not be started, and what to do.
type StartError struct {
	Kind    StartKind
	Message string
	// Traceback is Python's own words, for a syntax error or a module that
	// raised while it was loaded for --entry.
	Traceback string
}

func (e *StartError) Error() string { return e.Message }

// GoneError is asking something of a program that is over.
type GoneError struct{ What string }

func (e *GoneError) Error() string {
	return "the program is over: " + e.What + " needs its live frame"
}
