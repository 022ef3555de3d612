package session

import (
	"context"
	"io"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// InputLine is a line of input for the debugged program.
type InputLine struct {
	Text      string // with its newline
	EOF       bool   // the input ends after Text
	Interrupt bool   // the user interrupted instead of entering a line
	Unseen    bool   // read without echo, so it is not journalled
}

// Mode selects the source of the states.
type Mode string

// In real mode, CPython runs the program. In neural mode, a model predicts it and nothing runs. In
// side-by-side mode (both), CPython runs the program while the model predicts it.
const (
	Real      Mode = "real"
	Predicted Mode = "neural"
	Both      Mode = "both"
)

// Config configures a session.
type Config struct {
	Options trace.Options
	Start   StartFunc
	// File is the recording file that Start reads; "" if Start runs the program.
	File string
	// Attached is set if Start connects npdb to a process that runs already, instead of running the program.
	Attached bool
	// Mode is the mode at the start. "" means neural if there is a model, else real.
	Mode Mode
	// Neural configures the model, nil if there is none.
	Neural *nav.Neural
	// Against is a second model that stands in for CPython in side-by-side mode, so that nothing
	// runs. nil means CPython.
	Against *nav.Neural

	// Explain configures the model that why asks.
	Explain Explaining

	// Contain prepares the sandbox in which pasts are verified by running the program; nil if there is
	// none. Each call returns the same.
	Contain func(ctx context.Context) (*nav.Method, error)

	// Notices are shown with the first answer.
	Notices []string

	// SaveTo is the path of the file to which recordings are saved, "" for none. A later run
	// replaces an earlier one.
	SaveTo string
	// Version is npdb's version, for these files.
	Version string

	// Unrecorded turns recording off at the start, in real mode.
	Unrecorded bool
	// StateDir is the folder for breakpoints and journals; "" stores nothing. With Unkept the session
	// neither loads nor saves breakpoints, and does not report it.
	StateDir string
	Unkept   bool
	// StdinFile is the path of the file that Options.Stdin reads, for the journal.
	StdinFile string
	// Input returns the next line of input for the debugged program. a shows the state of the move
	// so far. If Input is nil, the program reads the end of the file.
	Input func(ctx context.Context, a *Answer) InputLine
	// Interrupted reports whether the user interrupted after sending the next line but before it
	// was run: that interrupt belongs to the line. It is called when a command begins and when an
	// input line is passed to the program. nil means never.
	Interrupted func() bool
	// Stream receives the program's output while a move runs, at each of Ticks. The output after
	// the last tick is in the move's answer. Another goroutine calls it, and the session waits for
	// that. If Stream is nil, all output is in the answer.
	Stream func(a *Answer)
	Ticks  <-chan time.Time
	// Pace receives the progress of a command that has run the program for more than half a second.
	// It is called at each of Ticks, like Stream. It may be nil.
	Pace func(p *Pace)
	// Progress receives a prediction while it is streamed. In side-by-side mode, another goroutine
	// calls it. It may be nil.
	Progress func(u backend.Update)
	// Landed receives, in side-by-side mode, the view of the true state while the model's answer is
	// awaited. It may be nil.
	Landed func(v *View)
	// Key returns the key that runs a command, in front ends with keys. If it is nil, messages name
	// the command as it is typed.
	Key func(command string) string
	// Draws reports whether the front end can show block characters, for sparklines.
	Draws bool
	// Watches reports whether the front end shows View.Watches: watched expressions, which stay
	// visible in every frame. Otherwise, display works as in pdb: in one frame, and only after a
	// change.
	Watches bool
	// ShortPaths shows files below the program's folder by relative paths, unlike pdb.
	ShortPaths bool
	// Picture draws a view as text for the report of export. If it is nil, the stack, the source,
	// and the predicted and true values are drawn.
	Picture func(v *View) string
	// WritePage writes the page of export FILE.html. nil writes none.
	WritePage PageWriter
}

// Recording has the methods of *trace.Recording that a session uses. See there for the methods.
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
	Save(w io.WriteCloser, npdb string) error
	PythonVersion() string
	Close() error
	Output(from, to int) []trace.Output
	Announced() string
	Below(ctx context.Context) ([]trace.BelowFrame, error)
	LocalsBelow(ctx context.Context, n int) ([]dsl.Local, error)
}

// foreign reports whether npdb did not start what the session shows, so that it cannot run it again.
func (c *Config) foreign() bool { return c.File != "" || c.Attached }

// StartFunc starts a recording. It is StartTrace, or a fake in tests.
type StartFunc func(ctx context.Context, o trace.Options) (Recording, trace.Landing, error)

// StartTrace is the StartFunc that calls trace.Start.
func StartTrace(ctx context.Context, o trace.Options) (Recording, trace.Landing, error) {
	r, l, err := trace.Start(ctx, o)
	if err != nil {
		return nil, l, err
	}
	return r, l, nil
}

var _ Recording = (*trace.Recording)(nil)
