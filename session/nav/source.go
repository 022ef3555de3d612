// Package nav is where the states of a session come from, and how its commands go over
// them. A Source answers moves: over a recording that CPython makes, from one prediction
// of a model's to the next, or both beside each other. A Walker makes of them what the
// user's commands are: continue, until, find, and what breakpoints, watchpoints and
// catchpoints stop on the way.
package nav

import (
	"context"
	"fmt"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// States is what is known of the states a session can show, by number. A State
// Tree is one, of a recording; its documentation says what each method does.
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
	// Move answers one action. Nothing stops it on its way.
	Move(ctx context.Context, from trace.Position, a dsl.Action) (trace.Landing, error)
	// Pass answers an action, which passes over code, or leads to the first of the stops
	// on its way. One that passes over none is Move's. Towards a goal it may make more than one of them at once. With an
	// error the passage is nil, or how far it came.
	Pass(ctx context.Context, from trace.Position, a dsl.Action, stops *Stops) (*Passage, error)

	// Shown says that a position is shown, as place i of the history, anew or again.
	Shown(i int, p trace.Position, again bool)
	// Edited says that the user changed a value at the position, Displaced that no
	// action led there.
	Edited(p trace.Position)
	Displaced(p trace.Position)
	// GiveUp ends a question that is under way. Any goroutine may call it.
	GiveUp()
}

// Mark is where a state comes from, how sure a model was of it, and of the end what the
// program ended with.
type Mark struct {
	Origin     dsl.Origin
	Move       dsl.Move // that a model was asked for; 0 where none was
	Confidence *float64
	Sureness   *backend.Sureness // of its parts, nil where that is not known
	MadeUp     []string          // the arguments of a first state that a model made up
	Exit       *dsl.Exit
}

// Host is what a source needs of the debugger that walks over it.
type Host interface {
	// Begin forgets what was known of the run before.
	Begin()
	// Making says which action is under way.
	Making(a dsl.Action)
	// Run makes a move of a program that runs meanwhile: what it writes is shown, it is
	// given what it reads, and the user can end it.
	Run(ctx context.Context, move func(context.Context) (trace.Landing, error)) (trace.Landing, error)
	// Landed tells, while a model is still asked, where the reference has come to.
	Landed(p trace.Position)
	// Stopping reports whether the user wants the command ended. Any goroutine may ask.
	Stopping() bool
	// Notice is a word that the user did not ask for.
	Notice(format string, a ...any)
	// Key is how the user gives a command.
	Key(command string) string
	// Reply takes down what a model replied.
	Reply(r journal.Reply)
	// Replaying is the replies of a journal that is being replayed, nil where none is.
	Replaying() *Replies
}

// Base is what the sources of one session share.
type Base struct {
	Host
	Options  *trace.Options // of the program
	Known    *Known
	Prefetch *Prefetch
	Accounts *Accounts
	Ledger   *Ledger
}

// Passage is a move that was made: where it led, and by which action. One that passes
// over code stops at a breakpoint there; then the action is the breakpoint move that
// leads to it.
type Passage struct {
	trace.Landing
	By     *dsl.Action            // nil where no action leads there
	Hit    *breakpoint.Breakpoint // nil where the move landed
	Raised bool                   // its condition raised
	// crossed are the places of breakpoints that were asked for on the way and did
	// not stop it, of a prediction.
	crossed []trace.Position
}

// Ends reports whether a move came where a command that repeats it ends.
func (p *Passage) Ends() bool {
	return p.Hit != nil || p.Reason != trace.Landed || p.Boundary != trace.NoBoundary || p.End || p.PostMortem
}

// passes reports whether a move that is made at a position passes over code in which a
// breakpoint can stand.
func passes(from trace.Position, m dsl.Move) bool {
	switch m {
	case dsl.StepOver, dsl.StepReturn:
		return !from.PostMortem && !from.End
	case dsl.InvStepOver, dsl.InvStepReturn:
		return true
	}
	return false
}

// free reports whether a move goes on to wherever something stops it.
func free(m dsl.Move) bool { return m == dsl.Continue || m == dsl.InvContinue }

// UnknownHorizon is the horizon of a prediction, which tells where an action leads but
// not over how many events.
const UnknownHorizon = -1

// Passed adds up horizons; one that is not known leaves the sum unknown.
func Passed(a, b int) int {
	if a < 0 || b < 0 {
		return UnknownHorizon
	}
	return a + b
}

// fileIndex returns a file's place among a source's, -1 when it has none.
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

// ErrorKind tells why something was not done.
type ErrorKind string

// Why a source or a walker has not done what it was asked for.
const (
	BadArgument    ErrorKind = "argument"   // it was not understood
	PythonRaised   ErrorKind = "python"     // the program's code or an expression raised
	Refused        ErrorKind = "refused"    // it cannot be done here; the message says where it can
	Diverged       ErrorKind = "divergence" // a resumed journal no longer fits the program
	EndpointFailed ErrorKind = "endpoint"   // the model was not reached, or refused to answer
	NoPrediction   ErrorKind = "prediction" // the model's answer is no state: raw shows it
)

// Error is what was not done, and why. The message is a pdb error without its "*** ";
// more than one are separated by newlines.
type Error struct {
	Kind    ErrorKind
	Message string
}

func (e *Error) Error() string { return e.Message }

func errorf(k ErrorKind, format string, a ...any) *Error {
	return &Error{Kind: k, Message: fmt.Sprintf(format, a...)}
}
