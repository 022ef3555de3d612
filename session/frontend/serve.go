package frontend

import (
	"context"
	"errors"
	"io"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
)

// UI is a front end: it shows answers and prompts.
type UI interface {
	Show(a *session.Answer) error
	// Prompt asks for a line. waiting says what the line is used for.
	Prompt(text string, waiting session.Waiting) error
	Interrupted() error // the user pressed Ctrl-C while nothing ran
	// Left shows the answer of Interpreter.Abort, which is nil if no dialogue was aborted.
	Left(a *session.Answer) error
	Ended() error // there are no more lines of input
}

// Lines supplies the lines that the user types or pipes in.
type Lines interface {
	// Next returns the next line without its newline. The error is io.EOF after the last line,
	// ErrInterrupt if the user pressed Ctrl-C instead of typing, or the context's error.
	Next(ctx context.Context) (string, error)
}

// Hider is implemented by a Lines that reads from a terminal. Hide turns the echo of typed
// characters off until show is called.
type Hider interface {
	Hide() (show func())
}

// ErrInterrupt reports that the user pressed Ctrl-C instead of entering a line.
var ErrInterrupt = errors.New("interrupted")

// Input returns a function for Config.Input: it shows the answer so far and reads the debugged
// program's input from the same lines as the commands.
func Input(lines Lines, ui UI) func(context.Context, *session.Answer) session.InputLine {
	return func(ctx context.Context, a *session.Answer) session.InputLine {
		if hider, ok := lines.(Hider); ok && a.Unseen {
			defer hider.Hide()() // turn the echo off before the program's prompt is shown
		}
		if ui.Show(a) != nil {
			return session.InputLine{EOF: true}
		}
		if ui.Prompt("", session.ForInput) != nil {
			return session.InputLine{EOF: true}
		}
		line, err := lines.Next(ctx)
		switch {
		case errors.Is(err, ErrInterrupt):
			return session.InputLine{Interrupt: true}
		case err != nil:
			return session.InputLine{EOF: true}
		}
		return session.InputLine{Text: line + "\n"}
	}
}

// Serve runs each line as a command and shows its answer, until the user quits, the lines end
// (which also quits, as in pdb) or writing fails.
func Serve(ctx context.Context, i *command.Interpreter, first *session.Answer, lines Lines, ui UI) error {
	if err := ui.Show(first); err != nil || first.Quit {
		return err
	}
	prompt, waiting := first.Prompt, first.Waiting
	for {
		if err := ui.Prompt(prompt, waiting); err != nil {
			return err
		}
		line, err := lines.Next(ctx)
		switch {
		case errors.Is(err, ErrInterrupt):
			if err := errors.Join(ui.Interrupted(), ui.Left(i.Abort())); err != nil {
				return err
			}
			prompt, waiting = i.Prompt(), session.ForCommand
			continue
		case errors.Is(err, io.EOF):
			left := i.Abort()
			if err := errors.Join(ui.Ended(), ui.Left(left)); err != nil || left == nil {
				return err
			}
			prompt, waiting = i.Prompt(), session.ForCommand
			continue
		case err != nil:
			return err
		}
		quit := false
		var failed error
		i.Line(ctx, line, func(a *session.Answer) {
			if err := ui.Show(a); err != nil && failed == nil {
				failed = err
			}
			quit, prompt, waiting = a.Quit, a.Prompt, a.Waiting
		})
		if next := i.Next(); next != nil {
			failed = errors.Join(failed, i.Close())
			i = next
		}
		if failed != nil || quit || ctx.Err() != nil {
			return failed
		}
	}
}
