package session

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/npdb/npdb/session/breakpoint"
)

// Command is what a user asks of a session, whoever put it into words: a key of the
// screen, a line in pdb's language, a journal. The types of this package that have its
// methods are all that there are; their exported fields are what a journal keeps.
type Command interface {
	// String is the command in pdb's language, as it is shown.
	String() string
	// run does it. What there is to say of it goes to the answer that is being built.
	run(ctx context.Context, s *Session) error
}

// mover is a command that moves in a way that a predictor is asked for.
type mover interface{ moves() bool }

// kinds is every type of command by its name, for the journal.
var kinds = func() map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for _, c := range []Command{
		Step{},
		Continue{},
		Until{},
		Advance{},
		Jump{},
		Goto{},
		GotoPercent{},
		Find{},
		Rewind{},
		Revisit{},
		Debug{},
		Record{},
		SetBreakpoint{},
		ListBreakpoints{},
		ClearBreakpoints{},
		ClearLine{},
		ClearAll{},
		EnableBreakpoints{},
		IgnoreBreakpoint{},
		SetCondition{},
		SetCommands{},
		Watch{},
		Catch{},
		ShowStack{},
		SelectFrame{},
		Arguments{},
		ReturnValue{},
		Exceptions{},
		List{},
		ListFunction{},
		ShowSource{},
		ShowOutput{},
		Info{},
		Evaluate{},
		Execute{},
		Interact{},
		Display{},
		Undisplay{},
		LastChange{},
		ValueHistory{},
		SetMode{},
		SetWalk{},
		Resync{},
		ToDivergence{},
		ShowScore{},
		Export{},
		ShowRaw{},
		Retry{},
		Restart{},
		Quit{},
	} {
		t := reflect.TypeOf(c)
		out[t.Name()] = t
	}
	return out
}()

// EncodeCommand writes a command as a journal keeps it: an object with the name of its
// type and its fields.
func EncodeCommand(c Command) json.RawMessage {
	raw, err := json.Marshal(map[string]Command{reflect.TypeOf(c).Name(): c})
	if err != nil {
		panic(err) // commands are texts, numbers and truth values
	}
	return raw
}

// DecodeCommand reads what EncodeCommand wrote.
func DecodeCommand(raw json.RawMessage) (Command, error) {
	var named map[string]json.RawMessage
	if err := json.Unmarshal(raw, &named); err != nil {
		return nil, err
	}
	for name, fields := range named {
		kind, ok := kinds[name]
		if !ok || len(named) != 1 {
			break
		}
		c := reflect.New(kind)
		if err := json.Unmarshal(fields, c.Interface()); err != nil {
			return nil, err
		}
		if _, err := json.Marshal(c.Interface()); err != nil {
			return nil, err // a step without a move
		}
		return c.Elem().Interface().(Command), nil
	}
	return nil, fmt.Errorf("%s is no command that this npdb knows", raw)
}

// Do answers one command.
func (s *Session) Do(ctx context.Context, c Command) *Answer {
	defer s.Work()()
	err := s.asked(c.String())
	if err == nil {
		err = s.ThenCommands(ctx, s.Run(ctx, c))
	}
	return s.finish(ctx, err)
}

// asked begins the answer to these words; the error is of an interrupt before them.
func (s *Session) asked(words string) error {
	s.draft.answer.Command = &words
	if s.Interrupted() {
		return s.NotRun(words)
	}
	return nil
}

// Work marks the beginning of what the user has asked for, done its end. An interrupt
// that comes later finds the session busy, one that came before is asked for: none is
// lost. Done, the model is asked what may come next.
func (s *Session) Work() (done func()) {
	s.pacing.rest()
	s.program.stopping.Store(false)
	s.program.busy.Store(true)
	if s.cfg.Interrupted != nil && s.cfg.Interrupted() {
		s.program.stopping.Store(true)
	}
	return func() {
		s.foresee()
		s.program.busy.Store(false)
	}
}

// Answer returns the answer to what the user asked for in these words. f runs the commands
// that are meant by them.
func (s *Session) Answer(ctx context.Context, words string, f func() error) *Answer {
	err := s.asked(words)
	if err == nil {
		err = s.ThenCommands(ctx, f())
	}
	return s.finish(ctx, err)
}

// Run runs a command as a part of what is being answered.
func (s *Session) Run(ctx context.Context, c Command) error {
	if s.journaling.nested == 0 {
		s.journaling.chance, s.journaling.given = chance{}, c.String()
		s.journaling.writer.Do(s.program.journalled(c))
		defer s.journaling.landed()
	}
	s.journaling.nested++
	defer func() { s.journaling.nested-- }()
	if m, ok := c.(mover); ok && m.moves() {
		s.visits.lastMove = lastMove{command: c, from: s.position.pos}
		if step, ok := c.(Step); ok && !step.Move.Inverse() {
			s.visits.onward = Step{Move: step.Move}
		} else if on, ok := c.(Continue); ok && !on.Inverse {
			s.visits.onward = Continue{}
		}
	}
	return c.run(ctx, s)
}

// Script runs a line of a breakpoint's commands, or one that the program gave as it
// called the debugger, as a part of what is being answered. resumes tells of a command
// that moves the program on, which ends such a list; check asks for no more than that.
type Script func(ctx context.Context, line string, check bool) (resumes bool, err error)

// ThenCommands runs, after a command, those of the breakpoints it hit, and those that
// the program asked for.
func (s *Session) ThenCommands(ctx context.Context, err error) error {
	s.journaling.nested++
	defer func() { s.journaling.nested-- }()
	for err == nil && s.breakpoints.hit != nil && !s.draft.answer.Quit {
		b := s.breakpoints.hit
		s.breakpoints.hit = nil
		err = s.runCommands(ctx, b)
	}
	for err == nil && len(s.journaling.programs) > 0 && !s.draft.answer.Quit {
		s.showStop(ctx)
		line := s.journaling.programs[0]
		s.journaling.programs = s.journaling.programs[1:]
		if s.journaling.script == nil {
			continue
		}
		if _, e := s.journaling.script(ctx, line, false); e != nil {
			s.draft.sayf("*** %s", AsError(e).Message)
		}
	}
	return err
}

// runCommands runs the commands of a breakpoint that was hit, as pdb does: first
// they, then the location, unless they are silent; a command that resumes the
// program ends the list.
func (s *Session) runCommands(ctx context.Context, b *breakpoint.Breakpoint) error {
	if s.journaling.script == nil {
		return nil
	}
	for _, line := range b.Commands {
		if s.Interrupted() { // the program may come by here without end
			s.showOrHide(ctx, b)
			return s.NotRun(line)
		}
		if resumes, _ := s.journaling.script(ctx, line, true); resumes {
			s.showOrHide(ctx, b)
			_, err := s.journaling.script(ctx, line, false)
			return err
		}
		if _, err := s.journaling.script(ctx, line, false); err != nil {
			s.draft.sayf("*** %s", AsError(err).Message)
		}
	}
	s.showOrHide(ctx, b)
	return nil
}

func (s *Session) showOrHide(ctx context.Context, b *breakpoint.Breakpoint) {
	if b.Silent && s.draft.stop != nil {
		s.draft.stop.shown = true
	}
	s.showStop(ctx)
}

// words returns a command in pdb's language: its name and what follows it.
func words(name string, arguments ...any) string {
	text := name
	for _, a := range arguments {
		if word := fmt.Sprint(a); word != "" {
			text += " " + word
		}
	}
	return text
}

// times returns a count as it follows a command: nothing where it is one.
func times(count int) any {
	if count <= 1 {
		return ""
	}
	return count
}
