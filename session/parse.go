package session

import (
	"context"
	"strings"
	"sync"

	"github.com/npdb/npdb/internal/suggest"
	"github.com/npdb/npdb/session/breakpoint"
)

// identChars is what may stand in a command's name besides letters and digits.
// As in pdb it holds what makes `c.a` and `x=1` Python and no command.
const identChars = `_=.[](),"'+-*/%@&|<>~^`

// parseLine splits a line into a command's name and its argument. A name of ""
// means that the line is Python.
func parseLine(line string) (name, arg string) {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '!' {
		return "", line
	}
	if line[0] == '?' {
		return "help", strings.TrimSpace(line[1:])
	}
	i := 0
	for i < len(line) && isIdentChar(line[i]) {
		i++
	}
	return line[:i], strings.TrimSpace(line[i:])
}

func isIdentChar(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(identChars, c) >= 0
}

// splitCommands splits a line at its first ";;"; like pdb it does not care for
// quotes.
func splitCommands(line string) (first, rest string) {
	if i := strings.Index(line, ";;"); i >= 0 {
		return strings.TrimRight(line[:i], " \t"), strings.TrimSpace(line[i+2:])
	}
	return line, ""
}

// Do runs a line: commands separated by ";;", or, when the session waits for
// something else, that. emit is called once for each command.
func (s *Session) Do(ctx context.Context, line string, emit func(*Answer)) {
	s.work()
	defer s.rest()
	s.chance = chance{}
	s.journal.Line(line)
	s.do(ctx, line, emit)
	s.landed()
}

func (s *Session) do(ctx context.Context, line string, emit func(*Answer)) {
	for queue := []pending{{line: line}}; len(queue) > 0; {
		var now pending
		now, queue = queue[0], queue[1:]
		if s.stopping.Load() {
			typed := strings.TrimSpace(now.line)
			s.answer.Command = &typed
			emit(s.finish(ctx, s.notRun(typed)))
			return
		}
		if s.mode.waiting != ForCommand {
			text := strings.TrimSpace(now.line)
			s.answer.Command = &text
			emit(s.finish(ctx, s.mode.take(ctx, now.line)))
			continue
		}
		typed, _ := splitCommands(now.line)
		first, rest, err := s.expand(now)
		if rest.line != "" {
			queue = append([]pending{rest}, queue...)
		}
		if first = strings.TrimSpace(first); first == "" && err == nil {
			first, typed = s.last, s.last
		}
		typed = strings.TrimSpace(typed)
		s.answer.Command = &typed
		if err == nil {
			err = s.execute(ctx, first)
		}
		a := s.finish(ctx, err)
		emit(a)
		if a.Quit {
			return
		}
	}
}

// notRun is the answer to a command that an interrupt came before.
func (s *Session) notRun(command string) error {
	s.chance.interrupted = true
	return errorf(Stopped, "Interrupted: %s", strings.TrimSpace(command)+" was not run.")
}

// runLine runs a line without answering: a line of .pdbrc or of a breakpoint's
// commands.
func (s *Session) runLine(ctx context.Context, line string) error {
	for now := (pending{line: line}); now.line != ""; {
		if s.stopping.Load() {
			return s.notRun(now.line)
		}
		if s.mode.waiting != ForCommand {
			return s.mode.take(ctx, now.line)
		}
		first, rest, err := s.expand(now)
		if err != nil {
			return err
		}
		if err := s.execute(ctx, first); err != nil || s.answer.Quit {
			return err
		}
		now = rest
	}
	return nil
}

// execute runs one command and then the command lists of the breakpoints it hit.
func (s *Session) execute(ctx context.Context, line string) error {
	return s.thenCommands(ctx, s.dispatch(ctx, line))
}

// thenCommands runs, after a command, those of the breakpoints it hit, and those
// that the program asked for.
func (s *Session) thenCommands(ctx context.Context, err error) error {
	for err == nil && s.hit != nil && !s.answer.Quit {
		b := s.hit
		s.hit = nil
		err = s.runCommands(ctx, b)
	}
	for err == nil && len(s.asked) > 0 && !s.answer.Quit {
		s.showStop(ctx)
		line := s.asked[0]
		s.asked = s.asked[1:]
		if e := s.runLine(ctx, line); e != nil {
			s.sayf("*** %s", asError(e).Message)
		}
	}
	return err
}

// dispatch runs one command.
func (s *Session) dispatch(ctx context.Context, line string) error {
	name, arg := parseLine(line)
	if name == "" && arg == "" {
		return nil
	}
	s.last = line
	if c := lookupCommand(name); c != nil {
		if c.asks() {
			s.lastMove = lastMove{command: line, from: s.pos}
		}
		return c.run(s, ctx, arg)
	}
	return mistyped(name, s.python(ctx, line))
}

// mistyped adds to what Python says of a line the command that its first word is likely
// to stand for.
func mistyped(word string, err error) error {
	const shortest = 3 // of which a letter may be wrong
	if err == nil || len(word) < shortest {
		return err
	}
	e := asError(err)
	unknown, isName := strings.CutPrefix(e.Message, "NameError: name '")
	unknown, _, _ = strings.Cut(unknown, "'")
	itsOwn := strings.HasPrefix(e.Message, "SyntaxError") || isName && strings.HasPrefix(word, unknown)
	if e.Kind != PythonRaised || !itsOwn {
		return err
	}
	near := suggest.Nearest(word, longNames())
	if near == "" {
		return err
	}
	return &Error{Kind: e.Kind, Message: e.Message + " (did you mean the command " + near + "?)"}
}

// longNames are the names of commands that are words, without abbreviations: many
// names of a program are near to one of those.
var longNames = sync.OnceValue(func() []string {
	var names []string
	for _, c := range commands() {
		if len(c.name) > 2 {
			names = append(names, c.name)
		}
	}
	return names
})

// runCommands runs the commands of a breakpoint that was hit, as pdb does: first
// they, then the location, unless they are silent; a command that resumes the
// program ends the list.
func (s *Session) runCommands(ctx context.Context, b *breakpoint.Breakpoint) error {
	last := s.last
	defer func() { s.last = last }()
	for _, line := range b.Commands {
		if s.stopping.Load() { // the program may come by here without end
			s.showOrHide(ctx, b)
			return s.notRun(line)
		}
		name, _ := parseLine(line)
		if c := lookupCommand(name); c != nil && c.resumes {
			s.showOrHide(ctx, b)
			return s.dispatch(ctx, line)
		}
		if err := s.dispatch(ctx, line); err != nil {
			s.sayf("*** %s", asError(err).Message)
		}
	}
	s.showOrHide(ctx, b)
	return nil
}

func (s *Session) showOrHide(ctx context.Context, b *breakpoint.Breakpoint) {
	if b.Silent && s.stop != nil {
		s.stop.shown = true
	}
	s.showStop(ctx)
}
