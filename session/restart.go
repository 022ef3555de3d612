package session

import (
	"context"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
)

// Quit ends the session. In a statement of debug, where pdb's quit leaves only that, the user is first told
// how to leave it.
type Quit struct{}

func (Quit) String() string { return "quit" }

func (Quit) run(_ context.Context, s *Session) error {
	if n := len(s.program.debugging); n > 0 {
		statement := s.program.debugging[n-1]
		s.program.debugging = nil
		return errorf(Refused, "quit: debug %s has not ended: %s goes to its end and leaves it, quit again ends the program and npdb",
			escape.Line(statement), s.draft.key("continue"))
	}
	if ended := s.program.childrenEnded(); ended != "" {
		s.draft.notice("%s", ended)
	}
	s.draft.answer.Quit = true
	return nil
}

// Detach leaves a program that npdb did not start, and ends the session. The program runs on.
type Detach struct{}

func (Detach) String() string { return "detach" }

func (Detach) run(_ context.Context, s *Session) error {
	rec, ok := s.program.rec.(interface{ SetLeaving(trace.Leaving) error })
	if !ok {
		return errorf(Refused, "detach: no program runs in this session")
	}
	if err := rec.SetLeaving(trace.Detach); err != nil {
		return errorf(Refused, "detach: %v (quit ends both)", err)
	}
	s.draft.answer.Quit = true
	return nil
}

// Restart runs the program again, with new arguments if Args is not empty. If it cannot be started,
// the old recording is kept.
type Restart struct {
	Args []string `json:"args,omitempty"`
}

func (c Restart) String() string { return words("restart", strings.Join(c.Args, " ")) }

func (c Restart) run(ctx context.Context, s *Session) error {
	if s.cfg.File != "" {
		return errorf(Refused, "restart: this session shows a recording and runs nothing (%s goes to its first state)", s.draft.key("rewind"))
	}
	if s.cfg.Attached {
		return errorf(Refused, "restart: npdb did not start this program, so that it cannot run it again (%s goes to the first recorded state)", s.draft.key("rewind"))
	}
	if len(c.Args) > 0 {
		s.cfg.Options.Args = c.Args
	}
	s.visits.toRecording()
	s.draft.drain()
	s.demand.drop()
	s.program.debugging = nil
	if err := s.program.end(); err != nil {
		s.draft.notice("The program did not end cleanly: %v", err)
	}
	s.draft.sayf("Restarting %s with arguments:\n\t%s", escape.Line(s.program.id), strings.Join(s.cfg.Options.Args, " "))
	for _, w := range breakpoint.Relocate(s.breakpoints.table.List, s.files.textOf) {
		s.draft.notice("%s", w)
	}
	for _, b := range s.breakpoints.table.List {
		b.ForgetHits()
	}
	s.breakpoints.save()
	s.draft.answer.Horizon = 0
	return s.start(ctx)
}
