package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/trace"
)

// Evaluate tells an expression's value, pretty-printed, or its type.
type Evaluate struct {
	Expression string     `json:"expression"`
	As         Evaluation `json:"as,omitempty"`
}

// Evaluation is what is told of an expression.
type Evaluation string

// What can be told: the value as repr has it, as pprint does, and its type.
const (
	Value  Evaluation = ""
	Pretty Evaluation = "pretty"
	Type   Evaluation = "type"
)

func (c Evaluate) String() string {
	return words(map[Evaluation]string{Value: "p", Pretty: "pp", Type: "whatis"}[c.As], c.Expression)
}

func (c Evaluate) run(ctx context.Context, s *Session) error {
	ctx, done := s.interruptible(ctx)
	defer done()
	verb := map[Evaluation]trace.Verb{Value: trace.VerbPrint, Pretty: trace.VerbPretty, Type: trace.VerbWhatis}[c.As]
	v, err := s.eval(ctx, verb, c.Expression)
	if err != nil {
		return err
	}
	s.drain()
	s.say(v.String())
	return nil
}

// Execute runs a statement in the selected frame at the live edge. Elsewhere a bare
// expression still shows its value, unless Forced says that it is a statement, and in
// neural mode an assignment edits the state. The error is an *IncompleteError where
// more of the statement is to follow.
type Execute struct {
	Statement string `json:"statement"`
	Forced    bool   `json:"forced,omitempty"`
}

func (c Execute) String() string {
	if c.Forced {
		return "!" + c.Statement
	}
	return c.Statement
}

func (c Execute) run(ctx context.Context, s *Session) error {
	if !s.live() {
		return s.statement(ctx, c.Statement, c.Forced)
	}
	asking, done := s.interruptible(ctx)
	defer done()
	answer, err := s.rec.Ask(asking, s.selected, trace.VerbExec, c.Statement)
	if err == nil && answer.More {
		return &IncompleteError{}
	}
	s.drain()
	if text := trimLineEnd(answer.Text); text != "" {
		s.say(text)
	}
	if answer.Changed {
		s.walk.Edited(s.pos)
	}
	return err
}

// IncompleteError is a statement or a line of the interactive interpreter of which
// more is to follow.
type IncompleteError struct{}

func (*IncompleteError) Error() string { return "SyntaxError: unexpected EOF while parsing" }

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
	return !isSyntaxError(err) && !strings.HasPrefix(AsError(err).Message, "SyntaxError"), err
}

// Interact gives a line to an interactive interpreter in the selected frame, at the
// live edge. The error is an *IncompleteError where more is to follow.
type Interact struct {
	Line string `json:"line"`
}

func (c Interact) String() string { return c.Line }

func (c Interact) run(ctx context.Context, s *Session) error {
	if err := s.needLive("interact"); err != nil {
		return err
	}
	ctx, done := s.interruptible(ctx)
	defer done()
	answer, err := s.rec.Ask(ctx, s.selected, trace.VerbInteract, c.Line)
	if text := trimLineEnd(answer.Text); text != "" {
		s.say(text)
	}
	if err == nil && answer.More {
		return &IncompleteError{}
	}
	return err
}

// CanInteract is nil at the live edge, where an interpreter can be had.
func (s *Session) CanInteract() error { return s.needLive("interact") }

// ShowOutput tells what the program has written up to here.
type ShowOutput struct{}

func (ShowOutput) String() string { return "output" }

func (ShowOutput) run(_ context.Context, s *Session) error {
	to := s.pos.Event // what followed this event is still to come here
	if s.pos.End || s.live() {
		to = -1
	}
	var b strings.Builder
	if s.rec != nil {
		for _, p := range s.rec.Output(-1, to) {
			b.WriteString(p.Text)
		}
	}
	if b.Len() > 0 {
		s.say(trimLineEnd(b.String()))
	}
	return nil
}

// Info tells about one of Topics.
type Info struct {
	Topic string `json:"topic"`
}

// Topics are what Info tells about.
func Topics() []string { return []string{"breakpoints", "program", "threads"} }

func (c Info) String() string { return words("info", c.Topic) }

func (c Info) run(ctx context.Context, s *Session) error {
	switch c.Topic {
	case "breakpoints":
		if len(s.bps.List) == 0 {
			s.say("No breakpoints.")
		}
		s.listBreaks()
		return nil
	case "program":
		return s.infoProgram()
	case "threads":
		return s.infoThreads(ctx)
	}
	return errorf(BadArgument, "There is nothing to tell about %s", c.Topic)
}

func (s *Session) infoProgram() error {
	lines := []string{"Program: " + escape.Line(s.programID)}
	if args := s.cfg.Options.Args; len(args) > 0 {
		lines = append(lines, fmt.Sprintf("Arguments: %q", args))
	}
	s.say(strings.Join(append(lines, s.info()...), "\n"))
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
