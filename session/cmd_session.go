package session

import (
	"context"
	"strings"

	"github.com/google/shlex"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/breakpoint"
)

func (s *Session) cmdQuit(_ context.Context, arg string) error {
	if arg != "" {
		return usage("quit", arg)
	}
	s.answer.Quit = true
	return nil
}

// cmdRestart runs the program again. Where it cannot be started any more, the
// old recording stays to be looked at.
func (s *Session) cmdRestart(ctx context.Context, arg string) error {
	if arg != "" {
		args, err := shlex.Split(arg)
		if err != nil {
			return errorf(BadArgument, "Cannot run %s: %v", arg, err)
		}
		s.cfg.Options.Args = args
	}
	s.drain()
	if err := s.walk.close(); err != nil {
		s.notice("The program did not end cleanly: %v", err)
	}
	s.sayf("Restarting %s with arguments:\n\t%s", escape.Line(s.programID), strings.Join(s.cfg.Options.Args, " "))
	for _, w := range breakpoint.Relocate(s.bps.List, s.sourceOf) {
		s.notice("%s", w)
	}
	for _, b := range s.bps.List {
		b.Hits = 0
	}
	s.save()
	s.answer.Horizon = 0
	return s.walk.start(ctx)
}
