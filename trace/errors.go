package trace

import (
	"errors"
	"fmt"
)

// EvalError is an exception raised by an expression of the user.
type EvalError struct {
	Type    string // for example "NameError"
	Message string // for example "name 'x' is not defined"
}

func (e *EvalError) Error() string {
	if e.Message == "" {
		return e.Type
	}
	return e.Type + ": " + e.Message
}

// ErrWaiting is returned while the program waits for input, for every request except
// Input.
var ErrWaiting = errors.New("the program waits for input: give it a line first")

// StartKind classifies the reasons why a program could not be started.
type StartKind string

// The reasons why a program could not be started.
const (
	NoPython     StartKind = "no_python"
	OldPython    StartKind = "old_python"
	NoProgram    StartKind = "no_program"
	IsDirectory  StartKind = "is_directory"
	SyntaxError  StartKind = "syntax_error"
	EntryInvalid StartKind = "entry_invalid"
	FromInvalid  StartKind = "from_invalid"
	StartFailed  StartKind = "start_failed"
	// BeginRefused: the recording cannot begin at the place of Options.Begin.
	BeginRefused StartKind = "begin_refused"
	// LocalsRefused: it cannot begin with the locals of Options.Begin.
	LocalsRefused StartKind = "locals_refused"
)

// StartError says why a program could not be started and what the user can do.
type StartError struct {
	Kind    StartKind
	Message string
	// Traceback is the text that Python printed, for a syntax error or for a module that
	// raised an exception while it was loaded for --entry. For BeginRefused and LocalsRefused it
	// is the message of CPython's exception, if there was one.
	Traceback string
	Err       error // the system's error, if any
}

func (e *StartError) Error() string { return e.Message }

func (e *StartError) Unwrap() error { return e.Err }

// ErrMemoryLost ends a recording whose program has destroyed the memory shared with npdb.
var ErrMemoryLost = errors.New("the program truncated the memory that it shares with npdb (os.ftruncate on a file that it did not open itself?): the recording ends here; restart begins a new one")

// ChannelError ends a recording because the data from the tracer's channel is invalid or
// too large. The user's program can write to this channel, too.
type ChannelError struct{ Err error }

func (e *ChannelError) Error() string { return e.Err.Error() }

func (e *ChannelError) Unwrap() error { return e.Err }

// TooLargeError says that a recording file has more than the limits allow.
type TooLargeError struct {
	Events int
	Bytes  int64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the recording exceeds npdb's limits of %d events and %d MiB (--max-events and --max-memory raise them)", e.Events, e.Bytes>>20)
}

// GoneError is returned for requests that need the running program after it has ended. What is
// the name of the request.
type GoneError struct{ What string }

func (e *GoneError) Error() string {
	return "the program is over: " + e.What + " needs its live frame"
}
