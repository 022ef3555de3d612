package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// ChunkKind is the kind of a piece of an answer.
type ChunkKind uint8

// The kinds of chunks.
const (
	Said   ChunkKind = iota // npdb's answer to a command
	Wrote                   // what the program wrote
	Where                   // a location, for people; programs read Answer.State
	Notice                  // a word the user did not ask for
)

// Chunk is a piece of an answer, in the order in which things happened. Text is unescaped: escape
// it before writing it to a terminal.
type Chunk struct {
	Kind   ChunkKind
	Stream string // of Wrote: "stdout" or "stderr"
	Text   string
	After  []After // of Wrote: what its parts followed, ascending
}

// After records that the text from Offset on was written after an event of the recording.
type After struct {
	Offset int // in bytes
	Event  int // -1: before the first
}

// Waiting says how the next input line is used.
type Waiting string

// What a session can wait for instead of a command.
const (
	ForCommand      Waiting = ""
	ForInput        Waiting = "input"        // a line of the program's standard input
	ForDefinition   Waiting = "commands"     // a line of a breakpoint's command list
	ForInteract     Waiting = "interact"     // a line for the interactive interpreter
	ForConfirmation Waiting = "confirmation" // yes or no
	ForStatement    Waiting = "statement"    // the rest of a statement
)

// Answer is the result of one command. Its state is that of the position after the command,
// whether the command moved or not.
type Answer struct {
	Seq         int
	Command     *string // nil for the first stop
	Action      *string // the wire's name of the move; nil when none led here
	Origin      dsl.Origin
	Confidence  *float64          // a model's in its own prediction, 0 to 1; nil where there is none
	Sureness    *backend.Sureness // of the parts of it
	Checks      backend.Checks    // of the parts of the state, nil where it was not compared with the text
	MadeUp      []string          // the arguments that a model made up for the first state
	Attributed  []string          // the locals that are shown by their attributes although their class has a __repr__
	Done        bool              // the program is over, and State nil
	Boundary    trace.Boundary
	PostMortem  bool
	Horizon     int // -1 where a prediction leaves it open
	Err         *Error
	State       *dsl.State
	Stack       []dsl.Frame
	Exit        *dsl.Exit
	Beside      *nav.Beside // the prediction, of both modes
	Chunks      []Chunk
	Changes     []Change // of what last and history tell, the earliest first
	Interrupted bool     // the user stopped the move before it was done
	Waiting     Waiting
	Unseen      bool       // with ForInput: hide what is typed, for example a password
	Asks        *dsl.Frame // with ForInput, the line that reads; nil if it is not known
	Prompt      string     // what to show before the next line, in a terminal
	Quit        bool
}

// Text joins the chunks of one kind; ok is false when there are none.
func (a *Answer) Text(k ChunkKind) (text string, ok bool) {
	var parts []string
	for _, c := range a.Chunks {
		if c.Kind == k {
			parts = append(parts, c.Text)
		}
	}
	return strings.Join(parts, "\n"), len(parts) > 0
}

// Error is the error of a command that failed.
type Error = nav.Error

// ErrorKind classifies the errors of commands.
type ErrorKind = nav.ErrorKind

// The kinds of errors.
const (
	BadArgument  = nav.BadArgument
	PythonRaised = nav.PythonRaised
	Refused      = nav.Refused
	Diverged     = nav.Diverged

	NotFound     ErrorKind = "not_found" // a breakpoint, file, function, alias or topic that is not there
	ProgramOver  ErrorKind = "over"      // it needs a program that runs
	StartFailure ErrorKind = "start"     // the program could not be started again
	EngineFailed ErrorKind = "engine"    // the recording failed
	Stopped      ErrorKind = "stopped"   // the user interrupted before it began

	EndpointFailed = nav.EndpointFailed
	NoPrediction   = nav.NoPrediction
)

// Errorf returns an error of a kind.
func Errorf(k ErrorKind, format string, a ...any) *Error {
	return &Error{Kind: k, Message: fmt.Sprintf(format, a...)}
}

func errorf(k ErrorKind, format string, a ...any) *Error { return Errorf(k, format, a...) }

// AsError converts an error of a command to an *Error with a kind.
func AsError(err error) *Error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	var eval *trace.EvalError
	if errors.As(err, &eval) {
		return &Error{Kind: PythonRaised, Message: eval.Error()}
	}
	var gone *trace.GoneError
	if errors.As(err, &gone) {
		return &Error{Kind: ProgramOver, Message: gone.Error()}
	}
	var number *breakpoint.NumberError
	if errors.As(err, &number) {
		return &Error{Kind: NotFound, Message: number.Error()}
	}
	var start *trace.StartError
	if errors.As(err, &start) {
		return &Error{Kind: StartFailure, Message: strings.TrimSpace(start.Traceback + "\n" + start.Message)}
	}
	return &Error{Kind: EngineFailed, Message: err.Error()}
}
