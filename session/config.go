package session

import (
	"context"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// InputLine is what the program reads when it asks for standard input.
type InputLine struct {
	Text      string // with its line end
	EOF       bool   // nothing comes after Text
	Interrupt bool   // the user interrupted in place of answering
	Unseen    bool   // the program read it with the echo off, so it is not kept
}

// Mode says where states come from.
type Mode string

// CPython runs the program; a model predicts it and nothing runs; or both, beside
// each other.
const (
	Real      Mode = "real"
	Predicted Mode = "neural"
	Both      Mode = "both"
)

// Config says what to debug and how.
type Config struct {
	Options trace.Options
	Start   StartFunc
	// Mode says where states come from; "" is real without a model, neural with one.
	Mode Mode
	// Neural is the model that predicts, nil if there is none.
	Neural *nav.Neural
	// Against is a model that takes CPython's place in both modes: nothing is run.
	// Nil is CPython itself.
	Against *nav.Neural

	// Notices are said with the first answer.
	Notices []string

	// StateDir keeps breakpoints and journals; "" keeps nothing.
	StateDir string
	// StdinFile is the path behind Options.Stdin, for the journal.
	StdinFile string
	// Input answers the program when it reads its standard input. The answer it
	// is given is the state of the move so far. Nil answers with end of file.
	Input func(ctx context.Context, a *Answer) InputLine
	// Interrupted reports whether the user has interrupted when nothing ran, after
	// the line was given that is about to run: an interrupt is for what was asked
	// for, be it under way already or not. It is asked when a command begins and
	// when a line is handed to the program. Nil knows of none.
	Interrupted func() bool
	// Stream is shown what the program writes while a move is under way, looked
	// for at each of Ticks; the move's own answer goes on where it ended. It is
	// called by another goroutine than the session's, which waits meanwhile. Nil
	// leaves all output to the answer.
	Stream func(a *Answer)
	Ticks  <-chan time.Time
	// Pace is shown how far a command has come that lets the program run for more
	// than half a second, at each of Ticks and like Stream. Nil wants no pace.
	Pace func(p *Pace)
	// Progress is shown a prediction as it streams. In both modes another goroutine
	// than the session's calls it. Nil waits for the whole.
	Progress func(u backend.Update)
	// Landed is shown, of both modes, what the reference came to while the model is still
	// asked. Nil waits for both.
	Landed func(v *View)
	// Key names what the user presses for a command, on a front end that has keys. Nil
	// names the command itself.
	Key func(command string) string
	// Draws tells that the front end can show characters that draw.
	Draws bool
	// Watches tells that the front end shows View.Watches: what is displayed stays there, in
	// every frame. Without it display is pdb's: of one frame, and said where it changed.
	Watches bool
	// ShortPaths tells that files below the program's folder are named from there. pdb
	// names all of them in full.
	ShortPaths bool
	// Picture draws a view as text, for the report that export writes; nil draws
	// the stack, the source and the values of both sides.
	Picture func(v *View) string
}

// Recording is what a session needs of a run of a program, beside what going over it
// needs. *trace.Recording is one; its documentation says what each method does.
type Recording interface {
	nav.Recording
	Progress() trace.Progress
	Record(on bool)
	Debug(ctx context.Context, up int, statement string) (trace.Landing, error)
	Pass(ctx context.Context, n int) (trace.Landing, error)
	Resume(ctx context.Context) (trace.Landing, error)
	Input(text string, eof bool) error
	Interrupt()
	Kill()
	Resize(columns, rows int)
	Close() error
	Output(from, to int) []trace.Output
	Below(ctx context.Context) ([]trace.BelowFrame, error)
	LocalsBelow(ctx context.Context, n int) ([]dsl.Local, error)
}

// StartFunc starts a recording: trace.Start, or a stand-in.
type StartFunc func(ctx context.Context, o trace.Options) (Recording, trace.Landing, error)

// StartTrace calls trace.Start, as a StartFunc.
func StartTrace(ctx context.Context, o trace.Options) (Recording, trace.Landing, error) {
	r, l, err := trace.Start(ctx, o)
	if err != nil {
		return nil, l, err
	}
	return r, l, nil
}

var _ Recording = (*trace.Recording)(nil)
