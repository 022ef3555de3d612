package session

import (
	"context"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// InputLine is a line of the program's standard input.
type InputLine struct {
	Text      string // with its line end
	EOF       bool   // nothing comes after Text
	Interrupt bool   // the user interrupted in place of answering
	Unseen    bool   // the program read it with the echo off, so it is not kept
}

// Mode selects the source of the states.
type Mode string

// In mode real CPython runs the program, in neural a model predicts it and nothing runs, in both
// they work side by side.
const (
	Real      Mode = "real"
	Predicted Mode = "neural"
	Both      Mode = "both"
)

// Config configures a session.
type Config struct {
	Options trace.Options
	Start   StartFunc
	// Mode is the initial mode; "" is neural if there is a model, else real.
	Mode Mode
	// Neural is the model, nil if there is none.
	Neural *nav.Neural
	// Against is a model that replaces CPython in both modes, so that nothing runs. Nil is
	// CPython.
	Against *nav.Neural

	// Notices are shown with the first answer.
	Notices []string

	// StateDir is the folder for breakpoints and journals; "" stores nothing.
	StateDir string
	// StdinFile is the path of Options.Stdin, for the journal.
	StdinFile string
	// Input returns the next line of the program's standard input. It gets an answer with the
	// state of the move so far. Nil returns the end of the file.
	Input func(ctx context.Context, a *Answer) InputLine
	// Interrupted reports whether the user has interrupted while nothing ran, after giving the
	// next line: that interrupt is meant for the line. It is called when a command begins and when
	// an input line is passed to the program. Nil reports false.
	Interrupted func() bool
	// Stream receives the program's output while a move runs, at each of Ticks; the move's own
	// answer has the rest. It is called by another goroutine, for which the session waits. With
	// nil all output is in the answer.
	Stream func(a *Answer)
	Ticks  <-chan time.Time
	// Pace receives the progress of a command that has run the program for more than half a
	// second, at each of Ticks, as Stream does. Nil receives nothing.
	Pace func(p *Pace)
	// Progress receives a prediction while it streams. In both modes it is called by another
	// goroutine. Nil receives nothing.
	Progress func(u backend.Update)
	// Landed receives, in both modes, the view of the true state while the model is still asked.
	// Nil receives nothing.
	Landed func(v *View)
	// Key returns the key of a command, for front ends with keys. With nil messages name the
	// command.
	Key func(command string) string
	// Draws reports whether the front end can show block characters.
	Draws bool
	// Watches reports whether the front end shows View.Watches, which stay visible in every frame.
	// Without it display works as in pdb: for one frame, and only when the value changed.
	Watches bool
	// ShortPaths shows files below the program's folder by relative paths. pdb shows full paths.
	ShortPaths bool
	// Picture draws a view as text for the report of export; nil draws the stack, the source and
	// the values of both sides.
	Picture func(v *View) string
}

// Recording is a run of a program, as a session uses it beside nav.Recording. *trace.Recording
// implements it and documents the methods.
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

// StartFunc starts a recording; trace.Start or a fake.
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
