// Package nav provides the states of a session and the moves over them. A Source answers moves:
// from a recording of CPython, from a model's predictions, or from both side by side. A Walker
// builds the user's commands from them (continue, until, find), and stops them at breakpoints,
// watchpoints and catchpoints.
package nav

import (
	"context"
	"errors"
	"fmt"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// States holds the states that a session can show, by number. A State Tree implements it for a
// recording and documents the methods.
type States interface {
	Files() []statetree.File
	Len() int
	At(i int) statetree.Record
	State(i int) *dsl.State
	Stack(i int) []statetree.StackFrame
	LocalsOf(act uint32, i int) []dsl.Local
	// LinesOf lists the lines of an activation's last events up to event i, each once,
	// the latest first.
	LinesOf(act uint32, i, events int) []int
	SourceLine(file, line int) (string, bool)
	Code(i int) statetree.Code
	FatalException(act uint32) int
	Words(i int) (words string, ok bool)
}

var _ States = (*statetree.Tree)(nil)

// Source is where states come from. It says where moves lead; who asks makes that the
// position, and tells it.
type Source interface {
	States() States
	// AddFile makes a file one in which breakpoints can be; its number.
	AddFile(path string) (int, error)
	// Admit sees to it that a breakpoint in a file can be hit; what had to be done for
	// it is said. The error is why it cannot be.
	Admit(ctx context.Context, path string) (said string, err error)
	// Mark is what is known of a position beside its state.
	Mark(p trace.Position) Mark
	// Holds evaluates a condition at a state where a program waits that can be asked;
	// asked is false elsewhere.
	Holds(ctx context.Context, event int, condition string) (holds, asked bool, err error)

	// Start begins a run, and lands on its first state.
	Start(ctx context.Context) (trace.Landing, error)
	// Move makes one action. Nothing stops it on its way.
	Move(ctx context.Context, from trace.Position, a dsl.Action) (trace.Landing, error)
	// Pass makes an action, or stops at the first of the stops on its way. Towards a goal it may
	// make several actions at once. With an error the passage is nil, or says how far it came.
	Pass(ctx context.Context, from trace.Position, a dsl.Action, stops *Stops) (*Passage, error)

	// Shown reports that a position is shown as visit i of the history, anew or again.
	Shown(i int, p trace.Position, again bool)
	// Edited reports that the user changed a value at the position, Displaced that no action led
	// there.
	Edited(p trace.Position)
	Displaced(p trace.Position)
	// GiveUp cancels a running question. Any goroutine may call it.
	GiveUp()
}

// Mark is the origin of a state and the model's confidence in it, and for the end the exit of the
// program.
type Mark struct {
	Origin     dsl.Origin
	Move       dsl.Move // that a model was asked for; 0 where none was
	Confidence *float64
	Sureness   *backend.Sureness // of its parts, nil where that is not known
	Checks     backend.Checks    // of its parts, nil where it was not compared with the text
	MadeUp     []string          // the arguments of a first state that a model made up
	Exit       *dsl.Exit
}

// Host is the debugger, as a source uses it.
type Host interface {
	// Begin resets what is known of the run before.
	Begin()
	// Making reports the action that is being made.
	Making(a dsl.Action)
	// Run makes a move that runs the program: it shows the program's output, passes it input, and
	// lets the user interrupt it.
	Run(ctx context.Context, move func(context.Context) (trace.Landing, error)) (trace.Landing, error)
	// Landed shows the true state while a model is still asked.
	Landed(p trace.Position)
	// Stopping reports whether the user has interrupted. Any goroutine may call it.
	Stopping() bool
	// Notice shows a notice to the user.
	Notice(format string, a ...any)
	// Key returns the key of a command.
	Key(command string) string
	// Reply writes a model's reply to the journal.
	Reply(r journal.Reply)
	// Replaying returns the replies of the journal that is being replayed, nil for none.
	Replaying() *Replies
}

// Base holds what the sources of one session share.
type Base struct {
	Host
	Options  *trace.Options // of the program
	Known    *Known
	Prefetch *Prefetch
	Accounts *Accounts
	Ledger   *Ledger
}

// Passage is the result of a move: where it led, and by which action. If a breakpoint stopped it
// in code that it passes over, the action is the breakpoint move that leads there.
type Passage struct {
	trace.Landing
	By     *dsl.Action            // nil where no action leads there
	Hit    *breakpoint.Breakpoint // nil where the move landed
	Raised bool                   // its condition raised
	// Unanswered describes the lines at which the expression of find is not known.
	Unanswered Unanswered
	// crossed lists the breakpoints' places that were predicted on the way and did not stop the
	// move.
	crossed []trace.Position
}

// Unanswered counts the events at which an expression could not be evaluated, with the first one
// and its reason.
type Unanswered struct {
	Count, First int
	Why          string
}

// add notes an error at an event, unless it is an exception of the expression.
func (u *Unanswered) add(event int, err error) {
	var raised *python.EvalError
	if err == nil || errors.As(err, &raised) {
		return
	}
	if u.Count++; u.Count == 1 {
		u.First, u.Why = event, err.Error()
	}
}

// Ends reports whether a passage ends a command that repeats moves.
func (p *Passage) Ends() bool {
	return p.Hit != nil || p.Reason != trace.Landed || p.Boundary != trace.NoBoundary || p.End || p.PostMortem
}

// passes reports whether a move from a position passes over code that may hold breakpoints.
func passes(from trace.Position, m dsl.Move) bool {
	switch m {
	case dsl.StepOver, dsl.StepReturn:
		return !from.PostMortem && !from.End
	case dsl.InvStepOver, dsl.InvStepReturn:
		return true
	}
	return false
}

// free reports whether a move runs until something stops it.
func free(m dsl.Move) bool { return m == dsl.Continue || m == dsl.InvContinue }

// UnknownHorizon is the horizon of a prediction, which does not say how many events an action
// passed.
const UnknownHorizon = -1

// Passed adds horizons; an unknown one makes the sum unknown.
func Passed(a, b int) int {
	if a < 0 || b < 0 {
		return UnknownHorizon
	}
	return a + b
}

// fileIndex returns the index of a file among a source's files, -1 if it is not there.
func fileIndex(s Source, path string) int {
	for i, f := range s.States().Files() {
		if f.Path == path {
			return i
		}
	}
	i, err := s.AddFile(path)
	if err != nil {
		return -1 // it is gone; the next start says so
	}
	return i
}

// ErrorKind classifies errors.
type ErrorKind string

// The kinds of errors.
const (
	BadArgument    ErrorKind = "argument"   // it was not understood
	PythonRaised   ErrorKind = "python"     // the program's code or an expression raised
	Refused        ErrorKind = "refused"    // it cannot be done here; the message says where it can
	Diverged       ErrorKind = "divergence" // a resumed journal no longer fits the program
	EndpointFailed ErrorKind = "endpoint"   // the model was not reached, or refused to answer
	NoPrediction   ErrorKind = "prediction" // the model's answer is no state: raw shows it
)

// Error is an error of a source or a command. The message has pdb's words without "*** "; several
// are separated by newlines.
type Error struct {
	Kind    ErrorKind
	Message string
}

func (e *Error) Error() string { return e.Message }

func errorf(k ErrorKind, format string, a ...any) *Error {
	return &Error{Kind: k, Message: fmt.Sprintf(format, a...)}
}
