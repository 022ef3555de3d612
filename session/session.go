package session

import (
	"context"
	"errors"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/visit"
	"github.com/npdb/npdb/trace"
)

// Session debugs one program: it runs commands on its parts, which hold its state. A part uses only
// parts that precede it in this list. One goroutine calls the methods of a Session, except for
// those methods of program whose comments allow any goroutine.
type Session struct {
	cfg Config

	*program
	*draft
	*position
	*files
	*values
	*bills
	*journaling
	*breakpoints
	*visits
	*watching
	*logging
	*looping
	*viewer
	*pacing
	*demand
	*branching
	*explainer
}

// newSession returns a session that has no source of states yet.
func newSession(cfg Config) *Session {
	s := &Session{cfg: cfg}
	c := &s.cfg
	s.program = &program{cfg: c, unrecorded: c.Unrecorded && c.Mode == Real}
	s.draft = &draft{cfg: c, program: s.program, answer: &Answer{}}
	s.position = &position{cfg: c, program: s.program, draft: s.draft}
	s.files = &files{cfg: c, program: s.program, position: s.position}
	s.values = &values{cfg: c, program: s.program, draft: s.draft, position: s.position}
	s.bills = &bills{cfg: c, program: s.program}
	s.journaling = &journaling{cfg: c, program: s.program, draft: s.draft, position: s.position, bills: s.bills, writer: &journal.Writer{}}
	s.breakpoints = &breakpoints{
		cfg: c, program: s.program, draft: s.draft, position: s.position, files: s.files, values: s.values, journaling: s.journaling,
	}
	s.visits = &visits{cfg: c, program: s.program, position: s.position, journaling: s.journaling, tree: &visit.Tree{}}
	s.watching = &watching{program: s.program, draft: s.draft, position: s.position, values: s.values, visits: s.visits}
	s.logging = &logging{program: s.program, draft: s.draft, position: s.position, files: s.files}
	s.looping = &looping{cfg: c, program: s.program, draft: s.draft, position: s.position, files: s.files, visits: s.visits}
	s.viewer = &viewer{
		cfg: c, program: s.program, position: s.position, files: s.files, values: s.values, bills: s.bills,
		breakpoints: s.breakpoints, visits: s.visits, watching: s.watching, logging: s.logging,
	}
	s.pacing = &pacing{cfg: c, program: s.program, draft: s.draft, journaling: s.journaling}
	s.demand = &demand{
		cfg: c, program: s.program, draft: s.draft, position: s.position, journaling: s.journaling, visits: s.visits,
		watching: s.watching, pacing: s.pacing,
	}
	s.branching = &branching{
		cfg: c, program: s.program, draft: s.draft, position: s.position, files: s.files, breakpoints: s.breakpoints,
		visits: s.visits, watching: s.watching, looping: s.looping, pacing: s.pacing, demand: s.demand,
	}
	s.explainer = &explainer{
		cfg: c, program: s.program, draft: s.draft, position: s.position, values: s.values, visits: s.visits, viewer: s.viewer,
	}
	return s
}

// Open starts the program and goes to its first state. If the program could not be started, the
// error is a *trace.StartError.
func Open(ctx context.Context, cfg Config) (*Session, error) {
	s := newSession(cfg)
	for _, n := range cfg.Notices {
		s.draft.notice("%s", n)
	}
	s.breakpoints.load(cfg.StateDir)
	s.program.nav = nav.New(s.newSource(cfg.Mode), host{s}, &s.breakpoints.table)
	if cfg.Options.From != "" && s.Mode() != Real {
		return nil, &trace.StartError{
			Kind: trace.FromInvalid, Message: "--from runs the program, and records nothing up to there: that is for real mode (--mode real)",
		}
	}
	if cfg.Options.Thread != "" && s.Mode() != Real {
		return nil, &trace.StartError{
			Kind: trace.FromInvalid, Message: "--thread runs the program and records one of its threads: that is for real mode (--mode real)",
		}
	}
	err := s.start(ctx)
	var refused *trace.StartError
	if errors.As(err, &refused) && refused.Kind == trace.BeginRefused && s.Mode() == Both && cfg.Against == nil {
		s.program.close()
		s.draft.notice("This session is neural: %s.", refused.Message)
		s.program.walkOver(s.newSource(Predicted))
		err = s.start(ctx)
	}
	if err != nil {
		_ = s.program.end() // the program may run already; err is the reason to report
		return nil, err
	}
	return s, nil
}

// begin resets what belongs to the previous run.
func (s *Session) begin() {
	s.demand.drop()
	s.position.pos, s.position.selected, s.files.listed = trace.Position{Event: -1}, 0, listed{}
	s.draft.output = outputCursor{event: -1}
	s.watching.displays, s.values.scopes = map[uint32][]*display{}, map[string]*python.Scopes{}
	for _, w := range s.watching.watches { // watched expressions stay, but the activations are new ones
		w.in = map[uint32]*watchReading{}
	}
	s.visits.tree, s.visits.lastMove, s.visits.compared = &visit.Tree{}, lastMove{}, compared{}
	s.visits.run, s.program.runs, s.program.shown = nil, nil, 0
	s.program.left, s.draft.page = nil, page{}
	s.program.inferring.begin()
	s.program.nav.EndWatches()
}

// First returns the answer at the first stop. begin runs the initial commands, for instance of
// .pdbrc; it may be nil.
func (s *Session) First(ctx context.Context, begin func() error) (a *Answer) {
	defer s.Work()()
	defer s.draft.undamaged(&a)
	failed := s.comeToFirst(ctx)
	s.journaling.open(s.breakpoints.table.List)
	if begin != nil {
		if err := begin(); failed == nil {
			failed = err
		}
	}
	return s.finish(ctx, failed)
}

// Follow continues the numbers of the answers of another session, which this one replaces. last is the
// other session's last answer, which is not shown.
func (d *draft) Follow(last *Answer) { d.seq = last.Seq }

// Close ends the program, cancels prefetches and saves the score.
func (s *Session) Close() error {
	s.demand.drop()
	s.journaling.writer.Close()
	s.bills.prefetch.Close()
	return errors.Join(s.bills.keepScore(), s.program.end())
}

// finish completes the current answer and begins the next one. err is the error of the command.
func (s *Session) finish(ctx context.Context, err error) *Answer {
	if e := s.program.damage(); e != nil {
		return s.draft.unread(e)
	}
	s.draft.drain()
	if news := s.journaling.writer.News(); news != "" {
		s.draft.notice("%s", news)
	}
	s.showStop(ctx)
	s.compared()
	s.draft.tellRun(s.visits.runDifference())
	s.watching.readWatches(ctx)
	a := s.draft.answer
	s.draft.answer, s.draft.stop = &Answer{}, nil
	if err != nil {
		a.Err = AsError(err)
	}
	s.fill(a, s.position.pos)
	return a
}

// fill sets an answer's sequence number and its state, which is that of a position.
func (s *Session) fill(a *Answer, pos trace.Position) {
	a.Seq = s.draft.seq
	s.draft.seq++
	mark := s.program.nav.Mark(pos)
	a.Origin, a.Confidence, a.Sureness, a.MadeUp = mark.Origin, mark.Confidence, mark.Sureness, mark.MadeUp
	a.Checks, a.Replayed = mark.Checks, mark.Replayed
	a.Candidates, a.Candidate = s.program.candidates(pos)
	if b := s.program.beside(); b != nil && pos == s.position.pos {
		a.Beside = b.Beside()
	}
	if v := s.visits.tree.Visit(s.visits.tree.Shown()); v != nil && pos == s.position.pos {
		a.Visit, a.Parent = v.Number, v.Parent
		if number, of := s.program.Run(); of > 1 {
			a.Run = number
		}
	}
	a.PostMortem = pos.PostMortem
	if pos.End {
		a.Done = true
		a.Exit = mark.Exit
		return
	}
	t := s.program.states()
	if pos.Event < 0 || pos.Event >= t.Len() {
		return
	}
	a.State = t.State(pos.Event)
	stack := t.Stack(pos.Event)
	for _, f := range stack {
		a.Stack = append(a.Stack, f.Frame)
	}
	if pos != s.position.pos || len(stack) == 0 {
		return
	}
	for _, l := range a.State.Locals {
		if !l.Hidden && s.position.byAttributes(stack[len(stack)-1].Activation, l.Name) {
			a.Attributed = append(a.Attributed, l.Name)
		}
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}
