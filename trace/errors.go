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
	FromInvalid  StartKind = "from_invalid"
	StartFailed  StartKind = "start_failed"
)

// StartError says why a program could not be started, and what to do.
type StartError struct {
	Kind    StartKind
	Message string
	// Traceback is Python's own words, for a syntax error or a module that
	// raised while it was loaded for --entry.
	Traceback string
	Err       error // of the system, where it has one
}

func (e *StartError) Error() string { return e.Message }

func (e *StartError) Unwrap() error { return e.Err }

// ErrMemoryLost ends a recording whose program has destroyed the memory that it
// shares with npdb.
var ErrMemoryLost = errors.New("the program has cut off the memory that it shares with npdb (os.ftruncate on a file that it did not open itself?): the recording ends here, restart begins a new one")

// ChannelError ends a recording: what came by the tracer's own channel cannot be
// read, or is more than is kept. The program may write there what it wants.
type ChannelError struct{ Err error }

func (e *ChannelError) Error() string { return e.Err.Error() }

func (e *ChannelError) Unwrap() error { return e.Err }

// GoneError is asking something of a program that is over.
type GoneError struct{ What string }

func (e *GoneError) Error() string {
	return "the program is over: " + e.What + " needs its live frame"
}
