package session

import (
	"cmp"
	"context"
	"fmt"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// replay is a journal at work.
type replay struct {
	inputs  []journal.Input
	replies nav.Replies
	records []journal.Record // what the new journal will hold
}

// input gives the program the next line it read the first time.
func (r *replay) input() InputLine {
	if len(r.inputs) == 0 {
		return InputLine{EOF: true}
	}
	in := r.inputs[0]
	r.inputs = r.inputs[1:]
	return InputLine(in)
}

// Resume replays a journal on the freshly opened session, and answers with the
// place it came to. The recording is made anew: where a landing is not the one
// that was journalled, the replay stops and says so.
func (s *Session) Resume(ctx context.Context, j *journal.Journal, line func(ctx context.Context, text string)) *Answer {
	if j.Header.Source != "" && j.Header.Source != journal.SourceHash(s.cfg.Options) {
		s.notice("%s changed since its journal was written.", escape.Line(s.programID))
	}
	defer s.Work()()
	late := s.comeToFirst(ctx)
	kept := s.bps.List
	s.bps = breakpoint.Table{}
	s.bps.Restore(j.Header.Breakpoints)
	breakpoint.Relocate(s.bps.List, s.textOf)
	began := copied(s.bps.List)
	s.replaying = &replay{}
	if n := s.cfg.Neural; n != nil {
		n.Named = j.Header.Model
	}
	if n := s.cfg.Against; n != nil && j.Header.Against != nav.OtherModel {
		n.Named = j.Header.Against
	}
	notices := s.answer // only the place it ends at is worth showing
	s.answer, s.stop = &Answer{}, nil
	failed := late
	done := 0
	for _, st := range j.Steps {
		if failed != nil {
			break
		}
		if ctx.Err() != nil || s.stopping.Load() {
			failed = errorf(Diverged, "The replay was interrupted after %s", plural(done, "command", "commands"))
			break
		}
		c, err := given(st)
		if _, quits := c.(Quit); quits {
			break
		}
		switch {
		case err != nil:
			failed = errorf(Diverged, "The journal cannot be replayed: %v", err)
			continue
		case st.Landing.Hole:
			failed = errorf(Diverged, "%q was interrupted while nothing was recorded: where that was cannot be found again, and the replay stops before it", c)
			continue
		}
		if s.again(ctx, c, st); c == nil {
			line(ctx, st.Line)
		}
		done++
		if now := landingAt(s.pos, s.states()); !now.Same(st.Landing) {
			failed = errorf(Diverged, "The replay of %q came to %s, the journal says %s: it stops here", cmp.Or(st.Line, fmt.Sprint(c)), now, st.Landing)
		}
	}
	records := s.replaying.records
	s.replaying = nil
	s.answer, s.stop, s.seq = notices, &stop{}, 0
	if failed != nil {
		s.bps.Restore(kept)
	}
	s.notice("Resumed: %s replayed.", plural(done, "command", "commands"))
	if n := s.cfg.Neural; n != nil && s.Mode() != Real {
		if now := n.Predictor.Model().Name; now != "" && j.Header.Model != "" && now != j.Header.Model {
			s.notice("What is replayed was predicted by %s; from here on %s is asked.", escape.Line(j.Header.Model), escape.Line(now))
		}
	}
	if j.Cut && failed == nil {
		s.notice("npdb ended during the last command of the journal, which is not replayed.")
	}
	s.journalOpen(began)
	for _, r := range records {
		s.journal.Write(r)
	}
	s.save()
	return s.finish(ctx, failed)
}

// copied returns breakpoints that do not change with the originals.
func copied(list []*breakpoint.Breakpoint) []*breakpoint.Breakpoint {
	out := make([]*breakpoint.Breakpoint, len(list))
	for i, b := range list {
		c := *b
		out[i] = &c
	}
	return out
}

// given returns the command of a step, nil for a line.
func given(st journal.Step) (Command, error) {
	if st.Do == nil {
		return nil, nil
	}
	return DecodeCommand(st.Do)
}

// again makes one step of a journal; c is its command, nil for a line.
func (s *Session) again(ctx context.Context, c Command, st journal.Step) {
	s.replaying.inputs, s.replaying.replies.List = st.Inputs, st.Replies
	s.replaying.records = append(s.replaying.records, st.Records()...)
	switch {
	case c == nil:
	case s.rec != nil && st.Landing.Interrupted && !st.Landing.End:
		// Where an interruption falls is chance; where it fell is known.
		if err := s.goTo(ctx, st.Landing.Event); err != nil {
			s.notice("%v", err)
		}
	default:
		s.Answer(ctx, c.String(), func() error { return s.Run(ctx, c) })
	}
}

// journalOpen begins the session's journal, unless it has one, with the breakpoints that
// there were at the first state.
func (s *Session) journalOpen(list []*breakpoint.Breakpoint) {
	if s.cfg.StateDir == "" || s.journal.Open() || s.replaying != nil {
		return
	}
	o := s.cfg.Options
	head := journal.Header{
		Program: s.programID, Source: journal.SourceHash(o), Breakpoints: list, Options: journal.OptionsOf(o, s.cfg.StdinFile),
	}
	head.Options.Entry = s.secrets().Text(head.Options.Entry)
	if n := s.cfg.Neural; n != nil && s.Mode() != Real {
		head.Mode, head.Model, head.Filled = string(s.Mode()), n.Called(""), n.Filled
		if other := s.cfg.Against; other != nil {
			head.Against, head.Filled = s.againstName(), other.Filled
		}
	}
	w, unremoved, err := journal.Create(s.cfg.StateDir, head)
	s.journal = w
	if err != nil {
		s.notice("No journal is kept: %v", err)
	}
	if unremoved != nil {
		s.notice("An old journal could not be removed: %v", unremoved)
	}
}

// landingAt returns a position as a journal has it.
func landingAt(p trace.Position, t nav.States) journal.Landing {
	if p.End || p.Event < 0 || p.Event >= t.Len() {
		return journal.Landing{End: true}
	}
	r := t.At(p.Event)
	return journal.Landing{Event: p.Event, Line: r.Line, File: t.Files()[r.File].Name}
}

// landed adds to the journal where a command led.
func (s *Session) landed() {
	l := landingAt(s.pos, s.states())
	l.Interrupted, l.Hole = s.chance.interrupted, s.chance.interrupted && s.chance.hole
	s.journal.Landing(l)
}
