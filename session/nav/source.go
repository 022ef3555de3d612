// Package nav provides the states of a session and the moves over them. A Source answers moves:
// from a recording of CPython (Recorded), from a model's predictions (Predicted), or from both side
// by side (Both). A Walker composes the user's commands of moves (continue, until, find) and stops
// them at breakpoints, watchpoints and catchpoints.
//
// Words of this package:
//
//   - A text is what a model is sent: the program's source and the states so far (dsl.Node).
//   - A question is a text and an action. The answer is the state that the action leads to.
//   - The live edge of a recording is its last event, where the program waits.
//   - A hole is a part of a run that was not recorded. Its edge is the first event after it.
//   - In the side-by-side mode, the reference is the source of the true states: CPython, or a second
//     model that stands in for it.
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

// States gives access to the states of a session by number. A State Tree (*statetree.Tree)
// implements it for a recording; see there for the methods.
type States interface {
	Files() []statetree.File
	Len() int
	At(i int) statetree.Record
	State(i int) *dsl.State
	Stack(i int) []statetree.StackFrame
	LocalsOf(act uint32, i int) []dsl.Local
	// LinesOf returns the lines of an activation's last events up to event i, each once, the latest
	// first.
	LinesOf(act uint32, i, events int) []int
	SourceLine(file, line int) (string, bool)
	Code(i int) statetree.Code
	FatalException(act uint32) int
	Words(i int) (words string, ok bool)
}

var _ States = (*statetree.Tree)(nil)

// Source is where states come from. It returns where moves lead. It does not know the user's
// position: its caller keeps that, and reports changes by Shown, Edited and Displaced.
type Source interface {
	States() States
	// AddFile makes a file known, so that breakpoints can be set in it, and returns its index.
	AddFile(path string) (int, error)
	// Admit makes sure that a breakpoint in a file can be hit. said describes what was changed for
	// that purpose. The error says why it cannot be hit.
	Admit(ctx context.Context, path string) (said string, err error)
	// Mark returns the origin of the state at a position, and what else is known about it.
	Mark(p trace.Position) Mark
	// Holds evaluates a condition in the running program. asked is false if no program waits at
	// this event.
	Holds(ctx context.Context, event int, condition string) (holds, asked bool, err error)

	// Start begins a run and lands on its first state.
	Start(ctx context.Context) (trace.Landing, error)
	// Move makes one action. No breakpoint stops it.
	Move(ctx context.Context, from trace.Position, a dsl.Action) (trace.Landing, error)
	// Pass makes an action, or stops at the first of the stops that it meets. If stops has a goal,
	// Pass may make several actions at once. With an error, the passage is nil or where the move
	// got to.
	Pass(ctx context.Context, from trace.Position, a dsl.Action, stops *Stops) (*Passage, error)

	// Shown reports that a position is shown as visit i of the history. again is true if that visit
	// was shown before.
	Shown(i int, p trace.Position, again bool)
	// Edited reports that the user changed a value at position p. Displaced reports that p is the
	// position now although no action led there, for instance after goto.
	Edited(p trace.Position)
	Displaced(p trace.Position)
	// GiveUp cancels a running question to a model. Any goroutine may call it.
	GiveUp()
}

// Mark holds the origin of a state and the model's confidence in it, and at the end of the program
// its exit.
type Mark struct {
	Origin     dsl.Origin
	Move       dsl.Move // the move that a model was asked for, 0 for none
	Confidence *float64
	Sureness   *backend.Sureness // confidence by part, nil if unknown
	Checks     backend.Checks    // comparison with the source by part, nil if none
	MadeUp     []string          // arguments of the first state that a model filled in
	Replayed   bool              // recorded when the program was run again to make its past
	Exit       *dsl.Exit
}

// Host is the debugger as seen by a source.
type Host interface {
	// Begin resets what belongs to the previous run.
	Begin()
	// Making reports which action the source begins to make.
	Making(a dsl.Action)
	// Run calls a move that runs the program. Meanwhile it shows the program's output, passes input
	// to it, and lets the user interrupt it.
	Run(ctx context.Context, move func(context.Context) (trace.Landing, error)) (trace.Landing, error)
	// Landed shows the true state while the model's answer is awaited.
	Landed(p trace.Position)
	// Stopping reports whether the user has interrupted. Any goroutine may call it.
	Stopping() bool
	// Notice shows a notice to the user.
	Notice(format string, a ...any)
	// Key returns the key that runs a command in the user interface.
	Key(command string) string
	// Reply writes a model's reply to the journal.
	Reply(r journal.Reply)
	// Replaying returns the remaining replies of the journal that is being replayed, nil if none
	// is.
	Replaying() *Replies
}

// Base holds what the sources of a session share.
type Base struct {
	Host
	Options  *trace.Options // how the program is run
	Known    *Known
	Prefetch *Prefetch
	Accounts *Accounts
	Ledger   *Ledger
}

// Passage is the result of a move: where it led, and by which action. If a breakpoint stopped the
// move in the code that it passes over, the action is a breakpoint move.
type Passage struct {
	trace.Landing
	By     *dsl.Action            // nil if no action of the wire format leads there
	Hit    *breakpoint.Breakpoint // the breakpoint that stopped the move, nil for none
	Raised bool                   // the breakpoint's condition raised an exception
	// Unanswered describes the lines at which the expression of find could not be evaluated.
	Unanswered Unanswered
	// crossed lists the positions of breakpoints that were predicted on the way and did not stop
	// the move.
	crossed []trace.Position
}

// Unanswered counts the events at which an expression could not be evaluated. It keeps the first
// one and the reason.
type Unanswered struct {
	Count, First int
	Why          string
}

// add counts an error at an event, unless the expression itself raised an exception.
func (u *Unanswered) add(event int, err error) {
	var raised *python.EvalError
	if err == nil || errors.As(err, &raised) {
		return
	}
	if u.Count++; u.Count == 1 {
		u.First, u.Why = event, err.Error()
	}
}

// Ends reports whether a command that repeats moves must end after this passage.
func (p *Passage) Ends() bool {
	return p.Hit != nil || p.Reason != trace.Landed || p.Boundary != trace.NoBoundary || p.End || p.PostMortem
}

// passes reports whether a move passes over code in which breakpoints can be hit.
func passes(from trace.Position, m dsl.Move) bool {
	switch m {
	case dsl.StepOver, dsl.StepReturn, dsl.StepBlock, dsl.StepFunction:
		return !from.PostMortem && !from.End
	case dsl.InvStepOver, dsl.InvStepReturn, dsl.InvStepBlock, dsl.InvStepFunction:
		return true
	}
	return false
}

// free reports whether a move runs until something stops it: continue or its inverse.
func free(m dsl.Move) bool { return m == dsl.Continue || m == dsl.InvContinue }

// UnknownHorizon is the horizon of a predicted move. A horizon is the number of events that a move
// passes, and a model does not report it.
const UnknownHorizon = -1

// Passed returns how many events two moves in a row pass, from the horizon of each. If one horizon
// is unknown, so is the result.
func Passed(a, b int) int {
	if a < 0 || b < 0 {
		return UnknownHorizon
	}
	return a + b
}

// fileIndex returns the index of a file in a source, and adds the file if it is new; -1 if it
// cannot be read.
func fileIndex(s Source, path string) int {
	for i, f := range s.States().Files() {
		if f.Path == path {
			return i
		}
	}
	i, err := s.AddFile(path)
	if err != nil {
		return -1 // the file is gone; the next start reports that
	}
	return i
}

// ErrorKind classifies the errors of commands.
type ErrorKind string

// The kinds of errors.
const (
	BadArgument    ErrorKind = "argument"   // the argument was not understood
	PythonRaised   ErrorKind = "python"     // the program's code or an expression raised
	Refused        ErrorKind = "refused"    // not possible here; the message says where it is
	Diverged       ErrorKind = "divergence" // a resumed journal no longer fits the program
	EndpointFailed ErrorKind = "endpoint"   // the model was not reached or refused to answer
	NoPrediction   ErrorKind = "prediction" // the model's answer is not a valid state; raw shows it
)

// Error is an error of a source or a command. The message is worded as in pdb, without "*** ". A
// newline separates several messages.
type Error struct {
	Kind    ErrorKind
	Message string
	Bare    bool // pdb prints this message without ***
}

func (e *Error) Error() string { return e.Message }

// Marked returns the message as pdb prints it: after ***, unless it is Bare.
func (e *Error) Marked() string {
	if e.Bare {
		return e.Message
	}
	return "*** " + e.Message
}

func errorf(k ErrorKind, format string, a ...any) *Error {
	return &Error{Kind: k, Message: fmt.Sprintf(format, a...)}
}
