// Package command implements pdb's command language: commands with their abbreviations, aliases,
// command lists of breakpoints, .pdbrc, help and completion. It converts typed lines to commands of
// package session.
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

// Interpreter runs typed lines and session commands on one session. It embeds the session and, like
// it, is used by one goroutine, except where the session's methods say otherwise.
type Interpreter struct {
	*session.Session
	config   Config
	aliases  map[string]string
	last     repeated
	dialogue dialogue
	told     bool             // the user knows that lines can run as Python; see tellYielded
	begun    *session.Session // replaces this session, see beginAt
	next     *Interpreter     // of begun, see Next
	listed   int              // number of command lists that are running, one inside the other
}

// Config configures an interpreter.
type Config struct {
	// RC holds the files of commands to run at the first stop. Begin holds commands to run after
	// those.
	RC    []RC
	Begin []string
	// Flowing puts each paragraph of help on one line, for a front end that wraps text itself.
	Flowing bool
	// Traceback opens the session that begins where a traceback ends; nil if the front end cannot
	// replace its session.
	Traceback func(ctx context.Context, text string) (*session.Session, error)
}

// repeated is the command that an empty line repeats: line, or command if it was not typed.
type repeated struct {
	line    string
	command session.Command // set instead of line for a command that was not typed
}

// New returns an interpreter for a session, and makes the session run the command lists of
// breakpoints through it.
func New(s *session.Session, c Config) *Interpreter {
	i := &Interpreter{Session: s, config: c, aliases: map[string]string{}}
	s.SetScript(i.script)
	return i
}

// First returns the answer at the first stop, after running the commands of .pdbrc and
// Config.Begin.
func (i *Interpreter) First(ctx context.Context) *session.Answer {
	a := i.Session.First(ctx, func() error { return i.begin(ctx) })
	i.last = repeated{}
	return i.waiting(a)
}

// Resume replays the commands of a journal in a new session.
func (i *Interpreter) Resume(ctx context.Context, j *journal.Journal) *session.Answer {
	return i.waiting(i.Session.Resume(ctx, j, func(ctx context.Context, line string) {
		i.line(ctx, line, func(*session.Answer) {})
	}))
}

// Start returns the first answer of a new session: of Resume if there is a journal j, else of
// First.
func (i *Interpreter) Start(ctx context.Context, j *journal.Journal) *session.Answer {
	if j != nil {
		return i.Resume(ctx, j)
	}
	return i.First(ctx)
}

// Do executes a command. An empty line then repeats the command, unless it sets or clears a
// breakpoint or advances to a place.
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

// View returns the session's view, with the prompt of the current dialogue.
func (i *Interpreter) View() *session.View {
	v := i.Session.View()
	v.Waiting, v.Prompt = i.dialogue.waiting, i.prompt()
	return v
}

// waiting adds the prompt of the current dialogue to an answer.
func (i *Interpreter) waiting(a *session.Answer) *session.Answer {
	a.Waiting, a.Prompt = i.dialogue.waiting, i.prompt()
	return a
}

// Line runs a typed line: commands separated by ";;", or the reply to a dialogue. It calls emit
// with the answer of each command.
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
			a := i.waiting(i.Answer(ctx, firstLine(typed), func() error { return i.dialogue.take(ctx, now.line) }))
			if i.begun != nil {
				emit(i.startNext(ctx, a))
				return
			}
			emit(a)
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
		a := i.waiting(i.Answer(ctx, firstLine(strings.TrimSpace(typed)), run))
		if i.begun != nil {
			emit(i.startNext(ctx, a))
			return
		}
		emit(a)
		if a.Quit {
			return
		}
	}
}

// firstLine returns the first line of a text, which names a command of several lines.
func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}

// runLine runs a line of .pdbrc or of a breakpoint's command list. Its output becomes part of the
// answer that is being built.
func (i *Interpreter) runLine(ctx context.Context, line string) error {
	i.listed++
	defer func() { i.listed-- }()
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

// script implements session.Script: it runs a line of a breakpoint's command list, or with check
// only reports whether the line resumes the program.
func (i *Interpreter) script(ctx context.Context, line string, check bool) (resumes bool, err error) {
	c := i.read(ctx, line).command
	resumes = c != nil && c.resumes
	if check {
		return resumes, nil
	}
	last := i.last
	i.listed++
	defer func() { i.last = last; i.listed-- }()
	return resumes, i.dispatch(ctx, line)
}

// dispatch parses and runs one command. A line that is not a command is run as Python.
func (i *Interpreter) dispatch(ctx context.Context, line string) error {
	r := i.read(ctx, line)
	if r.word == "" && r.arg == "" && !r.forced {
		return nil
	}
	i.last = repeated{line: line}
	if strings.Contains(line, "\n") {
		r.arg = afterWord(line, r.word)
	}
	c := r.command
	switch {
	case c == nil && r.forced:
		return session.Errorf(session.NotFound, "%s is no command (help lists them)", line)
	case c == nil && r.yielded:
		if r.seen {
			i.tellYielded(r.word)
		}
		return i.python(ctx, line)
	case c == nil:
		return mistyped(r.word, i.python(ctx, line))
	}
	if c.name == "list" {
		i.last.line = "list" // an empty line after list continues the listing
	}
	if c.run != nil {
		return c.run(i, ctx, r.arg)
	}
	parsed, err := c.parse(c.name, r.arg)
	if err != nil {
		return err
	}
	return i.asking(i.Run(ctx, parsed))
}

// python runs a line as a Python statement. Before the live edge it cannot run, but the value of an
// expression is still printed, as with p.
func (i *Interpreter) python(ctx context.Context, line string) error {
	statement, forced := strings.CutPrefix(strings.TrimSpace(line), "!")
	if statement = strings.TrimSpace(statement); statement == "" {
		return nil
	}
	return i.execute(ctx, session.Execute{Statement: statement, Forced: forced})
}

// execute runs a statement. If it is incomplete, a dialogue asks for the next line.
func (i *Interpreter) execute(ctx context.Context, c session.Execute) error {
	err := i.asking(i.Run(ctx, c))
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

// mistyped adds a hint to a Python error: the command whose name is most similar to the line's
// first word.
func mistyped(word string, err error) error {
	const shortest = 3 // shorter words are similar to too many commands
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

// longNames lists the commands with names of more than two letters. Shorter ones are similar to
// many names in a program.
var longNames = sync.OnceValue(func() []string {
	var names []string
	for _, c := range commands() {
		if len(c.name) > 2 {
			names = append(names, c.name)
		}
	}
	return names
})
