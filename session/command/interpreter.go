// Package command implements pdb's language: its commands with their abbreviations, aliases,
// command lists of breakpoints, .pdbrc, help and completion. It converts lines to commands of a
// session.
package command

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/npdb/npdb/internal/suggest"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/journal"
)

// Interpreter answers lines of pdb's language, and commands without words, on one session, whose
// methods it has. Like the session it is used by one goroutine, except where the session says
// otherwise.
type Interpreter struct {
	*session.Session
	config   Config
	aliases  map[string]string
	last     repeated
	dialogue dialogue
}

// Config configures an interpreter.
type Config struct {
	// RC are files of commands to run at the first stop, Begin commands to run after them.
	RC    []RC
	Begin []string
	// Flowing keeps each paragraph of help on one line, for a front end that wraps it.
	Flowing bool
}

// repeated is the command that an empty line repeats.
type repeated struct {
	line    string
	command session.Command // in place of line, where no line was typed
}

// New returns an interpreter for a session. It also runs the command lists of the session's
// breakpoints.
func New(s *session.Session, c Config) *Interpreter {
	i := &Interpreter{Session: s, config: c, aliases: map[string]string{}}
	s.SetScript(i.script)
	return i
}

// First returns the answer at the first stop, after the commands of .pdbrc and Config.Begin.
func (i *Interpreter) First(ctx context.Context) *session.Answer {
	a := i.Session.First(ctx, func() error { return i.begin(ctx) })
	i.last = repeated{}
	return i.waiting(a)
}

// Resume replays a journal on a new session.
func (i *Interpreter) Resume(ctx context.Context, j *journal.Journal) *session.Answer {
	return i.waiting(i.Session.Resume(ctx, j, func(ctx context.Context, line string) {
		i.line(ctx, line, func(*session.Answer) {})
	}))
}

// Start returns the first answer of a new session: what Resume returns for a journal, First
// without one.
func (i *Interpreter) Start(ctx context.Context, j *journal.Journal) *session.Answer {
	if j != nil {
		return i.Resume(ctx, j)
	}
	return i.First(ctx)
}

// Do executes a command. An empty line repeats it, unless it names a place.
func (i *Interpreter) Do(ctx context.Context, c session.Command) *session.Answer {
	if i.dialogue.waiting != session.ForCommand {
		defer i.Work()()
		return i.waiting(i.Answer(ctx, c.String(), func() error {
			return session.Errorf(session.Refused, "%s was not run: something else is to be answered first", c)
		}))
	}
	i.last = repeated{}
	switch c.(type) {
	case session.SetBreakpoint, session.ClearLine, session.Advance:
	default:
		i.last.command = c
	}
	return i.waiting(i.Session.Do(ctx, c))
}

// View returns the session's view, with the current dialogue.
func (i *Interpreter) View() *session.View {
	v := i.Session.View()
	v.Waiting, v.Prompt = i.dialogue.waiting, i.prompt()
	return v
}

// waiting adds the current dialogue to an answer.
func (i *Interpreter) waiting(a *session.Answer) *session.Answer {
	a.Waiting, a.Prompt = i.dialogue.waiting, i.prompt()
	return a
}

// Line runs a line: commands separated by ";;", or the reply to a dialogue. emit is called once
// for each command.
func (i *Interpreter) Line(ctx context.Context, line string, emit func(*session.Answer)) {
	defer i.Work()()
	i.line(ctx, line, emit)
}

func (i *Interpreter) line(ctx context.Context, line string, emit func(*session.Answer)) {
	for queue := []pending{{line: line}}; len(queue) > 0; {
		var now pending
		now, queue = queue[0], queue[1:]
		typed := strings.TrimSpace(now.line)
		if i.dialogue.waiting != session.ForCommand {
			emit(i.waiting(i.Answer(ctx, typed, func() error { return i.dialogue.take(ctx, now.line) })))
			continue
		}
		if i.Interrupted() {
			emit(i.waiting(i.Answer(ctx, typed, nil)))
			return
		}
		typed, _ = splitCommands(now.line)
		first, rest, err := i.expand(now)
		if rest.line != "" {
			queue = append([]pending{rest}, queue...)
		}
		first = strings.TrimSpace(first)
		run := func() error { return i.dispatch(ctx, first) }
		if first == "" && err == nil {
			if first, typed = i.last.line, i.last.line; i.last.command != nil {
				again := i.last.command
				typed = again.String()
				run = func() error { return i.Run(ctx, again) }
			}
		}
		if err != nil {
			run = func() error { return err }
		}
		a := i.waiting(i.Answer(ctx, strings.TrimSpace(typed), run))
		emit(a)
		if a.Quit {
			return
		}
	}
}

// runLine runs a line of .pdbrc or of a breakpoint's commands as a part of the answer being built.
func (i *Interpreter) runLine(ctx context.Context, line string) error {
	for now := (pending{line: line}); now.line != ""; {
		if i.Interrupted() {
			return i.NotRun(now.line)
		}
		if i.dialogue.waiting != session.ForCommand {
			return i.dialogue.take(ctx, now.line)
		}
		first, rest, err := i.expand(now)
		if err != nil {
			return err
		}
		if err := i.ThenCommands(ctx, i.dispatch(ctx, first)); err != nil || i.Quits() {
			return err
		}
		now = rest
	}
	return nil
}

// script implements session.Script.
func (i *Interpreter) script(ctx context.Context, line string, check bool) (resumes bool, err error) {
	name, _ := parseLine(line)
	c := lookup(name)
	resumes = c != nil && c.resumes
	if check {
		return resumes, nil
	}
	last := i.last
	defer func() { i.last = last }()
	return resumes, i.dispatch(ctx, line)
}

// dispatch runs one command.
func (i *Interpreter) dispatch(ctx context.Context, line string) error {
	name, arg := parseLine(line)
	if name == "" && arg == "" {
		return nil
	}
	i.last = repeated{line: line}
	c := lookup(name)
	if c == nil {
		return mistyped(name, i.python(ctx, line))
	}
	if c.name == "list" {
		i.last.line = "list" // an empty line lists on, whatever this one's argument
	}
	if c.run != nil {
		return c.run(i, ctx, arg)
	}
	parsed, err := c.parse(c.name, arg)
	if err != nil {
		return err
	}
	return i.Run(ctx, parsed)
}

// python runs a statement in the live frame. Before the live edge an expression still shows its
// value, as with p.
func (i *Interpreter) python(ctx context.Context, line string) error {
	statement, forced := strings.CutPrefix(strings.TrimSpace(line), "!")
	if statement = strings.TrimSpace(statement); statement == "" {
		return nil
	}
	return i.execute(ctx, session.Execute{Statement: statement, Forced: forced})
}

// execute runs a statement, and asks for more lines if it is incomplete.
func (i *Interpreter) execute(ctx context.Context, c session.Execute) error {
	err := i.Run(ctx, c)
	var incomplete *session.IncompleteError
	if !errors.As(err, &incomplete) {
		return err
	}
	i.dialogue = dialogue{
		waiting: session.ForStatement,
		prompt:  "...   ",
		take: func(ctx context.Context, line string) error {
			i.dialogue = dialogue{}
			c.Statement += "\n" + line
			return i.execute(ctx, c)
		},
	}
	return nil
}

// mistyped adds to a Python error the command that was probably meant by the first word.
func mistyped(word string, err error) error {
	const shortest = 3 // of which a letter may be wrong
	if err == nil || len(word) < shortest {
		return err
	}
	e := session.AsError(err)
	unknown, isName := strings.CutPrefix(e.Message, "NameError: name '")
	unknown, _, _ = strings.Cut(unknown, "'")
	itsOwn := strings.HasPrefix(e.Message, "SyntaxError") || isName && strings.HasPrefix(word, unknown)
	if e.Kind != session.PythonRaised || !itsOwn {
		return err
	}
	near := suggest.Nearest(word, longNames())
	if near == "" {
		return err
	}
	return &session.Error{Kind: e.Kind, Message: e.Message + " (did you mean the command " + near + "?)"}
}

// longNames lists the names of commands that are whole words. Abbreviations would be similar to
// many of a program's names.
var longNames = sync.OnceValue(func() []string {
	var names []string
	for _, c := range commands() {
		if len(c.name) > 2 {
			names = append(names, c.name)
		}
	}
	return names
})
