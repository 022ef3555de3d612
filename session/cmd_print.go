package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/trace"
)

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

// Topics returns what Info tells about.
func Topics() []string { return []string{"breakpoints", "program", "threads"} }

func (c Info) String() string { return words("info", c.Topic) }

func (c Info) run(ctx context.Context, s *Session) error {
	switch c.Topic {
	case "breakpoints":
		if len(s.bps.List) == 0 {
			s.say("No breakpoints.")
		}
		s.listBreaks(ctx)
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
