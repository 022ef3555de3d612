package session

import (
	"context"
	"strings"

	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
)

// mode is what the session waits for in place of a command. The zero mode waits
// for commands.
type mode struct {
	waiting Waiting
	prompt  string
	take    func(ctx context.Context, line string) error
	abort   func() // the user pressed Ctrl-C, or the input ended
}

// The prompt of npdb.
const prompt = "(npdb) "

func (s *Session) prompt() string {
	if s.mode.waiting == ForCommand {
		return prompt
	}
	return s.mode.prompt
}

// Abort leaves whatever the session waits for in place of a command: the user
// pressed Ctrl-C at its prompt, or the input ended. The answer has no state, for
// no command led to it; it is nil when there was nothing to leave.
func (s *Session) Abort() *Answer {
	if s.mode.waiting == ForCommand {
		return nil
	}
	abort := s.mode.abort
	s.mode = mode{}
	if abort != nil {
		abort()
	}
	a := &Answer{Chunks: s.answer.Chunks, Prompt: prompt}
	s.answer = &Answer{}
	return a
}

// define takes the lines of a breakpoint's command list up to its end.
func (s *Session) define(b *breakpoint.Breakpoint) {
	old, silent := b.Commands, b.Silent
	b.Commands, b.Silent = nil, false
	done := func() {
		s.mode = mode{}
		s.save()
	}
	s.mode = mode{
		waiting: ForDefinition,
		prompt:  "(com) ",
		take: func(_ context.Context, line string) error {
			for line != "" {
				var rest string
				line, rest = splitCommands(line)
				name, _ := parseLine(line)
				switch name {
				case "silent":
					b.Silent = true
				case "end":
					done()
					return nil
				default:
					if t := strings.TrimSpace(line); t != "" {
						b.Commands = append(b.Commands, t)
					}
					if c := lookupCommand(name); c != nil && c.resumes {
						done()
						return nil
					}
				}
				line = rest
			}
			return nil
		},
		abort: func() {
			b.Commands, b.Silent = old, silent
			s.notice("command definition aborted, old commands restored")
		},
	}
}

// confirm asks a question before it does something.
func (s *Session) confirm(question string, yes func()) {
	s.mode = mode{
		waiting: ForConfirmation,
		prompt:  question,
		take: func(_ context.Context, line string) error {
			s.mode = mode{}
			if r := strings.ToLower(strings.TrimSpace(line)); r == "y" || r == "yes" {
				yes()
			}
			return nil
		},
	}
}

// interact hands lines to an interactive interpreter in the live frame until one
// ends it.
func (s *Session) interact() {
	const first, more = ">>> ", "... "
	s.say("*pdb interact start*")
	leave := func() {
		s.mode = mode{}
		s.say("*exit from pdb interact command*")
	}
	s.mode = mode{
		waiting: ForInteract,
		prompt:  first,
		abort:   leave,
		take: func(ctx context.Context, line string) error {
			switch strings.TrimSpace(line) {
			case "exit()", "quit()", "exit", "quit":
				s.say("")
				leave()
				return nil
			}
			ctx, done := s.interruptible(ctx)
			defer done()
			answer, err := s.rec.Ask(ctx, s.selected, trace.VerbInteract, line)
			s.mode.prompt = first
			if answer.More {
				s.mode.prompt = more
			}
			if text := trimLineEnd(answer.Text); text != "" {
				s.say(text)
			}
			return err
		},
	}
}
