package session

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/breakpoint"
)

// AtLine is a command about a line of a file. The file's path is never part of a
// command's text: it may hold what would end one.
type AtLine struct {
	Command string `json:"command"` // break, clear, advance or reverse-advance
	File    string `json:"file"`    // absolute path, or "<string>"
	Line    int    `json:"line"`
}

// String is the command as it is shown.
func (at AtLine) String() string {
	return fmt.Sprintf("%s %s:%d", at.Command, escape.Line(at.File), at.Line)
}

// DoAt does something about a line of a file, as Do does what is typed. An empty
// line does not repeat it.
func (s *Session) DoAt(ctx context.Context, at AtLine, emit func(*Answer)) {
	s.work()
	defer s.rest()
	s.chance = chance{}
	s.journal.Do(at.encoded())
	emit(s.doAt(ctx, at))
	s.landed()
}

func (s *Session) doAt(ctx context.Context, at AtLine) *Answer {
	shown := at.String()
	s.answer.Command = &shown
	switch {
	case s.stopping.Load():
		return s.finish(ctx, s.notRun(shown))
	case s.mode.waiting != ForCommand:
		return s.finish(ctx, errorf(Refused, "%s was not run: something else is to be answered first", shown))
	}
	s.last = ""
	return s.finish(ctx, s.thenCommands(ctx, s.dispatchAt(ctx, at)))
}

// dispatchAt runs a command about a line.
func (s *Session) dispatchAt(ctx context.Context, at AtLine) error {
	if c := lookupCommand(at.Command); c != nil && c.asks() {
		s.lastMove = lastMove{at: &at, from: s.pos}
	}
	b := &breakpoint.Breakpoint{Enabled: true, File: at.File, Line: at.Line}
	switch at.Command {
	case "break":
		return s.addBreak(ctx, b)
	case "clear":
		return s.clearAt(at.File, at.Line)
	case "advance":
		return s.passTo(ctx, b, s.walk.cont)
	case "reverse-advance":
		return s.passTo(ctx, b, s.walk.reverseContinue)
	}
	return errorf(BadArgument, "%s is no command about a line", at.Command)
}

// encoded is the command as a journal has it.
func (at AtLine) encoded() json.RawMessage {
	raw, err := json.Marshal(at)
	if err != nil {
		panic(err) // strings and a number
	}
	return raw
}
