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

// journaling writes the session's journal, or replays an earlier one.
type journaling struct {
	cfg      *Config
	program  *program
	draft    *draft
	position *position
	bills    *bills

	writer    *journal.Writer
	replaying *replay // the replay in progress, nil for none
	script    Script
	given     string   // the current command in pdb's language
	nested    int      // depth of commands that run commands
	programs  []string // commands that the program passed when it called the debugger
	chance    chance   // what a replay of the current command cannot reproduce
}

// replay is the state of a replay of a journal.
type replay struct {
	inputs  []journal.Input
	replies nav.Replies
	records []journal.Record // records to write to the new journal
}

// input returns the program's next line of input from the journal.
func (r *replay) input() InputLine {
	if len(r.inputs) == 0 {
		return InputLine{EOF: true}
	}
	in := r.inputs[0]
	r.inputs = r.inputs[1:]
	return InputLine(in)
}

// Resume replays a journal in a new session and returns an answer with the position that it
// reached. The program is run and recorded again. If a landing differs from the one in the journal,
// the replay stops and the answer says so. line runs a line that is not a session command.
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
	// Keep the notices; of the replayed answers, only the last position is shown.
	notices := s.draft.answer
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
		s.visits.tree.Renumber(st.Landing.Visit)
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

// given returns the command of a step, nil if the step is a line that is not a session command.
func given(st journal.Step) (Command, error) {
	if st.Do == nil {
		return nil, nil
	}
	return DecodeCommand(st.Do)
}

// again replays one step of a journal. c is its command, nil for a line.
func (s *Session) again(ctx context.Context, c Command, st journal.Step) {
	s.journaling.replaying.inputs, s.journaling.replaying.replies.List = st.Inputs, st.Replies
	s.journaling.replaying.records = append(s.journaling.replaying.records, st.Records()...)
	switch {
	case c == nil:
	case s.program.rec != nil && st.Landing.Interrupted && !st.Landing.End:
		// An interrupt cannot be repeated at the same event, so go to the event in the journal.
		if err := s.goTo(ctx, st.Landing.Event); err != nil {
			s.draft.notice("%v", err)
		}
	default:
		s.Answer(ctx, c.String(), func() error { return s.Run(ctx, c) })
	}
}

// open creates the session's journal if it has none. list holds the breakpoints at the first state.
func (j *journaling) open(list []*breakpoint.Breakpoint) {
	if j.cfg.StateDir == "" || j.writer.Open() || j.replaying != nil {
		return
	}
	o := j.cfg.Options
	head := journal.Header{
		Program: j.program.id, Source: journal.SourceHash(o), Breakpoints: list, Options: journal.OptionsOf(o, j.cfg.StdinFile),
	}
	head.Options.Entry = j.program.secrets().Text(head.Options.Entry)
	head.Options.Begin = j.program.journalledBeginning(head.Options.Begin)
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

// landingAt returns the landing that the journal records for a position.
func landingAt(p trace.Position, t nav.States) journal.Landing {
	if p.End || p.Event < 0 || p.Event >= t.Len() {
		return journal.Landing{End: true}
	}
	r := t.At(p.Event)
	return journal.Landing{Event: p.Event, Line: r.Line, File: t.Files()[r.File].Name}
}

// landed writes the position after a command to the journal, and the number of its visit.
func (j *journaling) landed(visit int) {
	l := landingAt(j.position.pos, j.program.states())
	l.Visit = visit
	l.Interrupted, l.Hole = j.chance.interrupted, j.chance.interrupted && j.chance.hole
	j.writer.Landing(l)
}

// SetScript sets the function that runs the command lists of breakpoints. Without it, they do not
// run.
func (j *journaling) SetScript(f Script) { j.script = f }

// NotRun returns the error for a command that was interrupted before it ran.
func (j *journaling) NotRun(command string) error {
	j.chance.interrupted = true
	return errorf(Stopped, "Interrupted: %s was not run.", strings.TrimSpace(command))
}

// Journal writes a typed line to the journal that the front end handled without a session command,
// for instance alias.
func (s *Session) Journal(line string) {
	if s.journaling.nested == 0 {
		s.journaling.chance = chance{}
		s.journaling.writer.Line(s.program.secrets().Text(line))
		s.journaling.landed(s.visits.tree.Shown())
	}
}

// chance records how a command was interrupted, which a replay cannot reproduce.
type chance struct {
	interrupted bool // the user interrupted the command
	hole        bool // the interrupt was in a part that was not recorded
}
