package session

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// journaling writes the session's journal, or replays one.
type journaling struct {
	cfg      *Config
	program  *program
	draft    *draft
	position *position
	bills    *bills

	writer    *journal.Writer
	replaying *replay // the journal that is replayed; nil for none
	script    Script
	given     string   // the command under way, as its type words it
	nested    int      // of commands that run commands
	programs  []string // commands that the program gave as it called the debugger
	chance    chance   // what of the running command was chance
}

// replay is the state of a replayed journal.
type replay struct {
	inputs  []journal.Input
	replies nav.Replies
	records []journal.Record // what the new journal will hold
}

// input returns the next journalled input line of the program.
func (r *replay) input() InputLine {
	if len(r.inputs) == 0 {
		return InputLine{EOF: true}
	}
	in := r.inputs[0]
	r.inputs = r.inputs[1:]
	return InputLine(in)
}

// Resume replays a journal in a new session and answers with the position it reached. The program
// is recorded again; where a landing differs from the journalled one, the replay stops and says
// so.
func (s *Session) Resume(ctx context.Context, j *journal.Journal, line func(ctx context.Context, text string)) *Answer {
	if j.Header.Source != "" && j.Header.Source != journal.SourceHash(s.cfg.Options) {
		s.draft.notice("%s changed since its journal was written.", escape.Line(s.program.id))
	}
	defer s.Work()()
	late := s.comeToFirst(ctx)
	kept := s.breakpoints.table.List
	s.breakpoints.table = breakpoint.Table{}
	s.breakpoints.table.Restore(j.Header.Breakpoints)
	breakpoint.Relocate(s.breakpoints.table.List, s.files.textOf)
	began := copied(s.breakpoints.table.List)
	s.journaling.replaying = &replay{}
	if n := s.cfg.Neural; n != nil {
		n.Named = j.Header.Model
	}
	if n := s.cfg.Against; n != nil && j.Header.Against != nav.OtherModel {
		n.Named = j.Header.Against
	}
	notices := s.draft.answer // only the place it ends at is worth showing
	s.draft.answer, s.draft.stop = &Answer{}, nil
	failed := late
	done := 0
	for _, st := range j.Steps {
		if failed != nil {
			break
		}
		if ctx.Err() != nil || s.program.stopping.Load() {
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
		if now := landingAt(s.position.pos, s.program.states()); !now.Same(st.Landing) {
			failed = errorf(Diverged, "The replay of %q came to %s, the journal says %s: it stops here", cmp.Or(st.Line, fmt.Sprint(c)), now, st.Landing)
		}
	}
	records := s.journaling.replaying.records
	s.journaling.replaying = nil
	s.draft.answer, s.draft.stop, s.draft.seq = notices, &stop{}, 0
	if failed != nil {
		s.breakpoints.table.Restore(kept)
	}
	s.draft.notice("Resumed: %s replayed.", plural(done, "command", "commands"))
	if n := s.cfg.Neural; n != nil && s.Mode() != Real {
		if now := n.Predictor.Model().Name; now != "" && j.Header.Model != "" && now != j.Header.Model {
			s.draft.notice("What is replayed was predicted by %s; from here on %s is asked.", escape.Line(j.Header.Model), escape.Line(now))
		}
	}
	if j.Cut && failed == nil {
		s.draft.notice("npdb ended during the last command of the journal, which is not replayed.")
	}
	s.journaling.open(began)
	for _, r := range records {
		s.journaling.writer.Write(r)
	}
	s.breakpoints.save()
	return s.finish(ctx, failed)
}

// copied returns deep copies of breakpoints.
func copied(list []*breakpoint.Breakpoint) []*breakpoint.Breakpoint {
	out := make([]*breakpoint.Breakpoint, len(list))
	for i, b := range list {
		c := *b
		out[i] = &c
	}
	return out
}

// given returns the command of a step; nil if the step is a line that is not a command.
func given(st journal.Step) (Command, error) {
	if st.Do == nil {
		return nil, nil
	}
	return DecodeCommand(st.Do)
}

// again replays one step of a journal; c is its command, nil for a line.
func (s *Session) again(ctx context.Context, c Command, st journal.Step) {
	s.journaling.replaying.inputs, s.journaling.replaying.replies.List = st.Inputs, st.Replies
	s.journaling.replaying.records = append(s.journaling.replaying.records, st.Records()...)
	switch {
	case c == nil:
	case s.program.rec != nil && st.Landing.Interrupted && !st.Landing.End:
		// The place of an interrupt depends on timing, but it was journalled.
		if err := s.goTo(ctx, st.Landing.Event); err != nil {
			s.draft.notice("%v", err)
		}
	default:
		s.Answer(ctx, c.String(), func() error { return s.Run(ctx, c) })
	}
}

// open creates the session's journal if there is none, with the breakpoints at the first state.
func (j *journaling) open(list []*breakpoint.Breakpoint) {
	if j.cfg.StateDir == "" || j.writer.Open() || j.replaying != nil {
		return
	}
	o := j.cfg.Options
	head := journal.Header{
		Program: j.program.id, Source: journal.SourceHash(o), Breakpoints: list, Options: journal.OptionsOf(o, j.cfg.StdinFile),
	}
	head.Options.Entry = j.program.secrets().Text(head.Options.Entry)
	if n := j.cfg.Neural; n != nil && j.program.Mode() != Real {
		head.Mode, head.Model, head.Filled = string(j.program.Mode()), n.Called(""), n.Filled
		if other := j.cfg.Against; other != nil {
			head.Against, head.Filled = j.bills.againstName(), other.Filled
		}
	}
	w, unremoved, err := journal.Create(j.cfg.StateDir, head)
	j.writer = w
	if err != nil {
		j.draft.notice("No journal is kept: %v", err)
	}
	if unremoved != nil {
		j.draft.notice("An old journal could not be removed: %v", unremoved)
	}
}

// landingAt converts a position for the journal.
func landingAt(p trace.Position, t nav.States) journal.Landing {
	if p.End || p.Event < 0 || p.Event >= t.Len() {
		return journal.Landing{End: true}
	}
	r := t.At(p.Event)
	return journal.Landing{Event: p.Event, Line: r.Line, File: t.Files()[r.File].Name}
}

// landed writes the landing of a command to the journal.
func (j *journaling) landed() {
	l := landingAt(j.position.pos, j.program.states())
	l.Interrupted, l.Hole = j.chance.interrupted, j.chance.interrupted && j.chance.hole
	j.writer.Landing(l)
}

// SetScript sets the function that runs breakpoints' commands. Without it they do not run.
func (j *journaling) SetScript(f Script) { j.script = f }

// NotRun returns the error of a command that was interrupted before it ran.
func (j *journaling) NotRun(command string) error {
	j.chance.interrupted = true
	return errorf(Stopped, "Interrupted: %s was not run.", strings.TrimSpace(command))
}

// Journal writes a line to the journal that the front end handled without a command of the
// session.
func (j *journaling) Journal(line string) {
	if j.nested == 0 {
		j.chance = chance{}
		j.writer.Line(j.program.secrets().Text(line))
		j.landed()
	}
}

// chance holds what a replay of a command cannot reproduce.
type chance struct {
	interrupted bool // the user interrupted it,
	hole        bool // and nothing of it was recorded
}
