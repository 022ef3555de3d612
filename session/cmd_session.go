package session

import (
	"context"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/breakpoint"
)

// Quit ends the session.
type Quit struct{}

func (Quit) String() string { return "quit" }

func (Quit) run(_ context.Context, s *Session) error {
	s.answer.Quit = true
	return nil
}

// Restart runs the program again, with other arguments if there are any. Where it
// cannot be started any more, the old recording stays to be looked at.
type Restart struct {
	Args []string `json:"args,omitempty"`
}

func (c Restart) String() string { return words("restart", strings.Join(c.Args, " ")) }

func (c Restart) run(ctx context.Context, s *Session) error {
	if len(c.Args) > 0 {
		s.cfg.Options.Args = c.Args
	}
	s.drain()
	if err := s.end(); err != nil {
		s.notice("The program did not end cleanly: %v", err)
	}
	s.sayf("Restarting %s with arguments:\n\t%s", escape.Line(s.programID), strings.Join(s.cfg.Options.Args, " "))
	for _, w := range breakpoint.Relocate(s.bps.List, s.textOf) {
		s.notice("%s", w)
	}
	for _, b := range s.bps.List {
		b.ForgetHits()
	}
	s.save()
	s.answer.Horizon = 0
	return s.start(ctx)
}
