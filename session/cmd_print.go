package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/trace"
)

func (s *Session) cmdPrint(ctx context.Context, arg string) error {
	return s.printValue(ctx, "p", trace.VerbPrint, arg)
}

func (s *Session) cmdPretty(ctx context.Context, arg string) error {
	return s.printValue(ctx, "pp", trace.VerbPretty, arg)
}

func (s *Session) cmdWhatis(ctx context.Context, arg string) error {
	return s.printValue(ctx, "whatis", trace.VerbWhatis, arg)
}

func (s *Session) printValue(ctx context.Context, name string, verb trace.Verb, arg string) error {
	if arg == "" {
		return usage(name, arg)
	}
	ctx, done := s.interruptible(ctx)
	defer done()
	v, err := s.eval(ctx, verb, arg)
	if err != nil {
		return err
	}
	s.drain()
	s.say(v.String())
	return nil
}

// python runs a statement in the live frame. Behind the live edge a bare
// expression still shows its value, as p does.
func (s *Session) python(ctx context.Context, line string) error {
	statement, forced := strings.CutPrefix(strings.TrimSpace(line), "!")
	statement = strings.TrimSpace(statement)
	if statement == "" {
		return nil
	}
	if !s.live() {
		return s.walk.statement(ctx, statement, forced)
	}
	return s.execStatement(ctx, statement)
}

// showExpression shows the value of a statement that is an expression; done is
// false where it is none.
func (s *Session) showExpression(ctx context.Context, statement string) (done bool, err error) {
	v, err := s.eval(ctx, trace.VerbPrint, statement)
	if err == nil {
		if v.text != "None" {
			s.say(v.String())
		}
		return true, nil
	}
	return !isSyntaxError(err) && !strings.HasPrefix(asError(err).Message, "SyntaxError"), err
}

// execStatement runs a statement, after it has asked for the rest of it when it
// is not complete.
func (s *Session) execStatement(ctx context.Context, statement string) error {
	asking, done := s.interruptible(ctx)
	defer done()
	answer, err := s.rec.Ask(asking, s.selected, trace.VerbExec, statement)
	if err == nil && answer.More {
		s.mode = mode{
			waiting: ForStatement,
			prompt:  "...   ",
			take: func(ctx context.Context, line string) error {
				s.mode = mode{}
				return s.execStatement(ctx, statement+"\n"+line)
			},
		}
		return nil
	}
	s.drain()
	if text := trimLineEnd(answer.Text); text != "" {
		s.say(text)
	}
	if answer.Changed {
		s.walk.edited()
	}
	return err
}

func (s *Session) cmdInteract(_ context.Context, arg string) error {
	if arg != "" {
		return usage("interact", arg)
	}
	if err := s.needLive("interact"); err != nil {
		return err
	}
	s.interact()
	return nil
}

func (s *Session) cmdOutput(_ context.Context, arg string) error {
	if arg != "" {
		return usage("output", arg)
	}
	to := s.pos.Event // what followed this event is still to come here
	if s.pos.End || s.live() {
		to = -1
	}
	var b strings.Builder
	for _, p := range s.walk.output(-1, to) {
		b.WriteString(p.Text)
	}
	if b.Len() > 0 {
		s.say(trimLineEnd(b.String()))
	}
	return nil
}

func (s *Session) cmdInfo(ctx context.Context, arg string) error {
	topics := []struct {
		name string
		tell func(context.Context) error
	}{
		{"breakpoints", func(context.Context) error {
			if len(s.bps.List) == 0 {
				s.say("No breakpoints.")
			}
			s.listBreaks()
			return nil
		}},
		{"program", s.infoProgram},
		{"threads", s.infoThreads},
	}
	for _, topic := range topics {
		if arg != "" && strings.HasPrefix(topic.name, arg) {
			return topic.tell(ctx)
		}
	}
	return usage("info", arg)
}

func (s *Session) infoProgram(context.Context) error {
	lines := []string{"Program: " + escape.Line(s.programID)}
	if args := s.cfg.Options.Args; len(args) > 0 {
		lines = append(lines, fmt.Sprintf("Arguments: %q", args))
	}
	s.say(strings.Join(append(lines, s.walk.info()...), "\n"))
	return nil
}

func (s *Session) infoThreads(ctx context.Context) error {
	if err := s.needLive("info threads"); err != nil {
		return err
	}
	answer, err := s.rec.Ask(ctx, 0, trace.VerbThreads, "")
	if err != nil {
		return err
	}
	lines := []string{"* MainThread (the one that npdb debugs)"}
	if text := trimLineEnd(answer.Text); text != "" {
		for l := range strings.SplitSeq(text, "\n") {
			lines = append(lines, "  "+l)
		}
	}
	s.say(strings.Join(lines, "\n"))
	return nil
}
