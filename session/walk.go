package session

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// states is what is known of the states a session can show, by number. A State
// Tree is one, of a recording; its documentation says what each method does.
type states interface {
	Files() []statetree.File
	Len() int
	At(i int) statetree.Record
	State(i int) *dsl.State
	Stack(i int) []statetree.StackFrame
	LocalsOf(act uint32, i int) []dsl.Local
	SourceLine(file, line int) (string, bool)
	Code(i int) statetree.Code
	CallEvent(act uint32) int
	FatalException(act uint32) int
	Words(i int) (words string, ok bool)
}

var _ states = (*statetree.Tree)(nil)

// walk is a way through a program: over a recording that CPython makes, or from
// one predicted state to the next. Its moves arrive at where they lead.
type walk interface {
	states() states
	// addFile makes a file one in which breakpoints can be; its number.
	addFile(path string) (int, error)
	// admit sees to it that a breakpoint in a file can be hit; what had to be done for
	// it is said. The error is why it cannot be.
	admit(ctx context.Context, path string) (said string, err error)
	// liveAt reports whether a program waits at a state, to be asked.
	liveAt(i int) bool
	origin(p trace.Position) dsl.Origin
	exit(p trace.Position) *dsl.Exit
	confidence(p trace.Position) *float64
	// interrupted says what became of the move that was interrupted.
	interrupted() string

	// start stands at the first state.
	start(ctx context.Context) error
	// move answers one action.
	move(ctx context.Context, from trace.Position, a dsl.Action) (trace.Landing, error)
	// pass makes a move that passes over code; one of the breakpoints there stops it.
	pass(ctx context.Context, from trace.Position, a dsl.Action, t targets) (passage, error)
	cont(ctx context.Context) error
	reverseContinue(ctx context.Context) error
	until(ctx context.Context, line int) error
	reverseUntil(ctx context.Context, line int) error
	rewind(ctx context.Context) error
	gotoState(ctx context.Context, arg string) error
	// find goes to the next event, or back to the last, at which an expression is true.
	find(ctx context.Context, expr string, inverse bool) error
	jump(ctx context.Context, arg string) error
	// statement takes a statement where no program waits that could run it.
	// forced says that it is none of the commands for sure.
	statement(ctx context.Context, text string, forced bool) error

	// remembered and revisited say which place of the history is shown, edited that
	// the user changed a value, displaced that no action led to the position.
	remembered(i int)
	revisited(i int)
	edited()
	displaced()
	// beside is another predictor's view of the position; nil where there is none.
	beside() *Beside

	// refuse words why something cannot be done here; "" is because nothing can
	// be run.
	refuse(what, why string) error
	// text names what the values of its states are.
	text() string
	info() []string
	place() Place
	survey(spans []Span)
	output(from, to int) []trace.Output
	interrupt()
	kill()
	close() error
}

func (s *Session) states() states { return s.walk.states() }

// live reports whether the program waits where the session stands.
func (s *Session) live() bool { return !s.pos.End && s.walk.liveAt(s.pos.Event) }
