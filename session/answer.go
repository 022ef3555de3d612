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

// ChunkKind is the kind of a part of an answer.
type ChunkKind uint8

// The kinds of chunks.
const (
	Said   ChunkKind = iota // npdb's output for the command
	Wrote                   // the program's output
	Where                   // a location as text; programs use Answer.State instead
	Notice                  // a message that the user did not ask for
)

// Chunk is a part of an answer. Chunks are in the order in which things happened. Text is
// unescaped: escape it before writing it to a terminal.
type Chunk struct {
	Kind   ChunkKind
	Stream string // for Wrote: "stdout" or "stderr"
	Text   string
	After  []After // for Wrote: the event before each part of Text, ascending
	// Continues reports that the next chunk of the same kind continues the line, because the text is
	// streamed.
	Continues bool
	// Struck holds the byte ranges of Text that are struck through, ascending.
	Struck [][2]int
}

// Marked returns the text with ~~ around what is struck through.
func (c *Chunk) Marked() string {
	var b strings.Builder
	at := 0
	for _, r := range c.Struck {
		b.WriteString(c.Text[at:r[0]] + "~~" + c.Text[r[0]:r[1]] + "~~")
		at = r[1]
	}
	return b.String() + c.Text[at:]
}

// After records that the text from Offset on was written after Event, an event of the recording.
type After struct {
	Offset int // in bytes
	Event  int // -1: before the first event
}

// Waiting selects what the next line of input is used for.
type Waiting string

// The values of Waiting.
const (
	ForCommand      Waiting = ""
	ForInput        Waiting = "input"        // a line of the program's standard input
	ForDefinition   Waiting = "commands"     // a line of a breakpoint's command list
	ForInteract     Waiting = "interact"     // a line for the interactive interpreter
	ForConfirmation Waiting = "confirmation" // yes or no
	ForStatement    Waiting = "statement"    // the rest of a statement
	ForTraceback    Waiting = "traceback"    // a line of a traceback
)

// Answer is the result of one command. Its state is the state at the session's position after the
// command, even if the command did not move.
type Answer struct {
	Seq        int
	Command    *string // nil for the first stop
	Visit      int     // number of the visit that is shown, 0 for none
	Parent     int     // number of the visit from which it was reached first, 0 for none
	Run        int     // number of the run that has the state, 0 if there is only one
	Action     *string // name of the move as in nd/1, nil if no move led here
	Origin     dsl.Origin
	Confidence *float64          // the model's confidence in its prediction, 0 to 1, nil if unknown
	Sureness   *backend.Sureness // the confidence by part of the state
	Checks     backend.Checks    // comparison with the program's source by part, nil if none
	Replayed   bool              // the state was recorded when the program was run again to make its past
	MadeUp     []string          // arguments of the first state that a model filled in
	// Locals that are shown by their attributes instead of by their class's __repr__.
	Attributed []string
	Done       bool // the program has ended, and State is nil
	Boundary   trace.Boundary
	Reason     trace.Reason // why the last move of the command stopped; Landed if none was made
	Breakpoint int          // number of the breakpoint, watchpoint or catchpoint that stopped it, 0 for none
	PostMortem bool
	Horizon    int // number of events passed, -1 if a prediction leaves it open
	Err        *Error
	State      *dsl.State
	Stack      []dsl.Frame
	Exit       *dsl.Exit
	Beside     *nav.Beside // the prediction, in side-by-side mode only
	Chunks     []Chunk
	Difference *Difference // the comparison that diff made, nil for other commands
	Peek       *Guess      // what peek shows
	// Candidates are the states that the backward move to this one may lead to; Candidate is the index
	// of the shown one. It is nil if no model was asked backwards.
	Candidates  *backend.Candidates
	Candidate   int
	Provenance  []Hop          // what provenance shows, the latest first
	Peeked      []nav.Pair     // guesses of peek that were compared with where their moves led
	Changes     []Change       // the changes that last and history show, the earliest first
	Hits        []Hit          // the events that logpoint shows, the earliest first
	Passed      []Hit          // the hits of logpoints that the moves of the command passed, the earliest first
	Value       *string        // the value or type that p, pp or whatis shows, without the note about its source
	Printed     []PrintedLine  // the lines of output that printed shows, the earliest first
	Explanation *Explanation   // what a model answered to why, nil for other commands
	Loop        *LoopPage      // the rows that loop shows, nil for other commands
	Blocks      *BlocksPage    // the rows that blocks shows, nil for other commands
	Bytecode    *Bytecode      // the instructions that dis shows, nil for other commands
	Threads     []Thread       // the threads that info threads lists, nil for other commands
	Children    []ChildProcess // the child processes that info children lists, nil for other commands
	Interrupted bool           // the user stopped the move before it ended
	Waiting     Waiting
	Unseen      bool       // with ForInput: do not echo what is typed, for instance a password
	Asks        *dsl.Frame // with ForInput: the frame that reads the input, nil if unknown
	Prompt      string     // the prompt before the next line
	Quit        bool
}

// Text returns the texts of all chunks of a kind, joined by newlines. ok is false if there are
// none.
func (a *Answer) Text(k ChunkKind) (text string, ok bool) {
	var parts []string
	for _, c := range a.Chunks {
		if c.Kind == k {
			parts = append(parts, c.Marked())
		}
	}
	return strings.Join(parts, "\n"), len(parts) > 0
}

// Error is the error of a command.
type Error = nav.Error

// ErrorKind classifies the errors of commands.
type ErrorKind = nav.ErrorKind

// The kinds of errors.
const (
	BadArgument  = nav.BadArgument
	PythonRaised = nav.PythonRaised
	Refused      = nav.Refused
	Diverged     = nav.Diverged

	NotFound     ErrorKind = "not_found" // a breakpoint, file, function, alias or topic does not exist
	ProgramOver  ErrorKind = "over"      // the command needs a running program
	StartFailure ErrorKind = "start"     // the program could not be started
	EngineFailed ErrorKind = "engine"    // recording failed
	Stopped      ErrorKind = "stopped"   // the user interrupted before the command began

	EndpointFailed = nav.EndpointFailed
	NoPrediction   = nav.NoPrediction
)

// Errorf returns an error of the given kind with a formatted message.
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
	var again *RerunError
	if errors.As(err, &again) {
		return &Error{Kind: Refused, Message: again.Error()}
	}
	return &Error{Kind: EngineFailed, Message: err.Error()}
}
