package session

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/npdb/npdb/session/breakpoint"
)

// Command is a request of the user, from a key, a line in pdb's language or a journal. Only the
// types of this package implement it. A journal stores their exported fields.
type Command interface {
	// String returns the command as it is typed in pdb's language.
	String() string
	// run executes the command and adds its output to the answer that is being built.
	run(ctx context.Context, s *Session) error
}

// mover is implemented by commands that may make a move for which a model can be asked.
type mover interface{ moves() bool }

// kinds maps the names of all command types to the types, for decoding a journal.
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
		GotoVisit{},
		ShowBranches{},
		Mark{},
		Prune{},
		Diff{},
		DiffRun{},
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
		Disassemble{},
		ShowOutput{},
		Printed{},
		Info{},
		Evaluate{},
		Execute{},
		Interact{},
		Display{},
		Undisplay{},
		LastChange{},
		ValueHistory{},
		Provenance{},
		SetMode{},
		SetWalk{},
		Resync{},
		ToDivergence{},
		ShowScore{},
		Export{},
		Save{},
		Loop{},
		Blocks{},
		Log{},
		Logs{},
		DropLog{},
		Candidates{},
		SetVerify{},
		ShowRaw{},
		Retry{},
		Peek{},
		Infer{},
		Why{},
		Restart{},
		Detach{},
		ShowChild{},
		RecordThread{},
		Quit{},
	} {
		t := reflect.TypeOf(c)
		out[t.Name()] = t
	}
	return out
}()

// EncodeCommand encodes a command for the journal, as an object: {"TYPE": {fields}}.
func EncodeCommand(c Command) json.RawMessage {
	raw, err := json.Marshal(map[string]Command{reflect.TypeOf(c).Name(): c})
	if err != nil {
		panic(err) // cannot fail: only strings, numbers and booleans
	}
	return raw
}

// DecodeCommand decodes a command that EncodeCommand encoded.
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
			return nil, err // a field has an invalid value, for example no move
		}
		return c.Elem().Interface().(Command), nil
	}
	return nil, fmt.Errorf("%s is no command that this npdb knows", raw)
}

// Do executes a command and returns its answer.
func (s *Session) Do(ctx context.Context, c Command) (a *Answer) {
	defer s.Work()()
	defer s.draft.undamaged(&a)
	err := s.asked(c.String())
	if err == nil {
		err = s.ThenCommands(ctx, s.Run(ctx, c))
	}
	return s.finish(ctx, err)
}

// asked begins the answer to a command. It returns an error if the user interrupted before the
// command began.
func (s *Session) asked(words string) error {
	s.draft.answer.Command = &words
	if s.Interrupted() {
		return s.NotRun(words)
	}
	return nil
}

// Work marks the session as busy until done is called. A later interrupt finds it busy and stops
// it. An earlier interrupt is queried here (Config.Interrupted), so that none is lost. done also
// starts to prefetch the likely next moves.
func (s *Session) Work() (done func()) {
	s.pacing.rest()
	s.program.stopping.Store(false)
	s.program.busy.Store(true)
	if s.cfg.Interrupted != nil && s.cfg.Interrupted() {
		s.program.stopping.Store(true)
	}
	return func() {
		s.foresee()
		s.demand.prepareAhead()
		s.program.busy.Store(false)
	}
}

// Answer returns the answer to a line of input. f runs the commands of the line.
func (s *Session) Answer(ctx context.Context, words string, f func() error) (a *Answer) {
	defer s.draft.undamaged(&a)
	err := s.asked(words)
	if err == nil {
		err = s.ThenCommands(ctx, f())
	}
	return s.finish(ctx, err)
}

// Run executes a command. Its output becomes part of the answer that is being built.
func (s *Session) Run(ctx context.Context, c Command) error {
	if _, quits := c.(Quit); !quits {
		if err := s.program.damage(); err != nil {
			return err
		}
	}
	if s.journaling.nested == 0 {
		s.journaling.chance, s.journaling.given = chance{}, c.String()
		s.journaling.writer.Do(s.program.journalled(c))
		defer func() { s.journaling.landed(s.visits.tree.Shown()) }()
	}
	s.journaling.nested++
	defer func() { s.journaling.nested-- }()
	if m, ok := c.(mover); ok && m.moves() {
		s.visits.lastMove = lastMove{command: c, from: s.position.pos, visit: s.visits.tree.Shown()}
		if step, ok := c.(Step); ok && !step.Move.Inverse() {
			s.visits.onward = Step{Move: step.Move}
		} else if on, ok := c.(Continue); ok && !on.Inverse {
			s.visits.onward = Continue{}
		}
	}
	return c.run(ctx, s)
}

// Script runs one line of a breakpoint's command list, or one of the commands that the program
// passed to the debugger. resumes reports whether the line resumes the program, which ends the
// list. With check set, the line is not run.
type Script func(ctx context.Context, line string, check bool) (resumes bool, err error)

// ThenCommands runs the command list of the breakpoint that was hit, and the commands that the
// program passed to the debugger. err is the error of the command before; with one, they do not
// run.
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

// runCommands runs the command list of a breakpoint that was hit, as pdb does: the commands, then
// the location unless the breakpoint is silent. A command that resumes the program ends the list.
func (s *Session) runCommands(ctx context.Context, b *breakpoint.Breakpoint) error {
	if s.journaling.script == nil {
		return nil
	}
	for _, line := range b.Commands {
		if s.Interrupted() { // the program may pass here in an endless loop
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

// words formats a command in pdb's language: its name followed by its arguments.
func words(name string, arguments ...any) string {
	text := name
	for _, a := range arguments {
		if word := fmt.Sprint(a); word != "" {
			text += " " + word
		}
	}
	return text
}

// times formats a repeat count as an argument, "" for 1.
func times(count int) any {
	if count <= 1 {
		return ""
	}
	return count
}
