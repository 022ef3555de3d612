package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
)

// Diff compares the state here with that of a visit of the history: With is its name or number.
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
}

func (c Diff) run(_ context.Context, s *Session) error {
	v, err := s.visits.find(c.With)
	if err != nil {
		return err
	}
	here := s.visits.current()
	d := &Difference{Visit: *v, Name: c.With}
	there := s.visits.replyAt(v)
	if there.Stop != nil {
		d.State = &there.Stop.State
	}
	d.Exit = there.Exit
	d.Verdicts = compare.Compare(there, s.visits.replyAt(here), compare.All())
	s.draft.answer.Difference = d
	s.draft.say(d.text(here))
	return nil
}

// replyAt returns the state at a visit in the form in which states are compared.
func (vs *visits) replyAt(v *Visit) dsl.Reply {
	t := vs.program.states()
	if v.End || v.Event < 0 || v.Event >= t.Len() {
		return dsl.Reply{Outcome: dsl.Ended, Exit: vs.program.nav.Mark(v.Position).Exit}
	}
	stop := &dsl.Stop{State: *t.State(v.Event)}
	for _, f := range t.Stack(v.Event) {
		stop.Stack = append(stop.Stack, f.Frame)
	}
	return dsl.Reply{Outcome: dsl.Landed, Stop: stop}
}

// text describes the difference, one line for each part that differs.
func (d *Difference) text(here *Visit) string {
	there := fmt.Sprintf("#%d, %s", d.Visit.Number, d.Visit.Place())
	if d.Name != fmt.Sprintf("#%d", d.Visit.Number) {
		there = d.Name + ", " + there
	}
	head := fmt.Sprintf("There (%s) and here (#%d, %s)", there, here.Number, here.Place())
	if d.Verdicts.Same() {
		return head + " the states are the same"
	}
	lines := []string{fmt.Sprintf("%s %s:", head, plural(d.Verdicts.Count(), "part differs", "parts differ"))}
	for _, v := range d.Verdicts {
		if v.Kind != compare.Same {
			lines = append(lines, "  "+differenceText(v))
		}
	}
	return strings.Join(lines, "\n")
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
