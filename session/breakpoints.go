package session

import (
	"context"
	"slices"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/journal"
)

// breakpoints holds the session's table of breakpoints and saves it for later runs.
type breakpoints struct {
	cfg        *Config
	program    *program
	draft      *draft
	position   *position
	files      *files
	values     *values
	journaling *journaling

	table  breakpoint.Table
	kept   *journal.Breakpoints
	unkept bool                   // the user was told that breakpoints cannot be saved
	hit    *breakpoint.Breakpoint // the breakpoint whose commands are to run next
}

// Breakpoints returns all breakpoints, ordered by number.
func (bs *breakpoints) Breakpoints() []*breakpoint.Breakpoint { return bs.table.List }

// LastBreakpoint returns the highest number given to a breakpoint so far, 0 if there was none.
func (bs *breakpoints) LastBreakpoint() int { return bs.table.Last() }

// load restores the breakpoints that an earlier run of the program saved in the folder dir.
func (bs *breakpoints) load(dir string) {
	bs.program.id = journal.Program(bs.cfg.Options)
	bs.kept = journal.NewBreakpoints(dir, bs.program.id)
	if bs.cfg.foreign() || bs.cfg.Unkept {
		return
	}
	if dir == "" {
		bs.draft.notice("No state folder is known (HOME and XDG_STATE_HOME are not set): breakpoints and the journal are not kept.")
		return
	}
	kept, err := bs.kept.Load()
	if err != nil {
		bs.draft.notice("%v", err)
		return
	}
	bs.table.Restore(kept)
	for _, w := range breakpoint.Relocate(kept, bs.files.textOf) {
		bs.draft.notice("%s", w)
	}
	if len(kept) > 0 {
		bs.draft.notice("%s kept from an earlier run; %s lists them.", plural(len(kept), "breakpoint is", "breakpoints are"), bs.draft.key("b"))
	}
}

// save saves the breakpoints for the next run, except temporary ones, watchpoints and catchpoints.
// If that fails, the user is told once.
func (bs *breakpoints) save() {
	if bs.cfg.Unkept || bs.journaling.replaying != nil {
		return // a replay must not change what is saved either
	}
	kept := slices.DeleteFunc(slices.Clone(bs.table.List), func(b *breakpoint.Breakpoint) bool { return b.Passing || b.Temporary || !b.OnLine() })
	if err := bs.kept.Save(kept); err != nil && !bs.unkept {
		bs.unkept = true
		bs.draft.notice("Breakpoints are not kept for the next run: %v", err)
	}
}

// add adds a breakpoint whose file and line are set.
func (bs *breakpoints) add(ctx context.Context, b *breakpoint.Breakpoint) error {
	lines, admitted, err := bs.files.admitted(ctx, b)
	if err != nil {
		return err
	}
	b.Anchor = breakpoint.AnchorAt(lines, b.Line)
	if same := bs.table.Again(b); same != nil {
		b = same
		b.Kept, b.Enabled, b.Ignore = false, true, 0
	} else {
		bs.table.Add(b)
	}
	bs.save()
	bs.draft.sayf("Breakpoint %d at %s:%d", b.Number, escape.Line(bs.position.pathWord(b.File)), b.Line)
	if bs.program.pending(ctx, b.File) {
		bs.draft.notice("%s is not imported yet: the breakpoint is pending, and stops once the file runs.", escape.Line(bs.cfg.Options.ShownName(b.File)))
	}
	if admitted != "" {
		bs.draft.notice("%s", admitted)
	}
	return nil
}

func (bs *breakpoints) remove(b *breakpoint.Breakpoint) {
	bs.table.Remove(b)
	bs.draft.sayf("Deleted %s", bs.told(b))
}

func (bs *breakpoints) forget(list []*breakpoint.Breakpoint) {
	for _, b := range list {
		bs.remove(b)
	}
	bs.save()
}

// eachNumber calls do for each breakpoint with one of these numbers. Numbers without a breakpoint
// are skipped and reported in the error.
func (bs *breakpoints) eachNumber(numbers []int, do func(*breakpoint.Breakpoint)) error {
	var failed []string
	for _, n := range numbers {
		b, err := bs.table.Numbered(n)
		if err != nil {
			failed = append(failed, err.Error())
			continue
		}
		do(b)
	}
	bs.save()
	if failed != nil {
		return errorf(NotFound, "%s", strings.Join(failed, "\n*** "))
	}
	return nil
}

func (bs *breakpoints) list(ctx context.Context) {
	if len(bs.table.List) == 0 {
		return
	}
	lines := []string{"Num Type         Disp Enb   Where"}
	for _, b := range bs.table.List {
		shown := bs.told(b)
		shown.Pending = b.OnLine() && bs.program.pending(ctx, b.File)
		lines = append(lines, shown.Describe())
	}
	bs.draft.say(strings.Join(lines, "\n"))
}

// told returns a copy of a breakpoint with the file name that is shown to the user.
func (bs *breakpoints) told(b *breakpoint.Breakpoint) *breakpoint.Breakpoint {
	out := *b
	out.File = bs.position.pathWord(b.File)
	return &out
}

// countHits sets the hit counts of all breakpoints to those at the position, so that a position
// shows the same counts each time. Predicted states have no order, so all their hits count.
func (bs *breakpoints) countHits() {
	for _, b := range bs.table.List {
		if bs.position.pos.End || bs.program.recorded() == nil {
			b.CountAll()
		} else {
			b.CountTo(bs.position.pos.Event)
		}
	}
}

// numbered formats source lines with their numbers as pdb does. B marks a breakpoint; in the
// selected frame's file, -> marks the current line and >> the line that raised the exception.
func (bs *breakpoints) numbered(path string, lines []string, first, last int) string {
	current, raised := 0, 0
	if frame, err := bs.position.frame(); err == nil && bs.position.pathOf(frame) == path {
		if current, raised = frame.Line, bs.position.raisedLine(frame); bs.position.selectedBelow() != nil {
			current, raised = bs.position.selectedBelow().at, frame.Line
		}
	}
	var out []string
	for n := first; n <= last; n++ {
		mark := " "
		if len(bs.table.At(path, n)) > 0 {
			mark = "B"
		}
		switch n {
		case current:
			mark += "->"
		case raised:
			mark += ">>"
		}
		out = append(out, listLine(n, mark, lines[n-1]))
	}
	return strings.Join(out, "\n")
}

// Reread reads a file again after the user has edited it. If the program has not run the file yet,
// its breakpoints move with their lines, and words describes these moves.
func (bs *breakpoints) Reread(ctx context.Context, path string) (text Text, words []string, err error) {
	if _, runs := bs.files.fileThatRuns(path); !runs {
		here := slices.DeleteFunc(slices.Clone(bs.table.List), func(b *breakpoint.Breakpoint) bool { return b.File != path })
		words = breakpoint.Relocate(here, bs.files.textOf)
		bs.save()
	}
	text, err = bs.files.Look(ctx, path)
	return text, words, err
}
