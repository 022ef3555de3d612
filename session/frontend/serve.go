package frontend

import (
	"context"
	"errors"
	"io"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
)

// UI shows answers and asks for lines.
type UI interface {
	Show(a *session.Answer) error
	Prompt(text string) error
	Interrupted() error // Ctrl-C where nothing runs
	// Left shows the answer of Interpreter.Abort, which may be nil.
	Left(a *session.Answer) error
	Ended() error // the lines have ended
}

// Lines is a source of commands.
type Lines interface {
	// Next returns a line without its end. The error is io.EOF after the last one, ErrInterrupt if
	// the user pressed Ctrl-C instead of typing, or that of the context.
	Next(ctx context.Context) (string, error)
}

// Hider is a Lines that reads from a terminal. Hide turns the echo off until show is called.
type Hider interface {
	Hide() (show func())
}

// ErrInterrupt reports Ctrl-C instead of a line.
var ErrInterrupt = errors.New("interrupted")

// Input returns a Config.Input that shows the move so far and reads the program's input from the
// source of the commands.
func Input(lines Lines, ui UI) func(context.Context, *session.Answer) session.InputLine {
	return func(ctx context.Context, a *session.Answer) session.InputLine {
		if hider, ok := lines.(Hider); ok && a.Unseen {
			defer hider.Hide()() // before the program's prompt is shown
		}
		if ui.Show(a) != nil {
			return session.InputLine{EOF: true}
		}
		if ui.Prompt("") != nil {
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

// Serve answers lines until the user quits, the lines end (which quits too, as in pdb) or writing
// fails.
func Serve(ctx context.Context, i *command.Interpreter, first *session.Answer, lines Lines, ui UI) error {
	if err := ui.Show(first); err != nil || first.Quit {
		return err
	}
	prompt := first.Prompt
	for {
		if err := ui.Prompt(prompt); err != nil {
			return err
		}
		line, err := lines.Next(ctx)
		switch {
		case errors.Is(err, ErrInterrupt):
			if err := errors.Join(ui.Interrupted(), ui.Left(i.Abort())); err != nil {
				return err
			}
			prompt = i.Prompt()
			continue
		case errors.Is(err, io.EOF):
			left := i.Abort()
			if err := errors.Join(ui.Ended(), ui.Left(left)); err != nil || left == nil {
				return err
			}
			prompt = i.Prompt()
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
			quit, prompt = a.Quit, a.Prompt
		})
		if failed != nil || quit || ctx.Err() != nil {
			return failed
		}
	}
}
