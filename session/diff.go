package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
)

// Diff compares the state here with that of a visit of the history: With is its name or number. "off" ends
// the comparison with another run.
type Diff struct {
	With string `json:"with"`
}

func (c Diff) String() string { return words("diff", c.With) }

// Difference is the comparison of the shown state with another one of the history. In the verdicts
// the other state is the predicted one, the shown state the real one.
type Difference struct {
	Visit    Visit      // the other visit
	Name     string     // as the user named it
	State    *dsl.State // nil at the end of the program
	Exit     *dsl.Exit  // nil before the end
	Verdicts compare.Verdicts
	Run      *RunMoment // the other state is one of another run; nil for one of the history
}

func (c Diff) run(_ context.Context, s *Session) error {
	v, err := s.visits.find(c.With)
	if c.With == "off" && err != nil && s.visits.run != nil {
		s.visits.run = nil
		s.draft.say("The other run is no longer shown.")
		return nil
	}
	if err != nil {
		return err
	}
	s.visits.compared = compared{name: c.With, with: v.Number, shown: s.visits.tree.Shown()}
	d := s.visits.difference()
	s.draft.answer.Difference = d
	lines := d.lines(s.visits.current())
	if s.cfg.Key != nil {
		lines = lines[:1] // a screen shows the parts side by side
	}
	s.draft.say(strings.Join(lines, "\n"))
	return nil
}

// difference compares the shown state with the one that diff named, as long as the same visit is
// shown; otherwise with the same moment of the other run, if there is one.
func (vs *visits) difference() *Difference {
	v := vs.tree.Visit(vs.compared.with)
	if v == nil || vs.compared.shown != vs.tree.Shown() {
		return vs.runDifference()
	}
	d := &Difference{Visit: *v, Name: vs.compared.name}
	there := vs.replyAt(v)
	if there.Stop != nil {
		d.State = &there.Stop.State
	}
	d.Exit = there.Exit
	d.Verdicts = compare.Compare(there, vs.replyAt(vs.current()), compare.All())
	return d
}

// replyAt returns the state at a visit in the form in which states are compared.
func (vs *visits) replyAt(v *Visit) dsl.Reply {
	source := vs.program.sourceOf(v.Position)
	t := source.States()
	if v.End || v.Event < 0 || v.Event >= t.Len() {
		return dsl.Reply{Outcome: dsl.Ended, Exit: source.Mark(v.Position).Exit}
	}
	stop := &dsl.Stop{State: *t.State(v.Event)}
	for _, f := range t.Stack(v.Event) {
		stop.Stack = append(stop.Stack, f.Frame)
	}
	return dsl.Reply{Outcome: dsl.Landed, Stop: stop}
}

// Called returns the other visit's name, the one that the user gave if it has several, and its
// number.
func (d *Difference) Called() string {
	switch {
	case d.Run != nil && d.Run.Event < 0:
		return d.Run.Name + " before its first event"
	case d.Run != nil && d.State == nil:
		return d.Run.Name + " at its end"
	case d.Run != nil:
		return d.Run.Name + " event " + thousands(d.Run.Event)
	case IsMark(d.Name):
		return d.Name + " " + VisitName(d.Visit.Number)
	case len(d.Visit.Marks) > 0:
		return d.Visit.Marks[0] + " " + VisitName(d.Visit.Number)
	}
	return VisitName(d.Visit.Number)
}

// lines describes the difference: a summary, then a line for each part that differs.
func (d *Difference) lines(here *Visit) []string {
	head := fmt.Sprintf("There: %s, %s. Here: #%d, %s. ", d.Called(), d.Visit.Place(), here.Number, here.Place())
	if d.Verdicts.Same() {
		return []string{head + "The states are the same."}
	}
	lines := []string{head + plural(d.Verdicts.Count(), "part differs.", "parts differ.")}
	for _, v := range d.Verdicts {
		if v.Kind != compare.Same {
			lines = append(lines, "  "+differenceText(v))
		}
	}
	return lines
}

// differenceText describes how a part of two states differs.
func differenceText(v compare.Verdict) string {
	subject := v.Name
	if v.Field != compare.Local {
		subject = v.Field.String()
	}
	there, here := v.Excerpts()
	switch v.Kind {
	case compare.Missing:
		return fmt.Sprintf("%s: only here, %s", subject, here)
	case compare.Extra:
		return fmt.Sprintf("%s: only there, %s", subject, there)
	case compare.Incomparable:
		return fmt.Sprintf("%s cannot be compared: %s", subject, v.Reason)
	}
	return fmt.Sprintf("%s: %s there, %s here", subject, there, here)
}
