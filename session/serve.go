package session

import (
	"context"
	"errors"
	"io"
)

// Face shows answers and asks for lines.
type Face interface {
	Show(a *Answer) error
	Prompt(text string) error
	Interrupted() error // Ctrl-C where nothing runs
	// Left shows what Session.Abort answered, which may be nil.
	Left(a *Answer) error
	Ended() error // the lines have ended
}

// Lines is where commands come from.
type Lines interface {
	// Next returns a line without its end. The error is io.EOF after the last
	// one, ErrInterrupt when the user interrupted in place of typing, or the
	// context's.
	Next(ctx context.Context) (string, error)
}

// ErrInterrupt is a Ctrl-C in place of a line.
var ErrInterrupt = errors.New("interrupted")

// Input makes a Config.Input that shows the move so far and reads the program's
// line from where the commands come from.
func Input(lines Lines, face Face) func(context.Context, *Answer) InputLine {
	return func(ctx context.Context, a *Answer) InputLine {
		if face.Show(a) != nil {
			return InputLine{EOF: true}
		}
		if face.Prompt("") != nil {
			return InputLine{EOF: true}
		}
		line, err := lines.Next(ctx)
		switch {
		case errors.Is(err, ErrInterrupt):
			return InputLine{Interrupt: true}
		case err != nil:
			return InputLine{EOF: true}
		}
		return InputLine{Text: line + "\n"}
	}
}

// Serve answers lines until the user quits, the lines end (which quits too, as
// in pdb) or the face cannot be written to.
func (s *Session) Serve(ctx context.Context, first *Answer, lines Lines, face Face) error {
	if err := face.Show(first); err != nil || first.Quit {
		return err
	}
	prompt := first.Prompt
	for {
		if err := face.Prompt(prompt); err != nil {
			return err
		}
		line, err := lines.Next(ctx)
		switch {
		case errors.Is(err, ErrInterrupt):
			if err := errors.Join(face.Interrupted(), face.Left(s.Abort())); err != nil {
				return err
			}
			prompt = s.prompt()
			continue
		case errors.Is(err, io.EOF):
			left := s.Abort()
			if err := errors.Join(face.Ended(), face.Left(left)); err != nil || left == nil {
				return err
			}
			prompt = s.prompt()
			continue
		case err != nil:
			return err
		}
		quit := false
		var failed error
		s.Do(ctx, line, func(a *Answer) {
			if err := face.Show(a); err != nil && failed == nil {
				failed = err
			}
			quit, prompt = a.Quit, a.Prompt
		})
		if failed != nil || quit || ctx.Err() != nil {
			return failed
		}
	}
}
