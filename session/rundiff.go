package session

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/align"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/saved"
)

// OtherRun is a run that was read from a recording file, to be compared.
type OtherRun struct {
	align.Run
	About  align.About
	Notice string // what is wrong with the file, "" for nothing
}

// ReadRun reads a recording file to compare it.
func ReadRun(path string, l trace.Limits) (r OtherRun, err error) {
	h, err := saved.HeaderOf(path)
	if err != nil {
		return r, err
	}
	rec, landing, err := trace.OpenLog(path, l)
	if err != nil {
		return r, fmt.Errorf("%s: %w", path, err)
	}
	r.Run = align.Run{Tree: rec.Tree(), Exit: rec.Exit(), Dir: h.Dir}
	r.Python, _ = python.ParseVersion(h.Python) // an unknown version compares as the newest
	program := h.Script
	if h.Module != "" {
		program = "-m " + h.Module
	} else if h.Code != "" {
		program = "-c"
	}
	r.About = align.About{Name: filepath.Base(path), Program: filepath.Base(program), Python: h.Python}
	r.Notice = landing.Notice
	return r, nil
}

// RunMoment is the moment of another run at which the shown state is.
type RunMoment struct {
	Name  string // the recording file
	Event int    // -1 before its first event; its number of events at the end
	Exact bool   // the events are aligned; otherwise Event is the last one before the runs parted
	// Divergence describes what differs here for the first time, nil for nothing.
	Divergence *align.Place
}

// otherRun is the run with which the session's is compared.
type otherRun struct {
	OtherRun
	aligned *align.Alignment
}

// DiffRun compares the recording with that in a file, or with another run of the session if its number
// is given. From then on each stop is shown beside the same moment of the other run.
type DiffRun struct {
	File string `json:"file,omitempty"`
	Run  int    `json:"run,omitempty"`
}

func (c DiffRun) String() string {
	if c.Run > 0 {
		return words("diff run", c.Run)
	}
	return words("diff", c.File)
}

func (c DiffRun) run(ctx context.Context, s *Session) error {
	if s.program.recorded() == nil || s.program.beside() != nil {
		return errorf(Refused, "%s: only a recording is compared with another one; this session predicts states (mode real)", escape.Line(c.String()))
	}
	other, err := s.visits.otherRun(c)
	if err != nil {
		return err
	}
	if other.Notice != "" {
		s.draft.notice("%s: %s", other.About.Name, other.Notice)
	}
	mine := s.visits.runOfSession(s.program.rec, "this session")
	about := mine.About
	if c.Run > 0 {
		about.Name = fmt.Sprintf("run %d", s.program.shown+1)
	} else if s.cfg.File != "" {
		about.Name = filepath.Base(s.cfg.File)
	}
	ctx, done := s.program.interruptible(ctx)
	defer done()
	al, err := align.Align(ctx, mine.Run, other.Run)
	if err != nil {
		return errorf(Stopped, "Interrupted: the runs are not compared")
	}
	s.visits.run = &otherRun{other, al}
	lines := al.Report([2]align.About{about, other.About}).Lines()
	s.draft.say(strings.Join(lines, "\n"))
	if len(al.Divergences) == 0 {
		return nil
	}
	return s.toDivergence(ctx, "first")
}

// otherRun returns the run with which the shown one is to be compared.
func (vs *visits) otherRun(c DiffRun) (OtherRun, error) {
	if c.Run == 0 {
		other, err := ReadRun(c.File, vs.cfg.Options.Limits)
		if err != nil {
			err = errorf(Refused, "diff: %v", err)
		}
		return other, err
	}
	shown, of := vs.program.Run()
	switch {
	case of == 1:
		return OtherRun{}, errorf(NotFound, "%s: there is one run only; an edit in the past begins another", c)
	case c.Run > of:
		return OtherRun{}, errorf(NotFound, "%s: there are %d runs", c, of)
	case c.Run == shown:
		return OtherRun{}, errorf(BadArgument, "%s: this is run %d", c, shown)
	}
	return vs.runOfSession(vs.program.runs[c.Run-1].rec, fmt.Sprintf("run %d", c.Run)), nil
}

// runOfSession returns a run of the session's program to be compared.
func (vs *visits) runOfSession(rec Recording, name string) OtherRun {
	r := OtherRun{Run: align.Run{Tree: rec.Tree(), Exit: rec.Exit(), Dir: vs.cfg.Options.Dir}}
	r.About = align.About{Name: name, Program: filepath.Base(vs.cfg.Options.Script), Python: rec.PythonVersion()}
	r.Python, _ = python.ParseVersion(r.About.Python)
	return r
}

// toDivergence goes to a divergence of the compared runs: the "next", the "previous" or the "first" one.
func (s *Session) toDivergence(ctx context.Context, which string) error {
	al := s.visits.run.aligned
	at := s.position.pos.Event
	if s.position.pos.End {
		at = s.program.rec.Tree().Len()
	}
	n := al.Next(0, at)
	switch which {
	case "previous":
		n = al.Previous(0, at)
	case "first":
		n = al.Next(0, -1)
	}
	if n < 0 {
		return errorf(NotFound, "No %s divergence", map[bool]string{true: "earlier", false: "later"}[which == "previous"])
	}
	if event := al.Divergences[n].Events[0]; event < s.program.rec.Tree().Len() {
		return s.goToEvent(ctx, event)
	}
	return s.goToPercent(ctx, 100)
}

// runDifference compares the shown state with the same moment of the other run, nil if there is none.
func (vs *visits) runDifference() *Difference {
	r := vs.run
	if r == nil || vs.position.pos.Event < 0 && !vs.position.pos.End {
		return nil
	}
	here := vs.current()
	if here == nil {
		return nil
	}
	d := &Difference{Run: &RunMoment{Name: r.About.Name}}
	t := r.Tree
	if vs.position.pos.End {
		d.Run.Event, d.Run.Exact = t.Len(), true
	} else {
		d.Run.Event, d.Run.Exact = r.aligned.Other(0, vs.position.pos.Event)
		if n := r.aligned.At(0, vs.position.pos.Event); n >= 0 {
			d.Run.Divergence = r.aligned.Place(n)
			d.Run.Event, d.Run.Exact = r.aligned.Divergences[n].Events[1], true
		}
	}
	there := dsl.Reply{Outcome: dsl.Ended, Exit: r.Exit}
	if e := d.Run.Event; e >= 0 && e < t.Len() {
		there = dsl.Reply{Outcome: dsl.Landed, Stop: r.aligned.Translated(1, e)}
		d.State = t.State(e)
	} else if there.Exit == nil {
		there.Exit = &dsl.Exit{}
	}
	d.Exit = there.Exit
	d.Verdicts = compare.Compare(there, vs.replyAt(here), compare.All())
	for i := range d.Verdicts {
		if v := &d.Verdicts[i]; v.Kind == compare.Differs && r.aligned.SameText(v.Real, v.Predicted) {
			v.Kind = compare.Same
		}
	}
	return d
}

// tellRun adds the comparison with the other run, if there is one, to the answer of a command that moved.
func (d *draft) tellRun(of *Difference) {
	if of == nil {
		return
	}
	d.answer.Difference = of
	if d.stop == nil || d.cfg.Key != nil { // the screen shows the states side by side
		return
	}
	d.notice("%s", of.runSentence())
}

// runSentence describes how the other run differs at this moment.
func (d *Difference) runSentence() string {
	text := d.Called() + ": "
	switch n := d.Verdicts.Count(); {
	case d.Run.Divergence != nil:
		return text + d.Run.Divergence.Sentence()
	case !d.Run.Exact:
		return text + "it is not here"
	case n == 0:
		return text + "the same"
	default:
		first, _ := d.Verdicts.First()
		text += differenceText(first)
		if n > 1 {
			text += fmt.Sprintf(" (and %d more)", n-1)
		}
		return text
	}
}
